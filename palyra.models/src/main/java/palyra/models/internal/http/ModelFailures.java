package palyra.models.internal.http;

import java.util.List;
import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.model.FailureCause;
import palyra.api.model.ModelEvent;

/**
 * Classifies failures: whether a retry or another provider may help, and what a user can do. Pure
 * functions.
 */
public final class ModelFailures {
    private static final List<String> TOO_LONG =
            List.of(
                    "context_length",
                    "context length",
                    "context window",
                    "context size",
                    "exceed_context_size",
                    "maximum context",
                    "prompt is too long",
                    "request_too_large",
                    "string_above_max_length");
    private static final List<String> BLOCKED =
            List.of("content_filter", "content_policy", "content management policy", "moderation");
    private static final List<String> SPENT =
            List.of(
                    "insufficient_quota",
                    "billing",
                    "credit balance",
                    "insufficient_balance",
                    "insufficient balance",
                    "insufficient credits");
    private static final List<String> KEY =
            List.of("authentication", "permission_error", "invalid_api_key", "invalid api key");
    private static final List<String> OFTEN =
            List.of("rate_limit", "rate limit", "too many requests");
    private static final String BUSY = "overloaded";

    private ModelFailures() {}

    /**
     * Returns the failure of an answer that is not 2xx.
     *
     * @param provider id of the provider
     * @param headers headers of the answer, names in lower case
     * @param nowMillis unix time in milliseconds
     */
    static ModelEvent.Failed answered(
            String provider,
            int status,
            Map<String, List<String>> headers,
            ProviderError error,
            long nowMillis) {
        FailureCause cause = cause(status, error);
        boolean limited = cause == FailureCause.RATE_LIMITED;
        boolean passing = limited || cause == FailureCause.SERVER || cause == FailureCause.TIMEOUT;
        boolean retryable = passing && status != 501 && status != 505;
        long wait = retryable ? RetryAfter.millis(headers, limited, nowMillis) : 0;
        String said = "Model provider '" + provider + "' answered " + status + words(error);
        return new ModelEvent.Failed(
                code(cause), said + " " + remedy(cause, provider), retryable, cause, wait);
    }

    /** Returns the failure of an error inside a stream. */
    public static ModelEvent.Failed midway(String provider, ProviderError error) {
        int status = error.code().matches("[45][0-9]{2}") ? Integer.parseInt(error.code()) : 500;
        FailureCause cause = cause(status, error);
        boolean retryable =
                cause == FailureCause.RATE_LIMITED
                        || cause == FailureCause.SERVER
                        || cause == FailureCause.TIMEOUT;
        String said = "Model provider '" + provider + "' interrupted its answer" + words(error);
        return new ModelEvent.Failed(
                code(cause), said + " " + remedy(cause, provider), retryable, cause, 0);
    }

    private static String words(ProviderError error) {
        String name = error.name().isEmpty() ? "" : " (" + error.name() + ")";
        return error.message().isEmpty()
                ? name + " without a reason."
                : name + ": \"" + error.message() + "\".";
    }

    private static FailureCause cause(int status, ProviderError error) {
        String words = error.words();
        if (status == 402 || has(words, SPENT)) {
            return FailureCause.QUOTA;
        }
        if (status == 413 || (status != 429 && has(words, TOO_LONG))) {
            return FailureCause.CONTEXT_EXCEEDED;
        }
        if (status < 500 && has(words, BLOCKED)) {
            return FailureCause.CONTENT_BLOCKED;
        }
        return switch (status) {
            case 401, 403, 407 -> FailureCause.AUTHENTICATION;
            case 404, 405, 410, 421, 426 -> FailureCause.UNAVAILABLE;
            case 408, 504, 524 -> FailureCause.TIMEOUT;
            case 429 -> FailureCause.RATE_LIMITED;
            case 409, 425 -> FailureCause.SERVER;
            default -> byWords(status, words);
        };
    }

    private static FailureCause byWords(int status, String words) {
        if (status < 400) {
            return FailureCause.UNAVAILABLE; // a redirect: the address is not the server's
        }
        if (has(words, KEY)) {
            return FailureCause.AUTHENTICATION;
        }
        if (has(words, OFTEN)) {
            return FailureCause.RATE_LIMITED;
        }
        if (status >= 500) {
            return words.contains("invalid_request")
                    ? FailureCause.BAD_REQUEST
                    : FailureCause.SERVER;
        }
        return words.contains(BUSY) ? FailureCause.SERVER : FailureCause.BAD_REQUEST;
    }

    private static boolean has(String words, List<String> any) {
        return any.stream().anyMatch(words::contains);
    }

    private static ErrorCode code(FailureCause cause) {
        return switch (cause) {
            case BAD_REQUEST -> ErrorCode.INVALID_ARGUMENT;
            case CONTEXT_EXCEEDED, QUOTA, RATE_LIMITED -> ErrorCode.RESOURCE_EXHAUSTED;
            case TIMEOUT -> ErrorCode.TIMED_OUT;
            case UNAVAILABLE, CIRCUIT_OPEN -> ErrorCode.MODEL_UNAVAILABLE;
            case DENIED -> ErrorCode.DENIED;
            case CANCELLED -> ErrorCode.CANCELLED;
            default -> ErrorCode.MODEL_FAILED;
        };
    }

