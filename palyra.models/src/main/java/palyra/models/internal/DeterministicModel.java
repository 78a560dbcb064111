package palyra.models.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.metatype.annotations.Designate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelProvider;
import palyra.api.model.ModelRequest;
import palyra.api.model.ModelSink;

/**
 * The model of a fresh install: it repeats what it was told, word by word, and for test agents it
 * plays scripts (docs/deterministic-model.md). It keeps nothing between turns.
 *
 * <p>A turn has a virtual thread of its own: it only waits and hands over pieces, so thousands are
 * cheap, and the number is bounded by configuration.
 */
@Component(
        service = {ModelProvider.class, MetricSource.class},
        property = ModelProvider.ID_PROPERTY + "=deterministic",
        configurationPid = DeterministicConfiguration.PID,
        immediate = true)
@Designate(ocd = DeterministicConfiguration.class)
public final class DeterministicModel implements ModelProvider, MetricSource {
    private static final Logger LOG = LoggerFactory.getLogger(DeterministicModel.class);
    private static final long PATIENCE_MILLIS = 5_000;
    private static final String PROVIDER = "deterministic";

    private record Playing(Turn turn, Thread thread) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Playing> playing = new LinkedHashMap<>(); // guarded by lock
    private DeterministicSettings settings; // guarded by lock
    private boolean withdrawn; // guarded by lock

    private final LongAdder finished = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder abandoned = new LongAdder();
    private final TurnMeter meter = new TurnMeter(PROVIDER);

    /** Starts with a configuration. */
    @Activate
    public DeterministicModel(DeterministicConfiguration configuration) {
        this(DeterministicSettings.from(configuration));
    }

    DeterministicModel(DeterministicSettings settings) {
        this.settings = settings;
    }

    /** Takes a changed configuration; turns that run keep theirs. */
    @Modified
    void modified(DeterministicConfiguration configuration) {
        use(DeterministicSettings.from(configuration));
    }

    void use(DeterministicSettings changed) {
        lock.lock();
        try {
            settings = changed;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void start(ModelRequest request, ModelSink sink) {
        String id = request.requestId();
        lock.lock();
        try {
            requireRoomFor(id);
            Turn turn = new Turn(request, sink, settings.wordMillis());
            Thread thread =
                    Thread.ofVirtual().name("palyra-model-" + id).unstarted(() -> play(id, turn));
            playing.put(id, new Playing(turn, thread));
            thread.start();
        } finally {
            lock.unlock();
        }
    }

    private void requireRoomFor(String requestId) {
        if (withdrawn) {
            throw new PalyraException(
                    ErrorCode.MODEL_UNAVAILABLE,
                    "Turn "
                            + requestId
                            + " was asked of a model that is being withdrawn; ask"
                            + " again.");
        }
        if (playing.containsKey(requestId)) {
            throw new PalyraException(
                    ErrorCode.ALREADY_EXISTS,
                    "Turn " + requestId + " runs already; give each attempt an id of its own.");
        }
        if (playing.size() >= settings.maxTurns()) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "The deterministic model plays "
                            + playing.size()
                            + " turns, its limit; try again later or raise maxTurns.");
        }
    }

    private void play(String requestId, Turn turn) {
        long begun = System.nanoTime();
        try {
            turn.run();
            count(turn.ending(), System.nanoTime() - begun);
        } finally {
            lock.lock();
            try {
                playing.remove(requestId);
            } finally {
                lock.unlock();
            }
        }
    }

    private void count(ModelEvent ending, long nanos) {
        if (ending == null) {
            abandoned.increment();
        } else if (ending instanceof ModelEvent.Finished finish) {
            finished.increment();
            meter.finished(finish, nanos);
        } else {
            failed.increment();
        }
    }

    @Override
    public void cancel(String requestId) {
        Playing one;
        lock.lock();
        try {
            one = playing.get(requestId);
        } finally {
            lock.unlock();
        }
        if (one != null) {
            one.turn().stop(ErrorCode.CANCELLED, "The turn was cancelled.", false);
        }
    }

    /** Fails what still runs, as worth another try, and waits until its threads have ended. */
    @Deactivate
    void withdraw() {
        List<Playing> all;
        lock.lock();
        try {
            withdrawn = true;
            all = List.copyOf(playing.values());
        } finally {
            lock.unlock();
        }
        ModelEvent.Failed why = Turn.withdrawn();
        all.forEach(one -> one.turn().stop(why.code(), why.message(), why.retryable()));
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        all.forEach(one -> awaitEnd(one.thread(), deadline));
    }

    /** A thread that hangs in its sink is interrupted at last; more cannot be done to it. */
    private static void awaitEnd(Thread thread, long deadline) {
        try {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (!thread.join(Duration.ofMillis(Math.max(left, 1)))) {
                thread.interrupt();
                if (!thread.join(Duration.ofMillis(100))) {
                    LOG.warn("{} still waits for its sink; left alone", thread.getName());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public List<Metric> metrics() {
        int running;
        lock.lock();
        try {
            running = playing.size();
        } finally {
            lock.unlock();
        }
        List<Metric> metrics = new ArrayList<>(meter.metrics());
        metrics.add(
                new Metric(
                        "palyra_model_turns_running",
                        "Turns that a model provider works on now.",
                        Metric.Type.GAUGE,
                        Map.of("provider", PROVIDER),
                        running));
        metrics.add(turns("finished", finished));
        metrics.add(turns("failed", failed));
        metrics.add(turns("abandoned", abandoned));
        return metrics;
    }

    private static Metric turns(String result, LongAdder count) {
        return new Metric(
                "palyra_model_turns_total",
                "Turns that a model provider ended, by how they ended.",
                Metric.Type.COUNTER,
                Map.of("provider", PROVIDER, "result", result),
                count.sum());
    }
}
