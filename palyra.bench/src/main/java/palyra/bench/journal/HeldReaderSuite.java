package palyra.bench.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.sqlite.SQLiteConfig;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Latencies;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;

/**
 * How long single commits take while another process reads in transactions that hold the
 * write-ahead log for a second each, the longest that a read of the journal may. The log is moved
 * into the database all the while and keeps its bound.
 */
public final class HeldReaderSuite implements Suite {
    private static final long MEASURED_MILLIS = 10_000;
    private static final long HELD_MILLIS = 1_000;
    private static final int RECORDS = 20;
    private static final double GOAL_MILLIS = 500;

    @Override
    public String name() {
        return "journal.held";
    }

    /** Milliseconds of one run, and the longest that the log was. */
    private record Round(double p99, double max, double logMebibytes) {}

    @Override
    public void run(Setting setting, Report report) throws Exception {
        List<Round> held = new ArrayList<>();
        List<Round> alone = new ArrayList<>();
        Path folder = setting.folder("held");
        for (int i = 0; i < setting.runs(); i++) {
            alone.add(round(folder.resolve("alone" + i), false));
            held.add(round(folder.resolve("held" + i), true));
        }
        Setting.delete(folder);
        String peer = "the same without the reader";
        report.add(
                new Figure(
                        "journal.commit-under-held-reader-p99",
                        new Measure("ms", held.stream().map(Round::p99).toList()),
                        peer,
                        new Measure("ms", alone.stream().map(Round::p99).toList()),
                        new Goal.None()));
        report.add(
                new Figure(
                        "journal.commit-under-held-reader-max",
                        new Measure("ms", held.stream().map(Round::max).toList()),
                        peer,
                        new Measure("ms", alone.stream().map(Round::max).toList()),
                        new Goal.AtMost(GOAL_MILLIS)));
        report.add(
                new Figure(
                        "journal.log-under-held-reader",
                        new Measure("MiB", held.stream().map(Round::logMebibytes).toList()),
                        peer,
                        new Measure("MiB", alone.stream().map(Round::logMebibytes).toList()),
                        new Goal.None()));
    }

    private static Round round(Path state, boolean withReader) throws Exception {
        try (BenchStore store = BenchStore.open(state)) {
            String runId = store.openRun();
            Path file = state.resolve("journal/journal.db");
            if (!withReader) {
                return commits(store, runId, file);
            }
            try (Reader reader = new Reader(file)) {
                reader.awaitFirst();
                return commits(store, runId, file);
            }
        }
    }

    private static Round commits(BenchStore store, String runId, Path file) throws IOException {
        Path log = file.resolveSibling(file.getFileName() + "-wal");
        Latencies times = new Latencies();
        long longest = 0;
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MEASURED_MILLIS);
        while (System.nanoTime() < end) {
            long begin = System.nanoTime();
            store.journal().commit(BenchStore.records(runId, RECORDS));
            times.add(System.nanoTime() - begin);
            longest = Math.max(longest, Files.exists(log) ? Files.size(log) : 0);
        }
        return new Round(times.millis(99), times.millis(100), longest / (double) (1 << 20));
    }

    /** Holds one read transaction after the other. */
    private static final class Reader implements AutoCloseable {
        private final Path file;
        private final AtomicBoolean over = new AtomicBoolean();
        private final CountDownLatch first = new CountDownLatch(1);
        private final Thread thread = new Thread(this::read, "bench-held-reader");

        Reader(Path file) {
            this.file = file;
            thread.start();
        }

        private void read() {
            SQLiteConfig config = new SQLiteConfig();
            try (var connection = config.createConnection("jdbc:sqlite:" + file);
                    var statement = connection.createStatement()) {
                while (!over.get()) {
                    statement.execute("BEGIN");
                    statement.executeQuery("SELECT count(*) FROM heads").close();
                    first.countDown();
                    TimeUnit.MILLISECONDS.sleep(HELD_MILLIS);
                    statement.execute("COMMIT");
                }
            } catch (SQLException e) {
                throw new IllegalStateException("the reader cannot read", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        void awaitFirst() throws InterruptedException {
            if (!first.await(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the reader did not begin within 10 s");
            }
        }

        @Override
        public void close() throws InterruptedException {
            over.set(true);
            thread.join(TimeUnit.SECONDS.toMillis(10));
        }
    }
}
