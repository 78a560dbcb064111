package palyra.vault.internal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.vault.internal.crypto.Aead;
import palyra.vault.internal.crypto.Envelope;
import palyra.vault.internal.key.KeyRing;
import palyra.vault.internal.key.KeyRingStore;
import palyra.vault.internal.key.KeySettings;
import palyra.vault.internal.key.MasterKeySource;
import palyra.vault.internal.store.Failures;
import palyra.vault.internal.store.Medium;
import palyra.vault.internal.store.Store;
import palyra.vault.internal.store.StoreLock;

/**
 * Opens the vault, retries after a failure, and reports why it is not open. Thread-safe: a caller
 * that comes while it is being opened waits for that.
 */
final class VaultOpener {
    private static final long PATIENCE_MILLIS = 15_000;
    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Path state;
    private final VaultSettings settings;
    private final Map<String, String> environment;
    private final Medium files;
    private final Aead aead = new Aead();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile OpenVault open;
    private volatile PalyraException failure; // of the last attempt
    private long failedAtNanos; // guarded by lock
    private boolean ended; // guarded by lock

    VaultOpener(Path state, VaultSettings settings, Map<String, String> environment, Medium files) {
        this.state = state;
        this.settings = settings;
        this.environment = environment;
        this.files = files;
    }

    Path folder() {
        return state.resolve("vault");
    }

    VaultSettings settings() {
        return settings;
    }

    /** Returns the vault if it is open, without trying. */
    Optional<OpenVault> present() {
        return Optional.ofNullable(open);
    }

    /** Returns why it is not open; empty when it is open, or no attempt was made yet. */
    Optional<PalyraException> failure() {
        return open == null ? Optional.ofNullable(failure) : Optional.empty();
    }

    /** Returns the open vault; throws the reason when it is not open. */
    OpenVault require() {
        OpenVault there = open;
        if (there != null && !there.store().doubtful()) {
            return there;
        }
        await();
        try {
            if (open != null && open.store().doubtful()) {
                open.close();
                open = null;
            }
            if (open == null) {
                attempt();
            }
            return open;
        } finally {
            lock.unlock();
        }
    }

    private void await() {
        boolean mine = false;
        try {
            mine = lock.tryLock(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!mine) {
            throw new PalyraException(
                    ErrorCode.KEYS_UNAVAILABLE,
                    "The vault is still being opened: its key is asked for in "
                            + settings.keys().source()
                            + "; try again.");
        }
    }

    private void attempt() {
        if (ended) {
            throw new PalyraException(
                    ErrorCode.KEYS_UNAVAILABLE, "The vault is being replaced; try again.");
        }
        if (failure != null && System.nanoTime() - failedAtNanos < AGAIN_NANOS) {
            throw new PalyraException(failure.code(), failure.getMessage());
        }
        try {
            open = opened();
            failure = null;
        } catch (PalyraException e) {
            failed(e);
            throw e;
        } catch (IOException e) {
            PalyraException failed = Failures.write(folder(), e);
            failed(failed);
            throw failed;
        }
    }

    private void failed(PalyraException why) {
        failure = why;
        failedAtNanos = System.nanoTime();
    }

    private OpenVault opened() throws IOException {
        files.makeFolder(folder());
        StoreLock held = StoreLock.take(folder());
        boolean done = false;
        try {
            MasterKeySource source = settings.keys().open(state, environment, files, aead);
            KeyRingStore chest = new KeyRingStore(folder(), source, files, aead);
            boolean stored = Store.exists(folder());
            if (stored && !chest.exists()) {
                throw Failures.corrupt("The vault's key ring in " + folder() + " is gone");
            }
            KeyRing ring = chest.exists() ? ring(chest) : chest.create();
            Store store =
                    stored
                            ? Store.open(folder(), files, ring.indexKey(), aead)
                            : Store.create(folder(), files, ring.indexKey(), ring.current(), aead);
            requireNewest(ring, store);
            done = true;
            return new OpenVault(held, chest, ring, store, new Envelope(aead));
        } finally {
            if (!done) {
                held.close();
            }
        }
    }

    private KeyRing ring(KeyRingStore chest) throws IOException {
        Optional<KeySettings> before = settings.before();
        return before.isEmpty()
                ? chest.open()
                : chest.openAfter(before.get().open(state, environment, files, aead));
    }

    private void requireNewest(KeyRing ring, Store store) {
        if (store.keyVersion() > ring.current()) {
            throw Failures.corrupt(
                    "The vault's key ring is older than its secrets: it knows the master key "
                            + ring.current()
                            + ", and "
                            + store.keyVersion()
                            + " is in use");
        }
    }

    /** Closes permanently; the caller must have stopped all use of the vault. */
    void end() {
        lock.lock();
        try {
            ended = true;
            if (open != null) {
                open.close();
                open.wipe();
                open = null;
            }
        } finally {
            lock.unlock();
        }
    }
}
