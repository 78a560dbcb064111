package palyra.sandbox.internal.files;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** What a binary file is, by its first bytes. Stateless. */
final class FileKind {
    static final String UNKNOWN = "application/octet-stream";

    private static final char REPLACEMENT = '\uFFFD';
    private static final int FEW = 8;
    private static final int MOST_OF = 10; // a tenth of the bytes

    private static final List<Magic> KNOWN =
            List.of(
                    new Magic("image/png", 0, "\u0089PNG\r\n\u001a\n"),
                    new Magic("image/jpeg", 0, "\u00ff\u00d8\u00ff"),
                    new Magic("image/gif", 0, "GIF8"),
                    new Magic("image/webp", 8, "WEBP"),
                    new Magic("image/bmp", 0, "BM"),
                    new Magic("application/pdf", 0, "%PDF-"),
                    new Magic("application/zip (also jar, docx and others)", 0, "PK\u0003\u0004"),
                    new Magic("application/gzip", 0, "\u001f\u008b"),
                    new Magic("application/x-bzip2", 0, "BZh"),
                    new Magic("application/x-xz", 0, "\u00fd7zXZ\0"),
                    new Magic("application/zstd", 0, "(\u00b5/\u00fd"),
                    new Magic("application/x-tar", 257, "ustar"),
                    new Magic("application/x-elf (a program or library)", 0, "\u007fELF"),
                    new Magic("application/java-vm (a class file)", 0, "\u00ca\u00fe\u00ba\u00be"),
                    new Magic("application/wasm", 0, "\0asm"),
                    new Magic("application/vnd.sqlite3", 0, "SQLite format 3\0"),
                    new Magic("audio/ogg", 0, "OggS"),
                    new Magic("video/mp4", 4, "ftyp"),
                    new Magic("font/woff2", 0, "wOF2"),
                    new Magic("text/plain in UTF-16", 0, "\u00ff\u00fe"),
                    new Magic("text/plain in UTF-16", 0, "\u00fe\u00ff"));

    private FileKind() {}

    /** Bytes at a place, as ISO 8859-1. */
    private record Magic(String type, int at, String bytes) {
        boolean isIn(byte[] head, int length) {
            byte[] wanted = bytes.getBytes(StandardCharsets.ISO_8859_1);
            int end = at + wanted.length;
            return end <= length && Arrays.equals(wanted, Arrays.copyOfRange(head, at, end));
        }
    }

    /** Returns whether the first bytes of a file are not those of a text. */
    static boolean isBinary(byte[] head, int length) {
        for (int i = 0; i < length; i++) {
            if (head[i] == 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether so much of the first bytes of a file is no UTF-8 that nothing could be made
     * out of it. A text with a few letters of another encoding is one.
     */
    static boolean isOtherText(byte[] head, int length) {
        long replaced =
                new String(head, 0, length, StandardCharsets.UTF_8)
                        .chars()
                        .filter(c -> c == REPLACEMENT)
                        .count();
        return replaced > FEW && replaced * MOST_OF > length;
    }

    /** Returns the type of a binary file. */
    static String of(byte[] head, int length) {
        return KNOWN.stream()
                .filter(magic -> magic.isIn(head, length))
                .map(Magic::type)
                .findFirst()
                .orElse(UNKNOWN);
    }
}
