package palyra.sandbox.posix.internal.kernel;

import com.sun.jna.Pointer;
import java.util.ArrayList;
import java.util.List;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Libc;

/**
 * Remembers where paths led: to which inode of which device, or nowhere. Offsets as in {@code
 * struct stat} of 64-bit Linux, see stat(3). For one thread at a time.
 */
final class Places implements AutoCloseable {
    private static final int DEVICE_AT = 0;
    private static final int INODE_AT = 8;

    private final Libc libc;
    private final Arena arena = new Arena();
    private final Pointer facts = arena.zeros(256);
    private final List<Place> all = new ArrayList<>();
    private boolean sure = true;

    /** Where a path led; zeros when it led nowhere. The question is what stat(3) is called with. */
    private record Place(String text, Object[] question, boolean there, long inode, long device) {}

    Places(Libc libc) {
        this.libc = libc;
    }

    /** Returns a path in native memory, for as long as this is open. */
    Pointer text(byte[] path) {
        return arena.string(path);
    }

    /** Remembers a path that led nowhere. */
    void absent(String text, Pointer path) {
        all.add(new Place(text, new Object[] {path, facts}, false, 0, 0));
    }

    /** Remembers a path, by the descriptor that it led to when it was opened. */
    void found(String text, Pointer path, int opened) {
        sure &= libc.stat(opened, facts) == 0;
        Object[] question = {path, facts};
        long inode = facts.getLong(INODE_AT);
        all.add(new Place(text, question, true, inode, facts.getLong(DEVICE_AT)));
    }

    /** Returns whether a path led to what is open now; false when that cannot be told. */
    boolean led(String text, int opened) {
        return libc.stat(opened, facts) == 0
                && all.stream()
                        .anyMatch(place -> place.text().equals(text) && isWhatWasSeen(place));
    }

    private boolean isWhatWasSeen(Place place) {
        return place.there()
                && facts.getLong(INODE_AT) == place.inode()
                && facts.getLong(DEVICE_AT) == place.device();
    }

    /** Returns whether all paths lead where they led; false when that cannot be told. */
    boolean unchanged() {
        for (Place place : all) {
            boolean there = libc.stat(place.question()) == 0;
            if (there != place.there() || (there && !isWhatWasSeen(place))) {
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
