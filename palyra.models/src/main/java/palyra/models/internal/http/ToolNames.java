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
 * -}. Ours have dots. Within one request each name stands for one tool, both ways; what is usable
 * as it is stays, a dot becomes {@code _}, and where that would collide or is too long a digest of
 * the name is added. The tools on offer come first, so that their names do not change with the
 * conversation. Immutable.
 */
public final class ToolNames {
    private static final int MAX = 64;
    private static final int DIGEST = 8;

    private final Map<String, String> outward = new HashMap<>();
    private final Map<String, String> inward = new HashMap<>();
    private final Set<String> offered = new HashSet<>();

    private ToolNames() {}

    /** Returns the names for a request: its tools, and those that its messages speak of. */
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

    /** Names that are usable as they are take their places before any is made up. */
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

    /** Returns the server's name of a tool that the request speaks of. */
    public String outward(String ours) {
        return outward.getOrDefault(ours, ours);
    }

    /** Returns our name of a tool; one that was never told is returned as it is. */
    public String inward(String theirs) {
        return inward.getOrDefault(theirs, theirs);
    }

    /** Returns whether that name, the server's or ours, is one of a tool on offer. */
    boolean offered(String name) {
        return offered.contains(name) || offered.contains(outward.getOrDefault(name, ""));
    }
}
