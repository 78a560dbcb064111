package palyra.skills.internal.host;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;

/**
 * Why a host function did not do what it was asked. It becomes a value that the module reads; it
 * never ends the call.
 */
final class HostError extends RuntimeException {
    static final String DENIED = "denied";
    static final String INVALID = "invalid";
    static final String NOT_FOUND = "not_found";
    static final String LIMIT = "limit";
    static final String UNAVAILABLE = "unavailable";
    static final String TIMEOUT = "timeout";
    static final String CONFLICT = "conflict";
    static final String UNSUPPORTED = "unsupported";

    private static final long serialVersionUID = 1L;

    private final String code;
    private final String grant;

    private HostError(String code, String message, String grant) {
        super(message, null, false, false);
        this.code = code;
        this.grant = Require.orEmpty(grant);
    }

    /**
     * Returns a denial.
     *
     * @param grant the entry of the manifest, or the policy, that is missing
     */
    static HostError denied(String message, String grant) {
        return new HostError(DENIED, message, Require.text(grant, "missing grant"));
    }

    /** Returns an error that is no denial. */
    static HostError of(String code, String message) {
        return new HostError(code, message, "");
    }

    /**
     * Returns what another part of the gateway said.
     *
     * @param grant what would have to be granted if it is a denial, such as {@code policy
     *     network.connect host:api.example.com}
     */
    static HostError of(PalyraException e, String grant) {
        String code = code(e.code());
        return new HostError(code, e.getMessage(), code.equals(DENIED) ? grant : "");
    }

    private static String code(ErrorCode code) {
        return switch (code) {
            case DENIED, UNAUTHENTICATED -> DENIED;
            case INVALID_ARGUMENT -> INVALID;
            case NOT_FOUND -> NOT_FOUND;
            case RESOURCE_EXHAUSTED, DISK_FULL -> LIMIT;
            case TIMED_OUT -> TIMEOUT;
            case CONFLICT, ALREADY_EXISTS, IDEMPOTENCY_MISMATCH -> CONFLICT;
            default -> UNAVAILABLE;
        };
    }

    String code() {
        return code;
    }

    /** Returns the missing grant; empty unless it is a denial. */
    String grant() {
        return grant;
    }

    /** Returns it as the module reads it. */
    ObjectNode json() {
        ObjectNode whole = JsonNodeFactory.instance.objectNode();
        ObjectNode error = whole.putObject("error");
        error.put("code", code);
        error.put("message", getMessage());
        if (!grant.isEmpty()) {
            error.put("grant", grant);
        }
        return whole;
    }
}
