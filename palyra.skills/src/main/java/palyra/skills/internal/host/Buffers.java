package palyra.skills.internal.host;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Buffers that a module reads by handle: 0 is the input, 1 the context, the others are answers of
 * host functions. At most {@link #MOST} answers are open at a time, of {@link #MOST_BYTES}
 * together. Used by the thread of the call.
 */
final class Buffers {
    /** Most answers that are open at a time. */
    static final int MOST = 64;

    /** Most bytes of all open answers. */
    static final int MOST_BYTES = 8 << 20;

    /** Returned in place of a handle when not even an error has room. */
    static final int NONE = -1;

    private static final int FIRST = 2;

    private static final int INPUT = 0;
    private static final int CONTEXT = 1;

    private final Map<Integer, byte[]> open = new HashMap<>();
    private Supplier<byte[]> context; // null once it was read or closed
    private int next = FIRST;
    private int answers;
    private long bytes;

    /**
     * Creates them.
     *
     * @param context makes the context when a module reads it, which few do
     */
    Buffers(byte[] input, Supplier<byte[]> context) {
        open.put(INPUT, input);
        this.context = context;
    }

    /** Returns a buffer; null for an unknown handle. */
    private byte[] content(int handle) {
        if (handle == CONTEXT && context != null) {
            open.put(CONTEXT, context.get());
            context = null;
        }
        return open.get(handle);
    }

    /** Returns how many bytes an answer may still have; 0 when none can be opened. */
    long room() {
        return answers >= MOST ? 0 : MOST_BYTES - bytes;
    }

    /** Returns the handle of an answer, or of an error when there is no room for it. */
    int open(byte[] content) {
        if (answers < MOST && bytes + content.length <= MOST_BYTES) {
            return put(content);
        }
        byte[] error = tooMany().json().toString().getBytes(StandardCharsets.UTF_8);
        return answers <= MOST ? put(error) : NONE; // one more, for the error itself
    }

    static HostError tooMany() {
        return HostError.of(
                HostError.LIMIT,
                "At most "
                        + MOST
                        + " buffers of "
                        + MOST_BYTES
                        + " bytes together are open at a time; close some by buffer_close.");
    }

    private int put(byte[] content) {
        answers++;
        bytes += content.length;
        open.put(next, content);
        return next++;
    }

    /** Returns the length of a buffer; -1 for an unknown handle. */
    int length(int handle) {
        byte[] content = content(handle);
        return content == null ? NONE : content.length;
    }

    /**
     * Returns up to {@code length} bytes from {@code offset}, both unsigned; none at the end; null
     * for an unknown handle.
     */
    byte[] read(int handle, int offset, int length) {
        byte[] content = content(handle);
        if (content == null) {
            return null;
        }
        long from = Math.min(Integer.toUnsignedLong(offset), content.length);
        long to = Math.min(from + Integer.toUnsignedLong(length), content.length);
        return Arrays.copyOfRange(content, (int) from, (int) to);
    }

    /** Closes a buffer; false for an unknown handle. */
    boolean close(int handle) {
        content(handle);
        byte[] content = open.remove(handle);
        if (content != null && handle >= FIRST) {
            answers--;
            bytes -= content.length;
        }
        return content != null;
    }
}
