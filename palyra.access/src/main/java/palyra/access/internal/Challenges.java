package palyra.access.internal;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * Challenges that wait for an answer: each counts once, for five minutes, for what it was made for.
 * A replacement of this bundle forgets them, and the person presses the button again. Thread-safe.
 */
final class Challenges {
    /** What a challenge is for. */
    enum Purpose {
        SIGN_IN,
        NEW_PASSKEY,
        PROVE
    }

    private static final long VALID_MILLIS = 5 * 60 * 1_000L;
    private static final int BYTES = 32;
    private static final int MOST = 4_096;
    private static final int MOST_OF_ONE = 10;

    private record Open(Purpose purpose, String bound, long untilMillis) {}

    private final LongSupplier clock;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, Open> open = new LinkedHashMap<>(); // guarded by this; oldest first

    Challenges(LongSupplier clock) {
        this.clock = clock;
    }

    /**
     * Makes a challenge.
     *
     * @param bound address, session or invitation that it is for
     */
    synchronized String make(Purpose purpose, String bound) {
        long now = clock.getAsLong();
        open.values().removeIf(each -> each.untilMillis() <= now);
        dropOldestOf(bound);
        if (open.size() >= MOST) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "Too many people are signing in with passkeys; try again in 60 seconds.");
        }
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        String challenge = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        open.put(challenge, new Open(purpose, bound, now + VALID_MILLIS));
        return challenge;
    }

    private void dropOldestOf(String bound) {
        long same = open.values().stream().filter(each -> each.bound().equals(bound)).count();
        Iterator<Open> all = open.values().iterator();
        while (same >= MOST_OF_ONE && all.hasNext()) {
            if (all.next().bound().equals(bound)) {
                all.remove();
                same--;
            }
        }
    }

    /** Returns whether a challenge is open for that purpose and use; it is used up then. */
    synchronized boolean take(String challenge, Purpose purpose, String bound) {
        Open found = open.remove(challenge);
        return found != null
                && found.purpose() == purpose
                && found.bound().equals(bound)
                && found.untilMillis() > clock.getAsLong();
    }
}
