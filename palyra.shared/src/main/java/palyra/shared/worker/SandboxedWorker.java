package palyra.shared.worker;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import palyra.api.core.sandbox.SandboxProcess;

/**
 * A worker in a sandbox.
 *
 * @param process the process, which this closes
 */
public record SandboxedWorker(SandboxProcess process) implements WorkerProcess {
    @Override
    public InputStream out() {
        return process.stdout();
    }

    @Override
    public InputStream err() {
        return process.stderr();
    }

    @Override
    public OutputStream in() {
        return process.stdin();
    }

    @Override
    public String isolation() {
        return process.enforcement().replaceFirst("^[a-z]+ ", "");
    }

    @Override
    public long cpuMillis() {
        return process.usage().cpuMillis();
    }

    @Override
    public Optional<Ending> await(long millis) throws InterruptedException {
        return process.await(millis)
                .map(end -> new Ending(end.exitCode(), end.outOfMemory(), end.problem()));
    }

    @Override
    public void close() {
        process.close();
    }
}
