package palyra.sandbox.internal.process;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.sandbox.internal.run.RunResult;

/**
 * Tells a model why programs could not write protected paths. They say it as if the file system
 * were at fault, and git goes on with the rest and may end with 0. Stateless.
 */
final class ReadOnlyNote {
    private static final int ROOM = 16_384;

    /** What the C library calls a write to a mount for reading, and the removal of a mount. */
    private static final List<String> SAID =
            List.of("Read-only file system", "Device or resource busy");

    private ReadOnlyNote() {}

    /** Returns the note about what a command wrote; empty when it says nothing of the kind. */
    static String of(SandboxSpec spec, RunResult result) {
        String said = result.stderr().end(ROOM) + "\n" + result.stdout().end(ROOM);
        if (SAID.stream().noneMatch(said::contains)) {
            return "";
        }
        List<String> names =
                spec.protectedPaths().stream()
                        .filter(said::contains)
                        .filter(name -> exists(Path.of(spec.workspace(), name)))
                        .toList();
        return names.isEmpty()
                ? ""
                : "Protected in this workspace, and so left as before: "
                        + String.join(", ", names)
                        + ". Everything else that the command did is done, so look at it, such as by"
                        + " git status, before you commit. To have them changed, run it with them in"
                        + " protected_paths, which a person is asked about, or ask the operator.";
    }

    private static boolean exists(Path path) {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }
}
