package palyra.sandbox.internal.output;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What a command wrote to one stream, as it grows: the first bytes, the beginning and the end of
 * its text, and all of it in a file once it is more than memory keeps. For as long as it grows
 * there may be a file before that, so that a crash loses nothing. Thread-safe; written by one
 * thread.
 */
public final class CapturedOutput {
    private static final int FIRST = 8_192;

    /** How much is read again on either side of what a caller has not seen. */
    private static final int PIECE = 64 * 1024;

    private final String stream;
    private final int room;
    private final OutputStore store;
    private final OutputSignal signal;
    private final ReentrantLock lock = new ReentrantLock();
    private final OutputWindow window; // guarded by lock
    private byte[] beginning = new byte[0]; // guarded by lock
    private int kept; // guarded by lock
    private long bytes; // guarded by lock
    private OutputFile file; // guarded by lock; null while memory keeps all
    private boolean spare; // guarded by lock; the file is there for a crash alone
    private boolean ended; // guarded by lock

    /**
     * @param stream {@code out} or {@code err}
     * @param room how many bytes memory keeps
     * @param store where the whole goes when that is not enough
     * @param signal raised when there is more
     */
    public CapturedOutput(String stream, long room, OutputStore store, OutputSignal signal) {
        this.stream = stream;
        this.room = (int) Math.min(room, 16 << 20);
        this.store = store;
        this.signal = signal;
        this.window = new OutputWindow(this.room);
    }

    /** Takes the next bytes. */
    public void add(byte[] source, int count) {
        lock.lock();
        try {
            keep(source, count);
            window.add(source, 0, count);
            bytes += count;
        } finally {
            lock.unlock();
        }
        signal.raise();
    }

    /** Writes what memory keeps to a file, too, in case the gateway is killed. */
    public void keepForCrash() {
        lock.lock();
        try {
            if (file == null && bytes > 0 && !ended) {
                begin();
                spare = true;
            }
        } finally {
            lock.unlock();
        }
    }

    private void begin() {
        file = store.begin(stream);
        file.add(beginning, kept);
    }

    private void keep(byte[] source, int count) {
        if (kept + count > room) {
            spare = false;
            if (file == null) {
                begin();
            }
        }
        if (file != null) {
            file.add(source, count);
        }
        int more = Math.min(count, room - kept);
        if (more > 0) {
            if (kept + more > beginning.length) {
                int wanted = Math.max(FIRST, Math.max(kept + more, beginning.length * 2));
                beginning = Arrays.copyOf(beginning, wanted);
            }
            System.arraycopy(source, 0, beginning, kept, more);
            kept += more;
        }
    }

    /** Nothing more comes. A file is closed, and one is made of binary data, which is not shown. */
    public void end() {
        lock.lock();
        try {
            ended = true;
            window.end();
            if (bytes > 0 && window.text().binary()) {
                spare = false;
                if (file == null) {
                    begin();
                }
            }
            if (file != null) {
                file.close();
            }
            if (spare) {
                file.remove();
                file = null;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many bytes were written so far. */
    public long bytes() {
        lock.lock();
        try {
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    /** Returns what was written so far. */
    public StreamOutput now() {
        lock.lock();
        try {
            return new StreamOutput(
                    Arrays.copyOf(beginning, kept),
                    bytes,
                    window.text(),
                    file == null || spare ? "" : file.path(),
                    file == null || spare ? 0 : file.size(),
                    file == null || spare ? "" : file.lost());
        } finally {
            lock.unlock();
        }
    }

    /**
     * A piece of output.
     *
     * @param text its text
     * @param next where the next piece begins, in bytes of the stream
     */
    public record Piece(String text, long next) {}

    /**
     * Returns what was written from a place on.
     *
     * @param from in bytes of the stream
     * @param most most bytes of text
     * @param more whether more may come: a character that is not complete is then left for later
     */
    public Piece since(long from, int most, boolean more) {
        StreamOutput now = now();
        long to = now.bytes();
        if (from >= to) {
            return new Piece("", Math.max(from, 0));
        }
        OutputWindow piece = new OutputWindow(Math.max(most, 2));
        long left = to - from;
        long gap = left > 2L * PIECE ? left - 2L * PIECE : 0;
        int first = (int) Math.min(left, PIECE);
        boolean whole = copy(now, from, first, piece);
        if (whole && left > first) {
            whole = copy(now, from + first + gap, (int) (left - first - gap), piece);
        }
        if (!whole) { // the file has no more than a part of it
            return new Piece(
                    "[… "
                            + left
                            + " bytes since the cursor, of which the last are shown; "
                            + now.where()
                            + " …]\n"
                            + now.text().end(most),
                    to);
        }
        if (!more) {
            piece.end();
        }
        OutputText text = piece.text();
        String shown =
                gap == 0
                        ? text.shown(most, now.where().isEmpty() ? "ask with less" : now.where())
                        : new OutputText(
                                        text.head(),
                                        text.tail(),
                                        text.bytes() + gap,
                                        text.lines(),
                                        text.binary())
                                .shown(most, now.where());
        return new Piece(shown, to - (more ? piece.incomplete() : 0));
    }

    private static boolean copy(StreamOutput now, long from, int count, OutputWindow to) {
        if (from + count <= now.beginning().length) {
            to.add(now.beginning(), (int) from, (int) from + count);
            return true;
        }
        if (now.file().isEmpty() || from + count > now.fileBytes()) {
            return false;
        }
        byte[] bytes = OutputFile.read(now.file(), from, count);
        to.add(bytes, 0, bytes.length);
        return bytes.length == count;
    }
}
