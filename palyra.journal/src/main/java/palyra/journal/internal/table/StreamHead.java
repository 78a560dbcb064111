package palyra.journal.internal.table;

/**
 * The head of a stream: its last record and that record's hash.
 *
 * @param streamNo its number in the tables
 * @param seq last sequence number, 0 when there is no record
 * @param hash hash of the last record, or what the first record's {@code prevHash} must be
 * @param ended whether nothing more may be appended
 * @param step key of the last step that was taken; empty when none was
 */
@SuppressWarnings("ArrayRecordComponent") // a digest, never changed in place
public record StreamHead(long streamNo, long seq, byte[] hash, boolean ended, String step) {
    /** Returns this head after one more record. */
    public StreamHead after(byte[] recordHash) {
        return new StreamHead(streamNo, seq + 1, recordHash, ended, step);
    }

    /** Returns this head, closed. */
    public StreamHead closed() {
        return new StreamHead(streamNo, seq, hash, true, step);
    }

    /** Returns this head after a step. */
    StreamHead stepped(String key) {
        return new StreamHead(streamNo, seq, hash, ended, key);
    }
}
