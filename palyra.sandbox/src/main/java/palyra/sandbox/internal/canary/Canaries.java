package palyra.sandbox.internal.canary;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.ops.LoopView;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.sandbox.internal.canary.CanaryStatus.State;
import palyra.sandbox.internal.run.BackendTrust;
import palyra.sandbox.internal.run.Backends;
import palyra.sandbox.internal.run.Stop;
import palyra.shared.loop.Heartbeat;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;

/**
 * Tests every sandbox when it appears, when it has changed, and on schedule; until one passed as it
 * is now, and that is signed into the journal, it refuses. One that fails is stopped at once with
 * what runs in it. Has one thread. Thread-safe.
 */
public final class Canaries implements BackendTrust, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Canaries.class);
    private static final long LOOK_MILLIS = 1_000;

    /** A backend may change without a report, so a waiting call looks at it this often. */
    private static final long WAIT_MILLIS = 100;

    /** All sandboxes may be tested in one look. */
    private static final Duration LONGEST_LOOK = Duration.ofMinutes(10);

    /** How long a sandbox that refuses, after it was ready, is taken for one being replaced. */
    private static final long LATELY_MILLIS = 20_000;

    /** How soon one that failed is tried again. */
    private static final long RETRY_MILLIS = TimeUnit.MINUTES.toMillis(5);

    private final Backends backends;
    private final ReportRegistry reports;
    private final Postponements postponed = new Postponements();
    private final StartupDelay startupDelay = new StartupDelay();
    private final Map<SandboxBackend, Long> readyNanos = new ConcurrentHashMap<>(); // last seen so
    private final LongSupplier intervalMillis;
    private final LongSupplier clock;
    private final long patienceMillis;
    private final ReentrantLock trying = new ReentrantLock(); // one battery at a time
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean closed; // guarded by lock
    private boolean testRequested; // guarded by lock
    private BiFunction<SandboxBackend, BackendStatus, CanaryReport> trial; // before begin
    private Runnable before; // before begin
    private boolean begun; // the loop's thread only
    private final SupervisedLoop loop =
            new SupervisedLoop(
                    LoopSpec.of("palyra-sandbox-canary", "palyra.sandbox")
                            .withLongestStep(LONGEST_LOOK),
                    this::testLoop);

    /**
     * @param intervalMillis time between two tests of one sandbox
     * @param clock unix time in milliseconds
     * @param patienceMillis how long a command waits that is about to start when its sandbox turns
     *     out to be tested again; see {@link #awaitTest} for the wait of a call before that
     */
    public Canaries(
            Backends backends,
            CanaryJournal journal,
            LongSupplier intervalMillis,
            LongSupplier clock,
            long patienceMillis) {
        this.backends = backends;
        this.reports = new ReportRegistry(journal);
        this.intervalMillis = intervalMillis;
        this.clock = clock;
        this.patienceMillis = patienceMillis;
    }

    /**
     * Begins; called once.
     *
     * @param tests tries the battery on a sandbox
     * @param first is done before the first tests, once they may begin
     */
    public void begin(
            BiFunction<SandboxBackend, BackendStatus, CanaryReport> tests, Runnable first) {
        trial = tests;
        before = first;
        backends.onChange(this::requestTests);
        loop.start();
    }

    /** Lets the tests begin in a second: the gateway is up. See {@link StartupDelay}. */
    public void gatewayIsUp() {
        startupDelay.soon();
    }

    /** Starts the tests now instead of after startup, because a caller waits for them. */
    public void startNow() {
        startupDelay.end();
    }

    /** Forgets every test: all sandboxes refuse until they proved themselves again. */
    public void testAll() {
        reports.clear();
        requestTests();
    }

    private void requestTests() {
        lock.lock();
        try {
            testRequested = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String proof(SandboxBackend backend) {
        return proven(backend).citation();
    }

    @Override
    public String sharedProof(SandboxBackend backend) {
        CanaryReport report = proven(backend);
        report.notShared()
                .ifPresent(
                        cause -> {
                            throw unavailable(backend, "cannot be shared by a session", cause);
                        });
        return report.citation();
    }

    /** Waits for the first test of a sandbox, so that a call soon after the start does not fail. */
    private CanaryReport proven(SandboxBackend backend) {
        CanaryStatus canaryStatus = canaryStatus(backend);
        if (canaryStatus.state() != State.PROVEN) {
            startNow();
            requestTests();
            canaryStatus = afterTest(backend, patienceMillis);
        }
        if (canaryStatus.state() != State.PROVEN) {
            throw unavailable(backend, "is not available now", canaryStatus.cause());
        }
        return canaryStatus.report().orElseThrow();
    }

    @Override
    public void awaitTest(SandboxBackend backend, long mostMillis) {
        if (canaryStatus(backend).state() == State.PROVEN) {
            return;
        }
        startNow();
        requestTests();
        long begunNanos = System.nanoTime();
        long longest = LONGEST_LOOK.toMillis();
        CanaryStatus canaryStatus = afterTest(backend, Math.min(mostMillis, longest));
        if (canaryStatus.state() == State.PROBING
                && isUnderTest(backend)
                && !Thread.currentThread().isInterrupted()) {
            throw unavailable(
                    backend,
                    "is still being tested",
                    "The call waited "
                            + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begunNanos)
                            + " s for the test, which follows each start and each change of the"
                            + " sandbox, and nothing was run. Try the same call again in a minute; a"
                            + " larger timeout_ms lets it wait longer, at most "
                            + TimeUnit.MILLISECONDS.toSeconds(longest)
                            + " s.");
        }
    }

    private static PalyraException unavailable(SandboxBackend backend, String what, String cause) {
        return new PalyraException(
                ErrorCode.TOOL_UNAVAILABLE,
                "Sandbox tier "
                        + backend.tier()
                        + " ("
                        + backend.executor()
                        + ") "
                        + what
                        + ". "
                        + cause);
    }

    private CanaryStatus afterTest(SandboxBackend backend, long mostMillis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(mostMillis);
        try {
            while (isUnderTest(backend) && System.nanoTime() - end < 0) {
                reports.awaitChange(WAIT_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the call was cancelled: as it is now
        }
        return canaryStatus(backend);
    }

    /** Whether a report about it will come by itself. */
    private boolean isUnderTest(SandboxBackend backend) {
        return !isClosed()
                && backends.isPresent(backend)
                && (backend.status().state() != BackendStatus.State.REFUSING
                        || wasReadyLately(backend))
                && postponed.cause(backend).isEmpty()
                && canaryStatus(backend).state() == State.PROBING
                && reports.find(backend).map(RecordedReport::problem).orElse("").isEmpty();
    }

    /** What it needs, such as the launcher of processes, may be in the middle of a replacement. */
    private boolean wasReadyLately(SandboxBackend backend) {
        Long ready = readyNanos.get(backend);
        return ready != null
                && System.nanoTime() - ready < TimeUnit.MILLISECONDS.toNanos(LATELY_MILLIS);
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the current test state of a sandbox. */
    public CanaryStatus canaryStatus(SandboxBackend backend) {
        BackendStatus status = backend.status();
        if (status.state() != BackendStatus.State.READY) {
            String remedy = status.remedy().isEmpty() ? "" : " " + status.remedy();
            return CanaryStatus.probing(status.cause() + remedy);
        }
        readyNanos.put(backend, System.nanoTime());
        long mostMillis = 2 * intervalMillis.getAsLong();
        return reports.find(backend)
                .map(last -> last.canaryStatus(status.fingerprint(), clock.getAsLong(), mostMillis))
                .orElseGet(() -> CanaryStatus.probing(untested(backend)));
    }

    private String untested(SandboxBackend backend) {
        return postponed.cause(backend).orElse("It is being tested; try again in a moment.");
    }

    private void testLoop(Heartbeat pulse) throws InterruptedException {
        pulse.idle();
        startupDelay.await();
        if (!begun) {
            before.run();
            begun = true;
        }
        while (pause()) {
            pulse.beat();
            List<SandboxBackend> present = backends.all();
            reports.forgetAllBut(present);
            postponed.forgetAllBut(present);
            readyNanos.keySet().retainAll(present);
            for (SandboxBackend backend : present) {
                try {
                    if (!postponed.waits(backend)) {
                        advance(backend);
                    }
                } catch (UntestableException e) {
                    LOG.debug("The sandbox {} is tested later", backend.executor(), e);
                } catch (RuntimeException | LinkageError e) {
                    untested(backend, e);
                }
            }
            pulse.idle();
        }
    }

    /** Returns how the thread is. */
    public LoopView loop() {
        return loop.view();
    }

    /**
     * Logs a trial that could not run; cancellation by a stop or a removed backend is no error. No
     * call waits for one that fails again and again.
     */
    private void untested(SandboxBackend backend, Throwable why) {
        if (why instanceof PalyraException cut && cut.code() == ErrorCode.CANCELLED) {
            LOG.info("{} Sandbox: {}.", cut.getMessage(), backend.executor());
        } else {
            LOG.error("The sandbox {} cannot be tested", backend.getClass().getName(), why);
            if (!(why instanceof PalyraException)) {
                postponed.add(backend, "It could not be tested: " + why + ".");
            }
        }
    }

    private boolean pause() throws InterruptedException {
        lock.lock();
        try {
            if (!closed && !testRequested) {
                changed.awaitNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
            }
            testRequested = false;
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private void advance(SandboxBackend backend) {
        BackendStatus status = backend.status();
        Optional<RecordedReport> last = reports.find(backend);
        if (status.state() != BackendStatus.State.READY) {
            return;
        }
        readyNanos.put(backend, System.nanoTime());
        if (last.filter(one -> one.report().fingerprint().equals(status.fingerprint())).isEmpty()) {
            test(backend, false);
        } else if (last.get().ageMillis(clock.getAsLong()) >= due(last.get().report())) {
            test(backend, true);
        } else if (!last.get().recorded()) {
            reports.keep(backend, last.get().report());
        }
    }

    private long due(CanaryReport report) {
        long interval = intervalMillis.getAsLong();
        return report.passed() ? interval : Math.min(interval, RETRY_MILLIS);
    }

    /**
     * Tests a sandbox now, after it has looked at its host again; returns what came of it.
     *
     * @throws PalyraException TOOL_UNAVAILABLE when it refuses by itself, or cannot be tested;
     *     DISK_FULL when that is for want of space
     */
    public CanaryReport testNow(SandboxBackend backend) {
        try {
            return test(backend, true);
        } catch (UntestableException e) {
            throw e.refusal();
        }
    }

    private CanaryReport test(SandboxBackend backend, boolean again) {
        trying.lock();
        try {
            BackendStatus status = again ? backend.probe() : backend.status();
            if (status.state() != BackendStatus.State.READY) {
                throw new PalyraException(
                        ErrorCode.TOOL_UNAVAILABLE,
                        (status.cause() + " " + status.remedy()).strip());
            }
            CanaryReport report = tried(backend, status);
            requireUndisturbed(backend);
            reports.keep(backend, report);
            if (!report.broken().isEmpty()) {
                LOG.error("The sandbox {} failed: {}", report.executor(), report.cause());
                backends.stopAll(backend, Stop.DISTRUSTED);
            }
            return report;
        } finally {
            trying.unlock();
        }
    }

    private CanaryReport tried(SandboxBackend backend, BackendStatus status) {
        try {
            CanaryReport report = trial.apply(backend, status);
            postponed.remove(backend);
            return report;
        } catch (UntestableException e) {
            if (postponed.add(backend, e.getMessage())) {
                LOG.warn("Sandbox {}: {}", backend.executor(), e.getMessage());
            }
            throw e;
        }
    }

    /** A battery that was cut short says nothing about the sandbox. */
    private void requireUndisturbed(SandboxBackend backend) {
        boolean gone = backends.all().stream().noneMatch(one -> one == backend);
        lock.lock();
        try {
            if (closed || gone || Thread.currentThread().isInterrupted()) {
                throw new PalyraException(
                        ErrorCode.CANCELLED, "The test of the sandbox was interrupted.");
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the thread; a battery under way is cut short. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        loop.close(TimeUnit.SECONDS.toMillis(30)); // cuts a battery short
    }
}
