package palyra.sandbox.internal.guard;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import palyra.sandbox.internal.guard.GuardRule.Column;

/**
 * Which of the named paths a command reads and which it writes, as far as the program is known; of
 * any other program each path counts as both. What a rule forbids is then forbidden in doubt.
 */
final class FileRoles {
    private final Set<String> read = new TreeSet<>();
    private final Set<String> written = new TreeSet<>();
    private final Set<String> surelyWritten = new TreeSet<>();

    private FileRoles() {}

    static FileRoles of(FoundProgram program, List<String> arguments, List<NamedPath> paths) {
        FileRoles roles = new FileRoles();
        Predicate<String> has = role -> GuardRule.any(program.names(), Column.ROLE, role);
        boolean writer = has.test("writes");
        boolean reader = has.test("reads");
        boolean mover = has.test("moves");
        boolean lastWriter = mover || has.test("writes-last");
        boolean inPlace =
                GuardRule.any(program.names(), Column.SCRIPT, "sed")
                        && arguments.stream()
                                .anyMatch(
                                        a -> a.startsWith("--in-p") || a.matches("-[nErsuz]*i.*"));
        boolean deletes = arguments.contains("-delete");
        int last = paths.stream().mapToInt(NamedPath::position).max().orElse(-1);
        for (NamedPath path : paths) {
            boolean output = GuardRule.any(GuardRule.ANY, Column.OUTPUT_AFTER, path.option());
            if (writer || output) {
                roles.write(path.path());
            } else if (reader && !inPlace && !deletes) {
                roles.read.add(path.path());
            } else if (lastWriter) {
                if (path.position() == last || mover) {
                    roles.write(path.path()); // mv deletes the source
                }
                if (path.position() != last) {
                    roles.read.add(path.path());
                }
            } else {
                roles.read.add(path.path());
                roles.written.add(path.path());
            }
        }
        return roles;
    }

    private void write(String path) {
        written.add(path);
        surelyWritten.add(path);
    }

    Set<String> read() {
        return read;
    }

    Set<String> written() {
        return written;
    }

    /** Returns those that the program is known to write, and not only what it might. */
    Set<String> surelyWritten() {
        return surelyWritten;
    }
}
