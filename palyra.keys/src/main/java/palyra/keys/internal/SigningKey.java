package palyra.keys.internal;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.util.concurrent.ArrayBlockingQueue;
import palyra.api.core.keys.PublishedKey;

/**
 * One signing key, current or retired. A retired key keeps its public half only. Thread-safe: the
 * JDK's signature objects are not, so each is lent to one caller at a time.
 */
final class SigningKey {
    private static final int POOLED_SIGNERS = 16;

    private final PublishedKey published;
    private final PublicKey publicKey;
    private final byte[] seed; // null once retired
    private final PrivateKey privateKey; // null once retired
    private final ArrayBlockingQueue<Signature> signers = new ArrayBlockingQueue<>(POOLED_SIGNERS);

    private SigningKey(PublishedKey published, byte[] rawPublic, byte[] seed)
            throws GeneralSecurityException {
        this.published = published;
        this.publicKey = Ed25519.publicKey(rawPublic);
        this.seed = seed == null ? null : seed.clone();
        this.privateKey = seed == null ? null : Ed25519.privateKey(seed);
    }

    /** Parses a key and checks that its halves and its id belong together. */
    static SigningKey of(PublishedKey published, byte[] rawPublic, byte[] seed)
            throws GeneralSecurityException {
        SigningKey key = new SigningKey(published, rawPublic, seed);
        boolean idAgrees = published.keyId().equals(Ed25519.keyId(rawPublic));
        boolean halvesAgree = seed == null || key.signsForItself();
        if (!idAgrees || !halvesAgree || published.current() != (seed != null)) {
            throw new GeneralSecurityException("the parts of a signing key do not agree");
        }
        return key;
    }

    private boolean signsForItself() {
        byte[] probe = published.keyId().getBytes(StandardCharsets.US_ASCII);
        return verify(probe, sign(probe));
    }

    PublishedKey published() {
        return published;
    }

    /** Returns a copy of the secret half, for the key file alone; null once retired. */
    byte[] seed() {
        return seed == null ? null : seed.clone();
    }

    byte[] sign(byte[] message) {
        Signature signer = signers.poll();
        if (signer == null) {
            signer = Ed25519.signer(privateKey);
        }
        try {
            signer.update(message);
            byte[] signature = signer.sign();
            signers.offer(signer);
            return signature;
        } catch (SignatureException e) {
            throw new IllegalStateException("signing with " + published.keyId() + " failed", e);
        }
    }

    boolean verify(byte[] message, byte[] signature) {
        return Ed25519.verify(publicKey, message, signature);
    }

    @Override
    public String toString() {
        return "SigningKey[" + published.keyId() + ", private half withheld]";
    }
}
