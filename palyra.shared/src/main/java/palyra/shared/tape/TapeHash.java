package palyra.shared.tape;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import palyra.api.tape.TapeRecord;
import palyra.shared.hash.Digests;

/** The hash chain of a tape, as {@link TapeRecord} and design §5 define it. Pure functions. */
public final class TapeHash {
    /** Length of a salt and of every digest, in bytes. */
    public static final int LENGTH = 32;

    private TapeHash() {}

    /** Returns the {@code prevHash} of a run's first record. */
    public static byte[] genesis(String runId, String sessionId, String principal) {
        return Digests.tagged("palyra.tape.genesis.v1")
                .lp(runId)
                .lp(sessionId)
                .lp(principal)
                .bytes();
    }

    /** Returns the commitment to a payload. */
    public static byte[] commitment(byte[] salt, byte[] payload) {
        return Digests.tagged("palyra.payload.v1").raw(salt).raw(payload).bytes();
    }

    /** Returns the hash of a record. */
    public static byte[] hash(
            byte[] prevHash,
            String streamId,
            long seq,
            String type,
            long timeMillis,
            int schema,
            byte[] commitment) {
        return Digests.tagged("palyra.tape.v1")
                .lp(prevHash)
                .lp(streamId)
                .u64(seq)
                .lp(type)
                .u64(timeMillis)
                .u32(schema)
                .lp(commitment)
                .bytes();
    }

    /** Returns the bytes that the signature of a head is over. */
    public static byte[] headStatement(String runId, long seq, byte[] hash) {
        byte[] tag = "palyra.tape.head.v1".getBytes(StandardCharsets.US_ASCII);
        byte[] id = runId.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(tag.length + 3 * Long.BYTES + id.length + hash.length)
                .put(tag)
                .putLong(id.length)
                .put(id)
                .putLong(seq)
                .putLong(hash.length)
                .put(hash)
                .array();
    }

    /** Faults of a record, in the order in which they are checked. */
    public enum Fault {
        /** Not the expected sequence number. */
        SEQUENCE,
        /** Does not follow its predecessor. */
        LINK,
        /** Does not agree with its own hash. */
        HASH,
        /** The payload does not agree with the commitment. */
        PAYLOAD
    }

    /**
     * Checks one record against the expected place and predecessor; an erased payload is no fault.
     */
    public static Optional<Fault> check(
            TapeRecord record, String streamId, long seq, byte[] prevHash) {
        if (record.seq() != seq || !record.streamId().equals(streamId)) {
            return Optional.of(Fault.SEQUENCE);
        }
        if (!Arrays.equals(record.prevHash(), prevHash)) {
            return Optional.of(Fault.LINK);
        }
        byte[] expected =
                hash(
                        prevHash,
                        streamId,
                        seq,
                        record.type(),
                        record.timeMillis(),
                        record.schema(),
                        record.commitment());
        if (!Arrays.equals(record.hash(), expected)) {
            return Optional.of(Fault.HASH);
        }
        boolean erased = record.payload() == null && record.salt() == null;
        if (!erased && !payloadAgrees(record)) {
            return Optional.of(Fault.PAYLOAD);
        }
        return Optional.empty();
    }

    private static boolean payloadAgrees(TapeRecord record) {
        return record.payload() != null
                && record.salt() != null
                && record.salt().length == LENGTH
                && Arrays.equals(record.commitment(), commitment(record.salt(), record.payload()));
    }
}
