package palyra.sandbox.tierc.windows.internal;

import com.sun.jna.ptr.IntByReference;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;
import palyra.sandbox.tierc.windows.internal.win.Kernel32;

/** What a process reads. */
final class PipeOutput extends OutputStream {
    private final Kernel32 kernel;
    private final Handle handle;

    PipeOutput(Kernel32 kernel, Handle handle) {
        this.kernel = kernel;
        this.handle = handle;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        int at = offset;
        while (at < offset + length) {
            byte[] rest = Arrays.copyOfRange(bytes, at, offset + length);
            at += handle.use(file -> writeSome(file, rest));
        }
    }

    private int writeSome(com.sun.jna.Pointer file, byte[] bytes) throws IOException {
        IntByReference count = new IntByReference();
        if (!kernel.WriteFile(file, bytes, bytes.length, count, null)) {
            throw new IOException("WriteFile failed with error " + kernel.lastError());
        }
        return count.getValue();
    }

    @Override
    public void close() {
        handle.close();
    }
}
