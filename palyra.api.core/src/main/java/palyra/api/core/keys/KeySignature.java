package palyra.api.core.keys;

import palyra.api.Require;

/**
 * A signature and the key that made it.
 *
 * @param keyId id of the {@link PublishedKey}
 * @param signature 64 bytes (Ed25519, RFC 8032); not copied, treat as read-only
 */
@SuppressWarnings("ArrayRecordComponent") // compared by verification, never by equals
public record KeySignature(String keyId, byte[] signature) {
    /** Checks. */
    public KeySignature {
        Require.text(keyId, "key id");
        Require.present(signature, "signature");
    }
}
