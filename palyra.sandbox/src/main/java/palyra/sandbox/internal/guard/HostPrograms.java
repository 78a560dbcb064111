package palyra.sandbox.internal.guard;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * What is known of the programs of this host; shared by guards, which come and go with the
 * configuration. Thread-safe.
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
     * Does now what the first command would have to wait for: lists programs, and looks at a
     * command that nobody starts. Changes nothing that anybody is told.
     */
    public void warmUp(GuardSettings settings) {
        interpreters.ofSize(-1, settings.searchPath()); // no file has that size: this lists only
        List<String> arguments = List.of("-ax", "--of=./x", "a/../b", "file:x", "https://a.test/");
        new CommandGuard(settings, this)
                .examine(new CommandRequest("ls", arguments, "", Set.of()), ROOT);
    }
}
