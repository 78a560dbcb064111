package palyra.shell.internal.gogo;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Carries what a command writes, on a thread of its own, to the thread of the Gogo function it runs
 * for. A Gogo pipe is a {@link java.io.PipedOutputStream}: it belongs to the thread that writes to
 * it, and whoever reads from it fails with "Write end dead" as soon as that thread ended. Bounded:
 * a command whose output nobody takes waits.
 */
final class Relay {
    private static final int MOST_WAITING = 64;

    /** So much of one write at a time, so that what waits is bounded in bytes too. */
    static final int MOST_BYTES_OF_ONE = 16 * 1_024;

    private static final Piece END = new Piece(null, new byte[0]);

    private final BlockingQueue<Piece> pieces = new ArrayBlockingQueue<>(MOST_WAITING);
    private volatile boolean ended;
    private volatile IOException failure;

    /** Bytes for a stream; none means that it is to be flushed. */
    private record Piece(OutputStream to, byte[] bytes) {}

    /** Returns a stream whose bytes arrive at {@code target} by {@link #carry}. */
    OutputStream to(OutputStream target) {
        return new Inlet(target);
    }

    /** Nothing more is written. Never blocks. */
    void end() {
        ended = true;
        pieces.offer(END); // a full queue wakes the carrier as well
    }

    /**
     * Writes what has come, on the calling thread; waits at most {@code millis} for it. Returns
     * whether everything was carried.
     */
    boolean carry(long millis) throws InterruptedException {
        Piece piece = pieces.poll(millis, TimeUnit.MILLISECONDS);
        while (piece != null) {
            write(piece);
            piece = pieces.poll();
        }
        return ended && pieces.isEmpty();
    }

    /** Nothing more is carried: whoever still writes is told so. Idempotent. */
    void close() {
        if (failure == null) {
            failure = new IOException("the command was stopped");
        }
        pieces.clear(); // lets a waiting writer go on, to its failure
    }

    private void write(Piece piece) {
        if (failure != null || piece.to() == null) {
            return;
        }
        try {
            if (piece.bytes().length == 0) {
                piece.to().flush();
            } else {
                piece.to().write(piece.bytes());
            }
        } catch (IOException e) {
            failure = e; // the command learns of it with its next write
        }
    }

    private void put(Piece piece) throws IOException {
        if (failure != null) {
            throw new IOException(
                    "the output is no longer taken: " + failure.getMessage(), failure);
        }
        try {
            pieces.put(piece);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the output was waiting to be taken", e);
        }
    }

    /** The command's end. */
    private final class Inlet extends OutputStream {
        private final OutputStream target;

        Inlet(OutputStream target) {
            this.target = target;
        }

        @Override
        public void write(int one) throws IOException {
            put(new Piece(target, new byte[] {(byte) one}));
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            int end = offset + length;
            for (int from = offset; from < end; from += MOST_BYTES_OF_ONE) {
                int to = Math.min(end, from + MOST_BYTES_OF_ONE);
                put(new Piece(target, Arrays.copyOfRange(bytes, from, to)));
            }
        }

        @Override
        public void flush() throws IOException {
            put(new Piece(target, new byte[0]));
        }
    }
}
