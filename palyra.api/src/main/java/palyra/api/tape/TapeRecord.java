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
 * @param streamId run id, or {@code journal/NODE} for the events of a node; {@code journal} in a
 *     store from before nodes had names
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
    /**
     * Names the stream of this node's events wherever a stream is asked for or appended to. Its
     * records carry the stream's full name: see {@link #isJournal}.
     */
    public static final String JOURNAL_STREAM = "journal";

    /** Checks. */
    public TapeRecord {
        Require.text(streamId, "stream id");
        Require.text(type, "record type");
        Require.present(commitment, "commitment");
        Require.present(prevHash, "previous hash");
        Require.present(hash, "hash");
    }

    /** Returns whether a stream holds the events of a node, not the tape of a run. */
    public static boolean isJournal(String streamId) {
        return streamId.equals(JOURNAL_STREAM) || streamId.startsWith(JOURNAL_STREAM + "/");
    }

    /** Returns the payload, or empty when it was erased. */
    public Optional<byte[]> payloadIfKept() {
        return Optional.ofNullable(payload);
    }
}
