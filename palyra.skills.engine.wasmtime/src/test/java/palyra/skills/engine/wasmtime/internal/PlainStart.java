package palyra.skills.engine.wasmtime.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import palyra.skills.engine.wasmtime.internal.gate.TierBStart;
import palyra.skills.engine.wasmtime.internal.gate.WorkerFiles;
import palyra.skills.engine.wasmtime.internal.gate.WorkerProcess;
import palyra.skills.engine.wasmtime.internal.gate.WorkerStart;

/** Starts the worker without any sandbox; only in tests. */
final class PlainStart implements WorkerStart {
    final List<Process> started = new CopyOnWriteArrayList<>();
    volatile String problem = "";

    @Override
    public String problem() {
        return problem;
    }

    @Override
    public WorkerProcess start(WorkerFiles.Installed files, List<String> arguments) {
        try {
            Process process =
                    new ProcessBuilder(TierBStart.command(files, arguments, "test"))
                            .directory(files.scratch().toFile())
                            .start();
            started.add(process);
            return new Plain(process);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Plain(Process process) implements WorkerProcess {
        @Override
        public InputStream out() {
            return process.getInputStream();
        }

        @Override
        public InputStream err() {
            return process.getErrorStream();
        }

        @Override
        public OutputStream in() {
            return process.getOutputStream();
        }

        @Override
        public String isolation() {
            return "tier=none(test)";
        }

        @Override
        public String ending() {
            try {
                return process.waitFor(1, TimeUnit.SECONDS)
                        ? "exit code " + process.exitValue()
                        : "though it still runs";
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return "unknown";
            }
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }
}
