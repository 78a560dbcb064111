package palyra.shared.tape;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
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
        return Optional.ofNullable(new Checker().check(record, streamId, seq, prevHash));
    }

    /** Checks record after record of any streams with one digest. Not thread-safe. */
    static final class Checker {
        private static final byte[] RECORD = "palyra.tape.v1".getBytes(StandardCharsets.US_ASCII);
        private static final byte[] PAYLOAD =
                "palyra.payload.v1".getBytes(StandardCharsets.US_ASCII);

        private final MessageDigest digest = Digests.sha256();
        private ByteBuffer fields = ByteBuffer.allocate(512);
        private String streamId = "";
        private byte[] id = new byte[0]; // the same in UTF-8

        /** Returns what is wrong with the record; null when nothing is. */
        Fault check(TapeRecord record, String stream, long seq, byte[] prevHash) {
            if (record.seq() != seq || !record.streamId().equals(stream)) {
                return Fault.SEQUENCE;
            }
            if (!Arrays.equals(record.prevHash(), prevHash)) {
                return Fault.LINK;
            }
            if (!Arrays.equals(record.hash(), hash(record))) {
                return Fault.HASH;
            }
            boolean erased = record.payload() == null && record.salt() == null;
            return erased || payloadAgrees(record) ? null : Fault.PAYLOAD;
        }

        /** As {@link TapeHash#hash}, in one piece. */
        private byte[] hash(TapeRecord record) {
            if (!streamId.equals(record.streamId())) {
                streamId = record.streamId();
                id = streamId.getBytes(StandardCharsets.UTF_8);
            }
            byte[] type = record.type().getBytes(StandardCharsets.UTF_8);
            int length =
                    RECORD.length
                            + 6 * Long.BYTES
                            + Integer.BYTES
                            + record.prevHash().length
                            + id.length
                            + type.length
                            + record.commitment().length;
            if (fields.capacity() < length) {
                fields = ByteBuffer.allocate(length);
            }
            fields.clear().put(RECORD);
            lp(record.prevHash());
            lp(id);
            fields.putLong(record.seq());
            lp(type);
            fields.putLong(record.timeMillis()).putInt(record.schema());
            lp(record.commitment());
            digest.update(fields.array(), 0, fields.position());
            return digest.digest();
        }

        private void lp(byte[] bytes) {
            fields.putLong(bytes.length).put(bytes);
        }

        private boolean payloadAgrees(TapeRecord record) {
            if (record.payload() == null
                    || record.salt() == null
                    || record.salt().length != LENGTH) {
                return false;
            }
            digest.update(PAYLOAD);
            digest.update(record.salt());
            digest.update(record.payload());
            return Arrays.equals(record.commitment(), digest.digest());
        }
    }
}
