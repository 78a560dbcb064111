package palyra.vault.internal;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.vault.internal.store.Entry;

/**
 * What the vault does by itself, on one thread: it opens, learns the fingerprints of all values,
 * and goes on with a rotation. Thread-safe.
 */
final class Work {
    private static final Logger LOG = LoggerFactory.getLogger(Work.class);
    private static final long AGAIN_MILLIS = 10_000;
    private static final long END_MILLIS = 10_000;

    private final Opening opening;
    private final VaultCore core;
    private final Rotation rotation;
    private final Consumer<OpenVault> opened;
    private final Runnable learned;
    private final Thread thread = new Thread(this::run, "palyra-vault-work");

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean wanted; // guarded by lock
    private boolean ended; // guarded by lock

    /**
     * Creates it; {@link #begin} starts it.
     *
     * @param opened is called once, when the vault is open
     * @param learned is run once, when the fingerprints of all values are known
     */
    Work(
            Opening opening,
            VaultCore core,
            Rotation rotation,
            Consumer<OpenVault> opened,
            Runnable learned) {
        this.opening = opening;
        this.core = core;
        this.rotation = rotation;
        this.opened = opened;
        this.learned = learned;
        thread.setDaemon(true);
    }

    void begin() {
        thread.start();
    }

    /** There is something to wrap. */
    void wake() {
        lock.lock();
        try {
            wanted = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Stops; returns when the thread is gone, or after ten seconds. */
    void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            thread.join(END_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        boolean told = false;
        boolean knows = false;
        while (!isEnded()) {
            boolean again = true;
            try {
                if (!knows) {
                    OpenVault vault = opening.require();
                    if (!told) {
                        opened.accept(vault);
                        told = true;
                    }
                    learn(vault);
                    knows = true;
                    learned.run();
                }
                while (!isEnded() && rotation.step()) {
                    // a few more
                }
                again = false;
            } catch (PalyraException e) {
                LOG.warn("The vault waits: {}", e.getMessage());
            } catch (RuntimeException | LinkageError e) {
                LOG.error("The vault's own work failed; it is tried again.", e);
            }
            rest(again);
        }
    }

    private boolean isEnded() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there is something to do, or, after a failure, for a while. */
    private void rest(boolean again) {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(AGAIN_MILLIS);
            while (!ended && !wanted && (!again || left > 0)) {
                if (again) {
                    left = changed.awaitNanos(left);
                } else {
                    changed.await();
                }
            }
            wanted = false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            ended = true;
        } finally {
            lock.unlock();
        }
    }

    private void learn(OpenVault vault) {
        for (Entry entry : vault.store().all()) {
            if (isEnded()) {
                return;
            }
            core.learn(entry.info().ref());
        }
    }
}
