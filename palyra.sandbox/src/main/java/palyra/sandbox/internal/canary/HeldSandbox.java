package palyra.sandbox.internal.canary;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.api.core.sandbox.SharedSandbox;
import palyra.sandbox.internal.run.LiveRun;
import palyra.sandbox.internal.run.RunOrder;
import palyra.sandbox.internal.run.RunResult;
import palyra.sandbox.internal.run.Runner;
import palyra.sandbox.internal.run.Stop;
import palyra.sandbox.internal.run.Threads;

/**
 * A sandbox that the commands of a battery share, held by a thread of its own as one of a session
 * is. For one thread.
 */
final class HeldSandbox implements AutoCloseable {
    /** Longer than a battery. */
    private static final long WALL_MILLIS = 600_000;

    private final SharedSandbox made;
    private final CompletableFuture<LiveRun> holder = new CompletableFuture<>();
    private final CompletableFuture<RunResult> ended = new CompletableFuture<>();
    private String problem = "";

    private HeldSandbox(SharedSandbox made) {
        this.made = made;
    }

    /**
     * Makes it, where the backend makes such.
     *
     * @param spec a command that is to run in it
     */
    static HeldSandbox make(
            Runner runner, SandboxBackend backend, SandboxSpec spec, SharedSandbox sandbox) {
        HeldSandbox held = new HeldSandbox(sandbox);
        RunOrder order = RunOrder.trial(backend.tier(), longer(spec).in(sandbox));
        Threads.start(sandbox.id(), () -> held.hold(runner, backend, order));
        return held;
    }

    private static SandboxSpec longer(SandboxSpec spec) {
        SandboxLimits limits = spec.limits();
        return spec.withLimits(
                new SandboxLimits(
                        WALL_MILLIS,
                        WALL_MILLIS,
                        limits.memoryBytes(),
                        limits.processes(),
                        limits.fileBytes(),
                        limits.openFiles(),
                        limits.outputBytes(),
                        limits.scratchBytes()));
    }

    private void hold(Runner runner, SandboxBackend backend, RunOrder order) {
        try {
            LiveRun run = runner.start(order, backend);
            holder.complete(run);
            ended.complete(run.await());
        } catch (RuntimeException | Error e) {
            holder.completeExceptionally(e);
            ended.completeExceptionally(e);
        }
    }

    /** Returns it, once it is made; empty when the backend makes none. */
    Optional<SharedSandbox> sandbox() {
        try {
            LiveRun run = holder.join();
            if (run.spawned()) {
                return Optional.of(made.heldBy(run.process()));
            }
            problem = ended.join().problem();
        } catch (java.util.concurrent.CompletionException e) {
            if (!(e.getCause() instanceof PalyraException refused)) {
                throw e;
            }
            problem = refused.getMessage();
        }
        return Optional.empty();
    }

    /** Returns one sentence, why it was not made or what it left. */
    String problem() {
        return problem;
    }

    /** Ends it with all that runs in it; returns how many processes were not confirmed dead. */
    int end() {
        holder.join().stop(Stop.CANCELLED);
        RunResult result = ended.join();
        problem = result.problem();
        return result.leftBehind();
    }

    @Override
    public void close() {
        if (sandbox().isPresent()) {
            end();
        }
    }
}
