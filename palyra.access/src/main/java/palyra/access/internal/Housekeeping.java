package palyra.access.internal;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.core.journal.Journal;
import palyra.api.core.keys.Keys;
import palyra.api.core.ops.LoopView;
import palyra.shared.gate.Gate;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedTimer;

/**
 * The front's one thread: makes the first token when it can, sums up denials, and writes records
 * that waited for a medium.
 */
final class Housekeeping implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
    private static final long SUMMARY_MILLIS = 2_000;
    private static final long FIRST_RETRY_MILLIS = 500;
    private static final long LAST_RETRY_MILLIS = 30_000;
    private static final long CLOSE_MILLIS = 3_000;

    private final Bootstrap bootstrap;
    private final DenialLog denials;
    private final BreakGlass breakGlass;
    private final Gate<Journal> journal;
    private final Gate<Keys> keys;
    private final SupervisedTimer timer =
            new SupervisedTimer(LoopSpec.of("palyra-access", "palyra.access"));
    private boolean bootstrapped; // used by the thread alone
    private long retryMillis = FIRST_RETRY_MILLIS; // used by the thread alone

    Housekeeping(
            Bootstrap bootstrap,
            DenialLog denials,
            BreakGlass breakGlass,
            Gate<Journal> journal,
            Gate<Keys> keys) {
        this.breakGlass = breakGlass;
        this.bootstrap = bootstrap;
        this.denials = denials;
        this.journal = journal;
        this.keys = keys;
        timer.every(SUMMARY_MILLIS, TimeUnit.MILLISECONDS, denials::writeSummary);
        timer.every(SUMMARY_MILLIS, TimeUnit.MILLISECONDS, breakGlass::writeWaiting);
        journal.onArrival(arrived -> timer.soon(this::bootstrap));
        keys.onArrival(arrived -> timer.soon(this::bootstrap));
    }

    private void bootstrap() {
        if (bootstrapped || !journal.isPresent() || !keys.isPresent()) {
            return;
        }
        try {
            bootstrap.run();
            bootstrapped = true;
        } catch (RuntimeException e) {
            LOG.warn(
                    "The bootstrap token could not be made; the next attempt is in {} ms: {}",
                    retryMillis,
                    e.getMessage());
        } finally {
            if (!bootstrapped) {
                timer.after(retryMillis, TimeUnit.MILLISECONDS, this::bootstrap);
                retryMillis = Math.min(2 * retryMillis, LAST_RETRY_MILLIS);
            }
        }
    }

    /** Returns how the thread is. */
    LoopView loop() {
        return timer.view();
    }

    /**
     * What was asked for before is done first, records that wait and denials are written once more.
     */
    @Override
    public void close() {
        timer.soon(breakGlass::writeWaiting);
        timer.soon(denials::writeCounted);
        if (!timer.finish(CLOSE_MILLIS)) {
            LOG.warn("The thread of access did not end in time.");
        }
    }
}
