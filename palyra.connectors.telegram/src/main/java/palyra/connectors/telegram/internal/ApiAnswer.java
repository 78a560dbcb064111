package palyra.connectors.telegram.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/** What the Bot API answered to one call. */
sealed interface ApiAnswer {
    /** It did what was asked. */
    record Done(JsonNode result) implements ApiAnswer {}

    /**
     * It did not.
     *
     * @param code as in HTTP
     * @param description why; never the token; may be empty
     * @param retryMillis how long to wait; 0 when it does not say
     * @param migratedTo id of the supergroup that a group became; empty otherwise
     */
    record Refused(int code, String description, long retryMillis, String migratedTo)
            implements ApiAnswer {
        boolean says(String words) {
            return description.toLowerCase(Locale.ROOT).contains(words);
        }

        String shown() {
            return "Telegram answered " + code + (description.isEmpty() ? "" : ": " + description);
        }
    }

    /** What came says neither. */
    record Unreadable(String reason) implements ApiAnswer {}
}
