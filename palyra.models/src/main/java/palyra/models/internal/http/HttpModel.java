package palyra.models.internal.http;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.ops.LoopView;
import palyra.api.model.FailureCause;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelProvider;
import palyra.api.model.ModelRequest;
import palyra.api.model.ModelSink;
import palyra.shared.loop.Backoff;
import palyra.shared.loop.Heartbeat;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;

/**
 * A provider over HTTP with one server and one dialect. Keeps no state between turns except the
 * circuit breaker.
 *
 * <p>A turn has a platform thread of its own, bounded by configuration: it blocks in the egress
 * client, which calls policy and journal, and those may pin a virtual thread's carrier. One more
 * thread watches the time limits of all turns.
 */
public final class HttpModel implements ModelProvider, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpModel.class);
    private static final long PATIENCE_MILLIS = 5_000;
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Time limits are accurate to a second: a failed watch thread restarts within one. */
    private static final Backoff WATCH_BACKOFF =
            new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1), Duration.ofMinutes(1));

    private record Running(HttpTurn turn, Thread thread) {}

    private final ModelSeams seams;
    private final ModelCounts counts;
    private final AnswerMemoryPool memory = new AnswerMemoryPool();
    private final LongSupplier nanos;
    private final SupervisedLoop watch;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, Running> running = new LinkedHashMap<>(); // guarded by lock
    private HttpTurn.Setup setup; // guarded by lock
    private boolean withdrawn; // guarded by lock

    /** Creates a provider and starts its watch thread. */
    public HttpModel(Endpoint endpoint, Dialect dialect, ModelSeams seams) {
        this(endpoint, dialect, seams, System::nanoTime);
    }

    HttpModel(Endpoint endpoint, Dialect dialect, ModelSeams seams, LongSupplier nanos) {
        this.seams = seams;
        this.nanos = nanos;
        setup = new HttpTurn.Setup(endpoint, dialect, seams, breaker(endpoint), memory);
        counts = new ModelCounts(endpoint.id());
        LoopSpec spec = LoopSpec.of("palyra-model-watch-" + endpoint.id(), "palyra.models");
        watch = new SupervisedLoop(spec.withBackoff(WATCH_BACKOFF), this::watch).start();
    }

    private static CircuitBreaker breaker(Endpoint endpoint) {
        return new CircuitBreaker(
                endpoint.breakerFailures(),
                endpoint.breakerOpenMillis(),
                Math.max(1, (long) endpoint.times().connect() + endpoint.times().firstToken()),
                () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    }

    /**
     * Applies a changed configuration to new turns and resets the circuit breaker; running turns
     * keep the previous one.
     */
    public void use(Endpoint endpoint, Dialect dialect) {
        lock.lock();
        try {
            setup = new HttpTurn.Setup(endpoint, dialect, seams, breaker(endpoint), memory);
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
            HttpTurn turn = new HttpTurn(setup, request, sink, nanos);
            Thread thread =
                    Thread.ofPlatform()
                            .daemon()
                            .name("palyra-model-" + id)
                            .unstarted(() -> run(id, turn));
            running.put(id, new Running(turn, thread));
            thread.start();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void requireRoomFor(String requestId) {
        String name = "Model provider '" + setup.endpoint().id() + "'";
        if (withdrawn) {
            throw new PalyraException(
                    ErrorCode.MODEL_UNAVAILABLE, name + " is being withdrawn; try again.");
        }
        if (running.containsKey(requestId)) {
            throw new PalyraException(
                    ErrorCode.ALREADY_EXISTS,
                    "Turn " + requestId + " is running already; give each attempt its own id.");
        }
        if (running.size() >= setup.endpoint().maxTurns()) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    name
                            + " works on "
                            + running.size()
                            + " turns, its limit; try again later or raise maxTurns.");
        }
    }

    private void run(String requestId, HttpTurn turn) {
        long begun = System.nanoTime();
        try {
            turn.run();
            counts.ended(turn.ending(), System.nanoTime() - begun);
        } finally {
            lock.lock();
            try {
                running.remove(requestId);
            } finally {
                lock.unlock();
            }
        }
    }

    @Override
    public boolean sees(String model) {
        lock.lock();
        try {
            return setup.endpoint().sees(model);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long silenceEndsAtMillis(String requestId) {
        Running one = running(requestId);
        return one == null
                ? 0
                : System.currentTimeMillis() + one.turn().clock().silenceLeftMillis();
    }

    private Running running(String requestId) {
        lock.lock();
        try {
            return running.get(requestId);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void cancel(String requestId) {
        Running one = running(requestId);
        if (one != null) {
            one.turn()
                    .clock()
                    .stop(
                            new ModelEvent.Failed(
                                    ErrorCode.CANCELLED,
                                    "The turn was cancelled.",
                                    false,
                                    FailureCause.CANCELLED,
                                    0));
        }
    }

    private void watch(Heartbeat pulse) throws InterruptedException {
        for (List<Running> all = next(pulse); !all.isEmpty(); all = next(pulse)) {
            all.forEach(one -> one.turn().clock().check());
        }
    }

    /** Waits for running turns and a tick; returns them, empty once the provider is withdrawn. */
    private List<Running> next(Heartbeat pulse) throws InterruptedException {
        lock.lock();
        try {
            List<Running> all = List.of();
            pulse.idle();
            while (all.isEmpty() && !withdrawn) {
                if (running.isEmpty()) {
                    changed.await();
                } else {
                    changed.awaitNanos(TICK_NANOS);
                }
                all = withdrawn ? List.of() : List.copyOf(running.values());
            }
            pulse.beat();
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the state of the watch thread. */
    public LoopView loop() {
        return watch.view();
    }

    /** Fails running turns as retryable and waits for their threads. */
    @Override
    public void close() {
        List<Running> all;
        String name;
        lock.lock();
        try {
            withdrawn = true;
            all = List.copyOf(running.values());
            name = setup.endpoint().id();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        ModelEvent.Failed why =
                new ModelEvent.Failed(
                        ErrorCode.MODEL_UNAVAILABLE,
                        "Model provider '" + name + "' was withdrawn during the turn; try again.",
                        true,
                        FailureCause.UNAVAILABLE,
                        0);
        all.forEach(one -> one.turn().clock().stop(why));
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        all.forEach(one -> awaitEnd(one.thread(), deadline));
        watch.close(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
    }

    /** Interrupts a thread that hangs in its sink; it cannot be stopped otherwise. */
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

    /** Returns the current state. */
    public ModelReport report() {
        lock.lock();
        try {
            return new ModelReport(setup.endpoint(), running.size(), setup.breaker(), counts);
        } finally {
            lock.unlock();
        }
    }
}
