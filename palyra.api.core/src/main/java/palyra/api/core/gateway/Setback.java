package palyra.api.core.gateway;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import palyra.api.Require;

/**
 * Something that the gateway could not do more than once, and tries again by itself.
 *
 * @param id id of the message, the command or the run; the name of a duty
 * @param attempts how often in a row it failed
 * @param reason what the last failure said; never holds a secret
 * @param sinceMillis unix time in milliseconds of the first of these failures
 * @param nextTryMillis unix time in milliseconds of the next try; it may have passed
 */
public record Setback(
        Kind kind, String id, int attempts, String reason, long sinceMillis, long nextTryMillis) {
    /** What kind of thing failed. */
    public enum Kind {
        /** A duty of the dispatcher. */
        DUTY,
        /** A message of the inbox that is to become a run. */
        MESSAGE,
        /** A durable command. */
        COMMAND,
        /** A run that is to go on. */
        RUN
    }

    /** Checks. */
    public Setback {
        Require.present(kind, "kind");
        Require.text(id, "id");
        reason = Require.orEmpty(reason);
    }

    /** Returns what failed, how often, when it is tried again and why: one line for people. */
    public String sentence() {
        return kind.name().charAt(0)
                + kind.name().substring(1).toLowerCase(Locale.ROOT)
                + " '"
                + id
                + "' failed "
                + attempts
                + " times and is tried again at "
                + Instant.ofEpochMilli(nextTryMillis).truncatedTo(ChronoUnit.SECONDS)
                + ": "
                + reason;
    }
}
