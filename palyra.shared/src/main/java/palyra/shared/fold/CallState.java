package palyra.shared.fold;

/** State of a proposed tool call. */
public enum CallState {
    /** The model named it; nothing was decided. */
    PROPOSED,
    /** It may start. */
    DECIDED,
    /** A person was asked. */
    WAITING,
    /** A person said yes; it is to be decided again with that. */
    APPROVED,
    /** It was started; whether it took effect is not known until its output is on the tape. */
    STARTED,
    /** Its output is on the tape. */
    DONE,
    /** It will never start; the error for the model is on the tape or follows at once. */
    DENIED,
    /** It was started and lost. */
    INTERRUPTED;

    /** Returns whether nothing more will happen to the call. */
    boolean ended() {
        return this == DONE || this == DENIED || this == INTERRUPTED;
    }
}
