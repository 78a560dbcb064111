package palyra.access.internal;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.core.journal.Journal;
import palyra.api.core.keys.Keys;
import palyra.shared.gate.Gate;

/** The front's one thread: makes the first token when it can, and sums up denials. */
final class Housekeeping implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
    private static final long SUMMARY_MILLIS = 2_000;
    private static final long FIRST_RETRY_MILLIS = 500;
    private static final long LAST_RETRY_MILLIS = 30_000;
    private static final long CLOSE_MILLIS = 3_000;

    private final Bootstrap bootstrap;
    private final DenialLog denials;
    private final Gate<Journal> journal;
    private final Gate<Keys> keys;
    private final ScheduledThreadPoolExecutor thread;
    private boolean bootstrapped; // used by the thread alone
    private long retryMillis = FIRST_RETRY_MILLIS; // used by the thread alone

    Housekeeping(Bootstrap bootstrap, DenialLog denials, Gate<Journal> journal, Gate<Keys> keys) {
        this.bootstrap = bootstrap;
        this.denials = denials;
        this.journal = journal;
        this.keys = keys;
        this.thread =
                new ScheduledThreadPoolExecutor(
                        1,
                        task -> {
                            Thread made = new Thread(task, "palyra-access");
                            made.setDaemon(true);
                            return made;
                        });
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        thread.scheduleWithFixedDelay(
                this::summary, SUMMARY_MILLIS, SUMMARY_MILLIS, TimeUnit.MILLISECONDS);
        journal.onArrival(arrived -> soon());
        keys.onArrival(arrived -> soon());
    }

    private void soon() {
        try {
            thread.execute(this::bootstrap);
        } catch (RejectedExecutionException e) {
            LOG.debug("A service arrived after access was closed.", e);
        }
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
            retryLater();
        }
    }

    private void retryLater() {
        try {
            thread.schedule(this::bootstrap, retryMillis, TimeUnit.MILLISECONDS);
            retryMillis = Math.min(2 * retryMillis, LAST_RETRY_MILLIS);
        } catch (RejectedExecutionException e) {
            LOG.debug("Access is closing; the next start makes the bootstrap token.", e);
        }
    }

    private void summary() {
        try {
            denials.writeSummary();
        } catch (RuntimeException | LinkageError e) {
            LOG.error("Summing up denials failed.", e);
        }
    }

    /** What was queued before is done first; a shut-down alone would drop it. */
    @Override
    public void close() {
        try {
            thread.submit(this::summary).get(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            return; // closed before
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("The last summary of denials was not written.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(CLOSE_MILLIS, TimeUnit.MILLISECONDS)) {
                LOG.warn("The thread of access did not end in time.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
