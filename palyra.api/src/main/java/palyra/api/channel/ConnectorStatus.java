package palyra.api.channel;

import palyra.api.Require;

/**
 * How a connector is doing.
 *
 * @param state its state
 * @param sinceMillis unix time in milliseconds since when it has this state; 0 when not known
 * @param reason why, for a person who has to act; empty while READY
 * @param nextAttemptAtMillis unix time in milliseconds of the next attempt to connect; 0 for none
 * @param lastEventAtMillis unix time in milliseconds at which the platform was last heard; 0 for
 *     never
 */
public record ConnectorStatus(
        State state,
        long sinceMillis,
        String reason,
        long nextAttemptAtMillis,
        long lastEventAtMillis) {
    /** The state of a connector. */
    public enum State {
        /** It was not started, or was stopped. */
        STOPPED,
        /** It connects for the first time. */
        CONNECTING,
        /** Messages come in and go out. */
        READY,
        /** Messages come in or go out, but not all of them. */
        DEGRADED,
        /** The connection was lost and is being made again. */
        RECONNECTING,
        /** It will not try again until a person changes something. */
        FAILED
    }

    /** Checks. */
    public ConnectorStatus {
        Require.present(state, "state of a connector");
        reason = Require.orEmpty(reason);
    }

    /** Returns a status without times. */
    public static ConnectorStatus of(State state, String reason) {
        return new ConnectorStatus(state, 0, reason, 0, 0);
    }
}
