package palyra.bench.grpc;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.process.Processes;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Latencies;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;
import palyra.bench.turn.RawTurns;

/**
 * A turn without tools as a gRPC client of the whole product sees it, at 50 turns a second over 1
 * to 2,000 sessions, and what an idle session costs in memory. From sending the message to the end
 * of its run.
 */
public final class SessionsSuite implements Suite {
    private static final int[] SESSIONS = {1, 50, 500, 2_000};
    private static final int PER_SECOND = 50;
    private static final int CONNECTIONS = 8;
    private static final int SECONDS = 10;
    private static final long PATIENCE_SECONDS = 60;
    private static final double GOAL_P50 = 3;
    private static final double GOAL_P99 = 15;
    private static final String PEER = "a bare grpc-java server with two raw SQLite transactions";

    @Override
    public String name() {
        return "grpc.sessions";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        Path folder = setting.folder("grpc-sessions");
        try (Product product = Product.start(setting.dist(), folder);
                GrpcClient client = product.client(CONNECTIONS);
                RawTurns raw = new RawTurns(folder.resolve("raw.db"));
                BareServer bare = new BareServer(sessions(raw));
                GrpcClient peer = new GrpcClient(bare.endpoint(), "none", CONNECTIONS)) {
            load(client, "warm-up", SESSIONS[0]);
            load(peer, "warm-up", SESSIONS[0]);
            memory(product, client, report);
            for (int sessions : SESSIONS) {
                measure(setting, report, client, peer, sessions);
            }
        }
        Setting.delete(folder);
    }

    /** Turns of one session wait for each other, as they do in the gateway. */
    private static BareServer.Work sessions(RawTurns raw) {
        Map<String, PeerSession> sessions = new ConcurrentHashMap<>();
        return key -> sessions.computeIfAbsent(key, k -> new PeerSession()).turn(raw);
    }

    private static final class PeerSession {
        private final ReentrantLock lock = new ReentrantLock();
        private String id; // null before the first turn; guarded by lock

        void turn(RawTurns raw) throws SQLException {
            lock.lock();
            try {
                if (id == null) {
                    id = raw.session();
                }
                raw.turn(id);
            } finally {
                lock.unlock();
            }
        }
    }

    private static void measure(
            Setting setting, Report report, GrpcClient client, GrpcClient peer, int sessions)
            throws Exception {
        List<Latencies> ours = new ArrayList<>();
        List<Latencies> theirs = new ArrayList<>();
        for (int i = 0; i < setting.runs(); i++) {
            ours.add(load(client, "load-" + sessions, sessions));
            theirs.add(load(peer, "load-" + sessions, sessions));
        }
        report.add(figure(sessions, 50, ours, theirs, new Goal.AtMost(GOAL_P50)));
        report.add(figure(sessions, 99, ours, theirs, new Goal.AtMost(GOAL_P99)));
    }

    private static Figure figure(
            int sessions, int percent, List<Latencies> ours, List<Latencies> theirs, Goal goal) {
        return new Figure(
                "grpc.sessions-" + sessions + "-p" + percent,
                new Measure("ms", ours.stream().map(run -> run.millis(percent)).toList()),
                PEER,
                new Measure("ms", theirs.stream().map(run -> run.millis(percent)).toList()),
                sessions <= PER_SECOND ? goal : new Goal.None());
    }

    private static Latencies load(GrpcClient client, String name, int sessions) throws Exception {
        try (GrpcLoad load = new GrpcLoad(client, name, sessions, Conversation.plain())) {
            load.start(PER_SECOND);
            TimeUnit.SECONDS.sleep(SECONDS);
            finish(load);
            return load.takeTotals();
        }
    }

    /** What was wrong on the way is no measurement. */
    static void finish(GrpcLoad load) throws IOException, InterruptedException {
        List<String> open = List.copyOf(load.finish(PATIENCE_SECONDS));
        if (!open.isEmpty() || !load.breaches().isEmpty()) {
            throw new IOException("still open: " + open + "; wrong: " + load.breaches());
        }
    }

    /** The process at rest before and after each of 2,000 sessions has had a turn. */
    private static void memory(Product product, GrpcClient client, Report report) throws Exception {
        int sessions = SESSIONS[SESSIONS.length - 1];
        double before = rest(product);
        try (GrpcLoad load = new GrpcLoad(client, "idle", sessions, Conversation.plain())) {
            load.introduce(PER_SECOND, PATIENCE_SECONDS);
        }
        double after = rest(product);
        double kilobytes = (after - before) * 1_024 / sessions;
        report.add(
                new Figure(
                        "grpc.idle-session",
                        new Measure("KB", List.of(kilobytes)),
                        "the process before, for each session",
                        new Measure("KB", List.of(before * 1_024 / sessions)),
                        new Goal.None()));
        report.fact("grpc.idle-session.process", Measure.number(after) + " MB");
    }

    private static double rest(Product product) throws IOException, InterruptedException {
        new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/jcmd").toString(),
                        Long.toString(product.pid()),
                        "GC.run")
                .inheritIO()
                .start()
                .waitFor(30, TimeUnit.SECONDS);
        Processes.awaitIdle(product.pid(), PATIENCE_SECONDS);
        return Processes.residentMegabytes(product.pid());
    }
}
