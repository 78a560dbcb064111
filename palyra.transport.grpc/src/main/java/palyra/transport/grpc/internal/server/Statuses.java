package palyra.transport.grpc.internal.server;

import io.grpc.Metadata;
import io.grpc.Status;
import java.util.EnumMap;
import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** Maps errors to gRPC statuses, as the head of gateway.proto specifies. */
final class Statuses {
    /** Trailer: the gateway's own code. */
    static final Metadata.Key<String> CODE =
            Metadata.Key.of("palyra-error-code", Metadata.ASCII_STRING_MARSHALLER);

    /** Trailer: what to do. */
    static final Metadata.Key<String> REMEDY =
            Metadata.Key.of("palyra-remedy", Metadata.ASCII_STRING_MARSHALLER);

    /** Longest message: clients refuse trailers of more than some kilobytes. */
    private static final int MAX_MESSAGE = 1_000;

    private static final Map<ErrorCode, String> REMEDIES =
            new EnumMap<>(
                    Map.of(
                            ErrorCode.UNAUTHENTICATED,
                            "Send metadata authorization: Bearer palyra_..., or connect with a"
                                    + " client certificate that the gateway knows.",
                            ErrorCode.POLICY_UNAVAILABLE,
                            "Try again in a few seconds.",
                            ErrorCode.JOURNAL_UNAVAILABLE,
                            "Try again in a few seconds; palyra doctor names the cause.",
                            ErrorCode.GATEWAY_UNAVAILABLE,
                            "Try again in a few seconds; palyra doctor names the cause.",
                            ErrorCode.RESOURCE_EXHAUSTED,
                            "Try again later.",
                            ErrorCode.DISK_FULL,
                            "Make room on the gateway's disk.",
                            ErrorCode.CONFLICT,
                            "Read the present state and decide again."));

    private Statuses() {}

    /** A status with its trailers. */
    record Refusal(Status status, Metadata trailers) {}

    static Refusal of(PalyraException e) {
        return of(e.code(), e.getMessage());
    }

    static Refusal of(ErrorCode code, String message) {
        Metadata trailers = new Metadata();
        trailers.put(CODE, code.name());
        String remedy = REMEDIES.get(code);
        if (remedy != null) {
            trailers.put(REMEDY, remedy);
        }
        return new Refusal(status(code).withDescription(shortened(message)), trailers);
    }

    static String shortened(String message) {
        if (message == null || message.length() <= MAX_MESSAGE) {
            return message;
        }
        int end = Character.isHighSurrogate(message.charAt(MAX_MESSAGE - 1)) ? 1 : 0;
        return message.substring(0, MAX_MESSAGE - end) + "…";
    }

    private static Status status(ErrorCode code) {
        return switch (code) {
            case INVALID_ARGUMENT -> Status.INVALID_ARGUMENT;
            case NOT_FOUND -> Status.NOT_FOUND;
            case ALREADY_EXISTS, IDEMPOTENCY_MISMATCH -> Status.ALREADY_EXISTS;
            case CONFLICT -> Status.FAILED_PRECONDITION;
            case STALE_EPOCH -> Status.ABORTED;
            case UNAUTHENTICATED -> Status.UNAUTHENTICATED;
            case DENIED -> Status.PERMISSION_DENIED;
            case POLICY_UNAVAILABLE,
                    JOURNAL_UNAVAILABLE,
                    KEYS_UNAVAILABLE,
                    GATEWAY_UNAVAILABLE,
                    MODEL_UNAVAILABLE,
                    MODEL_FAILED,
                    TOOL_UNAVAILABLE,
                    READ_ONLY ->
                    Status.UNAVAILABLE;
            case OUTCOME_UNKNOWN -> Status.UNKNOWN; // ask again with the same idempotency key
            case RESOURCE_EXHAUSTED, DISK_FULL -> Status.RESOURCE_EXHAUSTED;
            case TIMED_OUT -> Status.DEADLINE_EXCEEDED;
            case CANCELLED -> Status.CANCELLED;
            case CORRUPT, INTERNAL -> Status.INTERNAL;
            default -> Status.INTERNAL; // a code that is newer than this bundle
        };
    }
}
