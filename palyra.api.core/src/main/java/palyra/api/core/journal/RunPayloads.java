package palyra.api.core.journal;

/** What retention left of the payloads on the tape of a run. Retention goes down this list. */
public enum RunPayloads {
    /** All of them, as far as they were not erased one by one. */
    WHOLE,
    /** All but those of streamed text, which is whole in the record that finishes its turn. */
    WITHOUT_STREAM,
    /** None. */
    NONE
}
