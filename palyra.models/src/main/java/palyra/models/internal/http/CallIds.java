package palyra.models.internal.http;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Ids of calls as model servers take them. Ours are too long for some and have characters that
 * others refuse; the strictest takes exactly nine letters and digits. They only tie a call to its
 * result within one request, so they are counted there. Not thread-safe.
 */
public final class CallIds {
    private final Map<String, String> ids = new HashMap<>();

    /** Returns the server's id of a call; the same for the same call. */
    public String outward(String ours) {
        return ids.computeIfAbsent(
                ours, id -> String.format(Locale.ROOT, "call%05d", ids.size() + 1));
    }
}
