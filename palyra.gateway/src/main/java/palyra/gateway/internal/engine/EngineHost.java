package palyra.gateway.internal.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.gateway.Setback;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.gateway.internal.agents.Agents;
import palyra.gateway.internal.approval.PendingApprovals;
import palyra.gateway.internal.engine.queue.Setbacks;
import palyra.gateway.internal.engine.queue.SurfaceLimits;
import palyra.gateway.internal.intake.Router;
import palyra.gateway.internal.seam.Services;
import palyra.gateway.internal.settings.EngineSettings;
import palyra.shared.loop.Backoff;
import palyra.shared.loop.Heartbeat;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;

/**
 * Runs an engine: waits for the journal and the engine lease, opens, reports that it is ready, and
 * starts over when the lease is lost. Thread-safe.
 */
public final class EngineHost implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EngineHost.class);
    private static final long RETRY_MILLIS = 250;
    private static final long DAMAGED_RETRY_MILLIS = 5_000; // only a person can cure it
    private static final Backoff BACKOFF =
            new Backoff(Duration.ofMillis(250), Duration.ofSeconds(5), Duration.ofMinutes(1));
    private static final long SETTINGS_POLL_MILLIS = 10;

    /** How long a first start waits for its settings: a start without them must not hang. */
    static final long SETTINGS_WAIT_MILLIS = 10_000;

    /** Listens for the engine accepting messages, with its runs resumed, and for its end. */
    public interface ReadyListener {
        /** The engine is ready. */
        void ready();

        /** The engine is not ready any more. */
        void notReady();
    }

    private final Services services;
    private final Agents agents;
    private final Supplier<EngineSettings> settings;
    private final String owner;
    private final ReadyListener listener;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final AtomicReference<Engine> open = new AtomicReference<>();
    private final PendingApprovals questions;
    private final Setbacks setbacks = new Setbacks();
    private final SurfaceLimits limits = new SurfaceLimits();
    private final SupervisedLoop loop;
    private boolean settled; // the loop's own: settings were waited for
    private boolean damaged; // the loop's own: what it waits for is damage
    private int openings;
    private final Supplier<Optional<String>> missing;
    private final long settingsWaitMillis;
    private volatile String waitsFor = ""; // empty once it was open
    private volatile String beganWithout = ""; // empty when all settings were there

    /**
     * Creates a host that has all its settings.
     *
     * @param owner who holds the lease, {@code <bootId>/<instance>}
     */
    public EngineHost(
            Services services,
            Agents agents,
            Supplier<EngineSettings> settings,
            String owner,
            ReadyListener listener) {
        this(services, agents, settings, owner, listener, Optional::empty, SETTINGS_WAIT_MILLIS);
    }

    /**
     * Creates a host that neither starts nor continues a run before its settings are there.
     *
     * @param owner who holds the lease, {@code <bootId>/<instance>}
     * @param missing what settings are still missing, such as a budget that is about to be bound;
     *     empty when none is
     */
    public EngineHost(
            Services services,
            Agents agents,
            Supplier<EngineSettings> settings,
            String owner,
            ReadyListener listener,
            Supplier<Optional<String>> missing) {
        this(services, agents, settings, owner, listener, missing, SETTINGS_WAIT_MILLIS);
    }

    /** As above, with a bound of the wait of its own. */
    EngineHost(
            Services services,
            Agents agents,
            Supplier<EngineSettings> settings,
            String owner,
            ReadyListener listener,
            Supplier<Optional<String>> missing,
            long settingsWaitMillis) {
        this.missing = missing;
        this.settingsWaitMillis = settingsWaitMillis;
        this.services = services;
        this.agents = agents;
        this.settings = settings;
        this.owner = owner;
        this.listener = listener;
        this.questions = new PendingApprovals(services.journal());
        LoopSpec spec =
                LoopSpec.of("palyra-engine", Services.OWNER).asEssential().withBackoff(BACKOFF);
        this.loop = new SupervisedLoop(spec, this::loop);
    }

    /** Begins, on a thread of its own. */
    public void start() {
        loop.start();
    }

    /** Returns the state of its threads. */
    public List<LoopView> loops() {
        List<LoopView> loops = new ArrayList<>();
        loops.add(loop.view());
        Engine now = open.get();
        if (now != null) {
            loops.addAll(now.loops());
        }
        return loops;
    }

    private void loop(Heartbeat pulse) {
        if (!settled) {
            awaitSettings();
            settled = true;
        }
        while (stop.getCount() > 0) {
            pulse.beat();
            Engine now = tryOpen();
            if (now == null) {
                pause(damaged ? DAMAGED_RETRY_MILLIS : RETRY_MILLIS);
                continue;
            }
            serve(now, pulse);
        }
    }

    /** Closes the engine however the service ends: its successor needs the lease. */
    private void serve(Engine now, Heartbeat pulse) {
        try {
            listener.ready();
            pulse.idle();
            awaitEnd(now);
            pulse.beat();
        } finally {
            try {
                listener.notReady();
            } finally {
                close(now);
            }
        }
    }

    /** A run that continued before its budget was configured could spend without a limit. */
    private void awaitSettings() {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settingsWaitMillis);
        Optional<String> absent = missing.get();
        while (absent.isPresent() && System.nanoTime() < end && stop.getCount() > 0) {
            waitsFor = absent.get();
            pause(SETTINGS_POLL_MILLIS);
            absent = missing.get();
        }
        if (absent.isPresent() && stop.getCount() > 0) {
            beganWithout = absent.get();
            LOG.warn(
                    "The engine starts although it waited {} ms without success for {}; budgets and"
                            + " profiles from files that are not in force have no effect.",
                    settingsWaitMillis,
                    beganWithout);
        }
    }

    /** Returns the settings that were still missing when the engine started; empty for none. */
    public Optional<String> beganWithout() {
        return beganWithout.isEmpty() ? Optional.empty() : Optional.of(beganWithout);
    }

    /** Returns why the engine cannot open yet; empty once it is open. */
    public Optional<String> waitsFor() {
        String sentence = waitsFor;
        return open.get() != null || sentence.isEmpty() ? Optional.empty() : Optional.of(sentence);
    }

    /** Returns the limits of surfaces, which outlive an engine. */
    public SurfaceLimits limits() {
        return limits;
    }

    private Engine tryOpen() {
        Engine engine =
                new Engine(
                        services,
                        agents,
                        settings,
                        owner + "." + ++openings,
                        questions,
                        setbacks,
                        limits);
        try {
            engine.open();
            limits.read(services.journal()); // before any run begins
        } catch (PalyraException e) {
            if (waitsFor.isEmpty()) { // once: it is tried again several times a second
                LOG.info("The engine waits: {}", e.getMessage());
            }
            waitsFor = e.getMessage();
            damaged = e.code() == ErrorCode.CORRUPT;
            engine.close();
            return null;
        } catch (RuntimeException | Error e) {
            engine.close();
            throw e;
        }
        return opened(engine);
    }

    private Engine opened(Engine engine) {
        try {
            open.set(engine);
            waitsFor = "";
            engine.dispatch();
            return engine;
        } catch (RuntimeException | Error e) {
            close(engine);
            throw e;
        }
    }

    private void awaitEnd(Engine now) {
        try {
            while (stop.getCount() > 0 && !now.awaitLoss(100)) {
                keepLimits();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void keepLimits() {
        try {
            limits.keep(services.journal());
        } catch (PalyraException e) {
            LOG.debug("Limits of surfaces are kept at the next look.", e);
        }
    }

    private void pause(long millis) {
        try {
            if (stop.await(millis, TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stop.countDown();
        }
    }

    private void close(Engine now) {
        open.set(null);
        now.close();
    }

    /** Returns the router; GATEWAY_UNAVAILABLE while the engine is not ready. */
    public Router router() {
        Engine now = open.get();
        if (now == null) {
            throw new PalyraException(
                    ErrorCode.GATEWAY_UNAVAILABLE,
                    "The gateway is still starting; try again in a moment."
                            + (waitsFor.isEmpty() ? "" : " It waits: " + waitsFor));
        }
        return now.router();
    }

    /** Returns how many runs are being worked on; 0 while the engine is not ready. */
    public int activeRuns() {
        Engine now = open.get();
        return now == null ? 0 : now.workers().active();
    }

    /** Returns how many workers were started since the engine began; 0 while it is not ready. */
    public long startedRuns() {
        Engine now = open.get();
        return now == null ? 0 : now.workers().started();
    }

    /** Returns failed work that will be retried, oldest first. */
    public List<Setback> setbacks() {
        return setbacks.all();
    }

    /** Returns how many approval requests are pending; empty while that is not known. */
    public Optional<Metric> openQuestions() {
        return questions.metric();
    }

    /** Stops at the next record of every run and gives the lease back; waits for that, bounded. */
    @Override
    public void close() {
        stop.countDown();
        loop.stop();
        try {
            loop.join(TimeUnit.SECONDS.toMillis(25));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
