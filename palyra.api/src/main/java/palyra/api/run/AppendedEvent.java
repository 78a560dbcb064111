package palyra.api.run;

import palyra.api.Require;

/**
 * The position of an appended event.
 *
 * @param eventId its id
 * @param onTape whether it was appended to the run's tape; false when the run had ended and the
 *     event went to the journal's own stream
 * @param seq its position there
 */
public record AppendedEvent(String eventId, boolean onTape, long seq) {
    /** Checks. */
    public AppendedEvent {
        Require.text(eventId, "event id");
    }
}
