package palyra.front.internal;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.RunRow;
import palyra.api.run.Following;
import palyra.api.run.RunEvent;
import palyra.api.run.RunObserver;
import palyra.api.run.RunPosition;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.shared.tape.TapeCodec;

/**
 * Follows one run on a virtual thread of its own: subscribes to hints first, then reads the tape,
 * then goes by hints. The tape is the truth: without any hint it is read again each second, so a
 * lost hint costs time and nothing else.
 */
final class RunFollower implements Following {
    private static final Logger LOG = LoggerFactory.getLogger(RunFollower.class);
    private static final long REREAD_MILLIS = 1_000;
    private static final long UNKNOWN = Long.MAX_VALUE;

    private final Gate<LiveFeed> feed;
    private final String runId;
    private final RunPosition from;
    private final RunObserver observer;
    private final Consumer<RunFollower> whenOver;
    private final HintQueue mailbox = new HintQueue();
    private final TapePages tape;
    private final LiveTextMerger text;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread thread;
    private LiveFeed.Subscription subscription; // used by the thread alone
    private final ResumePoint point = new ResumePoint(); // used by the thread alone
    private long lastSeq; // read up to here; used by the thread alone
    private long recordedTo; // told up to here; used by the thread alone
    private boolean ended; // used by the thread alone
    private String waitTold = ""; // used by the thread alone; empty when it goes on
    private final Gate<Journal> journal;
    private final WaitReasons waits;
    private volatile String stopReason = "";

