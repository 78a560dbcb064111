package palyra.gateway.internal.engine.queue;

import palyra.api.ErrorCode;

/** Distinguishes failures of the store, which affect all rows, from those of one row. */
public final class StoreFailure {
    private StoreFailure() {}

    /** Returns whether a failure says something about the store or its medium. */
    public static boolean is(ErrorCode code) {
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
