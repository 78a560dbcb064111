package palyra.skills.engine.wasmtime.internal;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import palyra.shared.worker.PlainWorker;
import palyra.shared.worker.WorkerProcess;
import palyra.skills.engine.wasmtime.internal.gateway.TierBWorkerStarter;
import palyra.skills.engine.wasmtime.internal.gateway.WorkerFiles;
import palyra.skills.engine.wasmtime.internal.gateway.WorkerStarter;

/** Starts the worker without any sandbox; only in tests. */
final class PlainWorkerStarter implements WorkerStarter {
    final List<Process> started = new CopyOnWriteArrayList<>();
    volatile String problem = "";

    @Override
    public String problem() {
        return problem;
    }

    @Override
    public WorkerProcess start(WorkerFiles.Installed files, List<String> arguments) {
        PlainWorker worker =
                PlainWorker.start(
                        TierBWorkerStarter.command(files, arguments, "test"),
                        files.scratch(),
                        "tier=none(test)");
        started.add(worker.process());
        return worker;
    }
}
