package palyra.skills.internal.run;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.skills.internal.model.SkillId;

/** The running calls. Thread-safe. */
final class RunningCalls {
    /** Why calls end that did not end by themselves before the runtime went. */
    static final String STOPPING = "The skill runtime is being replaced or stopped.";

    /** Longest time that a stopped call may take to end. */
    private static final long STOP_MILLIS = 2_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Set<RunningCall> calls = new HashSet<>(); // guarded by lock
    private boolean closed; // guarded by lock

    /**
     * Adds a call.
     *
     * @throws PalyraException TOOL_UNAVAILABLE once this is being closed
     */
    RunningCall begin(SkillId skill) {
        lock.lock();
        try {
            if (closed) {
                throw new PalyraException(
                        ErrorCode.TOOL_UNAVAILABLE,
                        "A tool of "
                                + skill
                                + " was called while the skill runtime is stopping; try again when"
                                + " it is back.");
            }
            RunningCall call = new RunningCall(skill);
            calls.add(call);
            return call;
        } finally {
            lock.unlock();
        }
    }

    void end(RunningCall call) {
        lock.lock();
        try {
            calls.remove(call);
        } finally {
            lock.unlock();
        }
        call.ended();
    }

    private List<RunningCall> now() {
        lock.lock();
        try {
            return List.copyOf(calls);
        } finally {
            lock.unlock();
        }
    }

    int size() {
        return now().size();
    }

    void stop(Predicate<SkillId> which, String reason) {
        now().stream().filter(call -> which.test(call.skill())).forEach(call -> call.stop(reason));
    }

    /** Refuses new calls, gives running ones some time, then stops the rest and waits. */
    void close(long graceMillis) {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        if (!await(graceMillis)) {
            stop(any -> true, STOPPING);
            await(STOP_MILLIS);
        }
    }

    private boolean await(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            for (RunningCall call : now()) {
                if (!call.over().await(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    return false;
                }
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
