package palyra.keys.internal;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.PublishedKey;

/** All keys of the key store. Immutable; a rotation creates another one. */
final class KeyRing {
    static final int SECRET_LENGTH = 32;
    static final List<KeyPurpose> SIGNING = List.of(KeyPurpose.TAPE_HEAD, KeyPurpose.ATTESTATION);

    private final List<SigningKey> signingKeys; // oldest first within each purpose
    private final SecretKey tokenDigestKey;
    private final SecretKey dataKey;
    private final long secretsCreatedAtMillis;

    KeyRing(
            List<SigningKey> signingKeys,
            byte[] tokenDigestKey,
            byte[] dataKey,
            long secretsCreatedAtMillis)
            throws GeneralSecurityException {
        this.signingKeys =
                signingKeys.stream()
                        .sorted(Comparator.comparing(key -> key.published().purpose()))
                        .toList();
        this.tokenDigestKey = secret(tokenDigestKey, "HmacSHA256");
        this.dataKey = secret(dataKey, "AES");
        this.secretsCreatedAtMillis = secretsCreatedAtMillis;
        for (KeyPurpose purpose : SIGNING) {
            requireChain(purpose);
        }
    }

    static KeyRing generate(long nowMillis) throws GeneralSecurityException {
        SecureRandom random = new SecureRandom();
        byte[] tokenDigest = new byte[SECRET_LENGTH];
        byte[] data = new byte[SECRET_LENGTH];
        random.nextBytes(tokenDigest);
        random.nextBytes(data);
        List<SigningKey> keys = new ArrayList<>();
        for (KeyPurpose purpose : SIGNING) {
            keys.add(Rotation.fresh(purpose, nowMillis));
        }
        return new KeyRing(keys, tokenDigest, data, nowMillis);
    }

    /** Each key but the last names the next one as its successor and signed for it. */
    private void requireChain(KeyPurpose purpose) throws GeneralSecurityException {
        List<SigningKey> chain = chain(purpose);
        if (chain.isEmpty() || !chain.getLast().published().current()) {
            throw new GeneralSecurityException("no current key for " + purpose);
        }
        for (int i = 0; i + 1 < chain.size(); i++) {
            SigningKey old = chain.get(i);
            SigningKey next = chain.get(i + 1);
            if (!old.published().successorKeyId().equals(next.published().keyId())
                    || !Rotation.verifies(old, next)) {
                throw new GeneralSecurityException("a rotation of " + purpose + " does not verify");
            }
        }
    }

    private List<SigningKey> chain(KeyPurpose purpose) {
        return signingKeys.stream().filter(key -> key.published().purpose() == purpose).toList();
    }

    /** Returns the key that signs now; empty for a purpose that does not sign. */
    Optional<SigningKey> current(KeyPurpose purpose) {
        return signingKeys.stream()
                .filter(key -> key.published().purpose() == purpose && key.published().current())
                .findFirst();
    }

    Optional<SigningKey> find(KeyPurpose purpose, String keyId) {
        return signingKeys.stream()
                .filter(
                        key ->
                                key.published().purpose() == purpose
                                        && key.published().keyId().equals(keyId))
                .findFirst();
    }

    /** Returns the ring in which the current key of {@code purpose} has been replaced. */
    KeyRing rotated(SigningKey old, long nowMillis) throws GeneralSecurityException {
        Rotation rotation = Rotation.of(old, nowMillis);
        List<SigningKey> keys = new ArrayList<>();
        for (SigningKey key : signingKeys) {
            keys.add(
                    key.published().keyId().equals(old.published().keyId())
                            ? rotation.retired()
                            : key);
        }
        keys.add(rotation.successor());
        return new KeyRing(
                keys, tokenDigestKey.getEncoded(), dataKey.getEncoded(), secretsCreatedAtMillis);
    }

    List<SigningKey> signingKeys() {
        return signingKeys;
    }

    List<PublishedKey> published() {
        return signingKeys.stream().map(SigningKey::published).toList();
    }

    SecretKey tokenDigestKey() {
        return tokenDigestKey;
    }

    SecretKey dataKey() {
        return dataKey;
    }

    long secretsCreatedAtMillis() {
        return secretsCreatedAtMillis;
    }

    private static SecretKey secret(byte[] key, String algorithm) throws GeneralSecurityException {
        if (key.length != SECRET_LENGTH) {
            throw new GeneralSecurityException("a secret key has " + SECRET_LENGTH + " bytes");
        }
        return new SecretKeySpec(key, algorithm);
    }

    @Override
    public String toString() {
        return "KeyRing[" + signingKeys.size() + " signing keys, secrets withheld]";
    }
}
