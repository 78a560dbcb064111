package palyra.sandbox.internal.git;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.BooleanSupplier;

/**
 * Reads an index of git, of which git writes files to the paths in it without looking at them once
 * more. Versions 2 to 4 of gitformat-index(5), also one that is kept in parts. What git could read
 * in another way counts as not understood: entries that it finds by the tables for several threads,
 * and names whose length is not what is said of it. For one use.
 */
final class IndexFile {
    /** What is wrong with an index; the words say what, without the file. */
    static final class Fault extends Exception {
        private static final long serialVersionUID = 1L;

        Fault(String words) {
            super(words);
        }
    }

    private static final int SIGNATURE = 0x44495243; // DIRC
    private static final int STAT = 40;
    private static final int MODE_AT = 24;
    private static final int KIND = 0170000;
    private static final int LINK = 0120000;
    private static final int FOLDER = 0040000;
    private static final int EXTENDED = 0x4000;
    private static final int NAME_LENGTH = 0xfff;
    private static final int MOST_NAME = 1 << 16;
    private static final int HEAD = 12;
    private static final int EXTENSION_HEAD = 8;
    private static final int PARTS = 0x6c696e6b; // link
    private static final int SPARSE = 0x73646972; // sdir
    private static final int END_OF_ENTRIES = 0x454f4945; // EOIE
    private static final int TABLE = 0x49454f54; // IEOT
    private static final int OFTEN = 0xfff;

