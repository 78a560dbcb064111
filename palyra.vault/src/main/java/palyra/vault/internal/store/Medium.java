package palyra.vault.internal.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import palyra.shared.files.DurableFiles;

/** The steps that a store is made of. A subclass may fail between them, or count them. */
public class Medium extends DurableFiles {
    /** Reads a whole file, which is no link and not larger than {@code most} bytes. */
    public byte[] read(Path file, long most) throws IOException {
        try (FileChannel in =
                FileChannel.open(
                        file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            long size = in.size();
            if (size > most) {
                throw new IOException(file + " has more than " + most + " bytes");
            }
            ByteBuffer all = ByteBuffer.allocate((int) size);
            while (all.hasRemaining() && in.read(all) >= 0) {
                // the rest
            }
            if (all.hasRemaining()) {
                throw new IOException(file + " became shorter while it was read");
            }
            return all.array();
        }
    }

    /** Cuts a file to {@code length} bytes, adds to it, and returns when it is on the medium. */
    public void append(Path file, long length, byte[] more) throws IOException {
        try (FileChannel out =
                FileChannel.open(
                        file, Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS))) {
            out.truncate(length);
            out.position(length);
            for (ByteBuffer rest = ByteBuffer.wrap(more); rest.hasRemaining(); ) {
                out.write(rest);
            }
            out.force(true);
        }
    }
}
