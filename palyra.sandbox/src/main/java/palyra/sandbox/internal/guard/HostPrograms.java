package palyra.sandbox.internal.guard;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * The programs of this host; shared by all guards, which are replaced when the configuration
 * changes. Thread-safe.
 */
public final class HostPrograms {
    private static final Path ROOT = Path.of("/");

    private final ProgramDigests digests = new ProgramDigests();
    private final KnownInterpreters interpreters = new KnownInterpreters(digests);

    ProgramDigests digests() {
        return digests;
    }

    KnownInterpreters interpreters() {
        return interpreters;
    }

    /**
     * Fills caches that the first command would wait for: lists programs, and examines a command
     * without starting it. Changes no result.
     */
    public void warmUp(GuardSettings settings) {
        interpreters.ofSize(-1, settings.searchPath()); // no file has that size: this lists only
        List<String> arguments = List.of("-ax", "--of=./x", "a/../b", "file:x", "https://a.test/");
        new CommandGuard(settings, this)
                .examine(new CommandRequest("ls", arguments, "", Set.of()), ROOT);
    }
}
