package palyra.shell.internal.socket;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import palyra.shell.internal.host.AwaitableInput;

/**
 * Standard input on its way from the connection's reader to the command. It holds a bounded amount.
 * While the command reads, the reader waits for room. A command that has not asked for its input
 * may be about to, so the reader waits for that too, but not long: it must hear a signal that
 * follows. Input that nothing asked for by then is refused.
 */
final class InputPipe {
    static final int LIMIT_BYTES = 4 << 20;

    /** How long too much input waits for a command to ask for it. */
    private static final long ASKING_MILLIS = 5_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<byte[]> pieces = new ArrayDeque<>(); // guarded by lock
    private final InputStream stream = new Reading();
    private int held; // guarded by lock
    private int offset; // guarded by lock: how much of the first piece was read
    private boolean wanted; // guarded by lock
    private boolean ended; // guarded by lock
    private boolean overflowed; // guarded by lock
    private boolean abandoned; // guarded by lock

    /** Returns the command's end; from now on it is expected to read. */
    InputStream stream() {
        lock.lock();
        try {
            wanted = true;
            changed.signalAll();
            return stream;
        } finally {
            lock.unlock();
        }
    }

    /** Takes what came; waits for room while the command reads. An empty array is the end. */
    void put(byte[] piece) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (piece.length == 0) {
                ended = true;
            }
            awaitRoom(piece);
            if (abandoned || ended || overflowed) {
                return;
            }
            if (full(piece) && held > 0) {
                overflowed = true;
            } else {
                pieces.add(piece);
                held += piece.length;
            }
        } finally {
            changed.signalAll();
            lock.unlock();
        }
    }

    private void awaitRoom(byte[] piece) throws InterruptedException {
        long left = TimeUnit.MILLISECONDS.toNanos(ASKING_MILLIS);
        while (!abandoned && !ended && !overflowed && held > 0 && full(piece)) {
            if (wanted) {
                changed.await();
            } else if (left > 0) {
                left = changed.awaitNanos(left);
            } else {
                return;
            }
        }
    }

    private boolean full(byte[] piece) {
        return held + piece.length > LIMIT_BYTES;
    }

    /** Ends the input from either side and wakes waiting threads. */
    void abandon() {
        lock.lock();
        try {
            abandoned = true;
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private final class Reading extends InputStream implements AwaitableInput {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] to, int from, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            lock.lock();
            try {
                return awaitInput() ? take(to, from, length) : -1;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public boolean awaitInput() throws IOException {
            lock.lock();
            try {
                while (pieces.isEmpty() && !ended && !overflowed) {
                    changed.await();
                }
                if (pieces.isEmpty() && overflowed) {
                    throw new IOException(
                            "more than "
                                    + LIMIT_BYTES
                                    + " bytes of input came before they were asked for");
                }
                return !pieces.isEmpty();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("reading input was interrupted");
            } finally {
                lock.unlock();
            }
        }

        private int take(byte[] to, int from, int length) {
            byte[] first = pieces.getFirst();
            int count = Math.min(length, first.length - offset);
            System.arraycopy(first, offset, to, from, count);
            offset += count;
            held -= count;
            if (offset == first.length) {
                pieces.removeFirst();
                offset = 0;
            }
            changed.signalAll();
            return count;
        }

        @Override
        public int available() {
            lock.lock();
            try {
                return held;
            } finally {
                lock.unlock();
            }
        }
    }
}
