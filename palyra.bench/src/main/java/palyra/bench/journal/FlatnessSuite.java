package palyra.bench.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;

/**
 * Whether appending costs the same however much there is: 10,000 events in new runs of 100, onto a
 * store that holds 1,000 events and onto larger ones.
 */
public final class FlatnessSuite implements Suite {
    private static final int APPENDED = 10_000;
    private static final long SMALL = 1_000;
    private static final double GOAL_RATIO = 1.2;

    @Override
    public String name() {
        return "journal.flat";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        measure(setting, report, 100_000);
        if (setting.full()) {
            measure(setting, report, 1_000_000);
        }
    }

    private static void measure(Setting setting, Report report, long events) throws IOException {
        Path folder = setting.folder("flat");
        List<Double> large = new ArrayList<>();
        List<Double> small = new ArrayList<>();
        try (BenchStore store = BenchStore.open(folder.resolve("large"))) {
            store.fill(events);
            micros(folder); // warm-up
            for (int i = 0; i < setting.runs(); i++) {
                large.add(micros(store));
                small.add(micros(folder));
            }
        }
        Setting.delete(folder);
        report.add(
                new Figure(
                        "journal.flat-" + events,
                        new Measure("µs/event", large),
                        "the same store holding " + SMALL + " events",
                        new Measure("µs/event", small),
                        new Goal.RatioAtMost(GOAL_RATIO)));
    }

    /** In a new store with little in it. */
    private static double micros(Path folder) throws IOException {
        Path state = folder.resolve("small");
        try (BenchStore store = BenchStore.open(state)) {
            store.fill(SMALL);
            return micros(store);
        } finally {
            Setting.delete(state);
        }
    }

    private static double micros(BenchStore store) {
        long begin = System.nanoTime();
        store.fill(APPENDED);
        return (System.nanoTime() - begin) / (double) APPENDED / TimeUnit.MICROSECONDS.toNanos(1);
    }
}
