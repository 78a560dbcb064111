package palyra.backup.internal;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Passes everything on but the closing. */
final class KeptOpen extends FilterOutputStream {
    KeptOpen(OutputStream out) {
        super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
        flush();
    }
}