    RunFollower(
            Gate<Journal> journal,
            Gate<LiveFeed> feed,
            WaitReasons waits,
            String runId,
            RunPosition from,
            RunObserver observer,
            long outageMillis,
            Consumer<RunFollower> whenOver) {
        this.feed = feed;
        this.journal = journal;
        this.waits = waits;
        this.runId = runId;
        this.from = from;
        this.recordedTo = from.seq();
        this.observer = observer;
        this.whenOver = whenOver;
        this.tape = new TapePages(journal, mailbox, runId, outageMillis);
        this.text = new LiveTextMerger(observer::onEvent);
        this.thread = Thread.ofVirtual().name("palyra-follow-" + runId).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            subscribe();
            resume();
            follow();
            if (!ended && !stopReason.isEmpty()) {
                observer.onInterrupted(stopReason);
            }
        } catch (PalyraException e) {
            interrupted(e.getMessage());
        } catch (InterruptedException e) {
            interrupted("Following was stopped.");
        } catch (RuntimeException e) {
            LOG.debug("The observer of run {} failed; following ends.", runId, e);
        } finally {
            mailbox.close();
            unsubscribe();
            whenOver.accept(this);
            over.countDown();
        }
    }

    private void interrupted(String reason) {
        try {
            observer.onInterrupted(reason);
        } catch (RuntimeException e) {
            LOG.debug("The observer of run {} failed.", runId, e);
        }
    }

    /** Finds out what the observer has, when it begins in the middle. */
    private void resume() throws InterruptedException {
        while (lastSeq < from.seq() && !mailbox.isClosed()) {
            List<TapeRecord> page = tape.after(lastSeq);
            if (page.isEmpty()) {
                break;
            }
            for (TapeRecord record : page) {
                if (record.seq() <= from.seq()) {
                    point.read(record, TapeCodec.event(record));
                }
                lastSeq = Math.min(record.seq(), from.seq());
            }
        }
        text.resume(from, point.turn(), point.attempt(), point.inside());
        if (point.inside()) {
            lastSeq = point.attemptSeq();
        }
        if (lastSeq > 0 && !point.inside()) {
            lastSeq--; // its last record again: it may have been the end
        }
    }

    private void follow() throws InterruptedException {
        boolean read = true;
        long known = UNKNOWN;
        while (!ended && !mailbox.isClosed()) {
            if (read) {
                readTape(known);
            }
            if (ended || mailbox.isClosed()) {
                return;
            }
            HintQueue.Batch batch = mailbox.take(lastSeq, REREAD_MILLIS);
            if (batch.feedChanged()) {
                unsubscribe();
                subscribe();
            }
            for (FeedItem.LiveText piece : batch.live()) {
                text.live(piece);
            }
            known =
                    batch.reread() || batch.feedChanged() || batch.advancedTo() <= lastSeq
                            ? UNKNOWN
                            : batch.advancedTo();
            read = batch.reread() || batch.feedChanged() || batch.advancedTo() > lastSeq;
            if (batch.reread() && batch.live().isEmpty() && batch.advancedTo() <= lastSeq) {
                tellWait();
            }
        }
    }

    /** Nothing happened for a while: the run's row may say what it waits for. */
    private void tellWait() {
        Optional<RunRow> row;
        try (Gate.Lease<Journal> lease = journal.lease(0)) {
            row = lease.service().run(runId);
        } catch (RuntimeException e) {
            LOG.debug("The row of run {} could not be read now.", runId, e);
            return;
        }
        if (row.isEmpty() || row.get().state().terminal()) {
            return; // its end is on the tape
        }
        String reason = waits.reason(row.get());
        if (!reason.equals(waitTold)) {
            waitTold = reason;
            observer.onEvent(new RunEvent.Waiting(row.get().state(), reason));
        }
    }

    /**
     * Reads on.
     *
     * @param known last record that there is, as a hint says, so that no page is read in vain: what
     *     comes later has hints of its own. Otherwise the tape is read until a page is empty
     */
    private void readTape(long known) throws InterruptedException {
        boolean more = true;
        while (more && !ended) {
            List<TapeRecord> page = tape.after(lastSeq);
            for (TapeRecord record : page) {
                if (ended || mailbox.isClosed()) {
                    return;
                }
                TapeEvent event = TapeCodec.event(record);
                point.read(record, event);
                if (!tell(record, event)) {
                    lastSeq = point.attemptSeq();
                    break;
                }
                lastSeq = record.seq();
            }
            more = !page.isEmpty() && lastSeq < known;
        }
    }

    /** Returns false when the attempt is to be read again from its beginning first. */
    private boolean tell(TapeRecord record, TapeEvent event) {
        switch (event) {
            case TapeEvent.ModelToken token ->
                    text.taped(token.turn(), token.attempt(), false, token.text());
            case TapeEvent.ModelThought thought ->
                    text.taped(thought.turn(), thought.attempt(), true, thought.text());
            case TapeEvent.TurnStarted started -> {
                // The record first: text of a turn never comes before the turn.
                recorded(record, event);
                text.begin(started.turn(), started.attempt(), "another attempt began");
            }
            case TapeEvent.TurnRestarted restarted -> {
                text.begin(restarted.turn(), restarted.attempt(), restarted.reason());
                recorded(record, event);
            }
            case TapeEvent.TurnFinished finished -> {
                if (!text.finish(finished.turn(), finished.attempt(), finished.text())) {
                    return false;
                }
                recorded(record, event);
            }
            case TapeEvent.RunStateChanged changed -> {
                recorded(record, event);
                if (changed.state().terminal()) {
                    ended = true;
                    observer.onEvent(new RunEvent.Ended(changed.state(), changed.reason()));
                }
            }
            case TapeEvent.Unknown ignored when TapeCodec.isErasedStream(record) -> {
                // the text comes, whole, with the record that finishes the turn
            }
            default -> recorded(record, event);
        }
        return true;
    }

    private void recorded(TapeRecord record, TapeEvent event) {
        if (record.seq() > recordedTo) {
            recordedTo = record.seq();
            observer.onEvent(new RunEvent.Recorded(record.seq(), record.timeMillis(), event));
        }
    }

    private void subscribe() {
        try (Gate.Lease<LiveFeed> lease = feed.lease(0)) {
            subscription = lease.service().subscribe(runId, mailbox::accept);
        } catch (RuntimeException e) {
            LOG.debug("No live feed for run {} now; the tape is read instead.", runId, e);
        }
    }

    private void unsubscribe() {
        LiveFeed.Subscription old = subscription;
        subscription = null;
        if (old != null) {
            try {
                old.close();
            } catch (RuntimeException e) {
                LOG.debug("A feed that is going refused to be left.", e);
            }
        }
    }

    void feedArrived() {
        mailbox.feedArrived();
    }

    /** Stops following and says why to the observer. */
    void stop(String reason) {
        stopReason = reason;
        mailbox.close();
    }

    void interrupt() {
        thread.interrupt();
    }

    @Override
    public boolean await(long timeoutMillis) throws InterruptedException {
        return over.await(timeoutMillis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        mailbox.close();
    }
}
