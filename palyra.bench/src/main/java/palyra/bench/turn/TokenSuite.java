package palyra.bench.turn;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.LiveFeed;
import palyra.api.run.Submission;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Latencies;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;

/**
 * How long a streamed token takes from the model's hand to a follower of the live feed, beside a
 * bare queue between two threads at the same pace.
 */
public final class TokenSuite implements Suite {
    private static final int TOKENS = 500;
    private static final long PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long PATIENCE_SECONDS = 60;
    private static final double GOAL_P50 = 1;

    @Override
    public String name() {
        return "token";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        Path folder = setting.folder("token");
        List<Latencies> ours = new ArrayList<>();
        List<Latencies> theirs = new ArrayList<>();
        StampingModel model = new StampingModel(TOKENS, PACE_NANOS);
        try (LightProduct product = new LightProduct(folder, model)) {
            for (int i = -1; i < setting.runs(); i++) {
                Latencies fed = feed(product, model, "session-" + i);
                Latencies queued = queue(TOKENS, PACE_NANOS);
                if (i >= 0) {
                    ours.add(fed);
                    theirs.add(queued);
                }
            }
        }
        Setting.delete(folder);
        report.add(figure(50, ours, theirs, new Goal.AtMost(GOAL_P50)));
        report.add(figure(99, ours, theirs, new Goal.None()));
    }

    private static Figure figure(
            int percent, List<Latencies> ours, List<Latencies> theirs, Goal goal) {
        return new Figure(
                "token-p" + percent,
                new Measure("ms", ours.stream().map(run -> run.millis(percent)).toList()),
                "a bare queue between two threads",
                new Measure("ms", theirs.stream().map(run -> run.millis(percent)).toList()),
                goal);
    }

    /** One turn that is followed from its first token to its last. */
    static Latencies feed(LightProduct product, StampingModel model, String session)
            throws IOException, InterruptedException {
        model.hold();
        Submission accepted = product.submit(session, "Speak.");
        long[] heardNanos = new long[model.tokens()];
        CountDownLatch last = new CountDownLatch(1);
        try (LiveFeed.Subscription ignored =
                product.feed().subscribe(accepted.runId(), item -> hear(item, heardNanos, last))) {
            model.follow();
            if (!last.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("the last token was never heard");
            }
        }
        Latencies latencies = new Latencies();
        for (int i = 0; i < heardNanos.length; i++) {
            if (heardNanos[i] == 0) {
                throw new IOException("token " + i + " was never heard");
            }
            latencies.add(heardNanos[i] - model.saidNanos(i));
        }
        return latencies;
    }

    private static void hear(FeedItem item, long[] heardNanos, CountDownLatch last) {
        if (item instanceof FeedItem.LiveText text) {
            int token = (int) (text.offset() / StampingModel.TOKEN_CHARS);
            heardNanos[token] = System.nanoTime();
            if (token == heardNanos.length - 1) {
                last.countDown();
            }
        }
    }

    private static Latencies queue(int tokens, long paceNanos)
            throws IOException, InterruptedException {
        BlockingQueue<Long> queue = new ArrayBlockingQueue<>(1_024);
        Thread speaker =
                Thread.ofVirtual()
                        .name("bench-speaker")
                        .start(
                                () -> {
                                    for (int i = 0; i < tokens; i++) {
                                        LockSupport.parkNanos(paceNanos);
                                        queue.add(System.nanoTime());
                                    }
                                });
        Latencies latencies = new Latencies();
        for (int i = 0; i < tokens; i++) {
            Long said = queue.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (said == null) {
                throw new IOException("the peer lost token " + i);
            }
            latencies.add(System.nanoTime() - said);
        }
        speaker.join();
        return latencies;
    }
}
