package palyra.models.internal.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelRequest;
import palyra.api.model.ToolProposal;
import palyra.api.tool.ToolDescriptor;
import palyra.shared.hash.Digests;
import palyra.shared.json.StrictJson;

/**
 * The names of tools as model servers take them: 1 to 64 of letters, digits, {@code _} and {@code
 * -}. The gateway's names have dots. Within one request the mapping is one to one: a valid name
 * stays, a dot becomes {@code _}, and a digest is added to avoid a collision or an overlong name.
 * Offered tools are mapped first, so that their names do not depend on the conversation. Immutable.
 */
public final class ToolNames {
    private static final int MAX = 64;
    private static final int DIGEST = 8;
    private static final Pattern NAME = Pattern.compile("[a-z0-9]+(?:[._-][a-z0-9]+)+");

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

    /** Returns a text of the gateway about tools with the server's names of those it names. */
    public String outwardIn(String text) {
        return NAME.matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(outward(found.group())));
    }

    /** Returns the schema of a tool's input, whose descriptions have the server's names. */
    public JsonNode schema(ToolDescriptor tool) {
        JsonNode schema = StrictJson.parse(tool.inputSchemaJson(), "the schema of " + tool.name());
        schema.findParents("description").forEach(this::rename);
        return schema;
    }

    private void rename(JsonNode described) {
        if (described.get("description").isTextual()) {
            ((ObjectNode) described)
                    .put("description", outwardIn(described.get("description").textValue()));
        }
    }

    /**
     * Returns the output of a call as the model gets it: the gateway's sentence about a failure,
     * which is its first line, has the server's names of tools.
     */
    public String told(ModelMessage.ToolOutput output) {
        int end = output.text().indexOf('\n');
        int line = end < 0 ? output.text().length() : end;
        return output.success()
                ? output.text()
                : outwardIn(output.text().substring(0, line)) + output.text().substring(line);
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
