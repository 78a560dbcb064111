package palyra.sandbox.posix.internal.supervise;

import com.sun.jna.Pointer;
import palyra.sandbox.posix.internal.libc.Arena;

/**
 * A call that waits for an answer: {@code struct seccomp_notif} and {@code struct
 * seccomp_notif_resp} of seccomp_unotify(2). Used again for one call after the other, by one
 * thread.
 */
final class Notification {
    private static final int RECEIVED_BYTES = 80;
    private static final int ANSWER_BYTES = 24;
    private static final int THREAD_AT = 8;
    private static final int NUMBER_AT = 16;
    private static final int ARGUMENTS_AT = 32;

    private static final int CONTINUE = 1;

    /**
     * Answer that lets the caller make the call itself, by then perhaps with other arguments: only
     * for calls that the caller's own restrictions hold.
     */
    static final long BY_CALLER = Long.MIN_VALUE;

    private final Pointer received;
    private final Pointer answer;

    Notification(Arena arena) {
        received = arena.zeros(RECEIVED_BYTES);
        answer = arena.zeros(ANSWER_BYTES);
    }

    Pointer received() {
        return received;
    }

    Pointer answer() {
        return answer;
    }

    /** The kernel takes zeros only. */
    void clear() {
        received.setMemory(0, RECEIVED_BYTES, (byte) 0);
    }

    /** Returns the id of the calling thread as this process sees it; 0 when it does not see it. */
    int thread() {
        return received.getInt(THREAD_AT);
    }

    int number() {
        return received.getInt(NUMBER_AT);
    }

    /** Returns an argument, from 0. */
    long argument(int index) {
        return received.getLong(ARGUMENTS_AT + 8L * index);
    }

    /** Returns the low half of an argument, which is all that the kernel reads of an int. */
    int number(int index) {
        return (int) argument(index);
    }

    /** Writes the answer: a value, a negated error number, or {@link #BY_CALLER}. */
    void prepare(long result) {
        boolean byCaller = result == BY_CALLER;
        answer.setLong(0, received.getLong(0));
        answer.setLong(8, byCaller ? 0 : Math.max(0, result));
        answer.setInt(16, byCaller ? 0 : (int) Math.min(0, result));
        answer.setInt(20, byCaller ? CONTINUE : 0);
    }
}
