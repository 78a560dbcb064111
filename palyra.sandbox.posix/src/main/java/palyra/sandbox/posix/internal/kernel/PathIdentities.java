package palyra.sandbox.posix.internal.kernel;

import com.sun.jna.Pointer;
import java.util.ArrayList;
import java.util.List;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Libc;

/**
 * Records where paths led: device and inode, or nowhere. Offsets as in {@code struct stat} of
 * 64-bit Linux, see stat(3). For one thread at a time.
 */
final class PathIdentities implements AutoCloseable {
    private static final int DEVICE_AT = 0;
    private static final int INODE_AT = 8;

    private final Libc libc;
    private final Arena arena = new Arena();
    private final Pointer facts = arena.zeros(256);
    private final List<Identity> all = new ArrayList<>();
    private boolean reliable = true;

    /** Where a path led; zeros when it led nowhere. */
    private record Identity(
            String text, Object[] statArguments, boolean there, long inode, long device) {}

    PathIdentities(Libc libc) {
        this.libc = libc;
    }

    /** Returns a path in native memory, for as long as this is open. */
    Pointer text(byte[] path) {
        return arena.string(path);
    }

    /** Remembers a path that led nowhere. */
    void absent(String text, Pointer path) {
        all.add(new Identity(text, new Object[] {path, facts}, false, 0, 0));
    }

    /** Remembers a path, by the descriptor that it led to when it was opened. */
    void found(String text, Pointer path, int opened) {
        reliable &= libc.stat(opened, facts) == 0;
        Object[] statArguments = {path, facts};
        long inode = facts.getLong(INODE_AT);
        all.add(new Identity(text, statArguments, true, inode, facts.getLong(DEVICE_AT)));
    }

    /** Returns whether a path led to the open file; false when that is unknown. */
    boolean led(String text, int opened) {
        return libc.stat(opened, facts) == 0
                && all.stream()
                        .anyMatch(identity -> identity.text().equals(text) && isSame(identity));
    }

    private boolean isSame(Identity identity) {
        return identity.there()
                && facts.getLong(INODE_AT) == identity.inode()
                && facts.getLong(DEVICE_AT) == identity.device();
    }

    /** Returns whether all paths lead where they led; false when that is unknown. */
    boolean unchanged() {
        for (Identity identity : all) {
            boolean there = libc.stat(identity.statArguments()) == 0;
            if (there != identity.there() || (there && !isSame(identity))) {
                return false;
            }
        }
        return reliable;
    }

    @Override
    public void close() {
        arena.close();
    }
}
