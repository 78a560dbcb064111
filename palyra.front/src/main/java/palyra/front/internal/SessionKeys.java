package palyra.front.internal;

import java.util.regex.Pattern;
import palyra.api.Require;

/** Checks session keys. Pure. */
final class SessionKeys {
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

    private SessionKeys() {}

    /**
     * Refuses a key with control characters or others that cannot be printed: it is shown in lists
     * and terminals, and two keys that look alike would be two sessions.
     *
     * @throws palyra.api.PalyraException INVALID_ARGUMENT
     */
    static void requirePrintable(String key) {
        Require.that(
                !UNPRINTABLE.matcher(key).find(),
                "session key '"
                        + UNPRINTABLE.matcher(key).replaceAll("?")
                        + "' holds a control character or another one that cannot be printed; leave"
                        + " it out of the key");
    }
}
