package palyra.keys.internal;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import palyra.shared.hash.Digests;

/** Ed25519 (RFC 8032) with raw keys: the JDK speaks only of their DER wrapping (RFC 8410). */
final class Ed25519 {
    static final int KEY_LENGTH = 32;
    static final int SIGNATURE_LENGTH = 64;

    private static final String NAME = "Ed25519";
    private static final byte[] PRIVATE_PREFIX =
            HexFormat.of().parseHex("302e020100300506032b657004220420");
    private static final byte[] PUBLIC_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    private Ed25519() {}

    /** A fresh key pair; {@code seed} is the secret half. */
    @SuppressWarnings("ArrayRecordComponent") // moved into the key store at once, never compared
    record RawPair(byte[] seed, byte[] publicKey) {
        @Override
        public String toString() {
            return "RawPair[" + keyId(publicKey) + ", seed withheld]";
        }
    }

    static RawPair generate() {
        try {
            var pair = KeyPairGenerator.getInstance(NAME).generateKeyPair();
            return new RawPair(
                    tail(pair.getPrivate().getEncoded()), tail(pair.getPublic().getEncoded()));
        } catch (GeneralSecurityException e) {
            throw missing(e);
        }
    }

    static PrivateKey privateKey(byte[] seed) throws GeneralSecurityException {
        return KeyFactory.getInstance(NAME)
                .generatePrivate(new PKCS8EncodedKeySpec(join(PRIVATE_PREFIX, seed)));
    }

    static PublicKey publicKey(byte[] raw) throws GeneralSecurityException {
        return KeyFactory.getInstance(NAME)
                .generatePublic(new X509EncodedKeySpec(join(PUBLIC_PREFIX, raw)));
    }

    /** Returns {@code ed25519:} and the first 16 hex digits of the digest of the raw key. */
    static String keyId(byte[] publicKey) {
        return "ed25519:" + Digests.sha256Hex(publicKey).substring(0, 16);
    }

    /** Returns whether the signature is right; anything malformed is not. */
    static boolean verify(PublicKey key, byte[] message, byte[] signature) {
        if (signature.length != SIGNATURE_LENGTH) {
            return false;
        }
        try {
            Signature verifier = Signature.getInstance(NAME);
            verifier.initVerify(key);
            verifier.update(message);
            return verifier.verify(signature);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** Returns an object ready to sign; after each signature it is ready again. */
    static Signature signer(PrivateKey key) {
        try {
            Signature signer = Signature.getInstance(NAME);
            signer.initSign(key);
            return signer;
        } catch (GeneralSecurityException e) {
            throw missing(e);
        }
    }

    private static byte[] tail(byte[] encoded) {
        return Arrays.copyOfRange(encoded, encoded.length - KEY_LENGTH, encoded.length);
    }

    private static byte[] join(byte[] prefix, byte[] raw) throws GeneralSecurityException {
        if (raw.length != KEY_LENGTH) {
            throw new GeneralSecurityException("an Ed25519 key has 32 bytes");
        }
        byte[] joined = Arrays.copyOf(prefix, prefix.length + raw.length);
        System.arraycopy(raw, 0, joined, prefix.length, raw.length);
        return joined;
    }

    private static IllegalStateException missing(GeneralSecurityException e) {
        return new IllegalStateException("every JDK since 15 has Ed25519", e);
    }
}
