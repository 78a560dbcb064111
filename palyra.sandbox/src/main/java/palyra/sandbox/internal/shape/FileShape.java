package palyra.sandbox.internal.shape;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import palyra.api.core.access.CallFacts;
import palyra.api.core.tools.CallDescription;
import palyra.api.core.tools.CallPattern;
import palyra.shared.json.Jcs;

/** Tells what a call of a file tool would do. Pure. */
public final class FileShape {
    private FileShape() {}

    /**
     * Describes a call.
     *
     * @param all what any call of the tool does, such as {@code Reads any file of the workspace};
     *     empty when only equal calls may be allowed together
     */
    public static CallDescription of(String tool, String all, Path workspace, CallFacts facts) {
        return new CallDescription(
                summary(facts),
                List.of(),
                "",
                all.isEmpty() ? Optional.empty() : Optional.of(pattern(tool, all, workspace)));
    }

    private static String summary(CallFacts facts) {
        String read = words(facts.readPaths());
        String written = words(facts.writePaths());
        return facts.writePaths().isEmpty() ? "Reads " + read + "." : "Writes " + written + ".";
    }

    private static String words(Set<String> paths) {
        return new TreeSet<>(paths)
                .stream().map(CommandSummary::word).collect(Collectors.joining(" "));
    }

    private static CallPattern pattern(String tool, String all, Path workspace) {
        ObjectNode fixed = JsonNodeFactory.instance.objectNode();
        fixed.put("tool", tool);
        fixed.put("workspace", workspace.toString());
        return new CallPattern(
                all + " " + CommandSummary.word(workspace.toString()) + ".",
                Jcs.text(fixed),
                Set.of(),
                Set.of());
    }
}
