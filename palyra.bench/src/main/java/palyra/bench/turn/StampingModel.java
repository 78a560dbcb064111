package palyra.bench.turn;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import palyra.api.ErrorCode;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelProvider;
import palyra.api.model.ModelRequest;
import palyra.api.model.ModelSink;

/**
 * A model that streams tokens of one length at an even pace, once a follower is there, and notes
 * when it said each. One turn at a time.
 */
public final class StampingModel implements ModelProvider {
    /** Every token has so many characters. */
    public static final int TOKEN_CHARS = 8;

    private static final String TOKEN = "tokens. ";
    private static final long PATIENCE_SECONDS = 10;

    private final long[] saidNanos;
    private final long paceNanos;
    private volatile CountDownLatch followed = new CountDownLatch(1);

    /** Creates a model that says {@code tokens} in a turn. */
    public StampingModel(int tokens, long paceNanos) {
        this.saidNanos = new long[tokens];
        this.paceNanos = paceNanos;
    }

    /** Returns how many tokens a turn has. */
    public int tokens() {
        return saidNanos.length;
    }

    /** The next turn waits for {@link #follow}. */
    public void hold() {
        followed = new CountDownLatch(1);
    }

    /** Lets the turn speak. */
    public void follow() {
        followed.countDown();
    }

    /** Returns when a token was said, once it was heard. */
    public long saidNanos(int token) {
        return saidNanos[token];
    }

    @Override
    public void start(ModelRequest request, ModelSink sink) {
        Thread.ofVirtual().name("bench-model").start(() -> speak(sink));
    }

    private void speak(ModelSink sink) {
        try {
            if (!followed.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                sink.accept(new ModelEvent.Failed(ErrorCode.TIMED_OUT, "No follower came.", false));
                return;
            }
            for (int i = 0; i < saidNanos.length; i++) {
                LockSupport.parkNanos(paceNanos);
                saidNanos[i] = System.nanoTime();
                sink.accept(new ModelEvent.TextDelta(TOKEN));
            }
            sink.accept(new ModelEvent.Finished("stop", 1, saidNanos.length));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void cancel(String requestId) {
        // a turn is short and ends by itself
    }
}
