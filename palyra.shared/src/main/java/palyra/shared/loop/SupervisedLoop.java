package palyra.shared.loop;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.LoopView.State;

/**
 * A long-lived thread that does not die silently: everything that its body throws, an {@link Error}
 * too, is kept and logged, and the body begins again after a wait. Thread-safe.
 */
public final class SupervisedLoop {
    private static final int MOST_WORDS = 300;

    private final LoopSpec spec;
    private final LoopBody body;
    private final LongSupplier nanos;
    private final InstantSource clock;
    private final Thread thread;
    private final FailureLog log;
    private final Beat beat;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile boolean stopping; // set under lock
    private volatile Phase phase;
    private volatile Failure failure = new Failure("", Instant.EPOCH);
    private volatile long restarts; // the loop's thread only writes

    private record Phase(State state, Instant since) {}

    private record Failure(String sentence, Instant at) {}

    /** Makes a loop that is not started yet. */
    public SupervisedLoop(LoopSpec spec, LoopBody body) {
        this(spec, body, System::nanoTime, InstantSource.system());
    }

    SupervisedLoop(LoopSpec spec, LoopBody body, LongSupplier nanos, InstantSource clock) {
        this.spec = spec;
        this.body = body;
        this.nanos = nanos;
        this.clock = clock;
        this.beat = new Beat();
        this.log = new FailureLog(spec.name());
        this.phase = new Phase(State.STOPPED, clock.instant());
        this.thread =
                Thread.ofPlatform()
                        .daemon()
                        .inheritInheritableThreadLocals(
                                false) // it outlives the thread that makes it
                        .name(spec.name())
                        .stackSize(spec.stackBytes())
                        .unstarted(this::supervise);
    }

    /**
     * Makes a loop of steps with a fixed wait between the end of one and the beginning of the next,
     * the first after one wait as well. A step that throws is followed by the backoff.
     */
    public static SupervisedLoop every(LoopSpec spec, Duration pause, LoopStep step) {
        return new SupervisedLoop(spec, new Rounds(pause, step));
    }

    /** A step of a loop. */
    @FunctionalInterface
    public interface LoopStep {
        /** Does it. */
        void run() throws Exception;
    }

    /** Begins. Once only. */
    public SupervisedLoop start() {
        phase = new Phase(State.RUNNING, clock.instant());
        beat.beat();
        thread.start();
        return this;
    }

    /**
     * Asks the loop to end. A body that fails meanwhile, or has failed before, begins once more, so
     * that it can settle what waits; a failure of that ends the loop.
     */
    public void stop() {
        lock.lock();
        try {
            stopping = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #stop}, and interrupts what the body waits for. */
    public void interrupt() {
        stop();
        thread.interrupt();
    }

    /** Waits, bounded, until the loop has ended; returns whether it has. */
    public boolean join(long millis) throws InterruptedException {
        if (thread.getState() == Thread.State.NEW || thread == Thread.currentThread()) {
            return true;
        }
        thread.join(Math.max(1, millis));
        return !thread.isAlive();
    }

    /** Interrupts the loop and waits, bounded, for its end; keeps the caller's interruption. */
    public boolean close(long millis) {
        interrupt();
        try {
            return join(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return !thread.isAlive();
        }
    }

    /** Returns whether the thread runs. */
    public boolean isAlive() {
        return thread.isAlive();
    }

    /** Returns whether the caller is the loop's own thread. */
    public boolean isCurrentThread() {
        return Thread.currentThread() == thread;
    }

    /** Returns how the loop is now. */
    public LoopView view() {
        Phase now = phase;
        long age = beat.ageNanos();
        State state = now.state();
        Instant since = now.since();
        if (state == State.RUNNING && beat.isBusy() && age > spec.longestStep().toNanos()) {
            state = State.STALLED;
            since = clock.instant().minusNanos(age).plus(spec.longestStep());
        }
        Failure last = failure;
        return new LoopView(
                spec.name(),
                spec.owner(),
                spec.essential(),
                state,
                since,
                restarts,
                last.sentence(),
                last.at(),
                TimeUnit.NANOSECONDS.toMillis(age));
    }

    private void supervise() {
        int inARow = 0;
        while (true) {
            boolean last = stopping && inARow > 0;
            long begun = nanos.getAsLong();
            Throwable thrown = runOnce();
            if (thrown == null || last || (stopping && thrown instanceof InterruptedException)) {
                break;
            }
            boolean wasHealthy = nanos.getAsLong() - begun >= spec.backoff().healthy().toNanos();
            inARow = wasHealthy ? 1 : Math.min(inARow + 1, 1_000);
            backOff(thrown, inARow);
        }
        phase = new Phase(State.STOPPED, clock.instant());
    }

    /** Returns what the body threw; null when it ended. */
    @SuppressWarnings("Interruption") // the flag is of a wait that is over
    private Throwable runOnce() {
        try {
            beat.beat();
            body.run(beat);
            return null;
        } catch (Throwable e) { // all of it: a thread that ends here ends silently
            Thread.interrupted();
            return e;
        }
    }

    private void backOff(Throwable thrown, int inARow) {
        try {
            keep(thrown);
            await(spec.backoff().after(inARow).toNanos());
        } catch (Throwable e) { // memory may be short for a log line too: go on without one
            await(spec.backoff().after(inARow).toNanos());
        }
        phase = new Phase(State.RUNNING, clock.instant());
    }

    private void keep(Throwable thrown) {
        restarts++;
        phase = new Phase(State.BACKING_OFF, clock.instant());
        beat.beat();
        failure = new Failure(sentence(thrown), clock.instant());
        log.failed(thrown, failure.sentence(), restarts, nanos.getAsLong());
    }

    private static String sentence(Throwable thrown) {
        String message = thrown.getMessage();
        String words = thrown.getClass().getSimpleName() + (message == null ? "" : ": " + message);
        String line = words.replaceAll("\\s+", " ").strip();
        return line.length() <= MOST_WORDS ? line : line.substring(0, MOST_WORDS) + "…";
    }

    /** Waits unless it is stopped. An interruption before {@link #stop} changes nothing. */
    private void await(long nanosToWait) {
        lock.lock();
        try {
            long left = nanosToWait;
            while (!stopping && left > 0) {
                left = awaitOnce(left);
            }
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings({"WaitNotInLoop", "Interruption"}) // the caller's loop looks again
    private long awaitOnce(long left) {
        long until = System.nanoTime() + left;
        try {
            return changed.awaitNanos(left);
        } catch (InterruptedException e) {
            return until - System.nanoTime();
        }
    }

    /** A body of steps. */
    private record Rounds(Duration pause, LoopStep step) implements LoopBody {
        @Override
        public void run(Heartbeat pulse) throws Exception {
            Beat own = (Beat) pulse;
            while (own.rest(pause)) {
                own.beat();
                step.run();
            }
        }
    }

    private final class Beat implements Heartbeat {
        private volatile long at = nanos.getAsLong();
        private volatile boolean busy;

        @Override
        public boolean isStopping() {
            return stopping;
        }

        @Override
        public void beat() {
            at = nanos.getAsLong();
            busy = true;
        }

        @Override
        public void idle() {
            at = nanos.getAsLong();
            busy = false;
        }

        boolean isBusy() {
            return busy;
        }

        long ageNanos() {
            return Math.max(0, nanos.getAsLong() - at);
        }

        boolean rest(Duration pause) {
            idle();
            await(pause.toNanos());
            return !stopping;
        }
    }
}
