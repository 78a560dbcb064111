package palyra.shared.confine;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import palyra.api.core.sandbox.SandboxProcess;

/** A process, and the resources to release when it is closed. */
public class OwnedProcess implements SandboxProcess {
    private final SandboxProcess process;
    private final Runnable afterwards;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Wraps a process.
     *
     * @param afterwards runs once, after everything of the process was ended
     */
    public OwnedProcess(SandboxProcess process, Runnable afterwards) {
        this.process = process;
        this.afterwards = afterwards;
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
    public Optional<ExitReport> await(long millis) throws InterruptedException {
        return process.await(millis);
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
        try {
            process.close();
        } finally {
            if (closed.compareAndSet(false, true)) {
                afterwards.run();
            }
        }
    }
}
