package palyra.models.internal.http;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelRequest;
import palyra.api.model.ToolProposal;
import palyra.api.tool.ToolDescriptor;
import palyra.shared.hash.Digests;

/**
 * The names of tools as model servers take them: 1 to 64 of letters, digits, {@code _} and {@code
 * -}. The gateway's names have dots. Within one request the mapping is one to one: a valid name
 * stays, a dot becomes {@code _}, and a digest is added to avoid a collision or an overlong name.
 * Offered tools are mapped first, so that their names do not depend on the conversation. Immutable.
 */
public final class ToolNames {
    private static final int MAX = 64;
    private static final int DIGEST = 8;

    private final Map<String, String> outward = new HashMap<>();
    private final Map<String, String> inward = new HashMap<>();
    private final Set<String> offered = new HashSet<>();

    private ToolNames() {}

    /** Returns the names for the tools of a request and of its messages. */
    public static ToolNames of(ModelRequest request) {
        ToolNames names = new ToolNames();
        names.addAll(request.tools().stream().map(ToolDescriptor::name).sorted().toList());
        names.offered.addAll(names.inward.keySet());
        names.addAll(
                request.messages().stream().flatMap(ToolNames::named).distinct().sorted().toList());
        return names;
    }

    private static java.util.stream.Stream<String> named(ModelMessage message) {
        if (message instanceof ModelMessage.Assistant said) {
            return said.proposals().stream().map(ToolProposal::toolName);
        }
        return message instanceof ModelMessage.ToolOutput output
                ? java.util.stream.Stream.of(output.toolName())
                : java.util.stream.Stream.of();
    }

    /** Maps valid names first. */
    private void addAll(Iterable<String> ours) {
        for (String name : ours) {
            if (usable(name) && !inward.containsKey(name)) {
                add(name, name);
            }
        }
        for (String name : ours) {
            if (!outward.containsKey(name)) {
                add(name, free(name));
            }
        }
    }

    private void add(String ours, String theirs) {
        outward.putIfAbsent(ours, theirs);
        inward.putIfAbsent(theirs, ours);
    }

    private static boolean usable(String name) {
        return name.matches("[A-Za-z0-9_-]{1," + MAX + "}");
    }

    private String free(String ours) {
        String plain = ours.replaceAll("[^A-Za-z0-9_-]", "_");
        if (plain.length() <= MAX && !inward.containsKey(plain)) {
            return plain;
        }
        String digest = Digests.sha256Hex(ours);
        for (int length = DIGEST; ; length += DIGEST) {
            String end = "_" + digest.substring(0, length);
            String name = plain.substring(0, Math.min(plain.length(), MAX - end.length())) + end;
            if (!inward.containsKey(name)) {
                return name;
            }
        }
    }

    /** Returns the server's name of a tool. */
    public String outward(String ours) {
        return outward.getOrDefault(ours, ours);
    }

    /** Returns the gateway's name of a tool; an unknown name is returned unchanged. */
    public String inward(String theirs) {
        return inward.getOrDefault(theirs, theirs);
    }

    /** Returns whether a name, the server's or the gateway's, is that of an offered tool. */
    boolean offered(String name) {
        return offered.contains(name) || offered.contains(outward.getOrDefault(name, ""));
    }
}
