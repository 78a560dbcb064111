package palyra.policy.internal.cedar;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/** The files of a {@code tar.gz}, read into memory. */
final class Archive {
    private static final int BLOCK = 512;

    private Archive() {}

    /** Contents by the last part of the path. */
    static Map<String, byte[]> read(Path file) throws IOException {
        Map<String, byte[]> files = new HashMap<>();
        try (DataInputStream in =
                new DataInputStream(
                        new BufferedInputStream(
                                new GZIPInputStream(Files.newInputStream(file), 1 << 16),
                                1 << 16))) {
            byte[] header = new byte[BLOCK];
            while (true) {
                in.readFully(header);
                String name = text(header, 0, 100);
                if (name.isEmpty()) {
                    return files;
                }
                int size = Integer.parseInt(text(header, 124, 12).trim(), 8);
                byte[] content = in.readNBytes(size);
                in.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
                if (header[156] == '0' || header[156] == 0) {
                    files.put(name.substring(name.lastIndexOf('/') + 1), content);
                }
            }
        }
    }

    private static String text(byte[] header, int from, int length) {
        int end = from;
        while (end < from + length && header[end] != 0) {
            end++;
        }
        return new String(header, from, end - from, StandardCharsets.UTF_8);
    }
}
