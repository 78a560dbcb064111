package palyra.api.run;

import palyra.api.Require;

/**
 * Where an appended event went.
 *
 * @param eventId its id
 * @param onTape whether it stands on the run's tape; false means that the run had ended and it is
 *     an event of the journal
 * @param seq its position there
 */
public record AppendedEvent(String eventId, boolean onTape, long seq) {
    /** Checks. */
    public AppendedEvent {
        Require.text(eventId, "event id");
    }
}
