package palyra.bench.journal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import palyra.api.PalyraException;
import palyra.api.core.journal.GrantRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.run.SessionView;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;
import palyra.shared.hash.Ulids;

/**
 * Whether looking something up costs the same however much there is: a search of sessions for a
 * word that one has, the grants that a decision asks for beside 100,000 whose time is over, and the
 * look-up of a run while 40 callers search for what very many have.
 */
public final class LookupSuite implements Suite {
    private static final int SMALL = 1_000;
    private static final int LARGE = 100_000;
    private static final int BATCH = 500;
    private static final int ASKED = 300;
    private static final int SEARCHERS = 40;
    private static final double GOAL_RATIO = 2;
    private static final String OWNER = "user:bench";
    private static final Ulids IDS = new Ulids();

    /** Microseconds, medians of one round. */
    private record Times(double search, double grants, double alone, double beside) {}

    @Override
    public String name() {
        return "journal.lookup";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        List<Times> small = new ArrayList<>();
        List<Times> large = new ArrayList<>();
        Path folder = setting.folder("lookup");
        try (BenchStore little = store(folder.resolve("small"), SMALL);
                BenchStore much = store(folder.resolve("large"), LARGE)) {
            measure(little);
            measure(much);
            for (int i = 0; i < setting.runs(); i++) {
                small.add(measure(little));
                large.add(measure(much));
            }
        }
        Setting.delete(folder);
        String peer = "the same store with " + SMALL;
        Goal flat = new Goal.RatioAtMost(GOAL_RATIO);
        report.add(
                new Figure(
                        "journal.search-" + LARGE + "-sessions",
                        new Measure("µs", large.stream().map(Times::search).toList()),
                        peer,
                        new Measure("µs", small.stream().map(Times::search).toList()),
                        flat));
        report.add(
                new Figure(
                        "journal.grants-beside-" + LARGE + "-expired",
                        new Measure("µs", large.stream().map(Times::grants).toList()),
                        peer,
                        new Measure("µs", small.stream().map(Times::grants).toList()),
                        flat));
        report.add(
                new Figure(
                        "journal.key-look-up-beside-" + SEARCHERS + "-searches-p99",
                        new Measure("µs", large.stream().map(Times::beside).toList()),
                        "the same look-up alone",
                        new Measure("µs", large.stream().map(Times::alone).toList()),
                        new Goal.None()));
    }

    /** A store with so many sessions, and as many grants whose time is over. */
    private static BenchStore store(Path folder, int rows) throws IOException {
        BenchStore store = BenchStore.open(folder);
        store.openRun();
        for (int done = 0; done < rows; done += BATCH) {
            Unit.Builder unit = Unit.builder();
            for (int i = done; i < done + BATCH; i++) {
                unit.add(session(i)).add(expired(i));
            }
            store.journal().commit(unit.build());
        }
        return store;
    }

    /** Returns what makes a session with a word in its label that no other has. */
    static Operation session(int number) {
        String label = "weekly report of " + word(number);
        return new Operation.InsertSession(
                new SessionView(IDS.next(), "key" + number, label, OWNER, "", "", "", 0, 0, 0, ""));
    }

    /** A word that no other session has, and that looks like none of the others'. */
    static String word(int number) {
        return Long.toString(Math.abs(number * 0x9E3779B97F4A7C15L), 36);
    }

    private static Operation expired(int number) {
        return new Operation.PutGrant(
                GrantRow.begin(
                        IDS.next(),
                        IDS.next(),
                        "",
                        OWNER,
                        "default",
                        "bench.tool",
                        "",
                        ("{\"n\":" + number + "}").getBytes(StandardCharsets.UTF_8),
                        1_000L + number,
                        0));
    }

    private static Times measure(BenchStore store) throws Exception {
        Journal journal = store.journal();
        String runId = journal.runs("", "", "", 1).getFirst().runId();
        String sessionId = journal.run(runId).orElseThrow().sessionId();
        double search =
                percentile(
                        times(ASKED, () -> require(journal.sessions("", word(777), "", 5, false))),
                        50);
        long now = System.currentTimeMillis();
        double grants =
                percentile(
                        times(
                                ASKED,
                                () -> journal.grants(OWNER, sessionId, "bench.tool", now, "", 50)),
                        50);
        double alone = percentile(times(ASKED, () -> journal.run(runId)), 99);
        return new Times(search, grants, alone, beside(journal, runId));
    }

    private static void require(List<?> found) {
        if (found.isEmpty()) {
            throw new IllegalStateException("the search found nothing");
        }
    }

    /** Searches for what no index narrows down: each session has it, and none is of this owner. */
    private static double beside(Journal journal, String runId) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < SEARCHERS; i++) {
                threads.submit(
                        () -> {
                            while (!over.get()) {
                                try {
                                    journal.sessions("user:absent", "report", "", 50, true);
                                } catch (PalyraException e) {
                                    // it took too long, which is what it may
                                }
                            }
                        });
            }
            try {
                return percentile(times(ASKED, () -> journal.run(runId)), 99);
            } finally {
                over.set(true);
            }
        }
    }

    private static List<Double> times(int count, Runnable asked) {
        List<Double> micros = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long begin = System.nanoTime();
            asked.run();
            micros.add((System.nanoTime() - begin) / 1_000.0);
        }
        return micros;
    }

    private static double percentile(List<Double> values, int percent) {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100));
    }
}
