package palyra.policy.internal.conformance;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** Writes archives as several programs do. */
final class Tar {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    static byte[] of(Map<String, String> files) {
        Tar tar = new Tar();
        files.forEach((name, text) -> tar.entry(name, '0', text, "ustar\00000"));
        return tar.end();
    }

    static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
            out.write(content);
        }
        return zipped.toByteArray();
    }

    Tar entry(String name, char type, String text, String magic) {
        return entry(name, type, text, magic, "");
    }

    Tar entry(String name, char type, String text, String magic, String prefix) {
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        byte[] header = new byte[512];
        put(header, 0, name);
        put(header, 100, "0000644");
        put(header, 124, String.format("%011o", content.length));
        put(header, 136, "00000000000");
        put(header, 148, "        ");
        header[156] = (byte) type;
        put(header, 257, magic);
        put(header, 345, prefix);
        int sum = 0;
        for (byte b : header) {
            sum += b & 0xff;
        }
        put(header, 148, String.format("%06o\0 ", sum));
        bytes.writeBytes(header);
        bytes.writeBytes(content);
        bytes.writeBytes(new byte[(512 - content.length % 512) % 512]);
        return this;
    }

    byte[] end() {
        bytes.writeBytes(new byte[1024]);
        return bytes.toByteArray();
    }

    private static void put(byte[] header, int at, String text) {
        byte[] from = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(from, 0, header, at, from.length);
    }
}
