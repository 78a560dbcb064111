package palyra.transport.grpc.internal.service.stream;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.run.Following;
import palyra.api.run.RunEvent;
import palyra.api.run.RunObserver;
import palyra.api.run.RunPosition;
import palyra.api.run.Runs;
import palyra.api.tape.TapeEvent;
import palyra.shared.gate.Gate;
import palyra.transport.grpc.internal.service.Leases;

/**
 * Follows a run to its end, through swaps of whatever lies between: when following breaks off it
 * follows again from the position that was reached, so the reader gets each thing once and in
 * order.
 */
public final class ResumingRunFollower {
    private static final long FOREVER_NANOS = TimeUnit.DAYS.toNanos(36_500);

    /** A following that held this long was a good one. */
    private static final long HEALTHY_MILLIS = 2_000;

    private static final long LOOK_MILLIS = 250;

    /** Where events go. Called by one thread at a time. */
    public interface Reader {
        /** Takes an event. When it throws, nothing of the event was taken. */
        void take(RunEvent event);

        /** Passes on what was taken; may block. What is left when it throws is passed on later. */
        void flush() throws InterruptedException;
    }

    private final Gate<Runs> runs;
    private final Principal principal;
    private final String runId;
    private final Reader reader;
    private final Outage outage;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final ReentrantLock telling = new ReentrantLock();
    private RunPosition position; // this and the next three guarded by telling
    private Attachment current;
    private RunEvent.Ended ended;
    private RuntimeException failure;

    /** Creates a pursuit that begins at {@code from}. */
    public ResumingRunFollower(
            Gate<Runs> runs, Principal principal, String runId, RunPosition from, Reader reader) {
        this(runs, principal, runId, from, reader, Outage.MOST_MILLIS);
    }

    ResumingRunFollower(
            Gate<Runs> runs,
            Principal principal,
            String runId,
            RunPosition from,
            Reader reader,
            long outageMillis) {
        this.outage = new Outage(outageMillis);
        this.runs = runs;
        this.principal = principal;
        this.runId = runId;
        this.position = from;
        this.reader = reader;
    }

    /** Ends the pursuit soon; the run goes on. Never blocks. */
    public void stop() {
        stop.countDown();
    }

    private boolean isStopped() {
        return stop.getCount() == 0;
    }

    /** Follows until the run has ended or {@link #stop} was called. */
    public Optional<RunEvent.Ended> follow() throws InterruptedException {
        return follow(System.nanoTime() + FOREVER_NANOS);
    }

    /**
     * Follows until the run has ended, {@link #stop} was called or {@link System#nanoTime} has
     * reached {@code untilNanos}.
     *
     * @return how the run ended; empty when the pursuit ended first
     * @throws PalyraException as {@code Runs.follow} does; {@link LostContact} when nothing was
     *     heard for 30 seconds
     */
    public Optional<RunEvent.Ended> follow(long untilNanos) throws InterruptedException {
        boolean again = false;
        outage.heard();
        while (!isStopped() && nanosTo(untilNanos) > 0) {
            Attachment attachment = attach();
            attachment.hold(untilNanos, again);
            Optional<RunEvent.Ended> end = detach();
            if (end.isPresent()) {
                return end;
            }
            if (isStopped() || nanosTo(untilNanos) <= 0) {
                break;
            }
            if (attachment.wasGood()) {
                outage.heard();
            }
            if (outage.isTooLong()) {
                throw new LostContact(runId, attachment.reason);
            }
            again = true;
            stop.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
        return Optional.empty();
    }

    private static long nanosTo(long untilNanos) {
        return untilNanos - System.nanoTime();
    }

    private Attachment attach() throws InterruptedException {
        long begun = System.nanoTime();
        telling.lockInterruptibly();
        try {
            reader.flush();
            outage.leaveOut(System.nanoTime() - begun);
            current = new Attachment(position);
            return current;
        } finally {
            telling.unlock();
        }
    }

    /** From here on nothing is told; returns how the run ended, if it did. */
    private Optional<RunEvent.Ended> detach() throws InterruptedException {
        telling.lockInterruptibly();
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
            telling.unlock();
        }
    }

    /** One attempt to follow. */
    private final class Attachment implements RunObserver {
        private final RunPosition from;
        private final long begun = System.nanoTime();
        private final CountDownLatch over = new CountDownLatch(1);
        private volatile boolean established;
        private volatile boolean progressed;
        private volatile String reason = "the connection to it ended";

        Attachment(RunPosition from) {
            this.from = from;
        }

        boolean wasGood() {
            long held = System.nanoTime() - begun;
            return progressed
                    || (established && held > TimeUnit.MILLISECONDS.toNanos(HEALTHY_MILLIS));
        }

        /** Follows until it breaks off, or as long as the pursuit goes on. */
        void hold(long untilNanos, boolean again) throws InterruptedException {
            try (Following following =
                    Leases.call(runs, front -> front.follow(principal, runId, from, this))) {
                established = true;
                boolean going = true;
                while (going && !isStopped() && nanosTo(untilNanos) > 0) {
                    going = !over.await(LOOK_MILLIS, TimeUnit.MILLISECONDS) && !lost(following);
                }
            } catch (PalyraException e) {
                if (!Outage.passes(e, again)) {
                    throw e;
                }
                reason = e.getMessage();
            }
        }

        /** A following that ended without a word counts as lost. */
        private boolean lost(Following following) throws InterruptedException {
            if (!following.await(0)) {
                return false;
            }
            over.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        }

        @Override
        public void onEvent(RunEvent event) {
            try {
                telling.lockInterruptibly();
            } catch (InterruptedException e) {
                throw leaving();
            }
            try {
                if (current != this || isStopped()) {
                    throw new IllegalStateException("nobody listens to this following any more");
                }
                tell(event);
            } finally {
                telling.unlock();
            }
        }

        private void tell(RunEvent event) {
            try {
                reader.take(event);
                position = after(event);
                progressed |= !(event instanceof RunEvent.Dropped);
                if (event instanceof RunEvent.Ended end) {
                    ended = end;
                }
                reader.flush();
            } catch (InterruptedException e) {
                throw leaving();
            } catch (PalyraException e) {
                if (Outage.passes(e, true)) {
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

        /** Of an attempt that was just seen to begin, it is known that no text was received. */
        private RunPosition after(RunEvent event) {
            RunPosition next = position.advance(event);
            return event instanceof RunEvent.Recorded recorded
                            && recorded.event() instanceof TapeEvent.TurnStarted started
                            && !(next.turn() == started.turn()
                                    && next.attempt() == started.attempt())
                    ? new RunPosition(next.seq(), started.turn(), started.attempt(), 0, 0)
                    : next;
        }

        /** The front takes its thread back, because it is being replaced. */
        private IllegalStateException leaving() {
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
