package palyra.sandbox.tierc.windows.internal;

import com.sun.jna.ptr.IntByReference;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import palyra.sandbox.tierc.windows.internal.win.Kernel32;

/** What a process writes. At its end when every holder of the other end has closed it. */
final class PipeInput extends InputStream {
    private static final int MOST_BYTES = 64 << 10;

    private final Kernel32 kernel;
    private final Handle handle;

    PipeInput(Kernel32 kernel, Handle handle) {
        this.kernel = kernel;
        this.handle = handle;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        if (length == 0) {
            return 0;
        }
        byte[] buffer = new byte[Math.min(length, MOST_BYTES)];
        int read = handle.use(file -> readSome(file, buffer));
        if (read > 0) {
            System.arraycopy(buffer, 0, into, offset, read);
        }
        return read;
    }

    /** A write of nothing at the other end is a read of nothing here, and no end. */
    private int readSome(com.sun.jna.Pointer file, byte[] buffer) throws IOException {
        IntByReference count = new IntByReference();
        while (kernel.ReadFile(file, buffer, buffer.length, count, null)) {
            if (count.getValue() > 0) {
                return count.getValue();
            }
        }
        int error = kernel.lastError();
        if (error == Kernel32.ERROR_BROKEN_PIPE) {
            return -1;
        }
        throw new IOException("ReadFile failed with error " + error);
    }

    @Override
    public void close() {
        handle.close();
    }
}
