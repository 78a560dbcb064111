package palyra.testing.journal;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.LiveFeed;

/** The feed of a {@link MemoryJournal}. Thread-safe; drops no hint. */
final class MemoryFeed implements LiveFeed {
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    private static final class Listener {
        private final String streamId;
        private final Consumer<FeedItem> consumer;
        private volatile boolean closed;
        private CompletableFuture<Void> last = CompletableFuture.completedFuture(null); // by this

        Listener(String streamId, Consumer<FeedItem> consumer) {
            this.streamId = streamId;
            this.consumer = consumer;
        }

        boolean wants(FeedItem item) {
            return switch (item) {
                case FeedItem.LiveText text -> streamId.equals(text.runId());
                case FeedItem.Advanced advanced -> isAbout(advanced.streamId());
                case FeedItem.ApprovalDecided decided -> isAbout(decided.runId());
                case FeedItem.Closed end -> true;
                default -> streamId.equals(ANY);
            };
        }

        private boolean isAbout(String id) {
            return streamId.equals(ANY) || streamId.equals(id);
        }

        /** Delivers after what came before, on a thread of its own. */
        synchronized void deliver(FeedItem item) {
            last =
                    last.handleAsync(
                            (nothing, earlierFault) -> {
                                if (!closed) {
                                    consumer.accept(item);
                                }
                                return null;
                            },
                            task -> Thread.ofVirtual().start(task));
        }
    }

    @Override
    public Subscription subscribe(String streamId, Consumer<FeedItem> consumer) {
        Listener listener = new Listener(streamId, consumer);
        listeners.add(listener);
        return () -> {
            listener.closed = true;
            listeners.remove(listener);
        };
    }

    @Override
    public void publish(FeedItem.LiveText text) {
        deliver(text);
    }

    void deliver(FeedItem item) {
        for (Listener listener : listeners) {
            if (listener.wants(item)) {
                listener.deliver(item);
            }
        }
    }

    /** Tells every listener that the feed ends, and forgets them. */
    void close() {
        deliver(new FeedItem.Closed());
        listeners.clear();
    }
}
