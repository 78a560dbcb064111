package palyra.access.internal.passkey;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import palyra.api.core.access.NewFactor;
import palyra.api.core.access.SignInProof;

/** An authenticator of one passkey, whose answers a test can spoil. */
public final class SoftAuthenticator {
    public static final String ORIGIN = "https://palyra.example";

    public String origin = ORIGIN;
    public String host = "palyra.example";
    public int flags = 0x05;
    public long counter;
    public boolean framed;
    public String clientExtras = "";
    public String type;
    private final byte[] id;
    private final KeyPair keys;
    private final String algorithm;

    public SoftAuthenticator(String algorithm, int id) {
        this.algorithm = algorithm;
        this.id = ByteBuffer.allocate(16).putInt(id).array();
        try {
            KeyPairGenerator generator =
                    KeyPairGenerator.getInstance(
                            algorithm.equals("ES256")
                                    ? "EC"
                                    : algorithm.equals("EdDSA") ? "Ed25519" : "RSA");
            if (algorithm.equals("ES256")) {
                generator.initialize(new ECGenParameterSpec("secp256r1"));
            } else if (algorithm.equals("RS256")) {
                generator.initialize(2_048);
            }
            keys = generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    public String id() {
        return encode(id);
    }

    /** Answers to a challenge for a new passkey. */
    public NewFactor.Passkey make(String label, String challenge) {
        byte[] data = concat(head(flags | 0x40), new byte[16], new byte[] {0, 16}, id, cose());
        byte[] attestation =
                concat(
                        new byte[] {(byte) 0xa3},
                        text("fmt"),
                        text("none"),
                        text("attStmt"),
                        new byte[] {(byte) 0xa0},
                        text("authData"),
                        bytes(data));
        return new NewFactor.Passkey(
                label, encode(client("webauthn.create", challenge)), encode(attestation));
    }

    /** Answers to a challenge that asks who is there. */
    public SignInProof.Passkey prove(String challenge) {
        byte[] data = head(flags);
        byte[] client = client("webauthn.get", challenge);
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            Signature signer =
                    Signature.getInstance(
                            algorithm.equals("ES256")
                                    ? "SHA256withECDSA"
                                    : algorithm.equals("EdDSA") ? "Ed25519" : "SHA256withRSA");
            signer.initSign(keys.getPrivate());
            signer.update(data);
            signer.update(digest.digest(client));
            return new SignInProof.Passkey(
                    id(), encode(client), encode(data), encode(signer.sign()));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private byte[] client(String usual, String challenge) {
        String json =
                "{\"type\":\""
                        + (type == null ? usual : type)
                        + "\",\"challenge\":\""
                        + challenge
                        + "\",\"origin\":\""
                        + origin
                        + "\",\"crossOrigin\":"
                        + framed
                        + clientExtras
                        + "}";
        return json.getBytes(StandardCharsets.UTF_8);
    }

    private byte[] head(int withFlags) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(host.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.allocate(37)
                    .put(digest)
                    .put((byte) withFlags)
                    .putInt((int) counter)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    byte[] cose() {
        return switch (keys.getPublic()) {
            case ECPublicKey key ->
                    concat(
                            new byte[] {(byte) 0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21},
                            bytes(unsigned(key.getW().getAffineX(), 32)),
                            new byte[] {0x22},
                            bytes(unsigned(key.getW().getAffineY(), 32)));
            case EdECPublicKey key -> {
                byte[] big = unsigned(key.getPoint().getY(), 32);
                byte[] little = new byte[32];
                for (int i = 0; i < 32; i++) {
                    little[i] = big[31 - i];
                }
                little[31] |= (byte) (key.getPoint().isXOdd() ? 0x80 : 0);
                yield concat(new byte[] {(byte) 0xa4, 1, 1, 3, 0x27, 0x20, 6, 0x21}, bytes(little));
            }
            case RSAPublicKey key ->
                    concat(
                            new byte[] {(byte) 0xa4, 1, 3, 3, 0x39, 1, 0, 0x20},
                            bytes(unsigned(key.getModulus(), 256)),
                            new byte[] {0x21},
                            bytes(unsigned(key.getPublicExponent(), 3)));
            default -> throw new AssertionError(keys.getPublic().getAlgorithm());
        };
    }

    private static byte[] unsigned(BigInteger number, int length) {
        byte[] signed = number.toByteArray();
        byte[] out = new byte[length];
        int count = Math.min(length, signed.length);
        System.arraycopy(signed, signed.length - count, out, length - count, count);
        return out;
    }

    static byte[] text(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return concat(new byte[] {(byte) (0x60 | utf8.length)}, utf8);
    }

    static byte[] bytes(byte[] content) {
        byte[] head =
                content.length < 256
                        ? new byte[] {0x58, (byte) content.length}
                        : new byte[] {0x59, (byte) (content.length >> 8), (byte) content.length};
        return concat(head, content);
    }

    static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    static String encode(byte[] content) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(content);
    }
}
