package palyra.bench.turn;

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
 * What the gateway adds to a turn without tools: from handing a message in until the client has
 * read the record that ends its run. The model is the deterministic one, which takes next to no
 * time of its own. With one session, with fifty that pause between turns, and with fifty that never
 * pause, which is as fast as it goes.
 */
public final class TurnSuite implements Suite {
    private static final String TEXT = "How are you today, and which is the plan?";
    private static final int SESSIONS = 50;
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final double GOAL_P50 = 3;
    private static final double GOAL_P99 = 15;

    @Override
    public String name() {
        return "turn";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        int scale = setting.full() ? 5 : 1;
        Path folder = setting.folder("turn");
        try (LightProduct product =
                        new LightProduct(
                                folder.resolve("state"), LightProduct.deterministicModel());
                RawTurns raw = new RawTurns(folder.resolve("raw.db"))) {
            requireSameRows(product);
            Pair one = new Pair(product, raw, 1, setting.runs());
            Pair fifty = new Pair(product, raw, SESSIONS, setting.runs());
            fifty.ours.backToBack(40); // warm-up
            fifty.theirs.backToBack(40);
            one.measure("turn.1", load -> load.backToBack(300 * scale), report);
            fifty.measure("turn.50-paced", load -> load.paced(5 * scale, PERIOD_NANOS), report);
            fifty.measure("turn.50-flat-out", load -> load.backToBack(40 * scale), report);
            report.fact("turn.50-paced.rate", SESSIONS + " turns/s over " + SESSIONS + " sessions");
        }
        Setting.delete(folder);
    }

    /** A peer that writes something else is no peer. */
    private static void requireSameRows(LightProduct product)
            throws IOException, InterruptedException {
        long expected = RawTurns.ACCEPTED_RECORDS + RawTurns.ANSWERED_RECORDS;
        long found = fewestRecords(product, 10);
        if (found != expected) {
            throw new IOException(
                    "a turn leaves " + found + " records and its peer " + expected + ": adapt it");
        }
    }

    /** A turn that was held up streams its text in more than one piece; of several, none was. */
    static long fewestRecords(LightProduct product, int turns)
            throws IOException, InterruptedException {
        Client client = new Client(product, "rows");
        long fewest = Long.MAX_VALUE;
        for (int i = 0; i < turns; i++) {
            fewest = Math.min(fewest, client.turn(TEXT));
        }
        return fewest;
    }

    private interface Form {
        Load.Result load(Load load) throws Exception;
    }

    /** So many sessions of ours, and as many of the peer's. */
    private static final class Pair {
        private final Load ours;
        private final Load theirs;
        private final int runs;

        Pair(LightProduct product, RawTurns raw, int sessions, int runs) throws Exception {
            this.runs = runs;
            List<Load.Turn> own = new ArrayList<>();
            List<Load.Turn> peers = new ArrayList<>();
            for (int i = 0; i < sessions; i++) {
                Client client = new Client(product, "session-" + sessions + "-" + i);
                own.add(() -> client.turn(TEXT));
                String sessionId = raw.session();
                peers.add(() -> raw.turn(sessionId));
            }
            ours = new Load(own);
            theirs = new Load(peers);
        }

        void measure(String name, Form form, Report report) throws Exception {
            List<Load.Result> own = new ArrayList<>();
            List<Load.Result> peers = new ArrayList<>();
            for (int i = -1; i < runs; i++) {
                Load.Result mine = form.load(ours);
                Load.Result other = form.load(theirs);
                if (i >= 0) {
                    own.add(mine);
                    peers.add(other);
                }
            }
            report.add(figure(name, 50, own, peers, new Goal.AtMost(GOAL_P50)));
            report.add(figure(name, 99, own, peers, new Goal.AtMost(GOAL_P99)));
            report.fact(name + ".turns-per-second", rates(own));
            report.fact(name + ".turns-per-second.peer", rates(peers));
        }

        private static Figure figure(
                String name,
                int percent,
                List<Load.Result> own,
                List<Load.Result> peers,
                Goal goal) {
            return new Figure(
                    name + "-p" + percent,
                    new Measure("ms", millis(own, percent)),
                    "two raw SQLite transactions with the same rows",
                    new Measure("ms", millis(peers, percent)),
                    goal);
        }

        private static List<Double> millis(List<Load.Result> results, int percent) {
            return results.stream().map(result -> result.latencies().millis(percent)).toList();
        }

        private static String rates(List<Load.Result> results) {
            return new Measure(
                            "turns/s", results.stream().map(Load.Result::turnsPerSecond).toList())
                    .text();
        }
    }
}
