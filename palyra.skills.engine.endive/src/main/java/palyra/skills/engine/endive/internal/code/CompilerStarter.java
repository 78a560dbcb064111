package palyra.skills.engine.endive.internal.code;

import java.util.function.BooleanSupplier;
import palyra.shared.worker.WorkerProcess;

/** A way to start the process of the compiler, one for each module. Thread-safe. */
public interface CompilerStarter {
    /**
     * Returns what confines it now, as one word for attestations: {@code tier_b}, {@code process}.
     */
    String confinement();

    /**
     * Starts one. Waits a bounded time for a sandbox that is still looking at the host.
     *
     * @param stopped asked again and again while it waits: whether the process is not wanted any
     *     more
     * @throws palyra.api.PalyraException when nothing was started
     * @throws InterruptedException when the thread was interrupted; nothing was started
     */
    WorkerProcess start(BooleanSupplier stopped) throws InterruptedException;
}
