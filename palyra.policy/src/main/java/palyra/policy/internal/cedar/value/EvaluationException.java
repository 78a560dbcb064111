package palyra.policy.internal.cedar.value;

import java.util.Objects;

/**
 * The evaluation of one policy failed: Cedar skips the policy and reports the error. Carries no
 * stack trace: such errors are results, not defects, and may happen in every decision.
 */
public final class EvaluationException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int LIMIT_CHARS = 500;

    public EvaluationException(String message) {
        super(shortened(Objects.requireNonNull(message, "message")), null, false, false);
    }

    /** A value of another type was found than the operator works on. */
    public static EvaluationException type(String expected, Value found) {
        return new EvaluationException(
                "type error: expected " + expected + ", got " + found.typeName());
    }

    public static EvaluationException overflow(String verb, long left, long right) {
        return new EvaluationException(
                "integer overflow while attempting to %s the values `%d` and `%d`"
                        .formatted(verb, left, right));
    }

    /** An extension function refused its argument. */
    public static EvaluationException extension(String function, String reason) {
        return new EvaluationException(
                "error while evaluating `" + function + "` extension function: " + reason);
    }

    private static String shortened(String text) {
        return text.length() <= LIMIT_CHARS ? text : text.substring(0, LIMIT_CHARS) + "…";
    }
}
