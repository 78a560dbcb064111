package palyra.sandbox.posix.internal.kernel;

import com.sun.jna.Pointer;
import java.util.ArrayList;
import java.util.List;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.LinuxCall;

/**
 * Remembers where paths led: to which inode of which device, or nowhere. Offsets as in {@code
 * struct statx}, see statx(2). For one thread at a time.
 */
final class Places implements AutoCloseable {
    private static final long HERE = -100; // AT_FDCWD
    private static final long OF_DESCRIPTOR = 0x1000; // AT_EMPTY_PATH
    private static final long INODE = 0x100;
    private static final int INODE_AT = 32;
    private static final int DEVICE_AT = 136;

    private final Libc libc;
    private final Arena arena = new Arena();
    private final Pointer facts = arena.zeros(256);
    private final Pointer nothing = arena.zeros(1);
    private final List<Place> all = new ArrayList<>();
    private boolean sure = true;

    /** Where a path led; zeros when it led nowhere. */
    private record Place(Pointer path, boolean there, long inode, long device) {}

    Places(Libc libc) {
        this.libc = libc;
    }

    /** Returns a path in native memory, for as long as this is open. */
    Pointer text(byte[] path) {
        return arena.string(path);
    }

    /** Remembers a path that led nowhere. */
    void absent(Pointer path) {
        all.add(new Place(path, false, 0, 0));
    }

    /** Remembers a path, by the descriptor that it led to when it was opened. */
    void found(Pointer path, int opened) {
        long result = look(opened, nothing, OF_DESCRIPTOR);
        sure &= result == 0;
        all.add(new Place(path, true, facts.getLong(INODE_AT), facts.getLong(DEVICE_AT)));
    }

    private long look(long from, Pointer path, long flags) {
        return libc.system(
                LinuxCall.STATX,
                from,
                Pointer.nativeValue(path),
                flags,
                INODE,
                Pointer.nativeValue(facts));
    }

    /** Returns whether all paths lead where they led; false when that cannot be told. */
    boolean unchanged() {
        for (Place place : all) {
            boolean there = look(HERE, place.path(), 0) == 0;
            if (there != place.there()
                    || (there
                            && (facts.getLong(INODE_AT) != place.inode()
                                    || facts.getLong(DEVICE_AT) != place.device()))) {
                return false;
            }
        }
        return sure;
    }

    @Override
    public void close() {
        arena.close();
    }
}
