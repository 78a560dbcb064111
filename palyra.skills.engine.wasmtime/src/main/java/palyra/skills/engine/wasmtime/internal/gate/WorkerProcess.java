package palyra.skills.engine.wasmtime.internal.gate;

import java.io.InputStream;
import java.io.OutputStream;

/** A started worker. Closing it kills it and gives everything back; it may be closed again. */
public interface WorkerProcess extends AutoCloseable {
    /** Returns what it says. */
    InputStream out();

    /** Returns what it prints; for the log. */
    InputStream err();

    /** Returns where it listens. */
    OutputStream in();

    /** Returns what stands between it and the host, as in an enforcement string. */
    String isolation();

    /** Returns how it ended, waiting a moment for that; empty when it has not. */
    String ending();

    @Override
    void close();
}
