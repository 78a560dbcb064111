package palyra.tools.internal.executor;

import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;

/** Why a call was not started, in words. */
final class Refusals {
    private Refusals() {}

    static PalyraException leaving(String callId) {
        return new PalyraException(
                ErrorCode.TOOL_UNAVAILABLE,
                "Call " + callId + " was not started: the executor is stopping; try again.");
    }

    static PalyraException full(String callId, String why) {
        return new PalyraException(
                ErrorCode.RESOURCE_EXHAUSTED,
                "Call " + callId + " was not started: " + why + "; try again later.");
    }

    /** Refuses an attempt that would run beside an earlier one, or that is older than it. */
    static void unlessSuccessor(Call known, int attempt) {
        String earlier = "attempt " + known.attempt() + " of call " + known.callId();
        if (known.active()) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "Another attempt was requested while "
                            + earlier
                            + " has not ended; try again later.");
        }
        Require.that(
                attempt > known.attempt(),
                "Attempt "
                        + attempt
                        + " was requested after "
                        + earlier
                        + "; attempt numbers"
                        + " must increase");
    }
}
