package palyra.sandbox.internal.process;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import palyra.api.Require;
import palyra.sandbox.internal.run.LiveRun;
import palyra.sandbox.internal.run.RunResult;
import palyra.sandbox.internal.run.Stop;

/** One process that goes on after the call that started it. Thread-safe. */
final class BackgroundProcess {
    private final String id;
    private final Owner owner;
    private final PreparedCommand prepared;
    private final CompletableFuture<LiveRun> started = new CompletableFuture<>();
    private volatile RunResult result; // null while it runs
    private volatile long askedNanos = System.nanoTime();
    private volatile boolean unwanted;

    /**
     * Whom a process belongs to.
     *
     * @param runId run that started it
     * @param principal on whose behalf
     */
    record Owner(String runId, String principal) {
        Owner {
            Require.text(runId, "run id");
            principal = Require.orEmpty(principal);
        }
    }

    BackgroundProcess(String id, Owner owner, PreparedCommand prepared) {
        this.id = id;
        this.owner = owner;
        this.prepared = prepared;
    }

    String id() {
        return id;
    }

    boolean ownedBy(Owner asking) {
        return owner.equals(asking);
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

    void ended(RunResult how) {
        result = how;
        askedNanos = System.nanoTime();
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
