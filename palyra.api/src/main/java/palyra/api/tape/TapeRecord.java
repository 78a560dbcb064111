package palyra.api.tape;

import java.util.Optional;
import palyra.api.Require;

/**
 * One record of a hash chain as it is stored. Design §5: {@code commitment =
 * SHA-256("palyra.payload.v1" ‖ salt ‖ payload)}, {@code hash = SHA-256("palyra.tape.v1" ‖
 * lp(prevHash) ‖ lp(streamId) ‖ u64(seq) ‖ lp(type) ‖ i64(time) ‖ u32(schema) ‖ lp(commitment))}.
 *
 * <p>Arrays are not copied: treat them as read-only.
 *
 * @param streamId run id, or {@code journal} for the journal's own events
 * @param seq position in the stream, from 1 without gaps
 * @param type name of the record type
 * @param timeMillis unix time in milliseconds at which the store took it
 * @param schema version of the payload's form, from 1
 * @param salt 32 bytes, or null when payload and salt were erased
 * @param payload the bytes, or null when payload and salt were erased
 * @param commitment 32 bytes
 * @param prevHash 32 bytes
 * @param hash 32 bytes
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as stored; compared by hash, never by equals
public record TapeRecord(
        String streamId,
        long seq,
        String type,
        long timeMillis,
        int schema,
        byte[] salt,
        byte[] payload,
        byte[] commitment,
        byte[] prevHash,
        byte[] hash) {
    /** Stream of the journal's own events. */
    public static final String JOURNAL_STREAM = "journal";

    /** Checks. */
    public TapeRecord {
        Require.text(streamId, "stream id");
        Require.text(type, "record type");
        Require.present(commitment, "commitment");
        Require.present(prevHash, "previous hash");
        Require.present(hash, "hash");
    }

    /** Returns the payload, or empty when it was erased. */
    public Optional<byte[]> payloadIfKept() {
        return Optional.ofNullable(payload);
    }
}
