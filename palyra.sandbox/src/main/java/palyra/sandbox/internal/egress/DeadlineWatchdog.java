package palyra.sandbox.internal.egress;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.core.ops.LoopView;
import palyra.shared.loop.Backoff;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;

/**
 * Cuts what takes too long. One thread looks at every timer; channels, unlike sockets, know no time
 * limit of their own. Thread-safe.
 */
final class DeadlineWatchdog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeadlineWatchdog.class);
    private static final Duration TICK = Duration.ofMillis(50);
    private static final long JOIN_MILLIS = 5_000;
    private static final Backoff SOON =
            new Backoff(TICK, Duration.ofSeconds(1), Duration.ofMinutes(1));

    private final Set<Timer> timers = ConcurrentHashMap.newKeySet();
    private final SupervisedLoop loop =
            SupervisedLoop.every(
                            LoopSpec.of("palyra-sandbox-egress-watch", "palyra.sandbox")
                                    .withBackoff(SOON),
                            TICK,
                            this::look)
                    .start();

    /** What happens when time is up; must not block. */
    interface Cut {
        void cut(String why);
    }

    /** The time limit of one thing, which may be moved again and again. Thread-safe. */
    final class Timer implements AutoCloseable {
        private final Cut cut;
        private volatile Limit limit = new Limit(Long.MAX_VALUE, "");

        private record Limit(long atNanos, String why) {}

        private Timer(Cut cut) {
            this.cut = cut;
        }

        /** From now on so long. */
        void within(long millis, String why) {
            limit = new Limit(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis), why);
        }

        /** Until then, of {@link System#nanoTime}. */
        void until(long nanos, String why) {
            limit = new Limit(nanos, why);
        }

        /** From now on without a limit. */
        void off() {
            limit = new Limit(Long.MAX_VALUE, "");
        }

        private void look(long now) {
            Limit current = limit;
            if (current.atNanos() != Long.MAX_VALUE && now - current.atNanos() > 0) {
                timers.remove(this);
                try {
                    cut.cut(current.why());
                } catch (RuntimeException | LinkageError e) {
                    LOG.error("A connection could not be cut.", e); // the others still need a watch
                }
            }
        }

        @Override
        public void close() {
            timers.remove(this);
        }
    }

    Timer timer(Cut cut) {
        Timer timer = new Timer(cut);
        timers.add(timer);
        return timer;
    }

    private void look() {
        long now = System.nanoTime();
        timers.forEach(timer -> timer.look(now));
    }

    /** Returns how the thread is. */
    LoopView loop() {
        return loop.view();
    }

    @Override
    public void close() {
        loop.stop();
        try {
            loop.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
