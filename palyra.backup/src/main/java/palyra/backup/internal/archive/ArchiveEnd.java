package palyra.backup.internal.archive;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Keeps the last bytes of a ZIP archive that is read as a stream: a reader of entries never looks
 * at the index after them, so that it does not notice that the index is cut off.
 */
final class ArchiveEnd extends FilterInputStream {
    private static final int SIGNATURE = 0x06054b50;
    private static final int RECORD_BYTES = 22;
    private static final int MOST_COUNTED = 0xFFFF;

    private final byte[] last = new byte[RECORD_BYTES];

    ArchiveEnd(InputStream in) {
        super(in);
    }

    /** Returns whether what was read ends as an archive of so many entries without a comment. */
    boolean isEndOf(long entries) {
        ByteBuffer record = ByteBuffer.wrap(last).order(ByteOrder.LITTLE_ENDIAN);
        return record.getInt(0) == SIGNATURE
                && (record.getShort(10) & 0xFFFF) == Math.min(entries, MOST_COUNTED)
                && record.getShort(20) == 0;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int count = in.read(bytes, offset, length);
        int kept = Math.min(count, RECORD_BYTES);
        if (kept > 0) {
            System.arraycopy(last, kept, last, 0, RECORD_BYTES - kept);
            System.arraycopy(bytes, offset + count - kept, last, RECORD_BYTES - kept, kept);
        }
        return count;
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
