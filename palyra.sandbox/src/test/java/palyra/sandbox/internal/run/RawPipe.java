package palyra.sandbox.internal.run;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/**
 * The reading end of a FIFO: unlike the streams of {@code Process} it ends with the last writer.
 */
final class RawPipe {
    private final RandomAccessFile holder; // keeps it open until a writer has it
    private final InputStream stream;

    private RawPipe(RandomAccessFile holder, InputStream stream) {
        this.holder = holder;
        this.stream = stream;
    }

    static RawPipe open(Path fifo) throws IOException {
        RandomAccessFile holder = new RandomAccessFile(fifo.toFile(), "rw"); // does not block
        return new RawPipe(holder, new FileInputStream(fifo.toFile()));
    }

    void started() throws IOException {
        holder.close();
    }

    InputStream stream() {
        return stream;
    }

    void close() throws IOException {
        stream.close();
    }
}
