package palyra.skills.internal.artifact;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import palyra.shared.hash.Digests;
import palyra.skills.internal.RefusedException;

/** A publisher's Ed25519 key (RFC 8032) as its owner has it. Text forms never show it. */
public final class SkillKey {
    private static final String NAME = "Ed25519";
    private static final String REASON = "key_unusable";
    private static final int RAW = 32;
    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";
    private static final int KEY_ID_HEX = 16;

    private final byte[] seed;
    private final KeyPair pair;

    private SkillKey(byte[] seed) {
        this.seed = seed.clone();
        this.pair = pair(this.seed);
    }

    /** Returns a new key. */
    public static SkillKey generate() {
        byte[] seed = new byte[RAW];
        new SecureRandom().nextBytes(seed);
        return new SkillKey(seed);
    }

    /**
     * Reads a key: PKCS#8 in PEM, 32 raw bytes, or 64 digits of hex.
     *
     * @throws RefusedException {@code key_unusable}
     */
    public static SkillKey read(byte[] file) {
        if (file.length == RAW) {
            return new SkillKey(file);
        }
        String text = new String(file, StandardCharsets.ISO_8859_1).strip();
        if (text.matches("[0-9a-fA-F]{64}")) {
            return new SkillKey(HexFormat.of().parseHex(text));
        }
        if (text.startsWith(BEGIN) && text.endsWith(END)) {
            return new SkillKey(pem(text));
        }
        throw new RefusedException(
                REASON,
                "The key file holds no key: give an Ed25519 key as PKCS#8 PEM, as 32 bytes, or as"
                        + " 64 digits of hex. palyra skills keygen makes one.");
    }

    private static byte[] pem(String text) {
        try {
            String body = text.substring(BEGIN.length(), text.length() - END.length());
            byte[] der = Base64.getMimeDecoder().decode(body);
            PrivateKey key =
                    KeyFactory.getInstance(NAME).generatePrivate(new PKCS8EncodedKeySpec(der));
            return ((EdECPrivateKey) key).getBytes().orElseThrow();
        } catch (GeneralSecurityException | RuntimeException e) {
            throw new RefusedException(
                    REASON, "The key file holds no Ed25519 key in PKCS#8 PEM.", e);
        }
    }

    /** The JDK's generator takes the seed as the first random bytes that it asks for. */
    private static KeyPair pair(byte[] seed) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(NAME);
            generator.initialize(NamedParameterSpec.ED25519, new CommandLine(seed));
            KeyPair pair = generator.generateKeyPair();
            byte[] made = ((EdECPrivateKey) pair.getPrivate()).getBytes().orElseThrow();
            if (!Arrays.equals(made, seed)) {
                throw new IllegalStateException("this Java derives keys in another way");
            }
            return pair;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Randomness that is given. */
    private static final class CommandLine extends SecureRandom {
        private static final long serialVersionUID = 1L;
        private final byte[] seed;

        CommandLine(byte[] seed) {
            this.seed = seed.clone();
        }

        @Override
        public void nextBytes(byte[] bytes) {
            System.arraycopy(seed, 0, bytes, 0, bytes.length);
        }
    }

    /** Returns the raw public key, 32 bytes. */
    public byte[] publicKey() {
        byte[] encoded = pair.getPublic().getEncoded();
        return Arrays.copyOfRange(encoded, encoded.length - RAW, encoded.length);
    }

    /** Returns the public key in hex, as trust commands take it. */
    public String publicHex() {
        return HexFormat.of().formatHex(publicKey());
    }

    /** Returns the key as PKCS#8 in PEM. */
    public String pem() {
        return BEGIN
                + "\n"
                + Base64.getEncoder().encodeToString(pair.getPrivate().getEncoded())
                + "\n"
                + END
                + "\n";
    }

    /** Returns the signature of a message, 64 bytes. */
    public byte[] sign(byte[] message) {
        try {
            Signature signer = Signature.getInstance(NAME);
            signer.initSign(pair.getPrivate());
            signer.update(message);
            return signer.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the id of a public key: {@code ed25519:} and 16 digits of its SHA-256. */
    public static String id(byte[] publicKey) {
        return "ed25519:" + Digests.sha256Hex(publicKey).substring(0, KEY_ID_HEX);
    }

    @Override
    public String toString() {
        return "SkillKey[" + id(publicKey()) + "]";
    }
}
