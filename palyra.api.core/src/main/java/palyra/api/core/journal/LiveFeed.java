package palyra.api.core.journal;

import java.util.function.Consumer;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Hints about what just became durable, and text on its way. Belongs to the journal's bundle, so it
 * outlives an update of the gateway. Thread-safe.
 */
@ProviderType
public interface LiveFeed {
    /** Matches hints of every run. */
    String ANY = "";

    /**
     * Subscribes. Each subscription has a bounded queue and a thread of its own at work only while
     * there is something to deliver; when the queue is full the oldest hints are dropped and {@link
     * FeedItem.Lagged} says so. The listener is called from one thread at a time.
     *
     * @param streamId only hints about this run: {@link FeedItem.Advanced}, {@link
     *     FeedItem.LiveText} and {@link FeedItem.ApprovalDecided}; {@link #ANY} means every hint
     *     but {@link FeedItem.LiveText}
     */
    Subscription subscribe(String streamId, Consumer<FeedItem> listener);

    /** Passes text on to the followers of the run. Never blocks. */
    void publish(FeedItem.LiveText text);

    /**
     * A subscription. Closing is idempotent, does not wait, and is followed by no call but one that
     * was under way.
     */
    @ProviderType
    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}
