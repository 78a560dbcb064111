package palyra.sandbox.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.sandbox.internal.guard.GuardFixture.accepted;
import static palyra.sandbox.internal.guard.GuardFixture.concern;
import static palyra.sandbox.internal.guard.GuardFixture.unchanged;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs that every POSIX host has, found where they are. */
class RealProgramsTest {
    @TempDir Path temp;
    private GuardFixture fixture;
    private CommandGuard guard;

    @BeforeEach
    void makeGuard() throws Exception {
        fixture = new GuardFixture(temp);
        guard =
                new CommandGuard(
                        new GuardSettings(
                                Set.of(),
                                false,
                                List.of(fixture.bin.toString(), "/usr/bin", "/bin"),
                                List.of()));
    }

    private GuardVerdict examine(String command, String... arguments) {
        return guard.examine(
                new CommandRequest(command, List.of(arguments), "", Set.of()), fixture.workspace);
    }

    private static String output(ResolvedCommand command) throws Exception {
        Process process =
                new ProcessBuilder(command.argv())
                        .directory(command.workingFolder().toFile())
                        .redirectErrorStream(true)
                        .start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), out);
        return out.strip();
    }

    @Test
    void whatIsAcceptedRunsAsItWasAskedFor() throws Exception {
        Files.writeString(fixture.workspace.resolve("f"), "say foo\n");
        assertEquals("/", output(unchanged(examine("echo", "/"), "/")));
        assertTrue(output(unchanged(examine("date", "+%H:%M"), "+%H:%M")).matches("\\d\\d:\\d\\d"));
        assertEquals(
                "say bar", output(unchanged(examine("sed", "s/foo/bar/", "f"), "s/foo/bar/", "f")));
        assertEquals("say foo", output(unchanged(examine("grep", "foo", "f"), "foo", "f")));
        assertEquals(
                "foo", output(unchanged(examine("awk", "{print $2}", "f"), "{print $2}", "f")));
    }

    @Test
    void interpretersAndDispatchersOfThisHostAreRefused() throws Exception {
        concern("sandbox.interpreter", examine("sh", "-c", "echo x"));
        concern("sandbox.dispatcher", examine("env", "sh", "-c", "echo x"));
        concern("sandbox.dispatcher", examine("nohup", "echo"));
    }

    @Test
    void aCopyOfThisHostsShellIsStillAShell() throws Exception {
        Path copy = Files.copy(Path.of("/bin/sh"), fixture.bin.resolve("mytool"));
        List<String> control = new ArrayList<>(List.of(copy.toString(), "-c", "echo it runs"));
        Process process = new ProcessBuilder(control).start();
        assertEquals(
                "it runs\n",
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        concern("sandbox.interpreter", examine("mytool", "-c", "echo it runs"));
    }

    @Test
    void anAliasKeepsTheNameItIsCalledBy() throws Exception {
        Path ls = Path.of("/bin/ls").toRealPath();
        Files.createSymbolicLink(fixture.bin.resolve("dir-list"), ls);
        ResolvedCommand command = accepted(examine("dir-list"));
        assertEquals(fixture.bin.resolve("dir-list"), command.program());
        assertEquals(ls.toString(), command.facts().executable());
    }
}
