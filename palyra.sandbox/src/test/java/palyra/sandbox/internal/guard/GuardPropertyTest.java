package palyra.sandbox.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.shared.tool.FactsDigest;

/** What holds for whatever is sent, tried with texts made by a generator with a fixed seed. */
class GuardPropertyTest {
    private static final String[] PARTS = {
        "..",
        ".",
        "/",
        "//",
        "../",
        "/..",
        "a",
        "src",
        "deep",
        "f",
        "out",
        "in",
        "=",
        ":",
        ",",
        "@",
        "{",
        "~",
        "~/",
        "-",
        "--",
        "-o",
        "-I",
        "--opt=",
        "k=",
        "file:",
        "file://",
        "http://",
        "host.example",
        "xx:",
        "/etc/passwd",
        "etc",
        "/usr",
        "/dev/null",
        "%2e%2e",
        "%2f",
        " ",
        "\\",
        "é",
        "🙂",
        "*",
        "'",
        "\"",
        "$(x)",
        "\n",
        ";",
        "|",
        "&",
        "[",
        "]",
        "(",
        "?",
        "#",
        "!",
        "%",
        "+",
        "-exec",
        "s/a/b/",
        "C:",
        "0",
        "99999",
        "::",
        "\u0007",
        "．．",
        "\ud800",
        "\0",
    };
    private static final String[] DRESS = {
        "%s",
        "--opt=%s",
        "-o%s",
        "k=%s",
        "@%s",
        "a=@%s",
        "file:%s",
        "xx:%s",
        "--a=b:%s",
        "-I%s",
        "x,%s",
        "--mount=type=bind,source=%s",
        "k=v=%s",
    };
    private static final String[] COMMANDS = {
        "tool", "grep", "sed", "awk", "git", "curl", "tar", "find", "cp", "rsync", "nc", "jq",
    };

    @TempDir Path temp;
    private GuardFixture fixture;
    private CommandGuard guard;

    @BeforeEach
    void makeFixture() throws Exception {
        fixture = new GuardFixture(temp);
        for (String command : COMMANDS) {
            fixture.program(command);
        }
        Files.createSymbolicLink(fixture.workspace.resolve("out"), fixture.root.resolve("outside"));
        Files.createSymbolicLink(fixture.workspace.resolve("in"), Path.of("src/deep"));
        guard = fixture.guard();
    }

    private static String text(Random random, int most) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(most + 1); i > 0; i--) {
            text.append(PARTS[random.nextInt(PARTS.length)]);
        }
        return text.toString();
    }

    @Test
    void neverThrowsNeverChangesAndSaysTheSameTwice() {
        Random random = new Random(20_261_122);
        int accepted = 0;
        for (int i = 0; i < 4_000; i++) {
            List<String> arguments = new ArrayList<>();
            for (int n = random.nextInt(5); n > 0; n--) {
                arguments.add(text(random, 8));
            }
            String command =
                    random.nextInt(20) == 0
                            ? text(random, 3)
                            : COMMANDS[random.nextInt(COMMANDS.length)];
            String folder = random.nextInt(4) == 0 ? text(random, 4) : "";
            Set<String> hosts = random.nextInt(8) == 0 ? Set.of(text(random, 3)) : Set.of();
            CommandRequest request = new CommandRequest(command, arguments, folder, hosts);
            GuardVerdict first = guard.examine(request, fixture.workspace);
            GuardVerdict second = guard.examine(request, fixture.workspace);
            assertEquals(first, second);
            if (first instanceof GuardVerdict.Accepted ok) {
                accepted++;
                List<String> argv = ok.command().argv();
                assertEquals(arguments, argv.subList(1, argv.size()));
                assertEquals(arguments, request.arguments());
                assertEquals(
                        FactsDigest.of(ok.command().facts()),
                        FactsDigest.of(((GuardVerdict.Accepted) second).command().facts()));
                assertTrue(ok.command().workingFolder().startsWith(fixture.workspace));
            }
        }
        assertTrue(accepted > 300, "the generator finds things to accept: " + accepted);
    }

    /** The oracle is the system: a path that exists and is really outside must be noted. */
    @Test
    void notesEachArgumentThatReallyLeadsOutside() throws Exception {
        Random random = new Random(7);
        String[] steps = {
            "..", ".", "src", "deep", "out", "in", "f", "secret", "outside", "ws", ""
        };
        int outside = 0;
        int inside = 0;
        for (int i = 0; i < 4_000; i++) {
            StringBuilder path = new StringBuilder();
            int start = random.nextInt(4);
            path.append(
                    start == 0 ? fixture.workspace + "/" : start == 1 ? fixture.root + "/" : "");
            for (int n = 1 + random.nextInt(6); n > 0; n--) {
                path.append(steps[random.nextInt(steps.length)]).append(n > 1 ? "/" : "");
            }
            boolean deep = random.nextBoolean();
            Path cwd = deep ? fixture.workspace.resolve("src/deep") : fixture.workspace;
            boolean leadsOut = leadsOut(cwd, path.toString());
            String argument =
                    String.format(DRESS[random.nextInt(DRESS.length)], path).replace("=//", "=/");
            CommandRequest request =
                    new CommandRequest("tool", List.of(argument), deep ? "src/deep" : "", Set.of());
            boolean accepted =
                    GuardFixture.found(guard.examine(request, fixture.workspace))
                            .concerns()
                            .isEmpty();
            if (leadsOut) {
                outside++;
                assertFalse(accepted, argument + " from " + cwd + " leads out");
            } else {
                inside += accepted ? 1 : 0;
            }
        }
        assertTrue(outside > 150 && inside > 300, outside + " outside, " + inside + " inside");
    }

    private boolean leadsOut(Path cwd, String text) {
        try {
            // Unlike Path.resolve, the system follows links before it goes up.
            Path real = Path.of(cwd + "/" + text);
            real = text.startsWith("/") ? Path.of(text) : real;
            return Files.exists(real) && !real.toRealPath().startsWith(fixture.workspace);
        } catch (java.io.IOException e) {
            return false;
        }
    }
}
