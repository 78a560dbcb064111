package palyra.api.core.journal;

import palyra.api.Require;

/**
 * The state of a run up to one of its records, so that an engine that resumes it need not read the
 * whole tape. It can be made again from the tape at any time, proves nothing, and is neither
 * verified nor exported.
 *
 * @param seq last record of the run's tape that went into it
 * @param format version of the content's form; who does not know it reads the tape instead
 * @param content opaque to the store, at most {@value #MAX_BYTES} bytes; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as they will be stored
public record RunSnapshot(String runId, long seq, int format, byte[] content) {
    /** Most bytes of content. */
    public static final int MAX_BYTES = 4 << 20;

    /** Checks. */
    public RunSnapshot {
        Require.text(runId, "run id");
        Require.present(content, "content");
        Require.that(
                content.length <= MAX_BYTES,
                "a snapshot of " + content.length + " bytes: at most " + MAX_BYTES + " are taken");
    }
}
