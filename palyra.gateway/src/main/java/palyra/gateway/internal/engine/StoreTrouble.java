package palyra.gateway.internal.engine;

import palyra.api.ErrorCode;

/** Tells failures of the store, which pass for all rows alike, from those of one row. */
final class StoreTrouble {
    private StoreTrouble() {}

    /** Returns whether a failure says something about the store or its medium. */
    static boolean is(ErrorCode code) {
        return switch (code) {
            case JOURNAL_UNAVAILABLE,
                    KEYS_UNAVAILABLE,
                    GATEWAY_UNAVAILABLE,
                    DISK_FULL,
                    READ_ONLY,
                    RESOURCE_EXHAUSTED,
                    TIMED_OUT,
                    OUTCOME_UNKNOWN ->
                    true;
            default -> false;
        };
    }
}
