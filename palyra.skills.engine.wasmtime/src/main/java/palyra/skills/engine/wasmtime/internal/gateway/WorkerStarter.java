package palyra.skills.engine.wasmtime.internal.gateway;

import java.util.List;
import palyra.shared.worker.WorkerProcess;

/** A way to start the worker. */
public interface WorkerStarter {
    /** Returns why it cannot be started now, with the remedy; empty when it can. */
    String problem();

    /**
     * Starts it.
     *
     * @param files what it consists of
     * @param arguments of its main class
     * @throws palyra.api.PalyraException when nothing was started
     */
    WorkerProcess start(WorkerFiles.Installed files, List<String> arguments);
}
