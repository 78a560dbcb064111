package palyra.shared.follow;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.PalyraException;
import palyra.api.run.Following;
import palyra.api.run.RunEvent;
import palyra.api.run.RunObserver;
import palyra.api.run.RunPosition;
import palyra.api.tape.TapeEvent;

/**
 * Follows a run to its end, also while services are replaced: when a following breaks off, it
 * follows again from the position that was reached, so the reader gets each event once and in
 * order.
 */
public final class ResumingRunFollower {
    /** Outage after which a client is asked to attach again. */
    public static final long CLIENT_OUTAGE_MILLIS = 30_000;

    private static final long UNLIMITED_NANOS = TimeUnit.DAYS.toNanos(36_500);

    /** A following that held this long counts as contact. */
    private static final long HEALTHY_MILLIS = 2_000;

    private static final long POLL_MILLIS = 250;

    /** Begins one following, as {@code Runs.follow} does for a principal and a run. */
    @FunctionalInterface
    public interface Source {
        /** Follows from a position. */
        Following follow(RunPosition from, RunObserver observer);
    }

    /** Where events go. Called by one thread at a time. */
    public interface Reader {
        /** Takes an event. When it throws, nothing of the event was taken. */
        void take(RunEvent event);

        /** Passes on what was taken; may block. The rest is passed on later when it throws. */
        default void flush() throws InterruptedException {}
    }

    private final Source source;
    private final String runId;
    private final Reader reader;
    private final long outageMillis;
    private final Outage outage;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final ReentrantLock delivery = new ReentrantLock();
    private RunPosition position; // this and the next three guarded by delivery
    private Attachment current;
    private RunEvent.Ended ended;
    private RuntimeException failure;

    /**
     * Creates a follower that begins at {@code from}.
     *
     * @param runId names the run in messages
     * @param outageMillis how long the source may not answer before {@link LostContact} is thrown
     */
    public ResumingRunFollower(
            Source source, String runId, RunPosition from, Reader reader, long outageMillis) {
        this.source = source;
        this.runId = runId;
        this.position = from;
        this.reader = reader;
        this.outageMillis = outageMillis;
        this.outage = new Outage(outageMillis);
    }

    /** Ends following soon; the run goes on. Never blocks. */
    public void stop() {
        stop.countDown();
    }

    private boolean isStopped() {
        return stop.getCount() == 0;
    }

    /** Follows until the run has ended or {@link #stop} was called. */
    public Optional<RunEvent.Ended> follow() throws InterruptedException {
        return follow(System.nanoTime() + UNLIMITED_NANOS);
    }

    /**
     * Follows until the run has ended, {@link #stop} was called or {@link System#nanoTime} has
     * reached {@code untilNanos}.
     *
     * <p>May be called again, also after an interrupt; it goes on where it was.
     *
     * @return how the run ended; empty when following ended first
     * @throws PalyraException as {@code Runs.follow} does
     * @throws LostContact when the source did not answer for the outage limit
     */
    public Optional<RunEvent.Ended> follow(long untilNanos) throws InterruptedException {
        boolean reconnecting = false;
        outage.answered();
        while (!isStopped() && nanosTo(untilNanos) > 0) {
            Attachment attachment = attach();
            attachment.hold(untilNanos, reconnecting);
            Optional<RunEvent.Ended> end = detach();
            if (end.isPresent()) {
                return end;
            }
            if (isStopped() || nanosTo(untilNanos) <= 0) {
                break;
            }
            if (attachment.wasHealthy()) {
                outage.answered();
            }
            if (outage.isTooLong()) {
                throw new LostContact(runId, outageMillis, attachment.reason);
            }
            reconnecting = true;
            stop.await(POLL_MILLIS, TimeUnit.MILLISECONDS);
        }
        return Optional.empty();
    }

    private static long nanosTo(long untilNanos) {
        return untilNanos - System.nanoTime();
    }

