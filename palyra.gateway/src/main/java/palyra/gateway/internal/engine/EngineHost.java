package palyra.gateway.internal.engine;

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
import palyra.api.core.ops.Metric;
import palyra.gateway.internal.agents.Agents;
import palyra.gateway.internal.approval.OpenQuestions;
import palyra.gateway.internal.intake.Router;

/**
 * Keeps an engine going: waits for the journal and the engine lease, opens, tells that it is ready,
 * and begins again when the lease is lost. Thread-safe.
 */
public final class EngineHost implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EngineHost.class);
    private static final long RETRY_MILLIS = 250;
    private static final long SETTINGS_POLL_MILLIS = 10;

    /** How long a first start waits for its settings: a start without them must not hang. */
    static final long SETTINGS_WAIT_MILLIS = 10_000;

    /**
     * Told when the engine accepts messages and has resumed its runs, and when it no longer does.
     */
    public interface ReadyListener {
        /** The engine is ready. */
        void ready();

        /** The engine is not ready any more. */
        void notReady();
    }

    private record Open(Engine engine, Router router, Dispatcher dispatcher, CountDownLatch lost) {}

    private final Services services;
    private final Agents agents;
    private final Supplier<EngineSettings> settings;
    private final String owner;
    private final ReadyListener listener;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final AtomicReference<Open> open = new AtomicReference<>();
    private final OpenQuestions questions;
    private final Setbacks setbacks = new Setbacks();
    private final Thread thread;
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
     * Creates a host that begins no run and goes on with none before its settings are there.
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
        this.questions = new OpenQuestions(services.journal());
        this.thread = Thread.ofPlatform().name("palyra-engine").unstarted(this::loop);
    }

    /** Begins, on a thread of its own. */
    public void start() {
        thread.start();
    }

    private void loop() {
        awaitSettings();
        while (stop.getCount() > 0) {
            Open now = tryOpen();
            if (now == null) {
                pause(RETRY_MILLIS);
                continue;
            }
            listener.ready();
            awaitEnd(now);
            listener.notReady();
            close(now);
        }
    }

    /** A run that went on before its budget was there would spend what nobody allowed. */
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
                    "The engine begins although it waited {} ms in vain for {}; budgets and"
                            + " profiles of files that are not in force do not count.",
                    settingsWaitMillis,
                    beganWithout);
        }
    }

    /** Returns what settings the engine began without; empty when all were there. */
    public Optional<String> beganWithout() {
        return beganWithout.isEmpty() ? Optional.empty() : Optional.of(beganWithout);
    }

    private Open tryOpen() {
        CountDownLatch lost = new CountDownLatch(1);
        AtomicReference<Dispatcher> dispatcher = new AtomicReference<>();
        Engine engine =
                new Engine(
                        services,
                        agents,
                        settings,
                        owner + "." + ++openings,
                        lost::countDown,
                        () -> {
                            if (dispatcher.get() != null) {
                                dispatcher.get().runEnded();
                            }
                        },
                        setbacks);
        try {
            engine.open();
        } catch (PalyraException e) {
            if (waitsFor.isEmpty()) { // once: it is tried again several times a second
                LOG.info("The engine waits: {}", e.getMessage());
            }
            waitsFor = e.getMessage();
            engine.close();
            return null;
        } catch (RuntimeException | LinkageError e) {
            LOG.error("The engine could not begin and tries again", e);
            engine.close();
            return null;
        }
        Router router = new Router(services, agents, engine, () -> settings.get().queueLimit());
        dispatcher.set(new Dispatcher(services, engine, router, questions, setbacks));
        Open now = new Open(engine, router, dispatcher.get(), lost);
        open.set(now);
        waitsFor = "";
        now.dispatcher().open();
        return now;
    }

    private void awaitEnd(Open now) {
        try {
            while (stop.getCount() > 0 && !now.lost().await(100, TimeUnit.MILLISECONDS)) {
                // neither stopped nor lost
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
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

    private void close(Open now) {
        open.set(null);
        now.dispatcher().close();
        now.engine().close();
    }

    /** Returns the router; GATEWAY_UNAVAILABLE while the engine is not ready. */
    public Router router() {
        Open now = open.get();
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
        Open now = open.get();
        return now == null ? 0 : now.engine().activeRuns();
    }

    /** Returns how many workers were started since the engine began; 0 while it is not ready. */
    public long startedRuns() {
        Open now = open.get();
        return now == null ? 0 : now.engine().startedRuns();
    }

    /** Returns what could not be done and is tried again, oldest first. */
    public List<Setbacks.Setback> setbacks() {
        return setbacks.all();
    }

    /** Returns how many questions nobody has answered; empty while that is not known. */
    public Optional<Metric> openQuestions() {
        return questions.metric();
    }

    /** Stops at the next record of every run and gives the lease back; waits for that, bounded. */
    @Override
    public void close() {
        stop.countDown();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(25));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
