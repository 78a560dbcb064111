package palyra.bench.models;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import palyra.bench.report.Latencies;

/** When the request was sent, and when each token of the answer came. Written by one thread. */
public final class ReceivedTokens {
    private static final long PATIENCE_SECONDS = 60;

    private final long askedNanos = System.nanoTime();
    private final long[] nanos;
    private final CountDownLatch last = new CountDownLatch(1);
    private volatile String problem = "";

    /** Begins now, with the request. */
    public ReceivedTokens(int tokens) {
        nanos = new long[tokens];
    }

    /** All tokens before {@code count} have been heard by now. */
    public void upTo(int count) {
        long now = System.nanoTime();
        for (int token = count - 1; token >= 0 && nanos[token] == 0; token--) {
            nanos[token] = now;
        }
        if (count == nanos.length) {
            last.countDown();
        }
    }

    /** Nothing more will be heard. */
    public void failed(String why) {
        if (last.getCount() > 0) {
            problem = why;
            last.countDown();
        }
    }

    /** Waits for the whole answer; {@code who} names the reader in the error. */
    public void await(String who) throws IOException, InterruptedException {
        if (!last.await(PATIENCE_SECONDS, TimeUnit.SECONDS) || !problem.isEmpty()) {
            throw new IOException(who + " did not hear the whole answer: " + problem);
        }
    }

    /** Returns how long each token was on its way. */
    public Latencies since(TokenServer server) {
        Latencies latencies = new Latencies();
        for (int token = 0; token < nanos.length; token++) {
            latencies.add(nanos[token] - server.sentNanos(token));
        }
        return latencies;
    }

    /** Returns how long the first one took from the request, in milliseconds. */
    public double firstMillis() {
        return (nanos[0] - askedNanos) / (double) TimeUnit.MILLISECONDS.toNanos(1);
    }

    /** Returns how long the whole answer took from the request, in milliseconds. */
    public double totalMillis() {
        return (nanos[nanos.length - 1] - askedNanos) / (double) TimeUnit.MILLISECONDS.toNanos(1);
    }
}
