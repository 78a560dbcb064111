package palyra.sandbox.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A workspace, and a search path with programs that only look like some. */
final class GuardFixture {
    final Path root;
    final Path workspace;
    final Path bin;

    GuardFixture(Path temp) throws IOException {
        root = temp.toRealPath();
        workspace = Files.createDirectories(root.resolve("ws"));
        bin = Files.createDirectories(root.resolve("bin"));
        Files.createDirectories(workspace.resolve("src/deep"));
        Files.writeString(workspace.resolve("f"), "x");
        Files.createDirectories(root.resolve("outside"));
        Files.writeString(root.resolve("outside/secret"), "HOSTSECRET");
    }

    /** Makes a program, which nobody starts. */
    Path program(String name) throws IOException {
        return file(name, "\u007fELF " + name);
    }

    Path file(String name, String content) throws IOException {
        Path file = bin.resolve(name);
        if (!Files.exists(file)) {
            Files.writeString(file, content);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        return file;
    }

    GuardSettings settings(boolean allowInterpreters) {
        return new GuardSettings(
                Set.of(), allowInterpreters, List.of(bin.toString()), List.of("/opt/readable"));
    }

    CommandGuard guard() {
        return new CommandGuard(settings(false));
    }

    GuardVerdict examine(String command, String... arguments) throws IOException {
        program(command);
        return guard().examine(
                        new CommandRequest(command, List.of(arguments), "", Set.of()), workspace);
    }

    GuardVerdict examineIn(String folder, String command, String... arguments) throws IOException {
        program(command);
        return guard().examine(
                        new CommandRequest(command, List.of(arguments), folder, Set.of()),
                        workspace);
    }

    /** Nothing about the command is left to its sandbox. */
    static ResolvedCommand accepted(GuardVerdict verdict) {
        ResolvedCommand command = found(verdict);
        assertEquals(List.of(), command.concerns());
        return command;
    }

    /** The command can be started, whatever else it looks like. */
    static ResolvedCommand found(GuardVerdict verdict) {
        return assertInstanceOf(GuardVerdict.Accepted.class, verdict, verdict.toString()).command();
    }

    /** Something of the command is left to its sandbox; returns what is said of it. */
    static Concern concern(String reasonCode, GuardVerdict verdict) {
        List<Concern> all = found(verdict).concerns();
        Concern concern =
                all.stream()
                        .filter(one -> one.reasonCode().equals(reasonCode))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError(reasonCode + " is not in " + all));
        assertTrue(concern.reason().endsWith("."), concern.reason());
        return concern;
    }

    static GuardVerdict.Refused refused(String reasonCode, GuardVerdict verdict) {
        GuardVerdict.Refused refused =
                assertInstanceOf(GuardVerdict.Refused.class, verdict, verdict.toString());
        assertEquals(reasonCode, refused.reasonCode(), refused.reason());
        assertTrue(refused.reason().endsWith("."), refused.reason());
        return refused;
    }

    /** The arguments arrive as they were sent. */
    static ResolvedCommand unchanged(GuardVerdict verdict, String... arguments) {
        ResolvedCommand command = accepted(verdict);
        List<String> argv = new ArrayList<>();
        argv.add(command.program().toString());
        argv.addAll(List.of(arguments));
        assertEquals(argv, command.argv());
        return command;
    }
}
