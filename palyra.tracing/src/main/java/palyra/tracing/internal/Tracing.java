package palyra.tracing.internal;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.resources.Resource;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.shared.gate.Gate;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;
import palyra.shared.vault.SecretLender;

/**
 * Traces, without OSGi: one loop makes them, another one sends them, with a bounded queue between.
 * Thread-safe.
 */
final class Tracing implements AutoCloseable {
    private static final String OWNER = "palyra.tracing";
    private static final long CLOSE_MILLIS = 2_000;

    private final SpanQueue queue;
    private final TraceFollower follower;
    private final SpanSender sender;
    private final SupervisedLoop making;
    private final SupervisedLoop sending;
    private LiveFeed.Subscription subscription; // guarded by this, as the next
    private boolean closed;

    /** What it works with. */
    record Parts(
            Gate<Journal> journal,
            Gate<EgressClient> egress,
            SecretLender secrets,
            InstantSource clock) {}

    /**
     * How fast and how much.
     *
     * @param look between two looks at runs
     * @param send between two rounds of sending; each is a connection, which the journal records
     * @param retry pause after a first failure, doubled after each further one
     * @param mostSpans spans that may wait
     * @param mostBytes bytes of spans that may wait
     */
    record Pace(Duration look, Duration send, Duration retry, int mostSpans, long mostBytes) {
        /** The pace of the product. */
        static final Pace USUAL =
                new Pace(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(5),
                        8_192,
                        8L << 20);
    }

    Tracing(TracingSettings settings, Resource resource, Parts parts, Pace pace) {
        queue = new SpanQueue(pace.mostSpans(), pace.mostBytes());
        follower =
                new TraceFollower(
                        parts.journal(),
                        new TraceWriter(resource, queue),
                        settings.sampleRatio(),
                        parts.clock());
        sender =
                new SpanSender(
                        settings, resource, queue, parts.egress(), parts.secrets(), pace.retry());
        making = loop("palyra-tracing", pace.look(), follower::step);
        sending = loop("palyra-tracing-send", pace.send(), sender::step);
    }

    /** Returns what sends the traces; not in the component, which loads nothing of it while off. */
    static Resource resource(String version) {
        return Resource.getDefault()
                .merge(
                        Resource.create(
                                Attributes.of(
                                        AttributeKey.stringKey("service.name"),
                                        "palyra",
                                        AttributeKey.stringKey("service.version"),
                                        version)));
    }

    private static SupervisedLoop loop(String name, Duration pause, SupervisedLoop.LoopStep step) {
        return SupervisedLoop.every(LoopSpec.of(name, OWNER), pause, step).start();
    }

    /** Takes hints of a feed, in place of the one before. */
    synchronized void follow(LiveFeed feed) {
        if (closed) {
            return;
        }
        LiveFeed.Subscription before = subscription;
        subscription = feed.subscribe(LiveFeed.ANY, follower::hint);
        if (before != null) {
            before.close();
        }
    }

    List<Finding> findings() {
        String problem = sender.problem();
        return problem.isEmpty()
                ? List.of()
                : List.of(
                        new Finding(
                                Finding.Severity.WARNING,
                                "traces",
                                "Traces are not sent: " + problem,
                                "See endpoint and headers of "
                                        + TracingConfiguration.PID
                                        + ", and the collector; messages are answered all the same."));
    }

    List<Metric> metrics() {
        return List.of(
                traces("made", follower.written()),
                traces("not_sampled", follower.notSampled()),
                traces("unreadable", follower.failed()),
                spans("sent", sender.sent()),
                spans("given_up", sender.givenUp()),
                spans("dropped", queue.dropped()),
                Metric.gauge(
                        "palyra_trace_spans_waiting",
                        "Spans that wait for the collector.",
                        queue.size()));
    }

    private static Metric traces(String outcome, long count) {
        return new Metric(
                "palyra_traces_total",
                "Runs that ended, by what became of their traces.",
                Metric.Type.COUNTER,
                Map.of("outcome", outcome),
                count);
    }

    private static Metric spans(String outcome, long count) {
        return new Metric(
                "palyra_trace_spans_total",
                "Spans by outcome: sent, given up after refusals, dropped because too many waited.",
                Metric.Type.COUNTER,
                Map.of("outcome", outcome),
                count);
    }

    List<LoopView> loops() {
        return List.of(making.view(), sending.view());
    }

    /** Ends within seconds; what waits is not sent. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            if (subscription != null) {
                subscription.close();
            }
        }
        sending.interrupt();
        making.close(CLOSE_MILLIS);
        sending.close(CLOSE_MILLIS);
    }
}