    private final SeekableByteChannel file;
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16).flip();
    private final int idBytes;
    private final long end; // where the digest of all begins
    private final BooleanSupplier late;
    private long at;
    private int version;
    private int[] starts = {}; // of the entries
    private final BitSet whole = new BitSet(); // entries that share nothing with the one before
    private boolean empty; // an entry has no name
    private byte[] name = {};

    private IndexFile(SeekableByteChannel file, int idBytes, BooleanSupplier late)
            throws IOException {
        this.file = file;
        this.idBytes = idBytes;
        this.end = file.size() - idBytes;
        this.late = late;
    }

    /**
     * Looks at all entries.
     *
     * @param file at any position; of less than 2 GiB
     * @param idBytes length of the ids of objects in the repository
     * @param late whether no more time is left
     * @throws Fault when git could write by it where it must not, or when that cannot be told
     */
    static void check(SeekableByteChannel file, int idBytes, BooleanSupplier late)
            throws IOException, Fault {
        int said = endOfEntries(file, idBytes);
        file.position(0);
        IndexFile index = new IndexFile(file, idBytes, late);
        try {
            index.all(said);
        } catch (EOFException e) {
            throw new Fault("which ends too early");
        }
    }

    /**
     * Git looks for this table at a fixed place, whatever is there; returns the end of the entries
     * that it says, or -1.
     */
    private static int endOfEntries(SeekableByteChannel file, int idBytes) throws IOException {
        long place = file.size() - 2L * idBytes - EXTENSION_HEAD - Integer.BYTES;
        ByteBuffer found = ByteBuffer.allocate(EXTENSION_HEAD + Integer.BYTES);
        if (place < HEAD) {
            return -1;
        }
        file.position(place);
        while (found.hasRemaining()) {
            if (file.read(found) < 0) {
                return -1;
            }
        }
        return found.getInt(0) == END_OF_ENTRIES ? found.getInt(EXTENSION_HEAD) : -1;
    }

    private void all(int said) throws IOException, Fault {
        boolean known = number() == SIGNATURE;
        version = number();
        int count = number();
        if (!known || version < 2 || version > 4) {
            throw new Fault("which is of no version that is known");
        }
        if (count < 0 || count > end / (STAT + idBytes)) {
            throw new Fault("which has fewer entries than it says");
        }
        starts = new int[count];
        for (int entry = 0; entry < count; entry++) {
            if ((entry & OFTEN) == OFTEN && late.getAsBoolean()) {
                throw new Fault("which takes too long to look at");
            }
            starts[entry] = (int) at;
            entry(entry);
        }
        if (said >= 0 && said != at) {
            throw new Fault("of which a table names another end of the entries");
        }
        extensions();
    }

    private void entry(int number) throws IOException, Fault {
        byte[] head = bytes(STAT + idBytes + Short.BYTES);
        int mode = ByteBuffer.wrap(head).getInt(MODE_AT);
        int flags = ByteBuffer.wrap(head).getShort(STAT + idBytes);
        boolean extended = (flags & EXTENDED) != 0;
        if (extended) {
            bytes(Short.BYTES);
        }
        int length = flags & NAME_LENGTH;
        if (version == 4) {
            int kept = name.length - removed();
            if (kept < 0) {
                throw new Fault("of which a name takes more from the one before than that has");
            }
            whole.set(number, kept == 0);
            name(kept, length);
        } else {
            name(0, length);
            int size = head.length + (extended ? Short.BYTES : 0) + name.length;
            bytes((size + 8) / 8 * 8 - size - 1); // 1 to 8 NULs, one of which was read
        }
        name(mode & KIND);
    }

    /** Reads the rest of a name up to its NUL. */
    private void name(int kept, int length) throws IOException, Fault {
        byte[] read = Arrays.copyOf(name, Math.max(64, kept + 64));
        int size = kept;
        for (byte next = next(); next != 0; next = next()) {
            if (size == read.length) {
                read = Arrays.copyOf(read, 2 * size);
            }
            read[size++] = next;
            if (size > MOST_NAME) {
                throw new Fault("of which a name is too long");
            }
        }
        if (length != NAME_LENGTH ? size != length : size < NAME_LENGTH) {
            throw new Fault("of which a name is not as long as it says");
        }
        name = Arrays.copyOf(read, size);
    }

    private void name(int kind) throws Fault {
        String text = new String(name, StandardCharsets.ISO_8859_1);
        if (text.isEmpty()) {
            empty = true;
            return;
        }
        boolean folder = kind == FOLDER && text.endsWith("/");
        String path = folder ? text.substring(0, text.length() - 1) : text;
        if (!GitNames.isPlain(path, kind == LINK)) {
            throw new Fault("of which the entry '" + text + "' leads out of the work tree");
        }
    }

    private int removed() throws IOException, Fault {
        int next = next();
        int value = next & 127;
        while ((next & 128) != 0) {
            next = next();
            value = ((value + 1) << 7) + (next & 127);
            if (value > MOST_NAME) {
                throw new Fault("of which a name takes too much from the one before");
            }
        }
        return value;
    }

    private void extensions() throws IOException, Fault {
        long entriesEnd = at;
        boolean parts = false;
        while (at <= end - EXTENSION_HEAD) {
            int kind = number();
            long length = Integer.toUnsignedLong(number());
            if (length > end - at) {
                throw new Fault("which ends too early");
            }
            parts |= kind == PARTS;
            boolean optional = Character.isUpperCase(kind >>> 24);
            if (!optional && kind != PARTS && kind != SPARSE) {
                throw new Fault("which has a part that is not known");
            }
            if (kind == TABLE) {
                table(length);
            } else if (kind == END_OF_ENTRIES && length >= Integer.BYTES) {
                if (number() != entriesEnd) {
                    throw new Fault("of which a table names another end of the entries");
                }
                skip(length - Integer.BYTES);
            } else {
                skip(length);
            }
        }
        if (at != end) {
            throw new Fault("which has more than its parts");
        }
        if (empty && !parts) {
            throw new Fault("of which an entry has no name");
        }
    }

    /** Where threads of git begin to read entries. */
    private void table(long length) throws IOException, Fault {
        int entry = 0;
        boolean fine = length % EXTENSION_HEAD == Integer.BYTES && number() == 1;
        for (long left = length - Integer.BYTES; fine && left > 0; left -= EXTENSION_HEAD) {
            int place = number();
            int count = number();
            fine =
                    count > 0
                            && entry < starts.length
                            && place == starts[entry]
                            && (version < 4 || whole.get(entry))
                            && count <= starts.length - entry;
            entry += fine ? count : 0;
        }
        if (!fine || entry != starts.length) {
            throw new Fault("of which a table names other entries");
        }
    }

    private int number() throws IOException {
        return ByteBuffer.wrap(bytes(Integer.BYTES)).getInt();
    }

    private byte[] bytes(int count) throws IOException {
        byte[] read = new byte[count];
        for (int index = 0; index < count; index++) {
            read[index] = next();
        }
        return read;
    }

    private byte next() throws IOException {
        if (at >= end) {
            throw new EOFException();
        }
        while (!buffer.hasRemaining()) {
            buffer.clear();
            int read = file.read(buffer);
            buffer.flip();
            if (read < 0) {
                throw new EOFException();
            }
        }
        at++;
        return buffer.get();
    }

    private void skip(long count) throws IOException {
        for (long left = count; left > 0; left--) {
            next();
        }
    }
}
