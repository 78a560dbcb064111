package palyra.keys.internal;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import javax.crypto.Mac;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.KeySignature;
import palyra.api.core.keys.Keys;
import palyra.api.core.keys.PublishedKey;
import palyra.api.core.ops.Metric;

/** The boot key store without any framework: opened once, then all in memory. Thread-safe. */
public final class BootKeys implements Keys {
    private static final Logger LOG = LoggerFactory.getLogger(BootKeys.class);

    private final KeyFolder folder;
    private final DataKeyWrap wrap = new DataKeyWrap();
    private final LongAdder signatures = new LongAdder();
    private final LongAdder rotations = new LongAdder();
    private final Object rotating = new Object();
    private volatile KeyRing ring; // written under rotating

    private BootKeys(KeyFolder folder, KeyRing ring) {
        this.folder = folder;
        this.ring = ring;
    }

    /**
     * Opens the keys of a state folder; at the first start makes them.
     *
     * @param credentialFile key file handed in by the service manager, read instead of the one in
     *     the state folder and never written
     * @throws PalyraException KEYS_UNAVAILABLE when others could read or have made the key file, or
     *     it cannot be read; CORRUPT when it is damaged or older than the published keys: nothing
     *     was changed
     */
    public static BootKeys open(Path stateFolder, Optional<Path> credentialFile) {
        return open(stateFolder, credentialFile, Optional.empty());
    }

    /**
     * As {@link #open(Path, Optional)}, with the key file in the state folder sealed.
     *
     * @param wrapFile secret that it is sealed under, handed in by the service manager
     */
    static BootKeys open(Path stateFolder, Optional<Path> credentialFile, Optional<Path> wrapFile) {
        return open(new KeyFolder(stateFolder, credentialFile, seal(wrapFile)));
    }

    /** Opens the keys of a folder; as {@link #open(Path, Optional)}. */
    static BootKeys open(KeyFolder folder) {
        return new BootKeys(folder, folder.open(System.currentTimeMillis()));
    }

    /**
     * Rewrites the key file when it does not have the configured form.
     *
     * @return whether it was written
     * @throws IOException when it cannot be; then the old file stays
     */
    boolean settle() throws IOException {
        synchronized (rotating) {
            return folder.settle(ring);
        }
    }

    /** Returns how the key file is sealed when the vault says nothing else. */
    static KeyFileSeal seal(Optional<Path> wrapFile) {
        if (wrapFile.isEmpty()) {
            return new KeyFileSeal(Optional.empty());
        }
        try {
            byte[] secret = PrivateFiles.readCredential(wrapFile.get());
            return new KeyFileSeal(Optional.of(CredentialSeal.by(secret)));
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.KEYS_UNAVAILABLE,
                    "The credential "
                            + wrapFile.get()
                            + " cannot be read, so the boot keys stay closed.",
                    e);
        }
    }

    @Override
    public KeySignature sign(KeyPurpose purpose, byte[] message) {
        Require.present(message, "message");
        SigningKey key = signingKey(ring, purpose);
        signatures.increment();
        return new KeySignature(key.published().keyId(), key.sign(message));
    }

    @Override
    public boolean verify(KeyPurpose purpose, byte[] message, KeySignature signature) {
        Require.present(message, "message");
        Require.present(signature, "signature");
        return ring.find(purpose, signature.keyId())
                .filter(key -> key.verify(message, signature.signature()))
                .isPresent();
    }

    @Override
    public byte[] mac(KeyPurpose purpose, byte[] message) {
        Require.present(message, "message");
        Require.that(
                purpose == KeyPurpose.TOKEN_DIGEST,
                purpose + " is no digest purpose: use TOKEN_DIGEST");
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(ring.tokenDigestKey());
            return mac.doFinal(message);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HMAC-SHA-256", e);
        }
    }

    @Override
    public byte[] wrap(byte[] dataKey, byte[] context) {
        return wrap.wrap(ring.dataKey(), dataKey, context);
    }

    @Override
    public byte[] unwrap(byte[] wrapped, byte[] context) {
        return wrap.unwrap(ring.dataKey(), wrapped, context);
    }

    @Override
    public List<PublishedKey> published() {
        return ring.published();
    }

    @Override
    public PublishedKey rotate(KeyPurpose purpose) {
        synchronized (rotating) {
            SigningKey old = signingKey(ring, purpose);
            KeyRing next = rotated(old);
            folder.replace(next);
            ring = next;
            rotations.increment();
            publish(next);
            return next.find(purpose, old.published().keyId()).orElseThrow().published();
        }
    }

    private KeyRing rotated(SigningKey old) {
        try {
            return ring.rotated(old, System.currentTimeMillis());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot make a key", e);
        }
    }

    /** The rotation is durable already: a start also brings the published keys up to date. */
    private void publish(KeyRing next) {
        try {
            folder.publish(next);
        } catch (IOException e) {
            LOG.warn(
                    "The rotated key is in use but published.json could not be written ({}); it"
                            + " will be written at the next start.",
                    e.toString());
        }
    }

    private static SigningKey signingKey(KeyRing ring, KeyPurpose purpose) {
        return ring.current(Require.present(purpose, "key purpose"))
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.INVALID_ARGUMENT,
                                        purpose + " has no signing key: use " + KeyRing.SIGNING));
    }

    List<Metric> metrics() {
        return List.of(
                Metric.counter(
                        "palyra_keys_signatures_total",
                        "Signatures made by the boot keys.",
                        (double) signatures.sum()),
                Metric.counter(
                        "palyra_keys_rotations_total",
                        "Signing keys replaced since the start.",
                        (double) rotations.sum()));
    }

    @Override
    public String toString() {
        return "BootKeys[" + folder.source() + ", " + ring + "]";
    }
}
