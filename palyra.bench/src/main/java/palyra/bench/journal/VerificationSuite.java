package palyra.bench.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import palyra.api.core.journal.VerificationReport;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;

/**
 * How many events a second the verifier goes through, beside a plain scan of as many rows that
 * computes nothing. Streamed text, as most records of a run are. Once over open runs of 100
 * records, once over ended runs of 10, each of which has a signature: all but the last few are
 * covered by checkpoints. Then the same store again, of which nothing is new.
 */
public final class VerificationSuite implements Suite {
    private static final double GOAL = 300_000;
    private static final double GOAL_ENDED = 200_000;
    private static final int ENDED_RECORDS = 10;
    private static final int RAW_GROUP = 1_000;

    @Override
    public String name() {
        return "journal.verify";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        int events = setting.full() ? 1_000_000 : 100_000;
        Path folder = setting.folder("verify");
        try (RawSqlite raw = new RawSqlite(folder.resolve("raw.db"))) {
            fill(raw, events);
            try (BenchStore store = BenchStore.open(folder.resolve("open"))) {
                store.fill(events);
                report.add(measure("journal.verify", setting, store, raw, events, GOAL));
            }
            try (BenchStore store = BenchStore.open(folder.resolve("ended"))) {
                store.fillEnded(events / ENDED_RECORDS, ENDED_RECORDS);
                store.awaitCheckpoints();
                report.add(
                        measure("journal.verify-sealed", setting, store, raw, events, GOAL_ENDED));
            }
        }
        Setting.delete(folder);
    }

    private static void fill(RawSqlite raw, int events) throws SQLException {
        for (int i = 0; i < events; i += RAW_GROUP) {
            raw.begin();
            for (int row = i; row < i + RAW_GROUP; row++) {
                raw.insertRecord(
                        2L + row / BenchStore.RUN_RECORDS, 1L + row % BenchStore.RUN_RECORDS);
            }
            raw.commit();
        }
    }

    private static Figure measure(
            String name, Setting setting, BenchStore store, RawSqlite raw, int events, double goal)
            throws IOException, SQLException {
        List<Double> ours = new ArrayList<>();
        List<Double> theirs = new ArrayList<>();
        for (int i = -2; i < setting.runs(); i++) {
            double verified = verify(store, events);
            double scanned = scan(raw, events);
            if (i >= 0) {
                ours.add(verified);
                theirs.add(scanned);
            }
        }
        return new Figure(
                name,
                new Measure("events/s", ours),
                "a raw SQLite scan without digests",
                new Measure("events/s", theirs),
                new Goal.AtLeast(goal));
    }

    private static double verify(BenchStore store, int events) throws IOException {
        long begin = System.nanoTime();
        VerificationReport found = store.services().verifyAll(() -> false);
        long nanos = System.nanoTime() - begin;
        if (!found.intact()
                || !found.judgement().legal()
                || found.judgement().unjudged() > 0
                || found.records() != events) {
            throw new IOException("verification of " + events + " events found " + found);
        }
        return GroupCommitSuite.perSecond(events, nanos);
    }

    private static double scan(RawSqlite raw, int events) throws IOException, SQLException {
        long begin = System.nanoTime();
        long rows = raw.scan();
        if (rows != events) {
            throw new IOException("the peer holds " + rows + " rows, not " + events);
        }
        return GroupCommitSuite.perSecond(rows, System.nanoTime() - begin);
    }
}
