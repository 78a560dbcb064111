package palyra.sandbox.posix.internal.supervise;

import com.sun.jna.Pointer;
import java.nio.charset.StandardCharsets;
import palyra.sandbox.posix.internal.libc.Arena;

/** Names of this process's descriptors in native memory, one at a time. For one thread. */
final class OwnName {
    private static final int BYTES = 32;

    private final Pointer name;

    OwnName(Arena arena) {
        name = arena.zeros(BYTES);
    }

    /** Returns the address of another name of a descriptor, until the next is asked for. */
    long of(int descriptor) {
        byte[] text = ("/proc/self/fd/" + descriptor + '\0').getBytes(StandardCharsets.US_ASCII);
        name.write(0, text, 0, text.length);
        return Pointer.nativeValue(name);
    }
}
