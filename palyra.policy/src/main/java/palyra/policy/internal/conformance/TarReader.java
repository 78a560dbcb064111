package palyra.policy.internal.conformance;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipException;

/** Reads the regular files of a tar stream: ustar, with the long names of GNU tar and of pax. */
final class TarReader {
    private static final int BLOCK = 512;
    private static final int CHECKSUM = 148;
    private static final int CHECKSUM_LENGTH = 8;
    private static final int TYPE = 156;
    private static final int MAGIC = 257;
    private static final int PREFIX = 345;
    private static final int LONGEST_NAME = 1 << 16;

    private final InputStream in;
    private String longName = "";

    TarReader(InputStream in) {
        this.in = in;
    }

    /** Takes a file. */
    interface Taker {
        void file(String name, byte[] content) throws IOException;
    }

    /**
     * Reads up to the block that marks the end.
     *
     * @throws ZipException when it is no archive
     * @throws EOFException when it ends before the mark
     */
    void forEach(Taker taker) throws IOException {
        byte[] header = new byte[BLOCK];
        while (true) {
            fill(header);
            if (isEmpty(header)) {
                return;
            }
            check(header);
            entry(header, taker);
        }
    }

    private void entry(byte[] header, Taker taker) throws IOException {
        long size = number(header, 124, 12);
        char type = (char) (header[TYPE] & 0xff);
        switch (type) {
            case '0', '\0', '7' -> {
                String name = clean(longName.isEmpty() ? name(header) : longName);
                longName = "";
                byte[] content = content(size, CorpusFiles.LARGEST_FILE, name);
                if (!name.isEmpty()) {
                    taker.file(name, content);
                }
            }
            case 'L' -> longName = text(content(size, LONGEST_NAME, "a name"));
            case 'x' -> longName = pathOf(content(size, LONGEST_NAME, "a header"));
            default -> {
                longName = type == 'g' ? longName : "";
                in.skipNBytes(padded(size));
            }
        }
    }

    private byte[] content(long size, int limit, String name) throws IOException {
        if (size > limit) {
            throw new CorpusException(
                    name + " has " + size + " bytes in the archive; at most " + limit + " can be.");
        }
        byte[] content = new byte[(int) size];
        fill(content);
        in.skipNBytes(padded(size) - size);
        return content;
    }

    private void fill(byte[] bytes) throws IOException {
        if (in.readNBytes(bytes, 0, bytes.length) < bytes.length) {
            throw new EOFException("it ends in the middle");
        }
    }

    private static long padded(long size) {
        return (size + BLOCK - 1) / BLOCK * BLOCK;
    }

    private static boolean isEmpty(byte[] header) {
        for (byte b : header) {
            if (b != 0) {
                return false;
            }
        }
        return true;
    }

    private static void check(byte[] header) throws ZipException {
        long sum = CHECKSUM_LENGTH * ' ';
        for (int i = 0; i < BLOCK; i++) {
            boolean inSum = i >= CHECKSUM && i < CHECKSUM + CHECKSUM_LENGTH;
            sum += inSum ? 0 : header[i] & 0xff;
        }
        if (sum != number(header, CHECKSUM, CHECKSUM_LENGTH)) {
            throw new ZipException("a check sum is wrong, or it is no tar archive");
        }
    }

    private static long number(byte[] header, int from, int length) throws ZipException {
        String digits = text(header, from, length).trim();
        if (!digits.matches("[0-7]{1,12}")) {
            throw new ZipException("a number in it is no number, or it is no tar archive");
        }
        return Long.parseLong(digits, 8);
    }

    /** GNU tar keeps other things where ustar has the beginning of a long path. */
    private static String name(byte[] header) {
        String name = text(header, 0, 100);
        boolean ustar = text(header, MAGIC, 6).equals("ustar");
        String prefix = ustar ? text(header, PREFIX, 155) : "";
        return prefix.isEmpty() ? name : prefix + "/" + name;
    }

    /** Lines of a pax header: length, blank, key, equals sign, value, line end. */
    private static String pathOf(byte[] header) throws ZipException {
        int at = 0;
        String path = "";
        while (at < header.length) {
            int blank = at;
            while (blank < header.length && header[blank] != ' ') {
                blank++;
            }
            String digits = new String(header, at, blank - at, StandardCharsets.US_ASCII);
            int length = digits.matches("[0-9]{1,6}") ? Integer.parseInt(digits) : 0;
            if (length <= blank - at || at + length > header.length) {
                throw new ZipException("an extended header in it is broken");
            }
            String line =
                    new String(header, blank + 1, at + length - blank - 2, StandardCharsets.UTF_8);
            path = line.startsWith("path=") ? line.substring("path=".length()) : path;
            at += length;
        }
        return path;
    }

    private static String text(byte[] bytes) {
        return text(bytes, 0, bytes.length);
    }

    private static String text(byte[] bytes, int from, int length) {
        int end = from;
        while (end < from + length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, from, end - from, StandardCharsets.UTF_8);
    }

    /** Returns a path without empty parts and dots; what it would climb out of is left out. */
    static String clean(String path) {
        List<String> parts = new ArrayList<>();
        for (String part : path.split("/", -1)) {
            if (part.equals("..") && !parts.isEmpty()) {
                parts.remove(parts.size() - 1);
            } else if (!part.isEmpty() && !part.equals(".") && !part.equals("..")) {
                parts.add(part);
            }
        }
        return String.join("/", parts);
    }
}
