package palyra.sandbox.posix.internal.spawn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.sandbox.LaunchPlan.Rlimits;
import palyra.sandbox.posix.internal.libc.Limit;

/** The program is run as a file: with 0 as its gate and 1 as a cgroup's door. */
class StageImageTest {
    private static final Rlimits NONE = new Rlimits(0, 0, 0, 0, 0);
    private static final Rlimits ALL = new Rlimits(50, 1L << 32, 123_456, 77, 5_000);
    private static final ToLongFunction<Limit> FREE = limit -> -1;
    private static final int OWN = 9;
    private static final String LIMITS = "/proc/self/limits";

    @TempDir Path folder;

    private record Result(int code, String text) {}

    @BeforeEach
    void needsTheProcessor() {
        assumeTrue(
                System.getProperty("os.arch").equals("amd64"),
                "images are for x86-64; other processors use the shell");
    }

    private Result run(String input, byte[] image, String... command) throws Exception {
        Path file = folder.resolve("image");
        Files.write(file, image);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        List<String> words = new ArrayList<>(List.of(file.toString()));
        words.addAll(List.of(command));
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().clear();
        builder.environment().put("GIVEN", "as it is");
        Process process = builder.redirectErrorStream(true).start();
        try (OutputStream in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException closed) {
            assertFalse(input.isEmpty(), "nothing was written to " + closed);
        }
        byte[] out = process.getInputStream().readAllBytes();
        return new Result(process.waitFor(), new String(out, StandardCharsets.UTF_8));
    }

    private static byte[] image(Rlimits limits, List<Integer> doors, int gate) {
        return StageImage.of(limits, FREE, OWN, doors, gate);
    }

    private static List<String> limit(String shown, String name) {
        return shown.lines()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).strip().split("\\s+"))
                .map(words -> words[0] + " " + words[1])
                .toList();
    }

    @Test
    void becomesTheCommandWithItsArgumentsAndEnvironment() throws Exception {
        byte[] image = image(NONE, List.of(), -1);
        assertEquals(7, run("", image, "/bin/sh", "-c", "exit 7").code());
        assertEquals(
                "a b||é*$(x)|\n",
                run("", image, "/usr/bin/printf", "%s|%s|%s|\n", "a b", "", "é*$(x)").text());
        assertEquals("GIVEN=as it is\n", run("", image, "/usr/bin/env").text());
    }

    @Test
    void setsEveryLimitAndNoMore() throws Exception {
        String shown = run("", image(ALL, List.of(), -1), "/bin/cat", LIMITS).text();
        assertEquals(List.of("50 51"), limit(shown, "Max cpu time"));
        assertEquals(List.of("123456 123456"), limit(shown, "Max file size"));
        assertEquals(List.of("77 77"), limit(shown, "Max open files"));
        assertEquals(List.of("5000 5000"), limit(shown, "Max processes"));
        assertEquals(List.of("4294967296 4294967296"), limit(shown, "Max address space"));
        assertEquals(List.of("0 0"), limit(shown, "Max core file size"));
        String free = run("", image(NONE, List.of(), -1), "/bin/cat", LIMITS).text();
        assertEquals(List.of("unlimited unlimited"), limit(free, "Max cpu time"));
        assertEquals(List.of("0 0"), limit(free, "Max core file size"));
    }

    @Test
    void limitsAreCutDownToWhatThisProcessMayHave() throws Exception {
        byte[] image = StageImage.of(ALL, limit -> 40, OWN, List.of(), -1);
        String shown = run("", image, "/bin/sh", "-c", "ulimit -t; ulimit -H -t; ulimit -n").text();
        assertEquals("", shown, "with 40 bytes of memory nothing can be executed");
        ToLongFunction<Limit> hard = limit -> limit == Limit.CPU || limit == Limit.FILES ? 40 : -1;
        image = StageImage.of(ALL, hard, OWN, List.of(), -1);
        shown = run("", image, "/bin/sh", "-c", "ulimit -t; ulimit -H -t; ulimit -n").text();
        assertEquals("40\n40\n40\n", shown);
    }

    @Test
    void waitsForLeaveAndForNothingElse() throws Exception {
        byte[] image = image(NONE, List.of(), 0);
        String look = "[ -e /proc/self/fd/0 ] || echo closed";
        assertEquals("closed\n", run("go\n", image, "/bin/sh", "-c", look).text());
        for (String said : List.of("", "g", "go", "no\n", "go ", "Go\n", "\0o\n")) {
            assertEquals(Stage.NO_LEAVE, run(said, image, "/bin/echo", "ran").code(), said);
        }
    }

    @Test
    void joinsItsCgroupBeforeTheCommandOrEnds() throws Exception {
        byte[] image = image(NONE, List.of(1), -1);
        Result joined = run("", image, "/bin/sh", "-c", "[ -e /proc/self/fd/1 ] || exit 5");
        assertEquals(new Result(5, "0\n"), joined);
        byte[] noDoor = image(NONE, List.of(8), -1);
        assertEquals(new Result(Stage.NO_CGROUP, ""), run("", noDoor, "/bin/echo", "ran"));
    }

    @Test
    void tellsACommandThatIsMissingFromOneThatIsForbidden() throws Exception {
        byte[] image = image(NONE, List.of(), -1);
        assertEquals(127, run("", image, "/nowhere/x").code());
        assertEquals(126, run("", image, "/etc").code());
        Path text = Files.writeString(folder.resolve("text"), "echo $0 $1; exit 3\n");
        assertEquals(126, run("", image, text.toString()).code());
        Files.setPosixFilePermissions(text, PosixFilePermissions.fromString("rwx------"));
        assertEquals(new Result(3, text + " one\n"), run("", image, text.toString(), "one"));
    }

    @Test
    void aLimitThatCannotBeSetEndsIt() throws Exception {
        byte[] image = image(new Rlimits(0, 0, 0, Integer.MAX_VALUE, 0), List.of(), -1);
        assertEquals(new Result(Stage.NO_LIMIT, ""), run("", image, "/bin/echo", "ran"));
    }

    @Test
    void itsInstructionsAreThese() {
        byte[] file = image(NONE, List.of(), -1);
        assertTrue(file.length < 1_024, file.length + " bytes");
        byte[] begin = new byte[20];
        System.arraycopy(file, 64 + 2 * 56, begin, 0, begin.length);
        assertArrayEquals(
                new byte[] {
                    0x49,
                    (byte) 0x89,
                    (byte) 0xe4, // mov r12, rsp
                    0x48,
                    (byte) 0x83,
                    (byte) 0xec,
                    0x40, // sub rsp, 64
                    (byte) 0xbf,
                    OWN,
                    0,
                    0,
                    0, // mov edi, 9
                    (byte) 0xb8,
                    3,
                    0,
                    0,
                    0, // mov eax, 3: close
                    0x0f,
                    0x05,
                    (byte) 0xbf
                },
                begin);
    }
}
