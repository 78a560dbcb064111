package palyra.console.internal.run.stream;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.LiveFeed;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;

/**
 * Passes the journal's hints on to the open tabs, over one subscription. When the journal is
 * replaced, it subscribes to the next and tells that anything may have changed. Thread-safe.
 */
final class Hints implements AutoCloseable {
    private final Set<TabQueue> tabs = ConcurrentHashMap.newKeySet();
    private LiveFeed.Subscription subscription; // guarded by this
    private boolean closed; // guarded by this

    /** Subscribes now, or as soon as there is a journal. */
    Hints(Gate<LiveFeed> feed) {
        feed.onArrival(this::subscribe);
    }

    private void subscribe(LiveFeed feed) {
        LiveFeed.Subscription fresh = feed.subscribe(LiveFeed.ANY, this::take);
        LiveFeed.Subscription old;
        synchronized (this) {
            old = closed ? fresh : subscription;
            subscription = closed ? subscription : fresh;
        }
        if (old != null) {
            old.close();
        }
        tabs.forEach(TabQueue::everythingChanged);
    }

    void add(TabQueue tab) {
        tabs.add(tab);
    }

    void remove(TabQueue tab) {
        tabs.remove(tab);
    }

    private void take(FeedItem item) {
        switch (item) {
            case FeedItem.Advanced advanced ->
                    tell(
                            TapeRecord.isJournal(advanced.streamId())
                                    ? new Hint.OfSystem("journal")
                                    : new Hint.OfRun(advanced.streamId()));
            case FeedItem.ApprovalAsked asked -> tell(new Hint.OfApproval(asked.runId()));
            case FeedItem.ApprovalDecided decided -> tell(new Hint.OfApproval(decided.runId()));
            case FeedItem.AnswerQueued answer -> tell(new Hint.OfSystem("channel"));
            case FeedItem.Lagged lagged -> tabs.forEach(TabQueue::everythingChanged);
            case FeedItem.MessageQueued message -> {}
            case FeedItem.CommandQueued command -> {}
            case FeedItem.LiveText text -> {}
            case FeedItem.Closed end -> {}
        }
    }

    private void tell(Hint hint) {
        tabs.forEach(tab -> tab.hint(hint));
    }

    @Override
    public void close() {
        LiveFeed.Subscription last;
        synchronized (this) {
            closed = true;
            last = subscription;
            subscription = null;
        }
        if (last != null) {
            last.close();
        }
    }
}
