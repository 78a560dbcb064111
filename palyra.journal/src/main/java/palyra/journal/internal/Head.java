package palyra.journal.internal;

/**
 * Where a stream ends.
 *
 * @param streamNo its number in the tables
 * @param seq last sequence number, 0 when there is no record
 * @param hash hash of the last record, or what the first record's {@code prevHash} must be
 * @param ended whether nothing more may be appended
 */
@SuppressWarnings("ArrayRecordComponent") // a digest, never changed in place
record Head(long streamNo, long seq, byte[] hash, boolean ended) {
    /** Returns this head after one more record. */
    Head after(byte[] recordHash) {
        return new Head(streamNo, seq + 1, recordHash, ended);
    }

    /** Returns this head, closed. */
    Head closed() {
        return new Head(streamNo, seq, hash, true);
    }
}
