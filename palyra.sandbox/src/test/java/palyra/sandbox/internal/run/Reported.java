package palyra.sandbox.internal.run;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import palyra.api.core.sandbox.SandboxProcess;

/** A process whose end is told otherwise, as a kernel would tell it that counts more. */
record Reported(SandboxProcess process, ExitReport end) implements SandboxProcess {
    @Override
    public Optional<ExitReport> await(long millis) throws InterruptedException {
        return process.await(millis).map(any -> end);
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public InputStream stdout() {
        return process.stdout();
    }

    @Override
    public InputStream stderr() {
        return process.stderr();
    }

    @Override
    public OutputStream stdin() {
        return process.stdin();
    }

    @Override
    public Usage usage() {
        return process.usage();
    }

    @Override
    public int kill() {
        return process.kill();
    }

    @Override
    public String enforcement() {
        return process.enforcement();
    }

    @Override
    public void close() {
        process.close();
    }
}
