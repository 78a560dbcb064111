package palyra.vault.internal.crypto;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import palyra.api.core.vault.SecretInfo;

/**
 * A value at rest: encrypted under a random key of its own, and that wrapped by a master key:
 *
 * <pre>"PVS1" ‖ u32 version of the master key ‖ sealed key[60] ‖ sealed value</pre>
 *
 * <p>Both are bound to all metadata of the secret: {@code "palyra.vault.v1" ‖ lp(part) ‖ lp(scope)
 * ‖ lp(key) ‖ u64(version) ‖ u64(bytes) ‖ u64(created) ‖ u64(updated) ‖ lp(by)}, the wrapped key to
 * the master key's version as well. Thread-safe.
 */
public final class Envelope {
    private static final byte[] MAGIC = "PVS1".getBytes(StandardCharsets.US_ASCII);
    private static final int WRAPPED = Aead.KEY_BYTES + Aead.OVERHEAD;
    private static final int HEAD = MAGIC.length + Integer.BYTES;

    private final Aead aead;

    /** Creates it over a cipher. */
    public Envelope(Aead aead) {
        this.aead = aead;
    }

    /** Encrypts a value, which is left as it is; {@code info} names the master key's version. */
    public byte[] seal(byte[] masterKey, SecretInfo info, byte[] value) {
        byte[] dataKey = aead.randomBytes(Aead.KEY_BYTES);
        try {
            byte[] wrapped = aead.seal(masterKey, dataKey, keyData(info));
            return join(info, wrapped, aead.seal(dataKey, value, data(info, "value").done()));
        } finally {
            Arrays.fill(dataKey, (byte) 0);
        }
    }

    /** Decrypts; empty when anything is not as it was sealed. The caller overwrites the value. */
    public Optional<byte[]> open(byte[] masterKey, SecretInfo info, byte[] file) {
        return unwrap(masterKey, info, file).flatMap(dataKey -> value(dataKey, info, file));
    }

    private Optional<byte[]> value(byte[] dataKey, SecretInfo info, byte[] file) {
        try {
            int from = HEAD + WRAPPED;
            byte[] data = data(info, "value").done();
            return aead.open(dataKey, file, from, file.length - from, data);
        } finally {
            Arrays.fill(dataKey, (byte) 0);
        }
    }

    /** Wraps the key of a value by another master key; the value is not decrypted. */
    public Optional<byte[]> rewrap(
            byte[] oldKey, SecretInfo before, byte[] newKey, SecretInfo after, byte[] file) {
        Optional<byte[]> unwrapped = unwrap(oldKey, before, file);
        if (unwrapped.isEmpty()) {
            return Optional.empty();
        }
        byte[] dataKey = unwrapped.get();
        try {
            byte[] wrapped = aead.seal(newKey, dataKey, keyData(after));
            byte[] value = Arrays.copyOfRange(file, HEAD + WRAPPED, file.length);
            return Optional.of(join(after, wrapped, value));
        } finally {
            Arrays.fill(dataKey, (byte) 0);
        }
    }

    private Optional<byte[]> unwrap(byte[] masterKey, SecretInfo info, byte[] file) {
        boolean formed =
                file.length == HEAD + WRAPPED + Aead.OVERHEAD + info.bytes()
                        && Arrays.equals(MAGIC, Arrays.copyOf(file, MAGIC.length))
                        && ByteBuffer.wrap(file).getInt(MAGIC.length) == info.keyVersion();
        return formed ? aead.open(masterKey, file, HEAD, WRAPPED, keyData(info)) : Optional.empty();
    }

    private static byte[] join(SecretInfo info, byte[] wrapped, byte[] value) {
        return ByteBuffer.allocate(HEAD + wrapped.length + value.length)
                .put(MAGIC)
                .putInt(info.keyVersion())
                .put(wrapped)
                .put(value)
                .array();
    }

    private static byte[] keyData(SecretInfo info) {
        return data(info, "key").number(info.keyVersion()).done();
    }

    private static Framing data(SecretInfo info, String part) {
        return new Framing("palyra.vault.v1")
                .text(part)
                .text(info.ref().scope())
                .text(info.ref().key())
                .number(info.version())
                .number(info.bytes())
                .number(info.createdAtMillis())
                .number(info.updatedAtMillis())
                .text(info.updatedBy());
    }
}
