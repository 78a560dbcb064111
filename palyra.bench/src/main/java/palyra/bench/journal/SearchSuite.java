package palyra.bench.journal;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Unit;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Latencies;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;

/**
 * Whether a search of 1,000 sessions for a word that one of them has costs the same however much is
 * on the tapes: a million events, beside ten thousand.
 */
public final class SearchSuite implements Suite {
    private static final long MANY = 1_000_000;
    private static final long FEW = 10_000;
    private static final int SESSIONS = 1_000;
    private static final int ASKED = 500;
    private static final double GOAL_RATIO = 2;

    @Override
    public String name() {
        return "journal.search";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        Path folder = setting.folder("search");
        List<Double> many = new ArrayList<>();
        List<Double> few = new ArrayList<>();
        try (BenchStore large = BenchStore.open(folder.resolve("large"));
                BenchStore small = BenchStore.open(folder.resolve("small"))) {
            fill(large, MANY);
            fill(small, FEW);
            micros(large.journal()); // warm-up
            micros(small.journal());
            for (int i = 0; i < setting.runs(); i++) {
                many.add(micros(large.journal()));
                few.add(micros(small.journal()));
            }
        }
        Setting.delete(folder);
        report.add(
                new Figure(
                        "journal.search-beside-" + MANY + "-events",
                        new Measure("µs", many),
                        "the same sessions beside " + FEW + " events",
                        new Measure("µs", few),
                        new Goal.RatioAtMost(GOAL_RATIO)));
    }

    private static void fill(BenchStore store, long events) {
        for (int i = 0; i < SESSIONS; i++) {
            store.journal().commit(Unit.of(LookupSuite.session(i)));
        }
        store.fill(events);
    }

    private static double micros(Journal journal) {
        Latencies times = new Latencies();
        for (int i = 0; i < ASKED; i++) {
            long begin = System.nanoTime();
            if (journal.sessions("", LookupSuite.word(1 + i % (SESSIONS - 1)), "", 5, false).size()
                    != 1) {
                throw new IllegalStateException("the search found another number of sessions");
            }
            times.add(System.nanoTime() - begin);
        }
        return times.micros(50);
    }
}
