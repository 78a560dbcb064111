package palyra.sandbox.posix.internal.supervise;

import palyra.sandbox.posix.internal.libc.Errno;

/** A call that ends with an error number; an expected answer, so it has no stack trace. */
final class CallFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final int errno;

    CallFailure(int errno) {
        super(Errno.words(errno), null, false, false);
        this.errno = errno;
    }

    int errno() {
        return errno;
    }

    /** Returns a result of the kernel unless it is a negated error number. */
    static long check(long result) throws CallFailure {
        if (result < 0) {
            throw new CallFailure((int) -result);
        }
        return result;
    }
}
