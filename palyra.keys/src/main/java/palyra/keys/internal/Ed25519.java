package palyra.keys.internal;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import org.bouncycastle.math.ec.rfc8032.Ed25519.PublicPoint;
import palyra.shared.hash.Digests;

/**
 * Ed25519 (RFC 8032) with raw keys, by Bouncy Castle's low-level code: ten times and more as fast
 * as the JDK's. Signing takes the same time for every key. Pure functions.
 *
 * <p>Verification is as strict as {@link palyra.shared.sign.Ed25519Verifier}, which does the same
 * with the JDK alone: key and {@code R} are canonical points of the prime-order subgroup and not
 * neutral, {@code S} is below the order.
 */
final class Ed25519 {
    static final int KEY_LENGTH = org.bouncycastle.math.ec.rfc8032.Ed25519.PUBLIC_KEY_SIZE;
    static final int SIGNATURE_LENGTH = org.bouncycastle.math.ec.rfc8032.Ed25519.SIGNATURE_SIZE;

    static {
        initialiseLibrary();
    }

    private Ed25519() {}

    /**
     * Lets the library initialise itself on a thread that ends at once. Its registrar keeps
     * defaults in a thread local of whichever thread comes first; on one that lives on they would
     * hold the class loader of this bundle until the JVM ends, replaced or not.
     */
    private static void initialiseLibrary() {
        Thread aside =
                Thread.ofPlatform().daemon().name("palyra-keys-start").start(new LibraryStart());
        boolean interrupted = false;
        while (aside.isAlive()) {
            try {
                aside.join();
            } catch (InterruptedException e) {
                interrupted = true; // told on below: the work takes milliseconds
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Touches nothing of the class around it, which waits for this to be done. */
    private static final class LibraryStart implements Runnable {
        @Override
        public void run() {
            byte[] seed = new byte[org.bouncycastle.math.ec.rfc8032.Ed25519.SECRET_KEY_SIZE];
            byte[] made = new byte[org.bouncycastle.math.ec.rfc8032.Ed25519.PUBLIC_KEY_SIZE];
            org.bouncycastle.math.ec.rfc8032.Ed25519.generatePublicKey(seed, 0, made, 0);
        }
    }

    /** A fresh key pair; {@code seed} is the secret half. */
    @SuppressWarnings("ArrayRecordComponent") // moved into the key store at once, never compared
    record RawPair(byte[] seed, byte[] publicKey) {
        @Override
        public String toString() {
            return "RawPair[" + keyId(publicKey) + ", seed withheld]";
        }
    }

    static RawPair generate(SecureRandom random) {
        byte[] seed = new byte[KEY_LENGTH];
        random.nextBytes(seed);
        return new RawPair(seed, publicHalf(seed));
    }

    /** Returns the public key that belongs to a seed of 32 bytes. */
    static byte[] publicHalf(byte[] seed) {
        byte[] publicKey = new byte[KEY_LENGTH];
        org.bouncycastle.math.ec.rfc8032.Ed25519.generatePublicKey(seed, 0, publicKey, 0);
        return publicKey;
    }

    /** Parses a public key; refuses one that a signature proves nothing for. */
    static PublicPoint point(byte[] publicKey) throws GeneralSecurityException {
        if (publicKey.length != KEY_LENGTH) {
            throw new GeneralSecurityException("an Ed25519 key has 32 bytes");
        }
        PublicPoint point =
                org.bouncycastle.math.ec.rfc8032.Ed25519.validatePublicKeyFullExport(publicKey, 0);
        if (point == null) {
            throw new GeneralSecurityException("an Ed25519 key is no point of the subgroup");
        }
        return point;
    }

    /** Returns {@code ed25519:} and the first 16 hex digits of the digest of the raw key. */
    static String keyId(byte[] publicKey) {
        return "ed25519:" + Digests.sha256Hex(publicKey).substring(0, 16);
    }

    /**
     * Signs. The halves must belong together: with a foreign {@code publicKey} the signature would
     * give the seed away.
     */
    static byte[] sign(byte[] seed, byte[] publicKey, byte[] message) {
        byte[] signature = new byte[SIGNATURE_LENGTH];
        org.bouncycastle.math.ec.rfc8032.Ed25519.sign(
                seed, 0, publicKey, 0, message, 0, message.length, signature, 0);
        return signature;
    }

    /**
     * Returns whether the signature is right; anything malformed is not. The library checks the
     * equation times the cofactor, which alone would let {@code R} be off by a point of small
     * order: hence the look at {@code R}.
     */
    static boolean verify(PublicPoint key, byte[] message, byte[] signature) {
        return signature.length == SIGNATURE_LENGTH
                && org.bouncycastle.math.ec.rfc8032.Ed25519.validatePublicKeyFull(signature, 0)
                && org.bouncycastle.math.ec.rfc8032.Ed25519.verify(
                        signature, 0, key, message, 0, message.length);
    }
}
