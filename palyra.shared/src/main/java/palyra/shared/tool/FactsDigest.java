package palyra.shared.tool;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import java.util.TreeSet;
import palyra.api.core.access.CallFacts;
import palyra.shared.hash.Digests;
import palyra.shared.json.Jcs;

/**
 * Digest of the facts that a call was decided on, so that an executor can tell at the start whether
 * they still hold. SHA-256 over {@code palyra.tool.facts.v1}, a NUL and RFC 8785 JSON with every
 * field of {@link CallFacts}, sets sorted; {@code workspace} is left out when empty.
 */
public final class FactsDigest {
    private static final String TAG = "palyra.tool.facts.v1\0";

    private FactsDigest() {}

    /** Returns the digest as lower-case hex. */
    public static String of(CallFacts facts) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("executable", facts.executable());
        node.put("executable_sha256", facts.executableSha256());
        node.put("working_folder", facts.workingFolder());
        node.put("subcommand", facts.subcommand());
        node.put("argument_count", facts.argumentCount());
        texts(node.putArray("flags"), facts.flags());
        texts(node.putArray("hosts"), facts.hosts());
        ArrayNode ports = node.putArray("ports");
        new TreeSet<>(facts.ports()).forEach(port -> ports.add(port.intValue()));
        texts(node.putArray("methods"), facts.methods());
        texts(node.putArray("read_paths"), facts.readPaths());
        texts(node.putArray("write_paths"), facts.writePaths());
        texts(node.putArray("secrets"), facts.secrets());
        if (facts.workspace().known()) {
            ObjectNode workspace = node.putObject("workspace");
            workspace.put("sha256", facts.workspace().sha256());
            texts(workspace.putArray("running"), facts.workspace().running());
        }
        return Digests.sha256Hex(TAG + Jcs.text(node));
    }

    private static void texts(ArrayNode array, Set<String> texts) {
        new TreeSet<>(texts).forEach(array::add);
    }
}
