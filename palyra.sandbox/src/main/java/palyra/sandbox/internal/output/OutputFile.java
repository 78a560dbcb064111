package palyra.sandbox.internal.output;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that holds a stream from its first byte on, as it was written. What does not go in is no
 * error for the command; it is noted why. Not thread-safe, except for {@link #read}.
 */
public final class OutputFile implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(OutputFile.class);

    private final Path path; // null when nothing is kept
    private final FileChannel channel; // null when nothing is kept
    private final AtomicLong left;
    private final Runnable closed;
    private long size;
    private String lost;

    private OutputFile(
            Path path, FileChannel channel, AtomicLong left, Runnable closed, String lost) {
        this.closed = closed;
        this.path = path;
        this.channel = channel;
        this.left = left;
        this.lost = lost;
    }

    /** Returns one that takes nothing. */
    static OutputFile refused(String name, String why) {
        if (!name.isEmpty()) {
            LOG.warn("The output of {} is not kept: {}", name, why);
        }
        return new OutputFile(null, null, new AtomicLong(), () -> {}, why);
    }

    /**
     * Makes a file that must not be there yet, for its owner alone.
     *
     * @param left bytes that it and others may still take together
     * @param closed called when nothing more is added
     */
    static OutputFile make(Path path, AtomicLong left, Runnable closed) throws IOException {
        boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] mode =
                posix
                        ? new FileAttribute<?>[] {
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rw-------"))
                        }
                        : new FileAttribute<?>[0];
        FileChannel channel =
                FileChannel.open(
                        path,
                        Set.of(
                                StandardOpenOption.CREATE_NEW,
                                StandardOpenOption.WRITE,
                                LinkOption.NOFOLLOW_LINKS),
                        mode);
        return new OutputFile(path, channel, left, closed, "");
    }

    /** Takes further bytes; once some were left out, so are all that follow. */
    void add(byte[] bytes, int count) {
        if (!lost.isEmpty()) {
            return;
        }
        int most = (int) Math.min(count, left.getAndUpdate(now -> Math.max(0, now - count)));
        try {
            ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, most);
            while (buffer.hasRemaining()) {
                size += channel.write(buffer);
            }
            if (most < count) {
                lost = "the file has no more than the quota for output allows";
            }
        } catch (IOException e) {
            lost = "the file could not be written further (" + e.getMessage() + ")";
        }
    }

    /** Returns the absolute path; empty when there is no file. */
    String path() {
        return path == null ? "" : path.toString();
    }

    /** Returns how many bytes it holds. */
    long size() {
        return size;
    }

    /** Returns why it does not hold all; empty when it does. */
    String lost() {
        return lost;
    }

    /**
     * Returns what a file of this kind holds from {@code from} on, at most {@code most} bytes;
     * nothing when it was removed.
     */
    static byte[] read(String path, long from, int most) {
        try (SeekableByteChannel file = Files.newByteChannel(Path.of(path))) {
            ByteBuffer buffer =
                    ByteBuffer.allocate((int) Math.max(0, Math.min(most, file.size() - from)));
            file.position(from);
            while (buffer.hasRemaining() && file.read(buffer) >= 0) {
                // until it is full or the file ends
            }
            return Arrays.copyOf(buffer.array(), buffer.position());
        } catch (IOException e) {
            return new byte[0];
        }
    }

    /** Removes it once it is closed. */
    void remove() {
        try {
            if (path != null) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            LOG.warn("The file {} could not be removed", path, e);
        }
    }

    @Override
    public void close() {
        closed.run();
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                LOG.warn("The file {} could not be closed", path, e);
            }
        }
    }
}
