package palyra.sandbox.internal.process;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import palyra.api.Require;
import palyra.api.tool.ToolInvocation;
import palyra.sandbox.internal.run.LiveRun;
import palyra.sandbox.internal.run.RunResult;
import palyra.sandbox.internal.run.Stop;

/** One process that goes on after the call that started it. Thread-safe. */
final class BackgroundProcess {
    private final String id;
    private final Owner owner;
    private final boolean outlivesRun;
    private final PreparedCommand prepared;
    private final CompletableFuture<LiveRun> started = new CompletableFuture<>();
    private volatile RunResult result; // null while it runs
    private volatile long askedNanos = System.nanoTime();
    private volatile boolean unwanted;

    /**
     * Whom a process belongs to.
     *
     * @param runId run that started it
     * @param sessionId session of the run; empty when it has none
     * @param principal on whose behalf
     */
    record Owner(String runId, String sessionId, String principal) {
        Owner {
            Require.text(runId, "run id");
            sessionId = Require.orEmpty(sessionId);
            principal = Require.orEmpty(principal);
        }

        static Owner of(ToolInvocation call) {
            return new Owner(call.runId(), call.sessionId(), call.principalId());
        }
    }

    /** How an id begins, before a ULID. */
    static final String PREFIX = "p-";

    /** An id as it may be, for descriptions. */
    static final String EXAMPLE_ID = PREFIX + "01J9ZK3V5Q8XW2M4T6Y7B0CDEF";

    /**
     * @param outlivesRun whether it goes on when its run ends, until its session does
     */
    BackgroundProcess(String id, Owner owner, boolean outlivesRun, PreparedCommand prepared) {
        this.id = id;
        this.owner = owner;
        this.outlivesRun = outlivesRun && !owner.sessionId().isEmpty();
        this.prepared = prepared;
    }

    String id() {
        return id;
    }

    Owner owner() {
        return owner;
    }

    boolean outlivesRun() {
        return outlivesRun;
    }

    /** Whether a run may ask for it and end it: its own, or one of its session if it outlives. */
    boolean usableBy(Owner asking) {
        boolean same =
                outlivesRun
                        ? owner.sessionId().equals(asking.sessionId())
                        : owner.runId().equals(asking.runId());
        return same && owner.principal().equals(asking.principal());
    }

    PreparedCommand prepared() {
        return prepared;
    }

    /** Completes when it was started, or could not be. */
    CompletableFuture<LiveRun> started() {
        return started;
    }

    /** Notes that it was started; ends it when its end was requested meanwhile. */
    void onStarted(LiveRun run) {
        started.complete(run);
        if (unwanted) {
            run.stop(Stop.CANCELLED);
        }
    }

    /** Notes its end, and wakes those that wait for it. */
    void ended(LiveRun run, RunResult how) {
        result = how;
        askedNanos = System.nanoTime();
        run.signal().raise();
    }

    /** Returns how it ended; empty while it runs. */
    Optional<RunResult> result() {
        return Optional.ofNullable(result);
    }

    /** Notes that its owner asked for it. */
    void touch() {
        askedNanos = System.nanoTime();
    }

    boolean silentFor(long nanos) {
        return System.nanoTime() - askedNanos >= nanos;
    }

    /** Ends it at once. */
    void stop(Stop why) {
        unwanted = true;
        if (started.isDone() && !started.isCompletedExceptionally()) {
            started.join().stop(why);
        }
    }
}
