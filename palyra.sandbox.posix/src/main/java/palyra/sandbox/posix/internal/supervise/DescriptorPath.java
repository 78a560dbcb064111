package palyra.sandbox.posix.internal.supervise;

import com.sun.jna.Pointer;
import java.nio.charset.StandardCharsets;
import palyra.sandbox.posix.internal.libc.Arena;

/**
 * Paths of this process's descriptors below {@code /proc/self/fd} in native memory, one at a time.
 * For one thread.
 */
final class DescriptorPath {
    private static final int BYTES = 32;

    private final Pointer name;

    DescriptorPath(Arena arena) {
        name = arena.zeros(BYTES);
    }

    /** Returns the address of the path of a descriptor, valid until the next call. */
    long of(int descriptor) {
        byte[] text = ("/proc/self/fd/" + descriptor + '\0').getBytes(StandardCharsets.US_ASCII);
        name.write(0, text, 0, text.length);
        return Pointer.nativeValue(name);
    }
}
