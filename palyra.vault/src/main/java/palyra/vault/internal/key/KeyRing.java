package palyra.vault.internal.key;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import palyra.vault.internal.crypto.Aead;

/**
 * The keys of an open vault: master keys by version, and the key that the index is authenticated
 * by, which stays. Never changed; {@link #wipe} ends its use. Thread-safe.
 */
public final class KeyRing {
    private static final int ID_BYTES = 16;
    private static final int MOST_KEYS = 64;

    private final String vaultId;
    private final SortedMap<Integer, byte[]> masterKeys;
    private final byte[] indexKey;

    private KeyRing(String vaultId, SortedMap<Integer, byte[]> masterKeys, byte[] indexKey) {
        this.vaultId = vaultId;
        this.masterKeys = masterKeys;
        this.indexKey = indexKey;
    }

    /** Makes the ring of a new vault. */
    static KeyRing make(Aead aead) {
        SortedMap<Integer, byte[]> keys = new TreeMap<>();
        keys.put(1, aead.randomBytes(Aead.KEY_BYTES));
        String id = HexFormat.of().formatHex(aead.randomBytes(ID_BYTES));
        return new KeyRing(id, keys, aead.randomBytes(Aead.KEY_BYTES));
    }

    /** Returns one with one more master key, which is the current one. */
    KeyRing rotated(Aead aead) {
        SortedMap<Integer, byte[]> keys = copies(masterKeys.keySet());
        keys.put(current() + 1, aead.randomBytes(Aead.KEY_BYTES));
        return new KeyRing(vaultId, keys, indexKey.clone());
    }

    /** Returns one with the current master key and those named. */
    KeyRing with(Set<Integer> versions) {
        Set<Integer> kept = new java.util.TreeSet<>(versions);
        kept.add(current());
        kept.retainAll(masterKeys.keySet());
        return new KeyRing(vaultId, copies(kept), indexKey.clone());
    }

    private SortedMap<Integer, byte[]> copies(Set<Integer> versions) {
        SortedMap<Integer, byte[]> keys = new TreeMap<>();
        versions.forEach(version -> keys.put(version, masterKeys.get(version).clone()));
        return keys;
    }

    /** Returns what tells this vault from every other one; no secret. */
    public String vaultId() {
        return vaultId;
    }

    /** Returns the version of the master key in use. */
    public int current() {
        return masterKeys.lastKey();
    }

    /** Returns the versions that there are. */
    public Set<Integer> versions() {
        return Set.copyOf(masterKeys.keySet());
    }

    /** Returns a master key, not copied; empty when it is not there. */
    public Optional<byte[]> masterKey(int version) {
        return Optional.ofNullable(masterKeys.get(version));
    }

    /** Returns the key that the index is authenticated by, not copied. */
    public byte[] indexKey() {
        return indexKey;
    }

    /** Returns the keys as bytes; the caller overwrites them. */
    byte[] bytes() {
        int size = (1 + masterKeys.size()) * (Integer.BYTES + Aead.KEY_BYTES);
        ByteBuffer all = ByteBuffer.allocate(size).putInt(0).put(indexKey);
        masterKeys.forEach((version, key) -> all.putInt(version).put(key));
        return all.array();
    }

    /** Reads what {@link #bytes} wrote; empty when it is not that. */
    static Optional<KeyRing> of(String vaultId, byte[] bytes) {
        int each = Integer.BYTES + Aead.KEY_BYTES;
        int count = bytes.length / each - 1;
        if (count < 1 || count > MOST_KEYS || bytes.length % each != 0) {
            return Optional.empty();
        }
        ByteBuffer all = ByteBuffer.wrap(bytes);
        byte[] indexKey = key(all);
        SortedMap<Integer, byte[]> keys = new TreeMap<>();
        while (all.hasRemaining()) {
            keys.put(all.getInt(all.position()), key(all));
        }
        return Optional.of(new KeyRing(vaultId, keys, indexKey));
    }

    private static byte[] key(ByteBuffer from) {
        from.getInt();
        byte[] key = new byte[Aead.KEY_BYTES];
        from.get(key);
        return key;
    }

    /** Overwrites the keys. The caller must have stopped all use of them. */
    public void wipe() {
        masterKeys.values().forEach(key -> Arrays.fill(key, (byte) 0));
        Arrays.fill(indexKey, (byte) 0);
    }

    @Override
    public String toString() {
        return "KeyRing[" + vaultId + ", versions " + masterKeys.keySet() + "]";
    }
}
