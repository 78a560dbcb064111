package palyra.shell.internal.swap;

import java.util.Properties;
import palyra.api.Require;

/**
 * State of one operation; kept in a file that outlives the shell.
 *
 * @param operationId ULID
 * @param bundle symbolic name of the bundle that is replaced
 * @param phase phase of the operation
 * @param message one sentence for people; empty when there is nothing to say
 * @param principal who asked
 * @param permitId permit it happens under
 * @param bootId start of the process it happens in
 * @param fromSha256 digest of the old content, as it was packed for the way back
 * @param toSha256 digest of the new jar
 * @param endedAtMillis unix time in milliseconds; 0 while it goes on
 * @param journaled whether its outcome is in the journal
 */
record SwapRecord(
        String operationId,
        String bundle,
        Phase phase,
        String message,
        String principal,
        String permitId,
        String bootId,
        String fromVersion,
        String toVersion,
        String fromSha256,
        String toSha256,
        long startedAtMillis,
        long endedAtMillis,
        boolean journaled) {

    /** Phase of an operation. */
    enum Phase {
        /** Checked and permitted. */
        PLANNED(false),
        /** The new content is being put in. */
        UPDATING(false),
        /** It is in; its components are waited for. */
        WAITING(false),
        /** It was not healthy; the old content is being put back. */
        ROLLING_BACK(false),
        /** The new content is at work. */
        SUCCEEDED(true),
        /** The old content is at work again. */
        ROLLED_BACK(true),
        /** Neither is at work. */
        FAILED(true),
        /** The process ended in the middle; the installed jar was started afterwards. */
        INTERRUPTED(true);

        private final boolean over;

        Phase(boolean over) {
            this.over = over;
        }

        boolean over() {
            return over;
        }
    }

    SwapRecord {
        Require.text(operationId, "operation id");
        Require.text(bundle, "bundle");
        Require.present(phase, "phase");
    }

    SwapRecord at(Phase next, String sentence, long nowMillis) {
        long ended = next.over() ? nowMillis : 0;
        return with(next, sentence, principal, permitId, ended, journaled);
    }

    SwapRecord permitted(String by, String id) {
        return with(phase, message, by, id, endedAtMillis, journaled);
    }

    SwapRecord inJournal() {
        return with(phase, message, principal, permitId, endedAtMillis, true);
    }

    private SwapRecord with(
            Phase now, String sentence, String by, String id, long ended, boolean written) {
        return new SwapRecord(
                operationId,
                bundle,
                now,
                sentence,
                by,
                id,
                bootId,
                fromVersion,
                toVersion,
                fromSha256,
                toSha256,
                startedAtMillis,
                ended,
                written);
    }

    /** Only classes of the JDK: written by code whose bundle may be gone already. */
    Properties asProperties() {
        Properties properties = new Properties();
        properties.setProperty("operationId", operationId);
        properties.setProperty("bundle", bundle);
        properties.setProperty("phase", phase.name());
        properties.setProperty("message", message);
        properties.setProperty("principal", principal);
        properties.setProperty("permitId", permitId);
        properties.setProperty("bootId", bootId);
        properties.setProperty("fromVersion", fromVersion);
        properties.setProperty("toVersion", toVersion);
        properties.setProperty("fromSha256", fromSha256);
        properties.setProperty("toSha256", toSha256);
        properties.setProperty("startedAtMillis", Long.toString(startedAtMillis));
        properties.setProperty("endedAtMillis", Long.toString(endedAtMillis));
        properties.setProperty("journaled", Boolean.toString(journaled));
        return properties;
    }

    static SwapRecord of(Properties properties) {
        return new SwapRecord(
                properties.getProperty("operationId"),
                properties.getProperty("bundle"),
                Phase.valueOf(properties.getProperty("phase", "INTERRUPTED")),
                properties.getProperty("message", ""),
                properties.getProperty("principal", ""),
                properties.getProperty("permitId", ""),
                properties.getProperty("bootId", ""),
                properties.getProperty("fromVersion", ""),
                properties.getProperty("toVersion", ""),
                properties.getProperty("fromSha256", ""),
                properties.getProperty("toSha256", ""),
                Long.parseLong(properties.getProperty("startedAtMillis", "0")),
                Long.parseLong(properties.getProperty("endedAtMillis", "0")),
                Boolean.parseBoolean(properties.getProperty("journaled", "false")));
    }
}
