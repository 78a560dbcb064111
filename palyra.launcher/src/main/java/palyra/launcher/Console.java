package palyra.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/**
 * The Gogo shell at this process's terminal: the bundles of {@link BundleSet#CONSOLE_FOLDER}, which
 * take the terminal when they start and stop the framework when the person leaves. Without a
 * terminal they are not even installed: they would read the end of input and stop the gateway.
 */
final class Console {
    private final StateFolder state;

    Console(StateFolder state) {
        this.state = state;
    }

    /** What the shell's start script (conf/console/etc/gosh_profile) and the shell itself read. */
    static Map<String, String> properties(Options options, StateFolder state) {
        Path profile = options.home().resolve("conf").resolve("console");
        return Map.of(
                "gosh.home",
                profile.toString(),
                "palyra.console.history",
                history(state).toString());
    }

    private static Path history(StateFolder state) {
        return state.sub("history");
    }

    /** Says what is wrong when the shell cannot open; empty when it is there. */
    List<String> open(Gateway gateway) {
        try {
            protectHistory();
        } catch (IOException e) {
            return List.of(
                    "the shell's history cannot be kept to its owner: " + Problems.sentence(e));
        }
        return gateway.openConsole();
    }

    /** What was typed is nobody else's to read, whatever the umask was. */
    private void protectHistory() throws IOException {
        Path history = history(state);
        if (!Files.exists(history, LinkOption.NOFOLLOW_LINKS)) {
            Files.createFile(
                    history,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")));
        }
        Files.setPosixFilePermissions(history, PosixFilePermissions.fromString("rw-------"));
    }
}
