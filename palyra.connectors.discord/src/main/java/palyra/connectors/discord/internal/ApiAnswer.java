package palyra.connectors.discord.internal;

import com.fasterxml.jackson.databind.JsonNode;

/** What Discord answered to one request. */
sealed interface ApiAnswer {
    /** It did what was asked; the result is missing where it says nothing. */
    record Done(JsonNode result) implements ApiAnswer {}

    /**
     * It did not.
     *
     * @param status HTTP status
     * @param code Discord's own code; 0 without one
     * @param message Discord's words; never the token; may be empty
     * @param retryMillis how long to wait; 0 when it does not say
     * @param global whether the wait is the whole account's
     */
    record Refused(int status, int code, String message, long retryMillis, boolean global)
            implements ApiAnswer {
        /** Returns whether the same may be done later. */
        boolean passes() {
            return status == 408 || status == 429 || status >= 500;
        }

        /** Returns Discord's words, and what to do about them. */
        String shown() {
            String words =
                    "Discord answered "
                            + status
                            + (message.isEmpty() ? "" : ": " + message)
                            + (code == 0 ? "" : " (code " + code + ")");
            String remedy = Remedies.of(code);
            return remedy.isEmpty() ? words : words + ". " + remedy;
        }
    }

    /** What came says neither. */
    record Unreadable(String reason) implements ApiAnswer {}
}
