package palyra.front.internal;

import palyra.api.Require;
import palyra.shared.hash.Ulids;

/** Limits and ids of list requests. */
public final class PageLimits {
    /** Most entries of a list. */
    public static final int MOST = 500;

    private PageLimits() {}

    /** Throws INVALID_ARGUMENT unless the limit is 1 to {@code most}. */
    public static void requireLimit(int limit, int most) {
        Require.that(
                limit >= 1 && limit <= most,
                "a list has 1 to " + most + " entries; " + limit + " were asked for");
    }

    /** Returns an id, or the empty string for none. */
    public static String idOrEmpty(String id, String what) {
        return Require.orEmpty(id).isEmpty() ? "" : Ulids.require(id, what);
    }
}
