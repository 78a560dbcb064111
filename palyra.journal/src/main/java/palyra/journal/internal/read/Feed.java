package palyra.journal.internal.read;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.LiveFeed;

/** Passes hints to listeners. Thread-safe; only closing blocks. */
public final class Feed implements LiveFeed {
    private final Map<String, List<FeedSubscription>> subscriptions = new ConcurrentHashMap<>();
    private final ExecutorService threads =
            Executors.newThreadPerTaskExecutor(
                    Thread.ofVirtual().name("palyra-journal-feed-", 0).factory());
    private volatile int bound;
    private volatile boolean closed;

    public Feed(int bound) {
        this.bound = bound;
    }

    /** Changes the bound for subscriptions from now on. */
    public void bound(int other) {
        bound = other;
    }

    @Override
    public Subscription subscribe(String streamId, Consumer<FeedItem> listener) {
        Require.present(streamId, "stream id");
        Require.present(listener, "listener");
        FeedSubscription subscription =
                new FeedSubscription(bound, listener, threads, own -> leave(streamId, own));
        subscriptions.compute(
                streamId,
                (id, there) -> {
                    List<FeedSubscription> all =
                            there == null ? new CopyOnWriteArrayList<>() : there;
                    all.add(subscription);
                    return all;
                });
        if (closed) {
            subscription.close();
            throw new PalyraException(
                    ErrorCode.JOURNAL_UNAVAILABLE,
                    "The journal's feed has ended; subscribe again when it is back.");
        }
        return subscription;
    }

    private void leave(String streamId, FeedSubscription subscription) {
        subscriptions.computeIfPresent(
                streamId,
                (id, all) -> {
                    all.remove(subscription);
                    return all.isEmpty() ? null : all;
                });
    }

    @Override
    public void publish(FeedItem.LiveText text) {
        to(text.runId(), text);
    }

    /** Passes a hint to those who follow its run and to those who follow everything. */
    public void offer(FeedItem hint) {
        to(ANY, hint);
        switch (hint) {
            case FeedItem.Advanced advanced -> to(advanced.streamId(), hint);
            case FeedItem.ApprovalAsked asked -> ofRun(asked.runId(), hint);
            case FeedItem.ApprovalDecided decided -> ofRun(decided.runId(), hint);
            case FeedItem.LiveText text -> to(text.runId(), hint);
            case FeedItem.MessageQueued queued -> {}
            case FeedItem.CommandQueued queued -> {}
            case FeedItem.AnswerQueued queued -> {}
            case FeedItem.Lagged lagged -> {}
            case FeedItem.Closed end -> {}
        }
    }

    /** An approval request about a sender belongs to no run. */
    private void ofRun(String runId, FeedItem hint) {
        if (!runId.isEmpty()) {
            to(runId, hint);
        }
    }

    private void to(String streamId, FeedItem hint) {
        List<FeedSubscription> all = subscriptions.get(streamId);
        if (all != null) {
            all.forEach(subscription -> subscription.offer(hint));
        }
    }

    /** Returns how many subscriptions there are. */
    public int size() {
        return subscriptions.values().stream().mapToInt(List::size).sum();
    }

    /** Sends every listener its end and waits, bounded, until it was delivered. */
    public void close(long millis) throws InterruptedException {
        closed = true;
        subscriptions.values().forEach(all -> all.forEach(FeedSubscription::end));
        threads.shutdown();
        if (!threads.awaitTermination(millis, TimeUnit.MILLISECONDS)) {
            threads.shutdownNow();
        }
    }
}
