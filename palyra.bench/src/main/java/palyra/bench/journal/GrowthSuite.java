package palyra.bench.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.TapeVerifier.Extent;
import palyra.api.core.journal.TapeVerifier.Progress;
import palyra.api.core.journal.Unit;
import palyra.api.core.journal.VerificationReport;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;
import palyra.shared.hash.Ulids;

/**
 * What everything costs in one store as it grows from 1,000 records to 1,000,000, with {@code
 * --full} to 10,000,000: runs of 10 records that have ended. The peer of each figure is the same
 * store when it had 1,000. What a caller waits for should be flat; what goes through everything is
 * told for each record.
 */
public final class GrowthSuite implements Suite {
    private static final int FIRST = 1_000;
    private static final int RECORDS = 10;
    private static final int ASKED = 200;
    private static final double GOAL_RATIO = 2;
    private static final String OWNER = "user:bench";
    private static final Ulids IDS = new Ulids();

    /** What is measured; one figure each. */
    private enum Cost {
        COMMIT("µs", true),
        LOOK_UP("µs", true),
        LIST("µs", true),
        SEARCH("µs", true),
        RUN_START_AND_END("µs", true),
        RESUME("µs", true),
        VERIFY_NEW_PER_RECORD("µs", false),
        VERIFY_PER_RECORD("µs", false),
        BACKUP_PER_RECORD("µs", false),
        SIZE_PER_RECORD("bytes", false);

        private final String unit;
        private final boolean flat;

        Cost(String unit, boolean flat) {
            this.unit = unit;
            this.flat = flat;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    @Override
    public String name() {
        return "journal.growth";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        Path folder = setting.folder("growth");
        int last = setting.full() ? 10_000_000 : 1_000_000;
        Map<Integer, Map<Cost, Measure>> sizes = new LinkedHashMap<>();
        try (BenchStore store = BenchStore.open(folder.resolve("state"))) {
            int filled = 0;
            for (int size = FIRST; size <= last; size *= 10) {
                store.fillEnded((size - filled) / RECORDS, RECORDS);
                filled = size;
                store.awaitCheckpoints();
                Map<Cost, Measure> costs = measure(store, folder, size, setting.runs());
                sizes.put(size, costs);
                report.fact(name() + "." + size, line(costs));
                System.out.println(name() + " " + size + " records: " + line(costs));
            }
        }
        Setting.delete(folder);
        for (Cost cost : Cost.values()) {
            report.add(
                    new Figure(
                            name() + "-" + cost.word(),
                            sizes.get(last).get(cost),
                            "the same store with " + FIRST + " records",
                            sizes.get(FIRST).get(cost),
                            cost.flat ? new Goal.RatioAtMost(GOAL_RATIO) : new Goal.None()));
        }
    }

    private static String line(Map<Cost, Measure> costs) {
        List<String> words = new ArrayList<>();
        costs.forEach(
                (cost, measure) ->
                        words.add(
                                cost.word()
                                        + " "
                                        + Measure.number(measure.median())
                                        + " "
                                        + cost.unit));
        return String.join(", ", words);
    }

    private static Map<Cost, Measure> measure(BenchStore store, Path folder, int size, int runs)
            throws Exception {
        Map<Cost, List<Double>> all = new LinkedHashMap<>();
        for (int i = 0; i <= runs; i++) {
            Map<Cost, Double> costs = round(store, folder, size);
            if (i > 0) { // the first warms up
                costs.forEach(
                        (cost, value) ->
                                all.computeIfAbsent(cost, c -> new ArrayList<>()).add(value));
            }
        }
        Map<Cost, Measure> measures = new LinkedHashMap<>();
        all.forEach((cost, values) -> measures.put(cost, new Measure(cost.unit, values)));
        return measures;
    }

    private static Map<Cost, Double> round(BenchStore store, Path folder, int size)
            throws Exception {
        Journal journal = store.journal();
        Map<Cost, Double> costs = new LinkedHashMap<>();
        String open = store.openRun();
        List<RunRow> some = journal.runs("", "", "", 1_000);
        int[] at = {0};
        costs.put(Cost.COMMIT, median(() -> journal.commit(BenchStore.records(open, 1))));
        costs.put(Cost.LOOK_UP, median(() -> journal.run(next(some, at))));
        costs.put(Cost.LIST, median(() -> journal.runs("", "", next(some, at), 20)));
        String word = LookupSuite.word((int) (System.nanoTime() >>> 8));
        String session = IDS.next();
        journal.commit(Unit.of(session(session, word)));
        costs.put(Cost.SEARCH, median(() -> journal.sessions("", word, "", 5, false)));
        costs.put(Cost.RUN_START_AND_END, median(() -> startAndEnd(journal, session)));
        costs.put(Cost.RESUME, median(() -> journal.tape(next(some, at), 0, 100)));
        costs.put(Cost.VERIFY_PER_RECORD, verify(store, Extent.EVERYTHING));
        costs.put(Cost.VERIFY_NEW_PER_RECORD, verifyNew(store, size));
        long began = System.nanoTime();
        Path copy = folder.resolve("copy");
        store.services().copyTo(copy, () -> false);
        costs.put(Cost.BACKUP_PER_RECORD, micros(began) / size);
        costs.put(Cost.SIZE_PER_RECORD, bytes(copy) / (double) size);
        Setting.delete(copy);
        return costs;
    }

    private static String next(List<RunRow> some, int[] at) {
        return some.get(at[0]++ * 7 % some.size()).runId();
    }

    private static Operation session(String id, String word) {
        return new Operation.InsertSession(
                new SessionView(id, "", "about " + word, OWNER, "", "", "", 0, 0, 0, ""));
    }

    private static void startAndEnd(Journal journal, String session) {
        String runId = IDS.next();
        journal.commit(
                Unit.of(
                        new Operation.InsertRun(
                                runId,
                                session,
                                OWNER,
                                "default",
                                "interactive",
                                "",
                                "bench",
                                RunState.RUNNING,
                                1)));
        journal.commit(
                Unit.builder()
                        .addAll(BenchStore.records(runId, 1).operations())
                        .add(
                                new Operation.MoveRun(
                                        runId, Set.of(RunState.RUNNING), RunState.SUCCEEDED, ""))
                        .build());
    }

    /** Returns microseconds for each record. */
    private static double verify(BenchStore store, Extent extent) {
        long began = System.nanoTime();
        VerificationReport report = store.services().verifyAll(extent, Progress.NONE, () -> false);
        if (!report.complete() || report.fault().isPresent()) {
            throw new IllegalStateException("it does not verify: " + report);
        }
        return micros(began) / Math.max(1, report.records());
    }

    /** The same for what is new, told for each record that is there. */
    private static double verifyNew(BenchStore store, int size) {
        long began = System.nanoTime();
        verify(store, Extent.NEW);
        return micros(began) / size;
    }

    private static double micros(long beganNanos) {
        return (System.nanoTime() - beganNanos) / (double) TimeUnit.MICROSECONDS.toNanos(1);
    }

    private static double median(Runnable asked) {
        List<Double> micros = new ArrayList<>();
        for (int i = 0; i < ASKED; i++) {
            long began = System.nanoTime();
            asked.run();
            micros.add(micros(began));
        }
        Collections.sort(micros);
        return micros.get(micros.size() / 2);
    }

    private static long bytes(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }
}
