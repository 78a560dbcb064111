package palyra.models.internal.http;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Maps call ids to ids that every model server accepts: the strictest takes exactly nine letters
 * and digits. They only link a call to its result within one request, so they are numbered per
 * request. Not thread-safe.
 */
public final class CallIds {
    private final Map<String, String> ids = new HashMap<>();

    /** Returns the server's id of a call; the same for the same call. */
    public String outward(String ours) {
        return ids.computeIfAbsent(
                ours, id -> String.format(Locale.ROOT, "call%05d", ids.size() + 1));
    }
}
