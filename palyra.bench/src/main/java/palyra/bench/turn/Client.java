package palyra.bench.turn;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.LiveFeed;
import palyra.api.run.Submission;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.shared.tape.TapeCodec;

/**
 * A surface with one session: it sends a message and reads the run's tape by cursor, woken by
 * hints, until it has the record that ends the run. Used by one thread.
 */
final class Client {
    private static final long PATIENCE_SECONDS = 30;
    private static final int PAGE = 500;

    private final LightProduct product;
    private final String sessionKey;

    Client(LightProduct product, String sessionKey) {
        this.product = product;
        this.sessionKey = sessionKey;
    }

    /**
     * Sends and waits for the end.
     *
     * @return how many records the run's tape has
     */
    long turn(String text) throws IOException, InterruptedException {
        Submission accepted = product.submit(sessionKey, text);
        Semaphore hints = new Semaphore(0);
        try (LiveFeed.Subscription ignored =
                product.feed().subscribe(accepted.runId(), item -> wake(item, hints))) {
            return read(accepted.runId(), hints);
        }
    }

    private static void wake(FeedItem item, Semaphore hints) {
        if (item instanceof FeedItem.Advanced || item instanceof FeedItem.Lagged) {
            hints.release();
        }
    }

    private long read(String runId, Semaphore hints) throws IOException, InterruptedException {
        long cursor = 0;
        while (true) {
            List<TapeRecord> page = product.journal().tape(runId, cursor, PAGE);
            for (TapeRecord record : page) {
                cursor = record.seq();
                if (ends(record)) {
                    return cursor;
                }
            }
            if (page.isEmpty() && !hints.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("run " + runId + " did not end after record " + cursor);
            }
            hints.drainPermits();
        }
    }

    private static boolean ends(TapeRecord record) throws IOException {
        if (TapeCodec.event(record) instanceof TapeEvent.RunStateChanged change
                && change.state().terminal()) {
            if (change.code() != null) {
                throw new IOException("a run ended with " + change.code());
            }
            return true;
        }
        return false;
    }
}
