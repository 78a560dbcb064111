package palyra.backup.internal;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.files.MediumFailure;

/**
 * Sees to it that a backup leaves the gateway the space that it needs to go on: the journal stops
 * on a medium that is full.
 */
final class Room {
    /** What stays free on the medium of the state folder: the journal stops at 64 MiB. */
    static final long SPARE_BYTES = 80L << 20;

    private static final int EACH_BYTES = 1 << 20;

    private final Path state;

    Room(Path state) {
        this.state = state;
    }

    /**
     * @throws PalyraException DISK_FULL when so many bytes more would leave too little
     */
    void require(long bytes) {
        long free = MediumFailure.freeBytes(state);
        if (free >= 0 && free - bytes < SPARE_BYTES) {
            throw new PalyraException(
                    ErrorCode.DISK_FULL,
                    "A backup needs "
                            + bytes
                            + " bytes on the medium of "
                            + state
                            + " for a while, and leaves "
                            + SPARE_BYTES
                            + " to the gateway; "
                            + free
                            + " are free. Free some space, then try again.");
        }
    }

    /** Returns an output to a file that checks, on the state folder's medium, as it goes. */
    OutputStream checked(OutputStream out, Path file) throws IOException {
        boolean same = Files.getFileStore(state).equals(Files.getFileStore(file.getParent()));
        return same ? new Checked(out) : out;
    }

    private final class Checked extends FilterOutputStream {
        private long unchecked = EACH_BYTES;

        Checked(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int b) throws IOException {
            count(1);
            out.write(b);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            count(length);
            out.write(bytes, offset, length);
        }

        private void count(int bytes) throws IOException {
            unchecked += bytes;
            if (unchecked >= EACH_BYTES) {
                out.flush();
                require(EACH_BYTES);
                unchecked = 0;
            }
        }
    }
}
