package palyra.vault.internal;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import palyra.api.PalyraException;
import palyra.api.core.vault.SecretInfo;
import palyra.vault.internal.crypto.Envelope;
import palyra.vault.internal.key.KeyRing;
import palyra.vault.internal.key.KeyRingStore;
import palyra.vault.internal.store.Entry;
import palyra.vault.internal.store.Failures;
import palyra.vault.internal.store.Store;
import palyra.vault.internal.store.StoreLock;

/** A vault whose keys are there. Reading is thread-safe; changing is for one thread at a time. */
final class OpenVault implements AutoCloseable {
    private static final int TRIES = 1_000; // each needs another replacement in between

    private final StoreLock lock;
    private final KeyRingStore chest;
    private final Store store;
    private final Envelope envelope;
    private volatile KeyRing ring;
    private volatile boolean anchored;

    OpenVault(StoreLock lock, KeyRingStore chest, KeyRing ring, Store store, Envelope envelope) {
        this.lock = lock;
        this.chest = chest;
        this.ring = ring;
        this.store = store;
        this.envelope = envelope;
    }

    Store store() {
        return store;
    }

    KeyRing ring() {
        return ring;
    }

    Envelope envelope() {
        return envelope;
    }

    /** Returns whether the journal was asked whether this is the newest state. */
    boolean anchored() {
        return anchored;
    }

    void setAnchored() {
        anchored = true;
    }

    /** A value and its metadata. */
    @SuppressWarnings("ArrayRecordComponent") // handed on and overwritten
    record Value(SecretInfo info, byte[] bytes) {}

    /**
     * Decrypts a value; empty when the name does not exist any more.
     *
     * @throws PalyraException CORRUPT when its file is not the one that was written
     */
    Optional<Value> value(Entry asked) {
        Entry now = asked;
        for (int i = 0; i < TRIES; i++) {
            Optional<byte[]> plain = plain(now);
            if (plain.isPresent()) {
                return Optional.of(new Value(now.info(), plain.get()));
            }
            Optional<Entry> again = store.find(now.info().ref());
            if (again.isEmpty()) {
                return Optional.empty();
            }
            if (again.get().file().equals(now.file())) {
                break;
            }
            now = again.get(); // it was replaced meanwhile
        }
        throw damaged(now);
    }

    private Optional<byte[]> plain(Entry entry) {
        SecretInfo info = entry.info();
        return content(entry)
                .flatMap(
                        content ->
                                ring.masterKey(info.keyVersion())
                                        .flatMap(key -> envelope.open(key, info, content)));
    }

    Optional<byte[]> content(Entry entry) {
        try {
            return store.read(entry);
        } catch (IOException e) {
            throw damaged(entry);
        }
    }

    static PalyraException damaged(Entry entry) {
        return Failures.corrupt(
                "The stored value of " + entry.info().ref() + " is gone, was cut or was changed");
    }

    /** Adds a master key; durable on return. */
    void rotate() throws IOException {
        ring = chest.rotate();
    }

    /** Drops master keys that nothing is wrapped by any more. Those who read may use the old. */
    void retire() throws IOException {
        Set<Integer> needed = new TreeSet<>();
        store.all().forEach(entry -> needed.add(entry.info().keyVersion()));
        ring = chest.retire(needed);
    }

    /** Returns how many secrets are wrapped by an older master key. */
    long pending() {
        long count = 0;
        int current = ring.current();
        for (Entry entry : store.all()) {
            count += entry.info().keyVersion() == current ? 0 : 1;
        }
        return count;
    }

    /** Lets go of the folder; who still reads may do so. */
    @Override
    public void close() {
        lock.close();
    }

    /** Overwrites the keys; the caller must have stopped all reads. */
    void wipe() {
        ring.wipe();
    }
}
