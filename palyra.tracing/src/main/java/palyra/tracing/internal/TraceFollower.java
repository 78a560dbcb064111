package palyra.tracing.internal;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingDecision;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.RunRow;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;

/**
 * Makes a trace of each run that has ended, once its answers have arrived, or after ten minutes
 * without them. Hints say which runs moved; at the beginning, and when hints were lost, it looks
 * for runs that ended within the last ten minutes, so a trace may be made again. {@link #hint} is
 * for any thread, {@link #step} for one.
 */
final class TraceFollower {
    private static final Logger LOG = LoggerFactory.getLogger(TraceFollower.class);
    private static final long PATIENCE_MILLIS = TimeUnit.MINUTES.toMillis(10);
    private static final long FIRST_LOOK_MILLIS = 1_000;
    private static final long LONGEST_LOOK_MILLIS = 60_000;
    private static final int MOST_SEEN = 10_000;
    private static final int MOST_WAITING = 1_000;
    private static final int MOST_MADE = 10_000;
    private static final int PAGE = 500;
    private static final int PAGES_BACK = 4;

    private static final Set<ErrorCode> LATER =
            Set.of(
                    ErrorCode.JOURNAL_UNAVAILABLE,
                    ErrorCode.RESOURCE_EXHAUSTED,
                    ErrorCode.TIMED_OUT,
                    ErrorCode.CANCELLED);

    private final Gate<Journal> journal;
    private final TraceWriter writer;
    private final Sampler sampler;
    private final InstantSource clock;
    private final Set<String> seen = ConcurrentHashMap.newKeySet(); // runs that moved
    private final Map<String, Waiting> waiting = new LinkedHashMap<>(); // runs that have ended
    private final Set<String> made = new LinkedHashSet<>(); // runs, the latest last
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong notSampled = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private volatile boolean hintsLost = true;

    /** A run that has ended, and when its answers are looked at next. */
    private record Waiting(RunRow run, long nextMillis) {}

    TraceFollower(
            Gate<Journal> journal, TraceWriter writer, double sampleRatio, InstantSource clock) {
        this.journal = journal;
        this.writer = writer;
        this.sampler = Sampler.traceIdRatioBased(sampleRatio);
        this.clock = clock;
    }

    /** Takes a hint; never waits. */
    void hint(FeedItem item) {
        switch (item) {
            case FeedItem.Advanced advanced -> moved(advanced.streamId());
            case FeedItem.Lagged ignored -> hintsLost = true;
            case FeedItem.Closed ignored -> hintsLost = true;
            default -> {} // moves no run
        }
    }

    private void moved(String streamId) {
        if (TapeRecord.isJournal(streamId)) {
            return;
        }
        if (seen.size() < MOST_SEEN) {
            seen.add(streamId);
        } else {
            hintsLost = true;
        }
    }

    /** Makes the traces that can be made now. What the journal does not answer comes later. */
    void step() {
        try {
            if (hintsLost) {
                hintsLost = false;
                lookBack();
            }
            for (String runId : List.copyOf(seen)) {
                seen.remove(runId);
                look(runId);
            }
            for (Waiting one : List.copyOf(waiting.values())) {
                settle(one);
            }
        } catch (PalyraException e) {
            hintsLost = true;
            LOG.debug("Traces are made later: {}", e.getMessage());
        }
    }

    private void lookBack() {
        long since = clock.millis() - PATIENCE_MILLIS;
        String before = "";
        for (int page = 0; page < PAGES_BACK; page++) {
            String last = before;
            List<RunRow> runs = journal.call(present -> present.runs("", "", last, PAGE));
            runs.stream().filter(run -> run.updatedAtMillis() >= since).forEach(this::ended);
            if (runs.size() < PAGE) {
                return;
            }
            before = runs.getLast().runId();
        }
    }

    private void look(String runId) {
        journal.call(present -> present.run(runId)).ifPresent(this::ended);
    }

    private void ended(RunRow run) {
        if (run.state().terminal() && !made.contains(run.runId())) {
            waiting.putIfAbsent(run.runId(), new Waiting(run, 0));
        }
    }

    private void settle(Waiting one) {
        long now = clock.millis();
        if (now < one.nextMillis()) {
            return;
        }
        RunRow run = one.run();
        String traceId = TraceIds.trace(run.messageId().isEmpty() ? run.runId() : run.messageId());
        if (!sampled(traceId)) {
            done(run, notSampled);
            return;
        }
        List<OutboxRow> answers = journal.call(present -> present.outboxOf(run.runId()));
        long age = now - run.updatedAtMillis();
        boolean open = answers.stream().anyMatch(TraceFollower::isOpen);
        if (open && age < PATIENCE_MILLIS && waiting.size() <= MOST_WAITING) {
            long pause = Math.clamp(age / 2, FIRST_LOOK_MILLIS, LONGEST_LOOK_MILLIS);
            waiting.put(run.runId(), new Waiting(run, now + pause));
            return;
        }
        make(run, traceId, answers);
    }

    private boolean sampled(String traceId) {
        return sampler.shouldSample(
                                Context.root(),
                                traceId,
                                "message",
                                SpanKind.CONSUMER,
                                Attributes.empty(),
                                List.of())
                        .getDecision()
                == SamplingDecision.RECORD_AND_SAMPLE;
    }

    private static boolean isOpen(OutboxRow row) {
        return row.state() == OutboxRow.State.PENDING || row.state() == OutboxRow.State.SENDING;
    }

    private void make(RunRow run, String traceId, List<OutboxRow> answers) {
        try {
            writer.write(traceId, read(run, answers).done());
            done(run, written);
        } catch (RuntimeException e) { // one run must not hold up the others
            if (e instanceof PalyraException refusal && LATER.contains(refusal.code())) {
                throw refusal;
            }
            LOG.warn("No trace is made of run {}, which cannot be read.", run.runId(), e);
            done(run, failed);
        }
    }

    private RunSpans read(RunRow run, List<OutboxRow> answers) {
        Optional<InboxRow> message =
                run.messageId().isEmpty()
                        ? Optional.empty()
                        : journal.call(present -> present.inbox(run.messageId()));
        RunSpans spans = new RunSpans(run, message);
        long seq = 0;
        List<TapeRecord> page;
        do {
            long after = seq;
            page = journal.call(present -> present.tape(run.runId(), after, PAGE));
            page.forEach(spans::take);
            seq = page.isEmpty() ? seq : page.getLast().seq();
        } while (!page.isEmpty());
        answers.forEach(spans::take);
        return spans;
    }

    private void done(RunRow run, AtomicLong count) {
        count.incrementAndGet();
        waiting.remove(run.runId());
        made.add(run.runId());
        if (made.size() > MOST_MADE) {
            made.remove(made.iterator().next());
        }
    }

    /** Returns how many traces were made. */
    long written() {
        return written.get();
    }

    /** Returns how many runs were left out by the share that is wanted. */
    long notSampled() {
        return notSampled.get();
    }

    /** Returns how many runs could not be read for damage. */
    long failed() {
        return failed.get();
    }
}
