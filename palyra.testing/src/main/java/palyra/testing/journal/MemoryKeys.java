package palyra.testing.journal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.KeySignature;
import palyra.api.core.keys.Keys;
import palyra.api.core.keys.PublishedKey;
import palyra.shared.hash.Digests;

/**
 * A key store that works as the real one does and forgets everything when the test ends.
 * Thread-safe.
 */
public final class MemoryKeys implements Keys {
    private static final int RAW = 32;
    private static final int NONCE = 12;
    private static final int TAG_BITS = 128;

    private final Map<String, KeyPair> pairs = new HashMap<>(); // guarded by this
    private final Map<KeyPurpose, String> current = new EnumMap<>(KeyPurpose.class); // by this
    private final List<PublishedKey> published = new ArrayList<>(); // guarded by this
    private final byte[] secret = new byte[RAW];
    private final SecureRandom random = new SecureRandom();

    /** Makes fresh keys for every purpose. */
    public MemoryKeys() {
        random.nextBytes(secret);
        begin(KeyPurpose.TAPE_HEAD);
        begin(KeyPurpose.ATTESTATION);
    }

    private synchronized PublishedKey begin(KeyPurpose purpose) {
        try {
            KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
            byte[] raw = raw(pair);
            String id = "ed25519:" + Digests.sha256Hex(raw).substring(0, 16);
            pairs.put(id, pair);
            current.put(purpose, id);
            PublishedKey key =
                    new PublishedKey(
                            id, purpose, base64(raw), System.currentTimeMillis(), 0, "", "");
            published.add(key);
            return key;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] raw(KeyPair pair) {
        byte[] encoded = pair.getPublic().getEncoded();
        return Arrays.copyOfRange(encoded, encoded.length - RAW, encoded.length);
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    @Override
    public synchronized KeySignature sign(KeyPurpose purpose, byte[] message) {
        String id = current.get(purpose);
        if (id == null) {
            throw new PalyraException(ErrorCode.INVALID_ARGUMENT, purpose + " signs nothing");
        }
        return new KeySignature(id, signature(id, message));
    }

    private byte[] signature(String id, byte[] message) {
        try {
            Signature signer = Signature.getInstance("Ed25519");
            signer.initSign(pairs.get(id).getPrivate());
            signer.update(message);
            return signer.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public synchronized boolean verify(KeyPurpose purpose, byte[] message, KeySignature signature) {
        boolean known =
                published.stream()
                        .anyMatch(
                                key ->
                                        key.purpose() == purpose
                                                && key.keyId().equals(signature.keyId()));
        if (!known) {
            return false;
        }
        try {
            Signature check = Signature.getInstance("Ed25519");
            check.initVerify(pairs.get(signature.keyId()).getPublic());
            check.update(message);
            return check.verify(signature.signature());
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    @Override
    public byte[] mac(KeyPurpose purpose, byte[] message) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            mac.update(purpose.name().getBytes(StandardCharsets.US_ASCII));
            return mac.doFinal(message);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public byte[] wrap(byte[] dataKey, byte[] context) {
        byte[] nonce = new byte[NONCE];
        random.nextBytes(nonce);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce, context).doFinal(dataKey);
            return ByteBuffer.allocate(NONCE + sealed.length).put(nonce).put(sealed).array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public byte[] unwrap(byte[] wrapped, byte[] context) {
        try {
            byte[] nonce = Arrays.copyOf(wrapped, NONCE);
            return cipher(Cipher.DECRYPT_MODE, nonce, context)
                    .doFinal(wrapped, NONCE, wrapped.length - NONCE);
        } catch (GeneralSecurityException | RuntimeException e) {
            throw new PalyraException(ErrorCode.CORRUPT, "these bytes were not wrapped here", e);
        }
    }

    private Cipher cipher(int mode, byte[] nonce, byte[] context) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(secret, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(context);
        return cipher;
    }

    @Override
    public synchronized List<PublishedKey> published() {
        return List.copyOf(published);
    }

    @Override
    public synchronized PublishedKey rotate(KeyPurpose purpose) {
        String oldId = current.get(purpose);
        if (oldId == null) {
            throw new PalyraException(ErrorCode.INVALID_ARGUMENT, purpose + " signs nothing");
        }
        PublishedKey next = begin(purpose);
        long now = System.currentTimeMillis();
        byte[] signature = signature(oldId, rotation(oldId, next, now));
        int at = indexOf(oldId);
        PublishedKey old = published.get(at);
        PublishedKey retired =
                new PublishedKey(
                        oldId,
                        purpose,
                        old.publicKey(),
                        old.createdAtMillis(),
                        now,
                        next.keyId(),
                        base64(signature));
        published.set(at, retired);
        return retired;
    }

    private int indexOf(String keyId) {
        for (int i = 0; i < published.size(); i++) {
            if (published.get(i).keyId().equals(keyId)) {
                return i;
            }
        }
        throw new IllegalStateException("no key " + keyId);
    }

    private static byte[] rotation(String oldId, PublishedKey next, long now) {
        byte[] from = oldId.getBytes(StandardCharsets.UTF_8);
        byte[] to = next.keyId().getBytes(StandardCharsets.UTF_8);
        byte[] key = Base64.getUrlDecoder().decode(next.publicKey());
        byte[] tag = "palyra.key.rotation.v1".getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(
                        tag.length + 4 * Long.BYTES + from.length + to.length + key.length)
                .put(tag)
                .putLong(from.length)
                .put(from)
                .putLong(to.length)
                .put(to)
                .putLong(key.length)
                .put(key)
                .putLong(now)
                .array();
    }
}
