package palyra.gateway.internal.engine;

import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.Lease;
import palyra.api.core.journal.Unit;
import palyra.api.core.ops.LoopView;
import palyra.gateway.internal.agents.Agents;
import palyra.gateway.internal.engine.lease.EngineLease;
import palyra.gateway.internal.engine.queue.RunFailures;
import palyra.gateway.internal.engine.queue.RunQueue;
import palyra.gateway.internal.engine.queue.RunStarter;
import palyra.gateway.internal.engine.queue.Setbacks;
import palyra.gateway.internal.engine.queue.Workers;
import palyra.gateway.internal.seam.Services;
import palyra.gateway.internal.settings.EngineSettings;
import palyra.shared.outcome.Commits;

/**
 * The run engine: holds the engine lease, claims every run that has not ended, and runs a worker
 * for each run that can continue. Its state is in the journal; memory only holds which worker has
 * which run. Thread-safe.
 */
public final class Engine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

    private final Services services;
    private final Agents agents;
    private final EngineLease lease;
    private final Runnable whenRunEnded;
    private final Workers workers;
    private final RunStarter starter;
    private final RunQueue queue;
    private final RunFailures runFailures;
    private volatile long epoch;

    /**
     * Creates an engine without lease and runs.
     *
     * @param whenLost called once when the lease is lost
     * @param whenRunEnded called after each run whose worker ended
     * @param setbacks collects failed work
     */
    public Engine(
            Services services,
            Agents agents,
            Supplier<EngineSettings> settings,
            String owner,
            Runnable whenLost,
            Runnable whenRunEnded,
            Setbacks setbacks) {
        this.services = services;
        this.agents = agents;
        this.whenRunEnded = whenRunEnded;
        this.lease =
                new EngineLease(services.journal(), owner, settings.get().leaseMillis(), whenLost);
        this.workers = new Workers(() -> settings.get().maxActiveRuns(), this::ended);
        this.runFailures = new RunFailures(services.journal(), lease, setbacks);
        this.starter = new RunStarter(services, agents, settings, lease, workers, runFailures);
        this.queue =
                new RunQueue(
                        services.journal(),
                        lease,
                        workers,
                        starter,
                        runFailures,
                        () -> settings.get().quarantineAfterUncleanEnds());
    }

    /**
     * Takes the lease and every run that can continue, and continues them; CONFLICT while another
     * engine has the lease. Runs that wait for an unanswered approval are not touched: they cost
     * nothing.
     */
    public void open() {
        Lease taken = lease.take();
        epoch = taken.epoch();
        agents.load();
        services.spending().lookAtToday();
        queue.open(epoch, taken.abandoned());
        LOG.info("Engine epoch {} is open", epoch);
    }

    /** Returns the state of the lease's renewal; empty before the lease was taken. */
    Optional<LoopView> leaseLoop() {
        return lease.view();
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

    private void ended(String runId, String sessionId) {
        try {
            queue.startNextIfQueued(sessionId);
        } catch (PalyraException e) {
            LOG.info(
                    "Queued runs of session {} wait for the next sweep: {}",
                    sessionId,
                    e.getMessage());
        }
        whenRunEnded.run();
    }

    /** Stops every worker at its next record and gives the lease back. Waits at most 15 seconds. */
    @Override
    public void close() {
        workers.stop();
        lease.close();
    }
}
