package palyra.retention.internal;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Unit;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Metric;
import palyra.shared.gate.Gate;

/**
 * Sweeps, one at a time. Ages are told by the system's clock: when that is much further than it was
 * at the end of the last sweep, sweeps wait until an operator starts one. Thread-safe.
 */
final class Retention {
    /** How far the clock may be from the last sweep for a sweep to start by itself. */
    static final Duration MOST_PAUSE = Duration.ofDays(31);

    private static final String SUSPENDED_REMEDY =
            "Set the clock if it is wrong; if it is right: palyra retention run";
    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);

    private final Gate<Journal> journal;
    private final InstantSource clock;
    private final ReentrantLock turn = new ReentrantLock();
    private final Map<Kind, Removed> totals =
            Collections.synchronizedMap(new EnumMap<>(Kind.class));
    private final Ages ages;
    private volatile LastSweep last = new LastSweep(0, "");
    private volatile String doubt = "";

    Retention(Gate<Journal> journal, InstantSource clock, Ages ages) {
        this.journal = journal;
        this.clock = clock;
        this.ages = ages;
    }

    Ages ages() {
        return ages;
    }

    /** Sweeps by itself; does nothing while the journal is away or the clock is in doubt. */
    void sweepWhenDue(BooleanSupplier stopped) {
        if (!journal.isPresent()) {
            return;
        }
        Optional<LastSweep> before = read();
        long now = clock.millis();
        if (before.isPresent() && now - before.get().atMillis() > MOST_PAUSE.toMillis()) {
            last = before.get();
            doubt =
                    "The system's clock is "
                            + Duration.ofMillis(now - last.atMillis()).toDays()
                            + " days past the last sweep, so nothing is removed for its age";
            return;
        }
        try {
            sweep(EnumSet.allOf(Kind.class), stopped, kind -> {});
        } catch (PalyraException e) {
            endedEarly(e, stopped);
        }
    }

    /** A journal that is replaced, a full medium and a sweep of an operator are no defects. */
    private void endedEarly(PalyraException failure, BooleanSupplier stopped) {
        if (!stopped.getAsBoolean() && !turn.isLocked()) {
            LOG.warn("A sweep ended early: {}", failure.getMessage());
            last =
                    new LastSweep(
                            last.atMillis(),
                            "The last sweep ended early; the next goes on: "
                                    + failure.getMessage());
        }
    }

    /**
     * Removes what is due of some kinds, and returns what was removed of each.
     *
     * @param stopped asked between units
     * @param begins told of each kind before it
     * @throws PalyraException what ended the sweep; what was removed until then stays removed, and
     *     is told
     */
    Map<Kind, Removed> sweep(Set<Kind> kinds, BooleanSupplier stopped, Consumer<Kind> begins) {
        if (!turn.tryLock()) {
            throw new PalyraException(
                    ErrorCode.CONFLICT, "A sweep is under way; try again when it has ended.");
        }
        Map<Kind, Removed> removed = new EnumMap<>(Kind.class);
        try {
            long now = clock.millis();
            for (Kind kind : kinds) {
                OptionalLong before = ages.before(kind, now);
                if (before.isPresent() && !stopped.getAsBoolean()) {
                    begins.accept(kind);
                    sweep(kind, before.getAsLong(), stopped, removed);
                }
            }
            if (kinds.size() == Kind.values().length && !stopped.getAsBoolean()) {
                ended(now, removed);
            }
            return removed;
        } catch (PalyraException e) {
            throw told(e, Removed.sum(removed));
        } finally {
            turn.unlock();
        }
    }

    private static PalyraException told(PalyraException failure, Removed before) {
        return before.isNothing()
                ? failure
                : new PalyraException(
                        failure.code(),
                        failure.getMessage()
                                + " Removed before that: "
                                + before.records()
                                + " records, "
                                + before.rows()
                                + " rows.",
                        failure);
    }

    private void sweep(
            Kind kind, long before, BooleanSupplier stopped, Map<Kind, Removed> removed) {
        Sweep sweep = new Sweep(journal, kind, before, stopped);
        try {
            sweep.run();
        } finally {
            removed.put(kind, sweep.removed());
            totals.merge(kind, sweep.removed(), Removed::plus);
        }
    }

    private void ended(long now, Map<Kind, Removed> removed) {
        Removed all = Removed.sum(removed);
        String failure =
                all.skipped() == 0
                        ? ""
                        : all.skipped()
                                + " runs or rows could not be removed and are tried again: "
                                + all.problem();
        last = new LastSweep(now, failure);
        doubt = "";
        Unit unit = Unit.of(last.document()).makingRoom();
        journal.run(present -> present.commit(unit));
    }

    private Optional<LastSweep> read() {
        return LastSweep.of(journal.call(j -> j.document(LastSweep.COLLECTION, LastSweep.KEY)));
    }

    /** Returns the last sweep; empty when there was none. */
    Optional<LastSweep> lastSweep() {
        return read();
    }

    /** Returns how many runs, rows or records are due, each at most {@code most}. */
    Map<Kind, Long> due(long most, BooleanSupplier stopped) {
        Map<Kind, Long> due = new EnumMap<>(Kind.class);
        long now = clock.millis();
        for (Kind kind : Kind.values()) {
            OptionalLong before = ages.before(kind, now);
            if (before.isPresent() && !stopped.getAsBoolean()) {
                due.put(kind, due(kind, before.getAsLong(), most, stopped));
            }
        }
        return due;
    }

    private long due(Kind kind, long before, long most, BooleanSupplier stopped) {
        if (kind == Kind.DENIALS) {
            return new DueDenials(journal, before).count(most, stopped);
        }
        return kind.rows().isEmpty()
                ? new DueRuns(journal, kind, before).count(most, stopped)
                : new DueRows(journal, kind, before).count(most, stopped);
    }

    /** Returns why no sweep starts by itself, a sentence; empty when they do. */
    String suspended() {
        return doubt.isEmpty() ? "" : doubt + ". " + SUSPENDED_REMEDY;
    }

    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        if (!doubt.isEmpty()) {
            findings.add(
                    new Finding(
                            Finding.Severity.WARNING, "retention", doubt + ".", SUSPENDED_REMEDY));
        }
        if (!last.failure().isEmpty()) {
            findings.add(
                    new Finding(
                            Finding.Severity.WARNING,
                            "retention",
                            last.failure(),
                            "See palyra tape verify, and palyra retention show."));
        }
        return findings;
    }

    List<Metric> metrics() {
        List<Metric> metrics = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            Removed sum = totals.getOrDefault(kind, Removed.NOTHING);
            Map<String, String> labels = Map.of("kind", kind.word());
            metrics.add(
                    new Metric(
                            "palyra_retention_removed_total",
                            "Records erased and rows dropped because of their age.",
                            Metric.Type.COUNTER,
                            labels,
                            (double) (sum.records() + sum.rows())));
            metrics.add(
                    new Metric(
                            "palyra_retention_erased_bytes_total",
                            "Payload bytes erased from tapes because of their age.",
                            Metric.Type.COUNTER,
                            labels,
                            (double) sum.bytes()));
        }
        metrics.add(
                Metric.gauge(
                        "palyra_retention_last_sweep_timestamp_seconds",
                        "End of the last sweep of this process, in seconds since 1970; 0 before"
                                + " the first.",
                        last.atMillis() / 1_000.0));
        return metrics;
    }
}
