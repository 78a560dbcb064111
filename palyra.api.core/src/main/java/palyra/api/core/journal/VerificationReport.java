package palyra.api.core.journal;

import java.util.Optional;
import palyra.api.Require;

/**
 * What verification found.
 *
 * @param streams streams looked at
 * @param records records whose hash was recomputed and agrees
 * @param withheld records among them whose payload was erased: place and hash verified, content not
 * @param seals signed heads that agree
 * @param complete false when it was cancelled before the end
 * @param fault the first fault, in the order of streams and sequence numbers; empty when there is
 *     none
 */
public record VerificationReport(
        long streams,
        long records,
        long withheld,
        long seals,
        boolean complete,
        Optional<Fault> fault) {

    /** What is wrong. */
    public enum Kind {
        /** The payload does not agree with its commitment. */
        PAYLOAD,
        /** The record does not agree with its hash. */
        HASH,
        /** The record does not follow its predecessor. */
        LINK,
        /** A sequence number is missing or out of order. */
        SEQUENCE,
        /** Head and signed head differ: records were rewritten or cut off. */
        HEAD,
        /** The signature of the head is wrong or by an unknown key. */
        SIGNATURE,
        /** The run has ended but its head is not signed. */
        UNSEALED,
        /** The record cannot be read. */
        UNREADABLE
    }

    /**
     * The first bad record.
     *
     * @param seq its sequence number; 0 when the fault is about the stream as a whole
     * @param detail one sentence
     */
    public record Fault(String streamId, long seq, Kind kind, String detail) {
        /** Checks. */
        public Fault {
            Require.text(streamId, "stream id");
            Require.present(kind, "kind");
            detail = Require.orEmpty(detail);
        }
    }

    /** Checks. */
    public VerificationReport {
        Require.present(fault, "fault");
    }

    /** Returns whether everything was looked at and nothing is wrong. */
    public boolean intact() {
        return complete && fault.isEmpty();
    }
}
