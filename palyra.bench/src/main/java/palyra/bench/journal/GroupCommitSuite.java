package palyra.bench.journal;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import palyra.api.core.journal.Unit;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;

/**
 * How many events a second many producers get onto their tapes, each waiting until its unit is
 * durable, beside one thread that writes the same rows in transactions of 200.
 */
public final class GroupCommitSuite implements Suite {
    private static final int GROUP = 200;
    private static final double GOAL = 40_000;

    @Override
    public String name() {
        return "journal.group";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        measure(setting, report, new Form("journal.group-1", 1_000, 100, 1, GOAL));
        measure(setting, report, new Form("journal.group-10", 200, 100, 10, GOAL));
        // Each record lands on a page of its own: what the order of the tape on disk costs at most.
        measure(setting, report, new Form("journal.group-1-wide", 1_000, 1_000, 1, GOAL));
    }

    /** So many producers on so many open runs, with units of so many records. */
    private record Form(String name, int producers, int runs, int unitRecords, double goal) {}

    private static void measure(Setting setting, Report report, Form form) throws Exception {
        long nanos = TimeUnit.SECONDS.toNanos(setting.full() ? 10 : 3);
        Path folder = setting.folder("group");
        List<Double> ours = new ArrayList<>();
        List<Double> theirs = new ArrayList<>();
        try (BenchStore store = BenchStore.open(folder.resolve("state"));
                RawSqlite raw = new RawSqlite(folder.resolve("raw.db"))) {
            List<String> runs = new ArrayList<>();
            for (int i = 0; i < form.runs(); i++) {
                runs.add(store.openRun());
            }
            RawWriter writer = new RawWriter(raw, form.runs());
            produce(store, runs, form, nanos); // warm-up
            writer.write(nanos / 2);
            for (int i = 0; i < setting.runs(); i++) {
                ours.add(produce(store, runs, form, nanos));
                theirs.add(writer.write(nanos));
            }
        }
        Setting.delete(folder);
        report.add(
                new Figure(
                        form.name(),
                        new Measure("events/s", ours),
                        "raw SQLite in transactions of " + GROUP,
                        new Measure("events/s", theirs),
                        new Goal.AtLeast(form.goal())));
        report.fact(
                form.name() + ".load",
                form.producers()
                        + " producers (virtual threads) on "
                        + form.runs()
                        + " runs, units of "
                        + form.unitRecords());
    }

    /** Returns events a second. */
    private static double produce(BenchStore store, List<String> runs, Form form, long nanos)
            throws Exception {
        long begin = System.nanoTime();
        List<Future<Long>> producers = new ArrayList<>();
        long records = 0;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < form.producers(); i++) {
                Unit unit = BenchStore.records(runs.get(i % runs.size()), form.unitRecords());
                producers.add(threads.submit(() -> commitUntil(store, unit, begin + nanos)));
            }
            for (Future<Long> producer : producers) {
                records += producer.get() * form.unitRecords();
            }
        }
        return perSecond(records, System.nanoTime() - begin);
    }

    private static long commitUntil(BenchStore store, Unit unit, long end) {
        long units = 0;
        while (System.nanoTime() - end < 0) {
            store.journal().commit(unit);
            units++;
        }
        return units;
    }

    static double perSecond(long count, long nanos) {
        return count * (double) TimeUnit.SECONDS.toNanos(1) / nanos;
    }

    /** Writes to as many streams as there are producers, one after the other. */
    private static final class RawWriter {
        private final RawSqlite raw;
        private final int streams;
        private long next;

        RawWriter(RawSqlite raw, int streams) {
            this.raw = raw;
            this.streams = streams;
        }

        double write(long nanos) throws SQLException {
            long begin = System.nanoTime();
            long first = next;
            while (System.nanoTime() - begin < nanos) {
                raw.begin();
                for (int i = 0; i < GROUP; i++, next++) {
                    raw.insertRecord(2 + next % streams, 1 + next / streams);
                }
                raw.commit();
            }
            return perSecond(next - first, System.nanoTime() - begin);
        }
    }
}