    private Attachment attach() throws InterruptedException {
        long startedAt = System.nanoTime();
        delivery.lockInterruptibly();
        try {
            reader.flush();
            outage.exclude(System.nanoTime() - startedAt);
            current = new Attachment(position);
            return current;
        } finally {
            delivery.unlock();
        }
    }

    /** Stops delivering events; returns how the run ended, if it did. */
    private Optional<RunEvent.Ended> detach() throws InterruptedException {
        delivery.lockInterruptibly();
        try {
            current = null;
            if (failure != null) {
                throw failure;
            }
            if (ended != null) {
                reader.flush();
            }
            return Optional.ofNullable(ended);
        } finally {
            delivery.unlock();
        }
    }

    /** One attempt to follow. */
    private final class Attachment implements RunObserver {
        private final RunPosition from;
        private final long startedAt = System.nanoTime();
        private final CountDownLatch over = new CountDownLatch(1);
        private volatile boolean established;
        private volatile boolean progressed;
        private volatile String reason = "the connection to it ended";

        Attachment(RunPosition from) {
            this.from = from;
        }

        boolean wasHealthy() {
            long held = System.nanoTime() - startedAt;
            return progressed
                    || (established && held > TimeUnit.MILLISECONDS.toNanos(HEALTHY_MILLIS));
        }

        /** Follows until it breaks off, is stopped or the time is over. */
        void hold(long untilNanos, boolean reconnecting) throws InterruptedException {
            try (Following following = source.follow(from, this)) {
                established = true;
                boolean active = true;
                while (active && !isStopped() && nanosTo(untilNanos) > 0) {
                    active = !over.await(POLL_MILLIS, TimeUnit.MILLISECONDS) && !isLost(following);
                }
            } catch (PalyraException e) {
                if (!Outage.isTemporary(e, reconnecting)) {
                    throw e;
                }
                reason = e.getMessage();
            }
        }

        /** A following that ended without an event counts as lost. */
        private boolean isLost(Following following) throws InterruptedException {
            if (!following.await(0)) {
                return false;
            }
            over.await(POLL_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        }

        @Override
        public void onEvent(RunEvent event) {
            try {
                delivery.lockInterruptibly();
            } catch (InterruptedException e) {
                throw interrupted();
            }
            try {
                if (current != this || isStopped()) {
                    throw new IllegalStateException("this following was replaced or stopped");
                }
                deliver(event);
            } finally {
                delivery.unlock();
            }
        }

        private void deliver(RunEvent event) {
            try {
                reader.take(event);
                position = after(event);
                progressed |= !(event instanceof RunEvent.Dropped);
                if (event instanceof RunEvent.Ended end) {
                    ended = end;
                }
                reader.flush();
            } catch (InterruptedException e) {
                throw interrupted();
            } catch (PalyraException e) {
                if (Outage.isTemporary(e, true)) {
                    reason = e.getMessage();
                } else {
                    failure = e;
                }
                over.countDown();
                throw e;
            } catch (RuntimeException | Error e) {
                failure = new IllegalStateException("An event could not be passed on.", e);
                over.countDown();
                throw e;
            }
            if (ended != null) {
                over.countDown();
            }
        }

        /** After the start of an attempt, no text of it was received yet. */
        private RunPosition after(RunEvent event) {
            RunPosition next = position.advance(event);
            return event instanceof RunEvent.Recorded recorded
                            && recorded.event() instanceof TapeEvent.TurnStarted started
                            && !(next.turn() == started.turn()
                                    && next.attempt() == started.attempt())
                    ? new RunPosition(next.seq(), started.turn(), started.attempt(), 0, 0)
                    : next;
        }

        /** The source interrupts its thread because it is being replaced. */
        private IllegalStateException interrupted() {
            Thread.currentThread().interrupt();
            over.countDown();
            return new IllegalStateException("the following was interrupted");
        }

        @Override
        public void onInterrupted(String why) {
            reason = why;
            over.countDown();
        }
    }
}
