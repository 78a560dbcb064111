package palyra.gateway.internal.fold;

import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tape.TapeEvent.Verdict;

/**
 * The state machine of one tool call: pure, without I/O. A transition that is not listed is
 * CORRUPT.
 */
final class CallMachine {
    private CallMachine() {}

    static CallState decided(CallState from, Verdict verdict) {
        require(
                from == CallState.PROPOSED
                        || from == CallState.APPROVED
                        || from == CallState.DECIDED, // once more, right before the start
                from,
                "tool_decision");
        return switch (verdict) {
            case ALLOW -> CallState.DECIDED;
            case APPROVAL_REQUIRED -> CallState.WAITING;
            case DENY -> CallState.DENIED;
        };
    }

    static void asked(CallState from) {
        require(from == CallState.WAITING, from, "approval_request");
    }

    /** A yes decides nothing by itself: policy has the last word. */
    static CallState answered(CallState from, boolean granted) {
        require(from == CallState.WAITING, from, "approval_decision");
        return granted ? CallState.APPROVED : CallState.DENIED;
    }

    static CallState started(CallState from) {
        require(from == CallState.DECIDED || from == CallState.STARTED, from, "tool_started");
        return CallState.STARTED;
    }

    static CallState ended(CallState from, Outcome outcome) {
        return switch (outcome) {
            case DENIED -> {
                require(
                        from != CallState.STARTED && from != CallState.DONE,
                        from,
                        "tool_call_output DENIED");
                yield CallState.DENIED;
            }
            case INTERRUPTED -> {
                require(from == CallState.STARTED, from, "tool_call_output INTERRUPTED");
                yield CallState.INTERRUPTED;
            }
            case CANCELLED -> {
                require(!from.ended(), from, "tool_call_output CANCELLED");
                yield CallState.DONE;
            }
            case SUCCEEDED, FAILED, TIMED_OUT -> {
                require(from == CallState.STARTED, from, "tool_call_output");
                yield CallState.DONE;
            }
        };
    }

    private static void require(boolean allowed, CallState from, String record) {
        if (!allowed) {
            throw new PalyraException(
                    ErrorCode.CORRUPT,
                    "A "
                            + record
                            + " record follows a call in state "
                            + from
                            + ", which cannot be.");
        }
    }
}
