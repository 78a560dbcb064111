package palyra.shared.tape;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import palyra.api.core.journal.Seal;
import palyra.shared.hash.Digests;

/**
 * The digest of a checkpoint: one over many seals, in a fixed order, so that one signature covers
 * all of them. {@code SHA-256("palyra.seals.v1" ‖ u64(number) ‖ lp(previous) ‖ for each seal:
 * lp(runId) ‖ u64(seq) ‖ lp(hash) ‖ lp(keyId) ‖ lp(signature))}. Not thread-safe; one instance
 * makes one digest.
 */
public final class SealDigest {
    private final Digests digest = Digests.tagged("palyra.seals.v1");
    private int seals;

    /**
     * Begins.
     *
     * @param number of the checkpoint, from 1
     * @param previous digest of the checkpoint before; empty for the first
     */
    public SealDigest(long number, byte[] previous) {
        digest.u64(number).lp(previous);
    }

    /** Adds the next seal. */
    public SealDigest add(Seal seal) {
        digest.lp(seal.runId())
                .u64(seal.seq())
                .lp(seal.hash())
                .lp(seal.keyId())
                .lp(seal.signature());
        seals++;
        return this;
    }

    /** Returns how many seals were added. */
    public int seals() {
        return seals;
    }

    /** Returns the 32 bytes; the instance is used up. */
    public byte[] bytes() {
        return digest.bytes();
    }

    /** Returns the bytes that the signature of a checkpoint is over. */
    public static byte[] statement(long number, byte[] digest) {
        byte[] tag = "palyra.seals.checkpoint.v1".getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(tag.length + 2 * Long.BYTES + digest.length)
                .put(tag)
                .putLong(number)
                .putLong(digest.length)
                .put(digest)
                .array();
    }
}
