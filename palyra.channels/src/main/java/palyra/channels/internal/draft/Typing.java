package palyra.channels.internal.draft;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.api.channel.Conversation;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.RunRow;
import palyra.api.run.RunState;
import palyra.channels.internal.draft.Drafts.Outlet;
import palyra.shared.gate.Gate;

/**
 * Shows in conversations that runs work for them, one call of the connector after the other, until
 * the run ends, waits for a person, or a draft of its answer is shown. Used by the thread of {@link
 * Drafts} alone; the calls happen on threads of the dispatchers.
 */
final class Typing {
    private static final Logger LOG = LoggerFactory.getLogger(Typing.class);
    private static final RunState NONE = RunState.CANCELLED;
    private static final int MOST_AT_A_TIME = 64;
    private static final int MOST_WAITING = 1_000;
    private static final int MOST_DOUBLINGS = 6;

    private final Gate<Journal> journal;
    private final Function<String, Optional<Outlet>> outlets;
    private final long pauseNanos;
    private final long longestNanos;
    private final Map<String, Indicator> open = new ConcurrentHashMap<>();
    private final Map<String, Long> left = // of runs that wait for a person, in nanoseconds
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
                    return size() > MOST_WAITING;
                }
            };

    /** One run. Other threads write the last four. */
    private static final class Indicator {
        private final String surface;
        private final Conversation place;
        private final long endNanos;
        private volatile boolean advanced; // something was recorded of it
        private volatile boolean refused; // it is never shown there
        private volatile int failures;
        private volatile long nextNanos = System.nanoTime();

        Indicator(String surface, Conversation place, long endNanos) {
            this.surface = surface;
            this.place = place;
            this.endNanos = endNanos;
        }
    }

    /**
     * Creates it.
     *
     * @param outlets finds the connector of a surface
     * @param pauseNanos least time between two calls; failures make it longer
     * @param longestMillis how long it is shown of one run at most
     */
    Typing(
            Gate<Journal> journal,
            Function<String, Optional<Outlet>> outlets,
            long pauseNanos,
            long longestMillis) {
        this.journal = journal;
        this.outlets = outlets;
        this.pauseNanos = pauseNanos;
        this.longestNanos = TimeUnit.MILLISECONDS.toNanos(longestMillis);
    }

    boolean isEmpty() {
        return open.isEmpty();
    }

    /** A run works. */
    void begin(RunRow run, Conversation place) {
        if (open.size() < MOST_AT_A_TIME && !open.containsKey(run.runId())) {
            Long rest = left.remove(run.runId());
            long end = System.nanoTime() + (rest == null ? longestNanos : rest);
            open.put(run.runId(), new Indicator(run.surface(), place, end));
        }
    }

    /** Something was recorded of a run. Called by any thread; never blocks. */
    void advanced(String runId) {
        Indicator one = open.get(runId);
        if (one != null) {
            one.advanced = true;
        }
    }

    /**
     * Does what is due.
     *
     * @param shown whether a draft of a run is shown
     * @return the runs that do not work now, and may again
     */
    List<String> tick(Predicate<String> shown) {
        List<String> waiting = new ArrayList<>();
        open.entrySet()
                .removeIf(
                        one -> {
                            String runId = one.getKey();
                            Indicator indicator = one.getValue();
                            return shown.test(runId)
                                    || indicator.refused
                                    || indicator.endNanos - System.nanoTime() <= 0
                                    || !step(runId, indicator, waiting);
                        });
        return waiting;
    }

    /** Returns whether it goes on. */
    private boolean step(String runId, Indicator one, List<String> waiting) {
        boolean due = one.nextNanos - System.nanoTime() <= 0;
        if (!due && !one.advanced) {
            return true;
        }
        one.advanced = false;
        RunState state;
        try {
            state = journal.call(store -> store.run(runId)).map(RunRow::state).orElse(NONE);
        } catch (PalyraException e) {
            LOG.debug("Whether run {} works is looked at again.", runId, e);
            one.advanced = true;
            return true;
        }
        if (state == RunState.RUNNING && !due) {
            return true;
        }
        if (state == RunState.RUNNING) {
            one.nextNanos = System.nanoTime() + pauseNanos;
            outlets.apply(one.surface)
                    .ifPresent(
                            outlet ->
                                    outlet.dispatcher()
                                            .type(
                                                    one.place,
                                                    () -> works(runId),
                                                    millis -> told(one, millis)));
            return true;
        }
        if (!state.terminal()) {
            left.put(runId, one.endNanos - System.nanoTime());
            waiting.add(runId);
        }
        return false;
    }

    /** An answer may have been written since the thread of this looked. */
    private boolean works(String runId) {
        return journal.call(store -> store.run(runId))
                .filter(run -> run.state() == RunState.RUNNING)
                .isPresent();
    }

    /** On the thread that called the connector. */
    private void told(Indicator one, long millis) {
        one.failures = millis < 0 ? Math.min(MOST_DOUBLINGS, one.failures + 1) : 0;
        one.refused = millis == 0;
        long wait = millis < 0 ? pauseNanos << one.failures : TimeUnit.MILLISECONDS.toNanos(millis);
        one.nextNanos = System.nanoTime() + Math.clamp(wait, pauseNanos, longestNanos);
    }
}
