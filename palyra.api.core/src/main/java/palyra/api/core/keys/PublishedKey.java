package palyra.api.core.keys;

import palyra.api.Require;

/**
 * A public key as verifiers outside need it.
 *
 * @param keyId {@code ed25519:} and the first 16 hex digits of SHA-256 over the raw public key
 * @param purpose what it signs
 * @param publicKey the raw 32 bytes of the Ed25519 public key (RFC 8032), base64url without padding
 * @param createdAtMillis unix time in milliseconds
 * @param retiredAtMillis unix time in milliseconds of its rotation, 0 while it is current
 * @param successorKeyId key that replaced it; empty while it is current
 * @param rotationSignature signature of this, the old key over the rotation statement {@code
 *     "palyra.key.rotation.v1" ‖ lp(oldKeyId) ‖ lp(newKeyId) ‖ lp(newPublicKey) ‖
 *     i64(retiredAtMillis)}, base64url; empty while current
 */
public record PublishedKey(
        String keyId,
        KeyPurpose purpose,
        String publicKey,
        long createdAtMillis,
        long retiredAtMillis,
        String successorKeyId,
        String rotationSignature) {
    /** Checks. */
    public PublishedKey {
        Require.text(keyId, "key id");
        Require.present(purpose, "key purpose");
        Require.text(publicKey, "public key");
        successorKeyId = Require.orEmpty(successorKeyId);
        rotationSignature = Require.orEmpty(rotationSignature);
    }

    /** Returns whether new signatures are made with it. */
    public boolean current() {
        return retiredAtMillis == 0;
    }
}
