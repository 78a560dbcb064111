package palyra.gateway.internal.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.Lease;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.core.ops.LoopView;
import palyra.gateway.internal.agents.Agents;
import palyra.gateway.internal.approval.PendingApprovals;
import palyra.gateway.internal.engine.lease.EngineLease;
import palyra.gateway.internal.engine.queue.RunFailures;
import palyra.gateway.internal.engine.queue.RunQueue;
import palyra.gateway.internal.engine.queue.RunStarter;
import palyra.gateway.internal.engine.queue.Setbacks;
import palyra.gateway.internal.engine.queue.SurfaceLimits;
import palyra.gateway.internal.engine.queue.Workers;
import palyra.gateway.internal.engine.run.Steering;
import palyra.gateway.internal.intake.Router;
import palyra.gateway.internal.seam.Services;
import palyra.gateway.internal.settings.EngineSettings;
import palyra.shared.outcome.Commits;

/**
 * The run engine: holds the engine lease, claims every run that has not ended, runs a worker for
 * each run that can continue, and turns messages into further runs. Its state is in the journal;
 * memory only holds which worker has which run. Thread-safe.
 */
public final class Engine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

    private final Services services;
    private final Agents agents;
    private final EngineLease lease;
    private final CountDownLatch lost = new CountDownLatch(1);
    private final Workers workers;
    private final RunStarter starter;
    private final RunQueue queue;
    private final Router router;
    private final Dispatcher dispatcher;
    private volatile long epoch;

    /**
     * Creates an engine without lease and runs.
     *
     * @param questions counts pending approval requests
     * @param setbacks collects failed work
     * @param limits how many runs of a surface may work at a time
     */
    Engine(
            Services services,
            Agents agents,
            Supplier<EngineSettings> settings,
            String owner,
            PendingApprovals questions,
            Setbacks setbacks,
            SurfaceLimits limits) {
        this.services = services;
        this.agents = agents;
        this.lease =
                new EngineLease(
                        services.journal(), owner, settings.get().leaseMillis(), lost::countDown);
        this.workers = new Workers(() -> settings.get().maxActiveRuns(), limits, this::ended);
        RunFailures runFailures = new RunFailures(services.journal(), lease, setbacks);
        this.starter =
                new RunStarter(
                        services,
                        agents,
                        settings,
                        lease,
                        workers,
                        runFailures,
                        new Steering(services, this::mayWait));
        this.queue =
                new RunQueue(
                        services.journal(),
                        lease,
                        workers,
                        starter,
                        runFailures,
                        () -> settings.get().quarantineAfterUncleanEnds());
        this.router = new Router(services, agents, this, () -> settings.get().queueLimit());
        this.dispatcher = new Dispatcher(services, this, router, questions, setbacks);
    }

    /**
     * Takes the lease and every run that can continue, and continues them; CONFLICT while another
     * engine has the lease. Runs that wait for an unanswered approval are not touched: they cost
     * nothing.
     */
    void open() {
        Lease taken = lease.take();
        epoch = taken.epoch();
        agents.load();
        services.spending().lookAtToday();
        queue.open(epoch, taken.abandoned());
        LOG.info("Engine epoch {} is open", epoch);
    }

    /** Begins to act on hints, once it is open. */
    void dispatch() {
        dispatcher.open();
    }

    /** Returns whether the lease is lost; waits for that for a while. */
    boolean awaitLoss(long millis) throws InterruptedException {
        return lost.await(millis, TimeUnit.MILLISECONDS);
    }

    /** Returns the state of its threads. */
    List<LoopView> loops() {
        List<LoopView> loops = new ArrayList<>(List.of(dispatcher.view()));
        lease.view().ifPresent(loops::add);
        return loops;
    }

    /** Returns what turns messages into runs. */
    Router router() {
        return router;
    }

    /** Returns the epoch under which this engine writes. */
    public long epoch() {
        return epoch;
    }

    /**
     * Commits a unit that only the engine may write, such as a new run; GATEWAY_UNAVAILABLE when
     * another engine has taken over.
     */
    public Committed commit(Unit.Builder unit) {
        Unit fenced = unit.require(lease.held()).build();
        try {
            return Commits.commit(services.journal(), fenced);
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.STALE_EPOCH) {
                throw e;
            }
            throw new PalyraException(
                    ErrorCode.GATEWAY_UNAVAILABLE,
                    "Another engine is taking over; try again in a moment.",
                    e);
        }
    }

    /** Returns who works on which run. */
    public Workers workers() {
        return workers;
    }

    /** Returns what starts work on runs. */
    public RunStarter starter() {
        return starter;
    }

    /** Returns what finds runs that can continue. */
    public RunQueue queue() {
        return queue;
    }

    private boolean mayWait(String sessionId) {
        return queue.mayWait(sessionId);
    }

    private void ended(RunRow run) {
        try {
            queue.startNextIfQueued(run.sessionId());
            queue.startHeldBack(run.surface());
        } catch (PalyraException e) {
            LOG.info(
                    "Queued runs of session {} wait for the next sweep: {}",
                    run.sessionId(),
                    e.getMessage());
        }
        dispatcher.runEnded();
    }

    /** Stops every worker at its next record and gives the lease back. Waits at most 15 seconds. */
    @Override
    public void close() {
        try {
            dispatcher.close();
        } finally {
            workers.stop();
            lease.close();
        }
    }
}
