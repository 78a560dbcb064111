package palyra.shared.fold;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
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
                from,
                EnumSet.of(
                        CallState.PROPOSED,
                        CallState.APPROVED,
                        CallState.DECIDED), // once more, right before the start
                "decides");
        return switch (verdict) {
            case ALLOW -> CallState.DECIDED;
            case APPROVAL_REQUIRED -> CallState.WAITING;
            case DENY -> CallState.DENIED;
        };
    }

    static void asked(CallState from) {
        require(from, EnumSet.of(CallState.WAITING), "asks a person about");
    }

    /** A yes decides nothing by itself: policy has the last word. */
    static CallState answered(CallState from, boolean granted) {
        require(from, EnumSet.of(CallState.WAITING), "answers a question about");
        return granted ? CallState.APPROVED : CallState.DENIED;
    }

    static CallState started(CallState from) {
        require(from, EnumSet.of(CallState.DECIDED, CallState.STARTED), "starts");
        return CallState.STARTED;
    }

    static CallState ended(CallState from, Outcome outcome) {
        return switch (outcome) {
            case DENIED -> {
                require(
                        from,
                        EnumSet.complementOf(EnumSet.of(CallState.STARTED, CallState.DONE)),
                        "denies");
                yield CallState.DENIED;
            }
            case INTERRUPTED -> {
                require(from, EnumSet.of(CallState.STARTED), "tells the interruption of");
                yield CallState.INTERRUPTED;
            }
            case CANCELLED -> {
                require(
                        from,
                        EnumSet.complementOf(EnumSet.of(CallState.DONE, CallState.INTERRUPTED)),
                        "cancels");
                yield CallState.DONE;
            }
            case SUCCEEDED, FAILED, TIMED_OUT -> {
                require(from, EnumSet.of(CallState.STARTED), "tells the output of");
                yield CallState.DONE;
            }
        };
    }

    private static void require(CallState from, Set<CallState> expected, String what) {
        require(
                expected.contains(from),
                "The record "
                        + what
                        + " a call that is "
                        + from
                        + "; expected one that is "
                        + expected.stream().map(Enum::name).collect(Collectors.joining(" or "))
                        + ".");
    }

    /** Throws CORRUPT, which {@code otherwise} explains, unless {@code holds}. */
    static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new PalyraException(ErrorCode.CORRUPT, otherwise);
        }
    }
}
