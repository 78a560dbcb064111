package palyra.api.core.journal;

import palyra.api.Require;

/**
 * The signed head of a run that has ended: signature by a {@code TAPE_HEAD} key over {@code
 * "palyra.tape.head.v1" ‖ lp(runId) ‖ u64(seq) ‖ lp(hash)}.
 *
 * @param seq last sequence number
 * @param hash hash of that record, 32 bytes; not copied
 * @param keyId signing key
 * @param signature 64 bytes; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as stored
public record Seal(String runId, long seq, byte[] hash, String keyId, byte[] signature) {
    /** Checks. */
    public Seal {
        Require.text(runId, "run id");
        Require.present(hash, "head hash");
        Require.text(keyId, "key id");
        Require.present(signature, "signature");
    }
}
