package palyra.bench.skills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Machine;
import palyra.bench.report.Report;

/** Every suite measures the real thing, here as little of it as there is. */
class SkillSuitesTest {
    @TempDir Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private Report report() {
        return new Report(
                new Machine(2, "25", "Linux", "ext4", ""),
                folder,
                Instant.EPOCH,
                new PrintStream(out, true, StandardCharsets.UTF_8));
    }

    private List<String> figures(Suite suite) throws Exception {
        Setting setting = Setting.parse("--runs", "1", "--work", folder.resolve("work").toString());
        suite.run(setting, report());
        return out.toString(StandardCharsets.UTF_8).lines().map(SkillSuitesTest::name).toList();
    }

    private static String name(String line) {
        return line.substring("bench ".length(), line.indexOf(':'));
    }

    @EnabledOnOs(OS.LINUX)
    @Test
    void bothEnginesCallTheSameModulesAndAgree() throws Exception {
        List<Task> tasks = new ArrayList<>(List.of(Workload.trivial(), Workload.echo()));
        tasks.addAll(Workload.computing());
        tasks.addAll(List.of(Workload.wordcount(), Workload.slugify()));
        assertEquals(
                tasks.stream().map(task -> "skills.call-" + task.name()).toList(),
                figures(new CallSuite(tasks, 0, 0)));
    }

    @Test
    void enginesThatDisagreeEndTheMeasurement() throws Exception {
        CallSuite suite = new CallSuite(List.of(), 0, 0);
        CallSuite.Engine wrong = (task, nanos) -> Round.of(() -> new CallResult(0, "a lie"), nanos);
        try (SkillEngine engine = new SkillEngine(EngineMakers.endive())) {
            CallSuite.Engine ours =
                    (task, nanos) -> {
                        engine.prepare(task);
                        return Round.of(engine::call, nanos);
                    };
            IllegalStateException refused =
                    assertThrows(
                            IllegalStateException.class,
                            () ->
                                    suite.measure(
                                            Workload.trivial(),
                                            new TreeMap<>(Map.of("endive", ours, "liar", wrong)),
                                            1,
                                            report()));
            assertTrue(refused.getMessage().contains("liar returns"), refused.getMessage());
        }
        assertEquals("", out.toString(StandardCharsets.UTF_8));
    }

    @Test
    void callsWithDifferentResultsEndTheMeasurement() {
        int[] calls = new int[1];
        assertThrows(
                IllegalStateException.class,
                () -> Round.of(() -> new CallResult(calls[0]++, ""), 1_000_000_000L));
    }

    @Test
    void tasksAndRoundsSurviveTheirJson() throws Exception {
        Task task = Workload.echo();
        assertEquals(task.json(), Task.of(task.json()).json());
        Round round =
                new Round(new CallResult(3, "Köln"), 2, 4_000, 8_000, new long[] {1_000, 3_000});
        assertEquals(round.json(), Round.of(round.json()).json());
        assertEquals(500_000, round.perSecond());
        assertEquals(3, round.latencies().micros(99));
        assertEquals(250_000, round.perCoreSecond());
    }

    @Test
    void anEngineProcessThatEndsIsReported() throws Exception {
        EngineProcess process =
                new EngineProcess(
                        "broken",
                        List.of("sh", "-c", "echo it is broken >&2; read line; exit 1"),
                        folder,
                        folder.resolve("errors"));
        Exception failed =
                assertThrows(IOException.class, () -> process.round(Workload.trivial(), 0));
        assertTrue(failed.getMessage().contains("it is broken"), failed.getMessage());
        process.close();
        assertTrue(Files.exists(folder.resolve("errors")));
    }
}
