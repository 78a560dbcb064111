package palyra.skills.internal.artifact;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import palyra.skills.internal.RefusedException;

/**
 * Reads a ZIP archive (PKWARE APPNOTE 6.3) of which two readers cannot see different things: it is
 * entries from the first byte on without gaps, then a central directory that agrees with the local
 * headers in every field, then the end, and nothing else. No comments, extra fields, encryption,
 * data descriptors, ZIP64 or links; limits hold before memory is taken. Thread-safe.
 */
final class ZipReader {
    static final String REASON = "artifact_malformed";
    static final int LOCAL = 0x04034b50;
    static final int CENTRAL = 0x02014b50;
    static final int END = 0x06054b50;
    static final int LOCAL_BYTES = 30;
    static final int CENTRAL_BYTES = 46;
    static final int END_BYTES = 22;
    static final int STORED = 0;
    static final int DEFLATED = 8;

    /** Options of deflate and the mark of UTF-8 names, which ASCII names are as well. */
    private static final int HARMLESS_FLAGS = 0x0806;

    private static final int MAX_NEEDED = 20;
    private static final int FILE_TYPE = 0xF000;
    private static final int REGULAR = 0x8000;

    private final byte[] bytes;
    private final ByteBuffer in;
    private final SortedMap<String, byte[]> entries = new TreeMap<>();
    private final Set<String> folded = new HashSet<>();
    private long total;

    private ZipReader(byte[] bytes) {
        this.bytes = bytes;
        this.in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Returns the entries by path.
     *
     * @throws RefusedException {@code artifact_malformed}, {@code artifact_path}, {@code
     *     artifact_too_large}
     */
    static SortedMap<String, byte[]> read(byte[] bytes) {
        return new ZipReader(bytes).read();
    }

    private SortedMap<String, byte[]> read() {
        if (bytes.length > ArtifactLimits.MAX_BYTES) {
            throw large("it has " + bytes.length + " bytes; " + ArtifactLimits.MAX_BYTES + " fit");
        }
        int end = bytes.length - END_BYTES;
        require(end >= 0 && in.getInt(end) == END, "its end is missing, or something follows it");
        int count = u16(end + 10);
        long size = u32(end + 12);
        long at = u32(end + 16);
        require(
                u16(end + 4) == 0 && u16(end + 6) == 0 && u16(end + 8) == count,
                "it is a part of several files");
        require(u16(end + 20) == 0, "it has a comment");
        require(at + size == end, "there are bytes between its directory and its end");
        if (count > ArtifactLimits.MAX_ENTRIES) {
            throw large("it has " + count + " entries; " + ArtifactLimits.MAX_ENTRIES + " fit");
        }
        int position = (int) at;
        int local = 0;
        for (int i = 0; i < count; i++) {
            require(position + CENTRAL_BYTES <= end, "its directory is cut off");
            int nameBytes = u16(position + 28);
            require(position + CENTRAL_BYTES + nameBytes <= end, "its directory is cut off");
            local = entry(position, nameBytes, local, (int) at);
            position += CENTRAL_BYTES + nameBytes;
        }
        require(position == end, "its directory has bytes outside of its entries");
        require(local == at, "there are bytes between its entries and its directory");
        return entries;
    }

    /** Reads one entry; returns where the next one begins. */
    private int entry(int central, int nameBytes, int local, int limit) {
        require(in.getInt(central) == CENTRAL, "its directory holds something else than entries");
        require(u16(central + 30) == 0, "an entry has an extra field");
        require(u16(central + 32) == 0, "an entry has a comment");
        require(u16(central + 34) == 0, "an entry is in another file");
        int type = (int) (u32(central + 38) >>> 16) & FILE_TYPE;
        require(type == 0 || type == REGULAR, "an entry is not a regular file");
        require(u32(central + 42) == local, "its entries do not follow each other");
        require(local + LOCAL_BYTES + nameBytes <= limit, "an entry is cut off");
        require(in.getInt(local) == LOCAL, "an entry has no header");
        // version needed, flags, method, time, date, crc, both sizes, lengths of name and extra
        for (int i = 0; i < 26; i++) {
            require(
                    bytes[local + 4 + i] == bytes[central + 6 + i],
                    "an entry and the directory disagree");
        }
        require(u16(local + 4) <= MAX_NEEDED, "an entry needs ZIP64 or something else unusual");
        int flags = u16(local + 6);
        require((flags & ~HARMLESS_FLAGS) == 0, "an entry is encrypted or streamed");
        int nameAt = local + LOCAL_BYTES;
        require(
                Arrays.equals(
                        bytes,
                        nameAt,
                        nameAt + nameBytes,
                        bytes,
                        central + CENTRAL_BYTES,
                        central + CENTRAL_BYTES + nameBytes),
                "an entry and the directory disagree about its name");
        String path = new String(bytes, nameAt, nameBytes, StandardCharsets.ISO_8859_1);
        Paths.require(path);
        require(folded.add(Paths.folded(path)), "two entries are called " + path);
        long packed = u32(local + 18);
        int data = nameAt + nameBytes;
        require(data + packed <= limit, path + " is cut off");
        byte[] content = content(path, u16(local + 8), data, (int) packed, u32(local + 22));
        CRC32 crc = new CRC32();
        crc.update(content);
        require(crc.getValue() == u32(local + 14), "the checksum of " + path + " is wrong");
        entries.put(path, content);
        return data + (int) packed;
    }

    private byte[] content(String path, int method, int at, int packed, long size) {
        int most =
                Paths.isModule(path)
                        ? ArtifactLimits.MAX_MODULE_BYTES
                        : ArtifactLimits.MAX_ENTRY_BYTES;
        if (size > most) {
            throw large(path + " has " + size + " bytes; " + most + " fit");
        }
        total += size;
        if (total > ArtifactLimits.MAX_BYTES) {
            throw large("it unpacks to more than " + ArtifactLimits.MAX_BYTES + " bytes");
        }
        if (method == STORED) {
            require(packed == size, "the sizes of " + path + " do not fit");
            return Arrays.copyOfRange(bytes, at, at + packed);
        }
        require(method == DEFLATED, path + " is packed by another method than deflate");
        return inflate(path, at, packed, (int) size);
    }

    private byte[] inflate(String path, int at, int packed, int size) {
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(bytes, at, packed);
            byte[] content = new byte[size];
            int have = 0;
            while (have < size) {
                int more = inflater.inflate(content, have, size - have);
                require(more > 0, path + " unpacks to less than it says");
                have += more;
            }
            require(
                    inflater.inflate(new byte[1]) == 0 && inflater.finished(),
                    path + " unpacks to more than it says");
            require(inflater.getRemaining() == 0, path + " has bytes after its end");
            return content;
        } catch (DataFormatException e) {
            throw new RefusedException(REASON, sentence(path + " is broken"), e);
        } finally {
            inflater.end();
        }
    }

    private int u16(int at) {
        return in.getShort(at) & 0xFFFF;
    }

    private long u32(int at) {
        return in.getInt(at) & 0xFFFF_FFFFL;
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new RefusedException(REASON, sentence(otherwise));
        }
    }

    private static String sentence(String found) {
        return "The artifact is not a valid ZIP file: "
                + found
                + ". Make it with palyra skills build.";
    }

    private static RefusedException large(String found) {
        return new RefusedException(
                "artifact_too_large", "The artifact is too large: " + found + ".");
    }
}
