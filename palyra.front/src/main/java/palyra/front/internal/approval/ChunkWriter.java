package palyra.front.internal.approval;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;

/** Cuts written bytes into chunks of at most 64 KiB. Used by one thread. */
final class ChunkWriter {
    static final int MOST_BYTES = 64 * 1024;

    private final Consumer<byte[]> sink;
    private final byte[] buffer = new byte[MOST_BYTES];
    private int filled;

    ChunkWriter(Consumer<byte[]> sink) {
        this.sink = sink;
    }

    void write(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int from = 0;
        while (from < bytes.length) {
            int part = Math.min(bytes.length - from, buffer.length - filled);
            System.arraycopy(bytes, from, buffer, filled, part);
            filled += part;
            from += part;
            if (filled == buffer.length) {
                end();
            }
        }
    }

    /** Delivers the remaining bytes. */
    void end() {
        if (filled > 0) {
            sink.accept(Arrays.copyOf(buffer, filled));
            filled = 0;
        }
    }
}
