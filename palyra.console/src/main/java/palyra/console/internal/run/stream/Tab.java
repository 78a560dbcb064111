package palyra.console.internal.run.stream;

import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;

/**
 * The open stream of one tab: a thread that writes, and one that follows its run if it shows one.
 * It ends when the browser goes away, the session is over, or it is closed; a run never waits for
 * it.
 */
final class Tab {
    private static final Logger LOG = LoggerFactory.getLogger(Tab.class);

    /**
     * Times.
     *
     * @param heartbeatMillis a comment is written when nothing else was for so long
     * @param hintMillis hints are gathered for so long
     * @param checkMillis the session is looked up again after so long
     * @param retryMillis after which the browser connects again
     * @param lookMillis the next run of a session is looked for after so long, if no hint came
     */
    record Pace(
            long heartbeatMillis,
            long hintMillis,
            long checkMillis,
            long retryMillis,
            long lookMillis) {
        static final Pace USUAL = new Pace(15_000, 300, 4_000, 500, 15_000);
    }

    private final TabQueue queue;
    private final Visibility visibility;
    private final Supplier<Principal> session;
    private final Pace pace;
    private final FollowedRun run; // null when none is followed
    private final Semaphore nudge = new Semaphore(0); // there may be a new run
    private long checkedAt = System.nanoTime(); // this and the next two used by the writer alone
    private long hintedAt = System.nanoTime();
    private Principal viewer;

    /**
     * Creates a tab.
     *
     * @param session returns who the session belongs to now, and throws when it is over
     * @param run what it follows; null for nothing
     */
    Tab(
            TabQueue queue,
            Visibility visibility,
            Principal viewer,
            Supplier<Principal> session,
            FollowedRun run,
            Pace pace) {
        this.queue = queue;
        this.visibility = visibility;
        this.viewer = viewer;
        this.session = session;
        this.run = run;
        this.pace = pace;
    }

    /** Begins; {@code ended} is run at the end, once. */
    void start(OutputStream out, Runnable ended) {
        if (run != null) {
            Thread.ofVirtual().name("palyra-console-follower").start(this::follow);
        }
        Thread.ofVirtual()
                .name("palyra-console-stream")
                .start(
                        () -> {
                            try {
                                write(out);
                            } finally {
                                close();
                                ended.run();
                            }
                        });
    }

    /** Ends it soon. Idempotent. */
    void close() {
        queue.close();
        nudge.release();
        if (run != null) {
            run.stop();
        }
    }

    private void follow() {
        try {
            boolean goesOn = true;
            while (goesOn && !queue.isClosed() && run.follow()) {
                goesOn = run.hasSession() && awaitNext();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            LOG.warn("A run cannot be followed for a browser, which connects again", e);
            close();
        }
    }

    /**
     * Waits for the next run of the session: the tab's own hints tell of a run that is new. Returns
     * false when there is no use in waiting.
     */
    private boolean awaitNext() throws InterruptedException {
        while (!queue.isClosed()) {
            long wait = pace.lookMillis();
            try {
                if (run.next()) {
                    return true;
                }
            } catch (PalyraException e) {
                if (e.code() == ErrorCode.DENIED) {
                    run.gone(e);
                    return false;
                }
                LOG.debug("The next run is not known now", e);
                wait = Math.min(wait, pace.checkMillis()); // the hint of it may be gone by
            }
            if (nudge.tryAcquire(wait, TimeUnit.MILLISECONDS)) {
                nudge.drainPermits();
            }
        }
        return false;
    }

    private void write(OutputStream out) {
        try {
            out.write(Frames.hint("stream-open"));
            out.flush();
            boolean open = true;
            while (open) {
                open = step(out);
            }
            out.write(Frames.end(pace.retryMillis()));
            out.flush();
        } catch (IOException | IllegalStateException e) {
            LOG.debug("A browser went away", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (PalyraException e) {
            LOG.debug("The stream ends: {}", e.getMessage());
            end(out);
        }
    }

    private void end(OutputStream out) {
        try {
            out.write(Frames.end(pace.retryMillis()));
            out.flush();
        } catch (IOException | IllegalStateException e) {
            LOG.debug("A browser went away", e);
        }
    }

    private boolean step(OutputStream out) throws IOException, InterruptedException {
        boolean hintsDue = since(hintedAt) >= pace.hintMillis();
        long wait = Math.min(pace.heartbeatMillis(), pace.checkMillis());
        TabQueue.Batch batch = queue.take(hintsDue ? wait : pace.hintMillis(), hintsDue);
        if (batch.closed()) {
            return false;
        }
        if (since(checkedAt) >= pace.checkMillis()) {
            viewer = session.get();
            checkedAt = System.nanoTime();
        }
        for (byte[] frame : batch.frames()) {
            out.write(frame);
        }
        Set<String> topics = topics(batch);
        if (topics.contains(Visibility.NEW_RUN)) {
            nudge.release();
        }
        for (String topic : topics) {
            out.write(Frames.hint(topic));
        }
        if (!batch.hints().isEmpty() || batch.everything()) {
            hintedAt = System.nanoTime();
        }
        if (batch.frames().isEmpty() && topics.isEmpty() && hintsDue) {
            out.write(Frames.heartbeat());
        }
        out.flush();
        return true;
    }

    private Set<String> topics(TabQueue.Batch batch) {
        return batch.everything()
                ? new LinkedHashSet<>(Visibility.all(viewer))
                : visibility.topics(viewer, batch.hints());
    }

    private static long since(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }
}
