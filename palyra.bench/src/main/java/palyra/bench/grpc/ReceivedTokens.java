package palyra.bench.grpc;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import palyra.bench.report.Latencies;
import palyra.bench.turn.StampingModel;

/** When each token of a turn was heard by one listener. Written by one thread. */
final class ReceivedTokens {
    private static final long PATIENCE_SECONDS = 60;

    private final long[] nanos;
    private final CountDownLatch last = new CountDownLatch(1);

    ReceivedTokens(int tokens) {
        nanos = new long[tokens];
    }

    /** Text arrived now: every token that it completes was heard. */
    void hear(long offset, int length) {
        long now = System.nanoTime();
        int from = (int) (offset / StampingModel.TOKEN_CHARS);
        int to = (int) ((offset + length) / StampingModel.TOKEN_CHARS);
        for (int token = from; token < to; token++) {
            nanos[token] = now;
        }
        if (to == nanos.length) {
            last.countDown();
        }
    }

    /** Waits until all were heard. */
    void await(String who) throws IOException, InterruptedException {
        if (!last.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException(who + " never heard the last token");
        }
        for (int token = 0; token < nanos.length; token++) {
            if (nanos[token] == 0) {
                throw new IOException(who + " never heard token " + token);
            }
        }
    }

    /** Returns how long each took from the model's hand. */
    Latencies since(StampingModel model) {
        Latencies latencies = new Latencies();
        for (int token = 0; token < nanos.length; token++) {
            latencies.add(nanos[token] - model.saidNanos(token));
        }
        return latencies;
    }

    /** Returns how much later each was heard than by another listener. */
    Latencies after(ReceivedTokens earlier) {
        Latencies latencies = new Latencies();
        for (int token = 0; token < nanos.length; token++) {
            latencies.add(nanos[token] - earlier.nanos[token]);
        }
        return latencies;
    }
}
