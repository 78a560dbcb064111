package palyra.access.internal.password;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;

/**
 * Hashes and compares passwords, at most two at once: each takes 19 MiB and a core for a moment.
 * Thread-safe.
 */
public final class Passwords {
    private static final int AT_ONCE = 2;
    private static final long WAIT_MILLIS = 1_000;
    private static final int SHORTEST = 12;
    private static final int MOST_BYTES = 1_024;

    private final Semaphore turns = new Semaphore(AT_ONCE, true);
    private final PasswordHash none = PasswordHash.ofNone();

    /** Refuses a password that is too short or too long for a new one. */
    public static void requireUsable(String password) {
        Require.that(
                password.codePointCount(0, password.length()) >= SHORTEST,
                "the password is shorter than "
                        + SHORTEST
                        + " characters; take a few words that belong together for you alone");
        Require.that(
                fits(password), "the password is longer than " + MOST_BYTES + " bytes in UTF-8");
        Require.that(
                password.chars().distinct().count() > 3,
                "the password repeats a few characters; take a few words instead");
    }

    private static boolean fits(String password) {
        return password.length() <= MOST_BYTES
                && password.getBytes(StandardCharsets.UTF_8).length <= MOST_BYTES;
    }

    /** Returns the hash of a usable password. */
    public PasswordHash hash(String password) {
        return inTurn(() -> PasswordHash.of(password));
    }

    /**
     * Returns whether a password is the one that was hashed. For no hash, and for a password that
     * none can be, the same work is done and the answer is no.
     */
    public boolean matches(Optional<PasswordHash> hash, String password) {
        boolean possible = fits(password) && hash.isPresent();
        String compared = fits(password) ? password : "";
        boolean same = inTurn(() -> hash.orElse(none).matches(compared));
        return same & possible;
    }

    private <R> R inTurn(Supplier<R> work) {
        try {
            if (!turns.tryAcquire(WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new PalyraException(
                        ErrorCode.RESOURCE_EXHAUSTED,
                        "Others are signing in at this moment; try again in 2 seconds.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PalyraException(ErrorCode.CANCELLED, "The sign-in was interrupted.", e);
        }
        try {
            return work.get();
        } finally {
            turns.release();
        }
    }
}
