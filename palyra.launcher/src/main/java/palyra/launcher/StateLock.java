package palyra.launcher;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Allows one gateway per state folder. The kernel holds the lock, so it ends with the process; the
 * process id in the file is only for the message of a second start.
 */
final class StateLock implements AutoCloseable {
    /** A check whether the lock is held takes it for a moment. */
    private static final long LOOKERS_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final FileChannel channel;

    private StateLock(FileChannel channel) {
        this.channel = channel;
    }

    static StateLock take(Path state) throws LaunchException {
        Path file = state.resolve("lock");
        FileChannel channel = null;
        boolean taken = false;
        try {
            channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!tryLock(channel)) {
                throw new LaunchException(ExitCode.LOCKED, inUse(state, file));
            }
            writeOwner(channel);
            taken = true;
            return new StateLock(channel);
        } catch (IOException e) {
            throw MediumProblem.or(
                    ExitCode.USAGE,
                    "the lock " + file + " cannot be taken: " + Problems.sentence(e),
                    state,
                    e);
        } finally {
            if (!taken) {
                closeQuietly(channel);
            }
        }
    }

    private static boolean tryLock(FileChannel channel) throws IOException {
        try {
            long end = System.nanoTime() + LOOKERS_NANOS;
            boolean taken = channel.tryLock() != null;
            while (!taken && System.nanoTime() - end < 0) {
                LockSupport.parkNanos(LOOK_NANOS);
                taken = channel.tryLock() != null;
            }
            return taken;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    /** Returns whether a gateway uses the folder now; false in doubt. */
    static boolean isHeld(Path state) {
        try (FileChannel channel =
                        FileChannel.open(state.resolve("lock"), StandardOpenOption.READ);
                FileLock free = channel.tryLock(0, Long.MAX_VALUE, true)) {
            return free == null;
        } catch (OverlappingFileLockException e) {
            return true;
        } catch (IOException e) {
            return false; // there is no such file, or it belongs to another user
        }
    }

    private static void writeOwner(FileChannel channel) throws IOException {
        String owner = ProcessHandle.current().pid() + "\n";
        // Overwrites in place: truncating first would need a new block on a full disk.
        byte[] bytes = owner.getBytes(StandardCharsets.US_ASCII);
        channel.write(ByteBuffer.wrap(bytes), 0);
        channel.truncate(bytes.length);
        channel.force(false);
    }

    private static String inUse(Path state, Path file) {
        String owner = readOwner(file);
        return "the state folder "
                + state
                + " is in use by process "
                + owner
                + "; stop that gateway first (kill -TERM "
                + owner
                + ") or choose another folder with PALYRA_STATE";
    }

    private static String readOwner(Path file) {
        try {
            String text = Files.readString(file, StandardCharsets.US_ASCII).strip();
            return text.matches("[0-9]{1,10}") ? text : "(unknown)";
        } catch (IOException e) {
            return "(unknown)";
        }
    }

    private static void closeQuietly(FileChannel channel) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                // Nothing was written through it; the process ends with the sentence above.
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
