package palyra.sandbox.posix.internal.supervise;

import com.sun.jna.Pointer;
import java.util.concurrent.locks.ReentrantLock;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Errno;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.LinuxCall;

/**
 * The listener of a seccomp filter, see seccomp_unotify(2): tells when no process is left that has
 * the filter, and hands over calls that wait for an answer. It is closed when its last holder has
 * released it; the kernel then refuses calls with ENOSYS. Thread-safe.
 */
public final class Listener {
    private static final int READABLE = 1;
    private static final int HUNG_UP = 0x10;
    private static final long RECEIVE = 0xC050_2100L;
    private static final long ANSWER = 0xC018_2101L;
    private static final long VALID = 0x4008_2102L;
    private static final long SET_FLAGS = 0x4008_2104L;
    private static final long WAKE_ON_SAME_PROCESSOR = 1;

    private final Libc libc;
    private final int descriptor;
    private final ReentrantLock lock = new ReentrantLock();
    private int holders; // guarded by lock

    /** Takes over a descriptor for a number of holders. */
    public Listener(Libc libc, int descriptor, int holders) {
        this.libc = libc;
        this.descriptor = descriptor;
        this.holders = holders;
    }

    /** Result of a wait. */
    public enum State {
        /** A call waits for an answer. */
        CALL,
        /** No process is left. */
        EMPTY,
        /** Neither happened in time. */
        NOTHING
    }

    /** Waits; only while it is held. */
    public State await(boolean calls, int millis) {
        try (Arena arena = new Arena()) {
            Pointer entry = arena.zeros(8);
            entry.setInt(0, descriptor);
            entry.setShort(4, (short) (calls ? READABLE : 0));
            libc.poll(entry, 1, millis);
            short seen = entry.getShort(6);
            if ((seen & HUNG_UP) != 0) {
                return State.EMPTY;
            }
            return (seen & READABLE) != 0 ? State.CALL : State.NOTHING;
        }
    }

    /** Keeps both sides of a call on one processor, which is faster; older kernels ignore it. */
    void preferSameProcessor() {
        libc.system(LinuxCall.IOCTL, descriptor, SET_FLAGS, WAKE_ON_SAME_PROCESSOR);
    }

    /** Reads a call; false when it is gone, because a signal has ended it. */
    boolean receive(Notification into) {
        into.clear();
        return request(RECEIVE, into.received()) == 0;
    }

    /** Returns whether a call still waits, so that its thread's id is still that thread's. */
    boolean valid(Notification call) {
        return request(VALID, call.received()) == 0;
    }

    /** Answers a call; one that is gone needs no answer. */
    void answer(Notification call, long result) {
        call.prepare(result);
        long sent;
        do {
            sent = request(ANSWER, call.answer());
        } while (sent == -Errno.EINTR);
    }

    private long request(long what, Pointer with) {
        return libc.system(LinuxCall.IOCTL, descriptor, what, Pointer.nativeValue(with));
    }

    /** Releases it; once per holder. */
    public void release() {
        lock.lock();
        try {
            holders--;
            if (holders == 0) {
                libc.close(descriptor);
            }
        } finally {
            lock.unlock();
        }
    }
}
