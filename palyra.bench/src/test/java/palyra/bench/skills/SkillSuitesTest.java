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
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.process.PlainUser;
import palyra.bench.report.Machine;
import palyra.bench.report.Report;

/** Every suite measures the real thing, here as little of it as there is. Needs node. */
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
        assertTrue(PlainUser.onPath("node"), "apt install nodejs for this");
        Setting setting = Setting.parse("--runs", "1", "--work", folder.resolve("work").toString());
        suite.run(setting, report());
        return out.toString(StandardCharsets.UTF_8).lines().map(SkillSuitesTest::name).toList();
    }

    private static String name(String line) {
        return line.substring("bench ".length(), line.indexOf(':'));
    }

    @EnabledOnOs(OS.LINUX)
    @Test
    void allEnginesCallTheSameModulesAndAgree() throws Exception {
        List<Task> tasks = List.of(Workload.trivial(), Workload.echo());
        List<String> figures = figures(new CallSuite(tasks, 0, 0));
        assertEquals(12, figures.size(), figures::toString);
        assertTrue(figures.contains("skills.call-as-echo-v8-metered"), figures::toString);
        assertTrue(figures.contains("skills.call-trivial-wasmtime"), figures::toString);
    }

    @EnabledOnOs(OS.LINUX)
    @EnabledIfSystemProperty(named = "palyra.test.full", matches = "true")
    @Test
    void endsCallsAtTheirDeadlineOnAllEngines() throws Exception {
        List<String> figures = figures(new DeadlineSuite(20, 1));
        assertEquals(12, figures.size(), figures::toString);
        assertTrue(figures.contains("skills.deadline-bulk-64-wasmtime-p99"), figures::toString);
        assertTrue(figures.contains("skills.deadline-spin-endive-p50"), figures::toString);
    }

    @EnabledOnOs(OS.LINUX)
    @EnabledIfSystemProperty(named = "palyra.test.full", matches = "true")
    @Test
    void compilesForEachCall() throws Exception {
        assertEquals(
                List.of(
                        "skills.compile-trivial-endive",
                        "skills.compile-trivial-chicory",
                        "skills.compile-trivial-wasmtime-direct",
                        "skills.compile-trivial-v8"),
                figures(new CompileSuite(List.of(Workload.trivial()), 0, 0)));
    }

    @Test
    void admitsTheCorpus() throws Exception {
        assertEquals(
                List.of(
                        "skills.admission-generated",
                        "skills.admission-generated-unmetered",
                        "skills.admission-real",
                        "skills.admission-real-unmetered"),
                figures(new AdmissionSuite(0, 0)));
    }

    @Test
    void modulesComeToTheSameMeteredAndNot() throws Exception {
        try (SkillGuests ours = new SkillGuests(EngineMakers.endive());
                ChicoryGuests chicory = new ChicoryGuests()) {
            List<Task> tasks = new ArrayList<>(Workload.computing());
            tasks.add(Workload.wordcount());
            tasks.add(Workload.slugify());
            for (Task task : tasks) {
                ours.prepare(task);
                chicory.prepare(Workload.metered(task));
                assertEquals(ours.call(), chicory.call(), task.name());
            }
        }
    }

    @Test
    void enginesThatDisagreeEndTheMeasurement() throws Exception {
        CallSuite suite = new CallSuite(List.of(), 0, 0);
        Guests wrong = new Liar();
        try (Contestant one = new Local("ours", new SkillGuests(EngineMakers.endive()));
                Contestant other = new Local("liar", wrong)) {
            IllegalStateException refused =
                    assertThrows(
                            IllegalStateException.class,
                            () ->
                                    suite.measure(
                                            Workload.trivial(),
                                            new TreeMap<>(Map.of(Stage.ENDIVE, one, "liar", other)),
                                            1,
                                            report()));
            assertTrue(refused.getMessage().contains("liar answers"), refused.getMessage());
        }
        assertEquals("", out.toString(StandardCharsets.UTF_8));
    }

    @Test
    void aCallThatChangesItsMindEndsTheMeasurement() {
        int[] calls = new int[1];
        assertThrows(
                IllegalStateException.class,
                () -> Local.round(() -> new Answer(calls[0]++, ""), 1_000_000_000L));
    }

    @Test
    void whatIsToldToOtherProcessesComesBackTheSame() throws Exception {
        Task task = Workload.metered(Workload.echo());
        Task told = Task.of(task.json());
        assertEquals(task.json(), told.json());
        Round round = new Round(new Answer(3, "Köln"), 2, 4_000, 8_000, new long[] {1_000, 3_000});
        assertEquals(round.json(), Round.of(round.json()).json());
        assertEquals(500_000, round.perSecond());
        assertEquals(3, round.latencies().micros(99));
        assertEquals(250_000, round.perCoreSecond());
    }

    @Test
    void anEngineThatCannotBeHadIsSaid() throws Exception {
        Partner partner =
                new Partner(
                        "broken",
                        List.of("sh", "-c", "echo it is broken >&2; read line; exit 1"),
                        folder,
                        folder.resolve("errors"));
        Exception failed =
                assertThrows(IOException.class, () -> partner.prepare(Workload.trivial()));
        assertTrue(failed.getMessage().contains("it is broken"), failed.getMessage());
        partner.close();
        assertTrue(Files.exists(folder.resolve("errors")));
    }

    /** Answers what no module said. */
    private static final class Liar implements Guests {
        @Override
        public void prepare(Task task) {}

        @Override
        public Answer call() {
            return new Answer(0, "a lie");
        }

        @Override
        public Answer fresh() {
            return call();
        }

        @Override
        public void expire(long deadlineMillis) {}

        @Override
        public void close() {}
    }
}
