package palyra.shared.fold;

/** Where a proposed tool call stands. */
public enum CallState {
    /** The model named it; nothing was decided. */
    PROPOSED,
    /** It may start. */
    DECIDED,
    /** A person was asked. */
    WAITING,
    /** A person said yes; it is to be decided again with that. */
    APPROVED,
    /** It was started; whether it took effect is not known until its output stands on the tape. */
    STARTED,
    /** Its output stands on the tape. */
    DONE,
    /** It will never start; what the model is told stands on the tape or follows at once. */
    DENIED,
    /** It was started and lost. */
    INTERRUPTED;

    /** Returns whether nothing more will happen to the call. */
    boolean ended() {
        return this == DONE || this == DENIED || this == INTERRUPTED;
    }
}
