package palyra.api.core.keys;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The boot key store: made at first start, kept in one file that only the gateway's user can read,
 * or handed in as a systemd credential. No method returns private key material. Thread-safe; every
 * call takes well under a millisecond once keys are loaded.
 */
@ProviderType
public interface Keys {
    /**
     * Signs {@code message} with the current key of a signing purpose ({@link
     * KeyPurpose#TAPE_HEAD}, {@link KeyPurpose#ATTESTATION}).
     */
    KeySignature sign(KeyPurpose purpose, byte[] message);

    /**
     * Returns whether {@code signature} is by a published key of that purpose over {@code message}.
     * Unknown keys give false.
     */
    boolean verify(KeyPurpose purpose, byte[] message, KeySignature signature);

    /**
     * Returns HMAC-SHA-256 of {@code message} under the key of a digest purpose ({@link
     * KeyPurpose#TOKEN_DIGEST}); 32 bytes.
     */
    byte[] mac(KeyPurpose purpose, byte[] message);

    /**
     * Encrypts a data key for storage (AES-256-GCM, {@code context} as associated data).
     *
     * @param context where it will be stored; the same bytes are needed to unwrap
     */
    byte[] wrap(byte[] dataKey, byte[] context);

    /**
     * Undoes {@link #wrap}.
     *
     * @throws palyra.api.PalyraException CORRUPT when the bytes or the context are not those that
     *     were wrapped
     */
    byte[] unwrap(byte[] wrapped, byte[] context);

    /** Returns every signing key that ever was current, oldest first within each purpose. */
    List<PublishedKey> published();

    /**
     * Replaces the current key of a signing purpose. Durable before it returns; the old key signs
     * the rotation and stays published.
     *
     * @return the retired key with its rotation statement
     */
    PublishedKey rotate(KeyPurpose purpose);
}
