package palyra.keys.internal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.PublishedKey;

/**
 * Replacing a signing key: the old key signs {@code "palyra.key.rotation.v1" ‖ lp(oldKeyId) ‖
 * lp(newKeyId) ‖ lp(newPublicKey) ‖ i64(retiredAtMillis)}, with the raw 32 bytes of the new public
 * key, so that a client that trusts the old key can move on to the new one.
 */
final class Rotation {
    private static final byte[] TAG = "palyra.key.rotation.v1".getBytes(StandardCharsets.US_ASCII);

    private final SigningKey retired;
    private final SigningKey successor;

    private Rotation(SigningKey retired, SigningKey successor) {
        this.retired = retired;
        this.successor = successor;
    }

    /** Makes the successor of {@code old} and the statement by which {@code old} retires. */
    static Rotation of(SigningKey old, long nowMillis) throws GeneralSecurityException {
        SigningKey successor = fresh(old.published().purpose(), nowMillis);
        PublishedKey before = old.published();
        PublishedKey after = successor.published();
        byte[] signature =
                old.sign(
                        statement(
                                before.keyId(), after.keyId(), raw(after.publicKey()), nowMillis));
        PublishedKey statement =
                new PublishedKey(
                        before.keyId(),
                        before.purpose(),
                        before.publicKey(),
                        before.createdAtMillis(),
                        nowMillis,
                        after.keyId(),
                        Base64.getUrlEncoder().withoutPadding().encodeToString(signature));
        return new Rotation(SigningKey.of(statement, raw(before.publicKey()), null), successor);
    }

    /** Makes a current key. */
    static SigningKey fresh(KeyPurpose purpose, long nowMillis) throws GeneralSecurityException {
        Ed25519.RawPair pair = Ed25519.generate(new SecureRandom());
        PublishedKey published =
                new PublishedKey(
                        Ed25519.keyId(pair.publicKey()),
                        purpose,
                        Base64.getUrlEncoder().withoutPadding().encodeToString(pair.publicKey()),
                        nowMillis,
                        0,
                        "",
                        "");
        return SigningKey.of(published, pair.publicKey(), pair.seed());
    }

    SigningKey retired() {
        return retired;
    }

    SigningKey successor() {
        return successor;
    }

    /** Returns whether {@code old} signed that {@code successor} follows it. */
    static boolean verifies(SigningKey old, SigningKey successor) {
        PublishedKey before = old.published();
        byte[] statement =
                statement(
                        before.keyId(),
                        successor.published().keyId(),
                        raw(successor.published().publicKey()),
                        before.retiredAtMillis());
        return before.purpose() == successor.published().purpose()
                && old.verify(statement, raw(before.rotationSignature()));
    }

    static byte[] statement(
            String oldKeyId, String newKeyId, byte[] newPublicKey, long retiredAtMillis) {
        byte[] oldId = oldKeyId.getBytes(StandardCharsets.UTF_8);
        byte[] newId = newKeyId.getBytes(StandardCharsets.UTF_8);
        int length = TAG.length + 4 * Long.BYTES + oldId.length + newId.length;
        return ByteBuffer.allocate(length + newPublicKey.length)
                .put(TAG)
                .putLong(oldId.length)
                .put(oldId)
                .putLong(newId.length)
                .put(newId)
                .putLong(newPublicKey.length)
                .put(newPublicKey)
                .putLong(retiredAtMillis)
                .array();
    }

    private static byte[] raw(String base64) {
        return Base64.getUrlDecoder().decode(base64);
    }
}
