package palyra.keys.internal;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import org.bouncycastle.math.ec.rfc8032.Ed25519.PublicPoint;
import palyra.api.core.keys.PublishedKey;

/**
 * One signing key, current or retired. A retired key keeps its public half only. Immutable and
 * thread-safe.
 */
final class SigningKey {
    private final PublishedKey published;
    private final PublicPoint point;
    private final byte[] rawPublic;
    private final byte[] seed; // null once retired

    private SigningKey(PublishedKey published, byte[] rawPublic, byte[] seed)
            throws GeneralSecurityException {
        this.published = published;
        this.point = Ed25519.point(rawPublic);
        this.rawPublic = rawPublic.clone();
        this.seed = seed == null ? null : seed.clone();
    }

    /** Parses a key and checks that its halves and its id belong together. */
    static SigningKey of(PublishedKey published, byte[] rawPublic, byte[] seed)
            throws GeneralSecurityException {
        SigningKey key = new SigningKey(published, rawPublic, seed);
        boolean idAgrees = published.keyId().equals(Ed25519.keyId(rawPublic));
        boolean halvesAgree = seed == null || isSeedOf(seed, rawPublic);
        if (!idAgrees || !halvesAgree || published.current() != (seed != null)) {
            throw new GeneralSecurityException("the parts of a signing key do not agree");
        }
        return key;
    }

    private static boolean isSeedOf(byte[] seed, byte[] rawPublic) {
        return seed.length == Ed25519.KEY_LENGTH
                && Arrays.equals(Ed25519.publicHalf(seed), rawPublic);
    }

    PublishedKey published() {
        return published;
    }

    /** Returns a copy of the secret half, for the key file alone; null once retired. */
    byte[] seed() {
        return seed == null ? null : seed.clone();
    }

    byte[] sign(byte[] message) {
        if (seed == null) {
            throw new IllegalStateException(published.keyId() + " is retired and signs nothing");
        }
        return Ed25519.sign(seed, rawPublic, message);
    }

    boolean verify(byte[] message, byte[] signature) {
        return Ed25519.verify(point, message, signature);
    }

    @Override
    public String toString() {
        return "SigningKey[" + published.keyId() + ", private half withheld]";
    }
}