    private static String remedy(FailureCause cause, String provider) {
        return switch (cause) {
            case BAD_REQUEST -> "Check the agent's model and options against what it takes.";
            case CONTEXT_EXCEEDED -> "Shorten the conversation or use a model that takes more.";
            case CONTENT_BLOCKED -> "Change the request.";
            case AUTHENTICATION ->
                    "Check the key that apiKey of '" + provider + "' refers to with palyra vault.";
            case QUOTA -> "Add funds to the account, or use another provider.";
            case RATE_LIMITED -> "Send fewer requests, or have the limit raised.";
            case UNAVAILABLE -> "Check baseUrl of '" + provider + "' and the name of the model.";
            default -> "Try again later.";
        };
    }

    /** Returns the failure for a refusal by egress, vault or policy. */
    static ModelEvent.Failed refused(String provider, PalyraException e) {
        String message = "Model provider '" + provider + "' could not be called: " + e.getMessage();
        return switch (e.code()) {
            case DENIED, UNAUTHENTICATED ->
                    new ModelEvent.Failed(ErrorCode.DENIED, message, false, FailureCause.DENIED, 0);
            case TIMED_OUT ->
                    new ModelEvent.Failed(
                            ErrorCode.TIMED_OUT, message, true, FailureCause.TIMEOUT, 0);
            case TOOL_UNAVAILABLE, OUTCOME_UNKNOWN ->
                    new ModelEvent.Failed(
                            ErrorCode.MODEL_FAILED, message, true, FailureCause.NETWORK, 0);
            case NOT_FOUND ->
                    new ModelEvent.Failed(
                            ErrorCode.MODEL_UNAVAILABLE,
                            message,
                            false,
                            FailureCause.AUTHENTICATION,
                            0);
            case INVALID_ARGUMENT, CORRUPT ->
                    new ModelEvent.Failed(
                            ErrorCode.MODEL_UNAVAILABLE,
                            message,
                            false,
                            FailureCause.UNAVAILABLE,
                            0);
            case CANCELLED ->
                    new ModelEvent.Failed(
                            ErrorCode.CANCELLED, message, false, FailureCause.CANCELLED, 0);
            default ->
                    new ModelEvent.Failed(
                            ErrorCode.MODEL_UNAVAILABLE,
                            message,
                            true,
                            FailureCause.UNAVAILABLE,
                            0);
        };
    }

    /** Returns the failure of a malformed answer, which a retry may solve. */
    public static TurnFailure malformed(String provider, String what) {
        return new TurnFailure(
                ErrorCode.MODEL_FAILED,
                FailureCause.MALFORMED,
                true,
                "Model provider '" + provider + "' gave a malformed answer: " + what);
    }

    /** Returns the failure of an answer that a retry does not solve. */
    static TurnFailure unusable(String provider, String what) {
        return new TurnFailure(
                ErrorCode.MODEL_FAILED,
                FailureCause.MALFORMED,
                false,
                "Model provider '" + provider + "' gave an answer that cannot be used: " + what);
    }

    /** Returns the failure of an answer above the size limit. */
    static TurnFailure tooLarge(String provider, String what) {
        return new TurnFailure(
                ErrorCode.RESOURCE_EXHAUSTED,
                FailureCause.MALFORMED,
                false,
                "The answer of model provider '" + provider + "' was aborted:  " + what);
    }

    /** Returns the failure of an answer for which the memory pool has no room. */
    static TurnFailure crowded(String provider, long mostBytes) {
        return new TurnFailure(
                ErrorCode.RESOURCE_EXHAUSTED,
                FailureCause.OTHER,
                true,
                "The answer of model provider '"
                        + provider
                        + "' was aborted:  all its turns together hold more than "
                        + mostBytes
                        + " bytes of incomplete answers, a sixteenth of the heap. Try again, lower maxTurns, or give the gateway a larger heap.");
    }

    /** Returns the failure of a turn that ran out of memory. */
    static ModelEvent.Failed outOfMemory(String provider) {
        return new ModelEvent.Failed(
                ErrorCode.RESOURCE_EXHAUSTED,
                "The gateway ran out of memory while it read the answer of model provider '"
                        + provider
                        + "'; lower maxTurns, or give the gateway a larger heap.",
                false,
                FailureCause.OTHER,
                0);
    }

    /** Returns the failure of a connection that ended before the answer did. */
    static TurnFailure broken(String provider, String why) {
        return new TurnFailure(
                ErrorCode.MODEL_FAILED,
                FailureCause.NETWORK,
                true,
                "The answer of model provider '"
                        + provider
                        + "' ended before it was finished"
                        + (why.isEmpty() ? "." : ": " + why)
                        + " Try again.");
    }
}
