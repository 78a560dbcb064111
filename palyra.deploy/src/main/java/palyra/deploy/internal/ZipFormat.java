package palyra.deploy.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Checks that a file is one ZIP archive from its first byte to its last. A partial copy of a jar
 * that contains another jar can look like that inner jar with data before it; it must not count as
 * a jar.
 */
final class ZipFormat {
    private static final int LOCAL_HEADER = 0x04034b50;
    private static final int END_HEADER = 0x06054b50;
    private static final int END_BYTES = 22;
    private static final int MAX_COMMENT = 0xFFFF;
    private static final int NEEDS_ZIP64 = 0xFFFF;

    private ZipFormat() {}

    static void requireWhole(Path file) throws IOException, UnusableFileException {
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            if (channel.size() < END_BYTES || read(channel, 0, 4).getInt(0) != LOCAL_HEADER) {
                throw unusable("it does not begin as a jar");
            }
            int tail = (int) Math.min(channel.size(), END_BYTES + MAX_COMMENT);
            long from = channel.size() - tail;
            ByteBuffer end = read(channel, from, tail);
            int at = endHeader(end);
            if (at < 0) {
                throw unusable("its end is missing");
            }
            if ((end.getShort(at + 10) & 0xFFFF) == NEEDS_ZIP64) {
                throw new UnusableFileException(
                        "It has 65,535 entries or more.", "Split it into several bundles.");
            }
            long size = end.getInt(at + 12) & 0xFFFF_FFFFL;
            long offset = end.getInt(at + 16) & 0xFFFF_FFFFL;
            if (offset + size != from + at) {
                throw unusable(
                        "it has data before or inside it that does not belong to the archive");
            }
        }
    }

    private static ByteBuffer read(SeekableByteChannel channel, long from, int count)
            throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
        channel.position(from);
        while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
            // Goes on until it is full or the file ends.
        }
        return buffer;
    }

    /**
     * Returns the position of the end header whose comment reaches to the last byte; -1 without
     * one.
     */
    private static int endHeader(ByteBuffer end) {
        for (int at = end.capacity() - END_BYTES; at >= 0; at--) {
            if (end.getInt(at) == END_HEADER
                    && (end.getShort(at + 20) & 0xFFFF) == end.capacity() - at - END_BYTES) {
                return at;
            }
        }
        return -1;
    }

    private static UnusableFileException unusable(String found) {
        return new UnusableFileException(
                "It is not a whole jar: " + found + ".",
                "If it is still being copied, it is deployed when it is complete; else copy it"
                        + " again.");
    }
}
