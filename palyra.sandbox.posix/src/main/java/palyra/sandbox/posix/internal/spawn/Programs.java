package palyra.sandbox.posix.internal.spawn;

import com.sun.jna.Pointer;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Errno;
import palyra.sandbox.posix.internal.libc.Libc;

/**
 * Reports early why a program cannot be executed. Not a guard: the kernel decides. Uses the C
 * library, because the JVM cannot encode every path in every locale.
 */
public final class Programs {
    private final Libc libc;

    /** Creates it. */
    public Programs(Libc libc) {
        this.libc = libc;
    }

    /**
     * Checks a program.
     *
     * @throws PalyraException NOT_FOUND or INVALID_ARGUMENT
     */
    public void check(byte[] program, String text) {
        try (Arena arena = new Arena()) {
            Pointer place = arena.string(program);
            int allowed = libc.mayExecute(place);
            if (allowed < 0) {
                throw refusal(-allowed, text);
            }
            if (isFolder(place)) {
                throw refusal(Errno.EISDIR, text);
            }
        }
    }

    /**
     * Checks a working folder.
     *
     * @throws PalyraException INVALID_ARGUMENT
     */
    public void checkFolder(byte[] folder, String text) {
        try (Arena arena = new Arena()) {
            if (!isFolder(arena.string(folder))) {
                throw notAFolder(text);
            }
        }
    }

    /** Returns the exception for a working folder that does not exist or is not a folder. */
    public static PalyraException notAFolder(String text) {
        return new PalyraException(
                ErrorCode.INVALID_ARGUMENT,
                "The command cannot start in "
                        + text
                        + ": it is not a folder that the gateway's user can enter.");
    }

    private boolean isFolder(Pointer path) {
        int opened = libc.openPath(path, true);
        if (opened >= 0) {
            libc.close(opened);
        }
        return opened >= 0;
    }

    /** Returns the exception for a failed execution. */
    public static PalyraException refusal(int errno, String program) {
        ErrorCode code =
                switch (errno) {
                    case Errno.ENOENT -> ErrorCode.NOT_FOUND;
                    case Errno.EAGAIN, Errno.ENOMEM, Errno.ENFILE, Errno.EMFILE, 35 ->
                            ErrorCode.RESOURCE_EXHAUSTED;
                    default -> ErrorCode.INVALID_ARGUMENT;
                };
        return new PalyraException(
                code, program + " could not be executed: " + Errno.words(errno) + ".");
    }
}
