package palyra.vault.internal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.api.core.ops.LoopView;
import palyra.shared.loop.Heartbeat;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;
import palyra.vault.internal.store.Entry;

/**
 * The vault's background work, on one thread: it opens the vault, computes the fingerprints of all
 * values, and continues a rotation. Thread-safe.
 */
final class VaultWorker {
    private static final Logger LOG = LoggerFactory.getLogger(VaultWorker.class);
    private static final long AGAIN_MILLIS = 10_000;
    private static final long END_MILLIS = 10_000;

    /** A key chain or a slow derivation of the key may be asked within one step. */
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final VaultOpener opening;
    private final VaultCore core;
    private final Rotation rotation;
    private final Consumer<OpenVault> opened;
    private final Runnable learned;
    private final SupervisedLoop loop =
            new SupervisedLoop(
                    LoopSpec.of("palyra-vault-work", "palyra.vault").withLongestStep(LONGEST),
                    this::run);
    private boolean told; // the loop's thread only
    private boolean knows; // the loop's thread only

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean wanted; // guarded by lock
    private boolean ended; // guarded by lock

    /**
     * Creates it; {@link #begin} starts it.
     *
     * @param opened is called once, when the vault is open
     * @param learned is run once, when the fingerprints of all values are known and the vault is no
     *     older than the journal knows
     */
    VaultWorker(
            VaultOpener opening,
            VaultCore core,
            Rotation rotation,
            Consumer<OpenVault> opened,
            Runnable learned) {
        this.opening = opening;
        this.core = core;
        this.rotation = rotation;
        this.opened = opened;
        this.learned = learned;
    }

    void begin() {
        loop.start();
    }

    /** Returns how the thread is. */
    LoopView loop() {
        return loop.view();
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
            loop.stop();
            loop.join(END_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(Heartbeat pulse) throws InterruptedException {
        while (!isEnded()) {
            pulse.beat();
            boolean again = !isDone(pulse);
            pulse.idle();
            rest(again);
        }
    }

    /** Does what there is to do; returns whether that is all, or it has to wait for something. */
    private boolean isDone(Heartbeat pulse) {
        try {
            if (!knows) {
                OpenVault vault = opening.require();
                if (!told) {
                    opened.accept(vault);
                    told = true;
                }
                learn(vault, pulse);
                core.anchored(); // an older vault, or another one, does not know what is secret
                learned.run();
                knows = true;
            }
            while (!isEnded() && rotation.step()) {
                pulse.beat();
            }
            return true;
        } catch (PalyraException e) {
            LOG.warn("The vault waits: {}", e.getMessage());
            return false;
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
    private void rest(boolean again) throws InterruptedException {
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
        } finally {
            lock.unlock();
        }
    }

    private void learn(OpenVault vault, Heartbeat pulse) {
        for (Entry entry : vault.store().all()) {
            if (isEnded()) {
                return;
            }
            pulse.beat();
            core.learn(entry.info().ref());
        }
    }
}
