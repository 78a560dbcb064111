package palyra.sandbox.posix.internal.spawn;

import com.sun.jna.Pointer;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Libc;

/**
 * Spawn attributes of every process: its own session, an empty signal mask and default signal
 * actions; see posix_spawnattr_init(3). On Linux they are plain data without pointers, made once
 * and copied; on macOS they are a pointer and made for each process. Thread-safe.
 */
public final class SpawnAttributes {
    private static final int SIZE = 512; // 336 bytes in glibc, a pointer on macOS
    private static final int SET_SIGNAL_DEFAULTS = 0x04;
    private static final int SET_SIGNAL_MASK = 0x08;
    private static final int NEW_SESSION_LINUX = 0x80;
    private static final int NEW_SESSION_MAC = 0x0400;
    private static final int CLOSE_ALL_MAC = 0x4000;

    private final Libc libc;
    private final byte[] made;

    /** Makes them once where they can be copied. */
    public SpawnAttributes(Libc libc) {
        this.libc = libc;
        if (libc.os().linux()) {
            try (Arena arena = new Arena()) {
                made = make(arena).getByteArray(0, SIZE);
            }
        } else {
            made = new byte[0];
        }
    }

    private Pointer make(Arena arena) {
        Pointer attributes = arena.zeros(SIZE);
        need("posix_spawnattr_init", attributes);
        Pointer none = arena.zeros(128);
        Pointer all = arena.zeros(128);
        Libc.plain(libc.function("sigemptyset"), none);
        Libc.plain(libc.function("sigfillset"), all);
        need("posix_spawnattr_setsigmask", attributes, none);
        need("posix_spawnattr_setsigdefault", attributes, all);
        int session = libc.os().linux() ? NEW_SESSION_LINUX : NEW_SESSION_MAC | CLOSE_ALL_MAC;
        int flags = session | SET_SIGNAL_MASK | SET_SIGNAL_DEFAULTS;
        need("posix_spawnattr_setflags", attributes, flags);
        return attributes;
    }

    private void need(String function, Object... arguments) {
        PosixSpawn.need(Libc.plain(libc.function(function), arguments));
    }

    /** Returns new attributes in an arena; destroy them before the arena is closed. */
    Pointer in(Arena arena) {
        if (made.length == 0) {
            return make(arena);
        }
        Pointer attributes = arena.zeros(SIZE);
        attributes.write(0, made, 0, SIZE);
        return attributes;
    }

    /** Frees memory that the C library holds for them. */
    void destroy(Pointer attributes) {
        if (made.length == 0) {
            Libc.plain(libc.function("posix_spawnattr_destroy"), attributes);
        }
    }
}
