package palyra.sandbox.posix.internal.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.core.sandbox.LaunchPlan.Rlimits;
import palyra.sandbox.posix.internal.libc.Limit;

/** Runs stages in real shells: descriptor 0 is the start gate, descriptor 1 the cgroup file. */
@ParameterizedClass
@ValueSource(strings = {"/bin/sh", "/bin/bash"})
class StageRunTest {
    private static final Rlimits NONE = new Rlimits(0, 0, 0, 0, 0);
    private static final Rlimits ALL = new Rlimits(50, 1L << 32, 123_392, 77, 5_000);
    private static final ToLongFunction<Limit> FREE = limit -> -1;
    private static final String LIMITS = "/proc/self/limits";

    @Parameter String shell;
    @TempDir Path folder;

    private record Result(int code, String text) {}

    private Stage stage(Rlimits limits, List<Integer> cgroupDescriptors, int startSignal) {
        return stage(limits, FREE, cgroupDescriptors, startSignal);
    }

    private Stage stage(
            Rlimits limits,
            ToLongFunction<Limit> hard,
            List<Integer> cgroupDescriptors,
            int startSignal) {
        ShellDialect dialect = ShellProbe.probe(shell);
        assertTrue(dialect.usable(), shell + ": " + dialect.problem());
        return Stage.of(dialect, limits, hard, cgroupDescriptors, startSignal, 0);
    }

    private Result run(String input, Stage stage, String... command) throws Exception {
        List<String> words = new ArrayList<>(List.of(shell, "-c", stage.script(), "palyra"));
        words.addAll(List.of(command));
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().clear();
        builder.environment().put("GIVEN", "as it is");
        Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try (OutputStream in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException closed) {
            assertFalse(input.isEmpty(), "nothing was written to " + closed);
        }
        byte[] out = process.getInputStream().readAllBytes();
        return new Result(process.waitFor(), new String(out, StandardCharsets.UTF_8));
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
        Stage stage = stage(NONE, List.of(), -1);
        assertEquals(7, run("", stage, "/bin/sh", "-c", "exit 7").code());
        assertEquals(
                "a b||é*$(x)|\n",
                run("", stage, "/usr/bin/printf", "%s|%s|%s|\n", "a b", "", "é*$(x)").text());
        List<String> environment =
                run("", stage, "/usr/bin/env").text().lines().filter(l -> !isShells(l)).toList();
        assertEquals(List.of("GIVEN=as it is"), environment);
    }

    /** Bash sets these two itself at every execution. */
    private static boolean isShells(String line) {
        return line.startsWith("_=") || line.startsWith("SHLVL=");
    }

    @Test
    void setsEveryLimitAndNoMore() throws Exception {
        String shown = run("", stage(ALL, List.of(), -1), "/bin/cat", LIMITS).text();
        assertEquals(List.of("50 51"), limit(shown, "Max cpu time"));
        int unit = ShellProbe.probe(shell).fileBlock();
        long file = 123_392 / unit * unit;
        assertEquals(List.of(file + " " + file), limit(shown, "Max file size"));
        assertEquals(List.of("77 77"), limit(shown, "Max open files"));
        assertEquals(List.of("5000 5000"), limit(shown, "Max processes"));
        assertEquals(List.of("4294967296 4294967296"), limit(shown, "Max address space"));
        assertEquals(List.of("0 0"), limit(shown, "Max core file size"));
        assertEquals(List.of("unlimited unlimited"), limit(shown, "Max data size"));
        String free = run("", stage(NONE, List.of(), -1), "/bin/cat", LIMITS).text();
        assertEquals(List.of("unlimited unlimited"), limit(free, "Max cpu time"));
        assertEquals(List.of("0 0"), limit(free, "Max core file size"));
    }

    @Test
    void limitsAreCutDownToWhatThisProcessMayHave() throws Exception {
        String show = "ulimit -t; ulimit -H -t; ulimit -n";
        Stage none = stage(ALL, limit -> 40, List.of(), -1);
        assertEquals(
                "",
                run("", none, "/bin/sh", "-c", show).text(),
                "with 1 KiB of memory nothing can be executed");
        ToLongFunction<Limit> hard = limit -> limit == Limit.CPU || limit == Limit.FILES ? 40 : -1;
        Stage cut = stage(ALL, hard, List.of(), -1);
        assertEquals("40\n40\n40\n", run("", cut, "/bin/sh", "-c", show).text());
    }

    @Test
    void waitsForTheStartSignalAndForNothingElse() throws Exception {
        Stage stage = stage(NONE, List.of(), 0);
        String look = "[ -e /proc/self/fd/0 ] || echo closed";
        assertEquals("closed\n", run("go\n", stage, "/bin/sh", "-c", look).text());
        for (String said :
                List.of("", "g", "go", "no\n", "go ", "go \n", " go\n", "Go\n", "\0o\n")) {
            assertEquals(Stage.NO_START_SIGNAL, run(said, stage, "/bin/echo", "ran").code(), said);
        }
    }

    @Test
    void joinsItsCgroupBeforeTheCommandOrEnds() throws Exception {
        Stage stage = stage(NONE, List.of(1), -1);
        Result joined = run("", stage, "/bin/sh", "-c", "[ -e /proc/self/fd/1 ] || exit 5");
        assertEquals(5, joined.code());
        assertTrue(joined.text().matches("[0-9]+\n"), joined.text());
        Stage noDoor = stage(NONE, List.of(8), -1);
        assertEquals(new Result(Stage.NO_CGROUP, ""), run("", noDoor, "/bin/echo", "ran"));
    }

    @Test
    void tellsACommandThatIsMissingFromOneThatIsForbidden() throws Exception {
        Stage stage = stage(NONE, List.of(), -1);
        assertEquals(127, run("", stage, "/nowhere/x").code());
        assertEquals(126, run("", stage, "/etc").code());
        Path text = Files.writeString(folder.resolve("text"), "echo $0 $1; exit 3\n");
        assertEquals(126, run("", stage, text.toString()).code());
        Files.setPosixFilePermissions(text, PosixFilePermissions.fromString("rwx------"));
        assertEquals(new Result(3, text + " one\n"), run("", stage, text.toString(), "one"));
    }

    @Test
    void aLimitThatCannotBeSetEndsIt() throws Exception {
        Stage stage = stage(new Rlimits(0, 0, 0, Integer.MAX_VALUE, 0), List.of(), -1);
        assertEquals(new Result(Stage.NO_LIMIT, ""), run("", stage, "/bin/echo", "ran"));
    }
}
