package palyra.sandbox.posix.internal.libc;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.util.ArrayList;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * Native memory that {@link #close} frees. JNA's own {@code Memory} is not used because it starts a
 * cleaner thread, which would inherit the restrictions of the thread that caused it. For one thread
 * at a time.
 */
public final class Arena implements AutoCloseable {
    private final List<Long> blocks = new ArrayList<>();

    /** Returns {@code bytes} bytes of zeros. */
    public Pointer zeros(long bytes) {
        long address = Native.malloc(bytes);
        if (address == 0) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "The system has no memory for " + bytes + " bytes outside of the heap.");
        }
        blocks.add(address);
        Pointer block = new Pointer(address);
        block.setMemory(0, bytes, (byte) 0);
        return block;
    }

    /** Returns these bytes and a NUL. */
    public Pointer string(byte[] text) {
        Pointer block = zeros(text.length + 1L);
        block.write(0, text, 0, text.length);
        return block;
    }

    /** Returns an array of pointers to these strings, ended by a null pointer. */
    public Pointer strings(List<byte[]> texts) {
        long pointers = 8L * (texts.size() + 1);
        long bytes = texts.stream().mapToLong(text -> text.length + 1L).sum();
        Pointer array = zeros(pointers + bytes);
        long at = pointers;
        for (int i = 0; i < texts.size(); i++) {
            byte[] text = texts.get(i);
            array.write(at, text, 0, text.length);
            array.setPointer(8L * i, array.share(at));
            at += text.length + 1L;
        }
        return array;
    }

    @Override
    public void close() {
        blocks.forEach(Native::free);
        blocks.clear();
    }
}
