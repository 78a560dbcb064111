package palyra.gateway.internal.engine;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.gateway.AgentView;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.Lease;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.agents.Agents;
import palyra.gateway.internal.fold.RunHistory;

/**
 * The run engine: holds the engine lease, claims every run that has not ended, and keeps a worker
 * at each run that can go on. What it knows it knows from the journal; what it keeps in memory only
 * says who works on what. Thread-safe.
 */
public final class Engine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);
    private static final Set<RunState> GOING =
            EnumSet.of(RunState.RUNNING, RunState.AWAITING_APPROVAL, RunState.ACCEPTED);
    private static final Set<RunState> QUEUED = EnumSet.of(RunState.ACCEPTED);
    private static final int PAGE = 200;

    private final Services services;
    private final Agents agents;
    private final Supplier<EngineSettings> settings;
    private final SessionContext context;
    private final EngineLease lease;
    private final Runnable whenRunEnded;
    private final Workers workers;
    private volatile long epoch;

    /**
     * Creates an engine that holds nothing yet.
     *
     * @param whenLost called once when the lease is lost
     * @param whenRunEnded called after each run that a worker let go of
     */
    public Engine(
            Services services,
            Agents agents,
            Supplier<EngineSettings> settings,
            String owner,
            Runnable whenLost,
            Runnable whenRunEnded) {
        this.services = services;
        this.agents = agents;
        this.settings = settings;
        this.whenRunEnded = whenRunEnded;
        this.context = new SessionContext(services.journal());
        this.lease =
                new EngineLease(services.journal(), owner, settings.get().leaseMillis(), whenLost);
        this.workers = new Workers(() -> settings.get().maxActiveRuns(), this::ended);
    }

    /**
     * Takes the lease and every run that has not ended, and goes on with them; CONFLICT while
     * another engine is there.
     */
    public void open() {
        Lease taken = lease.take();
        epoch = taken.epoch();
        agents.load();
        forEach(GOING, this::claim);
        pump();
        LOG.info("Engine epoch {} is open", epoch);
    }

    private void forEach(Set<RunState> states, Consumer<RunRow> what) {
        String after = "";
        List<RunRow> page;
        do {
            String from = after;
            page = services.journal().call(j -> j.runsIn(states, "", from, PAGE));
            for (RunRow row : page) {
                what.accept(row);
                after = row.runId();
            }
        } while (page.size() == PAGE && !workers.stopping());
    }

    private void claim(RunRow row) {
        if (isOurs(row)
                && row.state() == RunState.RUNNING
                && workers.retake(row.sessionId(), row.runId())) {
            goOnWith(row, new WorkerFlags());
        }
    }

    /**
     * Returns whether the run is held by this engine, taking it first when an engine before held
     * it.
     */
    private boolean isOurs(RunRow row) {
        if (row.epoch() < epoch) {
            Unit claim =
                    Unit.builder()
                            .require(lease.held())
                            .add(new Operation.ClaimRun(row.runId(), epoch))
                            .build();
            services.journal().run(j -> j.commit(claim));
        }
        return row.epoch() <= epoch;
    }

    /** Returns the epoch under which this engine writes. */
    public long epoch() {
        return epoch;
    }

    /**
     * Commits what only the engine may, such as a new run; GATEWAY_UNAVAILABLE when another engine
     * has taken over.
     */
    public Committed commit(Unit.Builder unit) {
        Unit fenced = unit.require(lease.held()).build();
        try {
            return services.journal().call(j -> j.commit(fenced));
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

    /** Returns how many runs are being worked on. */
    public int activeRuns() {
        return workers.active();
    }

    /** Returns how many workers were started since the engine began. */
    public long startedRuns() {
        return workers.started();
    }

    /**
     * Reserves a session for a run that is about to be recorded as RUNNING; false when it is busy,
     * no room is left, or the engine stops. Follow with {@link #launched} or {@link #release}.
     */
    public boolean reserve(String sessionId, String runId) {
        return workers.reserve(sessionId, runId);
    }

    /** Gives a reservation back. */
    public void release(String sessionId, String runId) {
        workers.release(sessionId, runId);
    }

    /** Plans the first turn of a run that is about to be recorded with these events before it. */
    public FirstTurn plan(
            RunRow row, AgentView agent, boolean firstOfSession, List<TapeEvent> events) {
        RunContext run =
                contextOf(row, agent, firstOfSession ? 0 : settings.get().contextRuns(), "");
        RunHistory history = new RunHistory();
        long seq = 0;
        for (TapeEvent event : events) {
            history.apply(++seq, System.currentTimeMillis(), event);
        }
        return new FirstTurn(
                run,
                TurnPlan.of(run, history, 1, 1, services.tools().catalogue(), settings.get(), seq));
    }

    /** {@code before}: the run itself once it is recorded; empty means after all that are. */
    private RunContext contextOf(RunRow row, AgentView agent, int runs, String before) {
        return new RunContext(
                row.runId(),
                row.sessionId(),
                row.principal(),
                row.surface(),
                row.messageId(),
                epoch,
                agent,
                context.before(row.sessionId(), before, runs));
    }

    /** Starts work on a run that was just recorded with its first turn. */
    public void launched(RunRow row, FirstTurn first, List<TapeEvent> events, Committed committed) {
        WorkerFlags flags = new WorkerFlags();
        RunLog log = log(row, flags);
        log.begin(events, committed);
        workers.launch(
                row,
                flags,
                (f, ended) ->
                        new RunWorker(
                                first.run(),
                                log,
                                f,
                                first.plan(),
                                services,
                                settings,
                                context::answered,
                                ended));
    }

    private RunLog log(RunRow row, WorkerFlags flags) {
        return new RunLog(row.runId(), lease, services.journal(), flags::stopping);
    }

    private void goOnWith(RunRow row, WorkerFlags flags) {
        workers.launch(
                row,
                flags,
                (f, ended) ->
                        new RunWorker(
                                contextOf(
                                        row,
                                        agents.forRun(row.agentId()),
                                        settings.get().contextRuns(),
                                        row.runId()),
                                log(row, f),
                                f,
                                null,
                                services,
                                settings,
                                context::answered,
                                ended));
    }

    private void ended(String runId, String sessionId) {
        try {
            startNextOf(sessionId);
        } catch (PalyraException e) {
            LOG.info(
                    "Queued runs of session {} wait for the next look: {}",
                    sessionId,
                    e.getMessage());
        }
        whenRunEnded.run();
    }

    /**
     * Starts the oldest queued run of a session if the session is free. Called after a run of it
     * ended and after one was queued, so that whichever comes second finds it.
     */
    public void startNextOf(String sessionId) {
        if (!workers.stopping()) {
            services.journal()
                    .call(j -> j.runsIn(QUEUED, sessionId, "", 1))
                    .forEach(this::startQueued);
        }
    }

    private void startQueued(RunRow row) {
        if (isOurs(row) && workers.reserve(row.sessionId(), row.runId())) {
            goOnWith(row, new WorkerFlags());
        }
    }

    /** Starts queued runs of any session when some were refused for want of room. */
    public void pumpIfStarved() {
        if (workers.wasStarved()) {
            pump();
        }
    }

    private void pump() {
        forEach(QUEUED, this::startQueued);
    }

    /**
     * Looks for runs that nobody works on although they could go on: hints may be lost and writes
     * may go unconfirmed.
     */
    public void sweep() {
        forEach(
                EnumSet.of(RunState.RUNNING),
                row -> {
                    boolean orphan =
                            row.epoch() == epoch
                                    && !workers.isWorkedOn(row.runId())
                                    && !row.reason().startsWith(RunWorker.PARKED);
                    if (orphan && workers.retake(row.sessionId(), row.runId())) {
                        LOG.warn("Run {} had no worker; going on with it", row.runId());
                        goOnWith(row, new WorkerFlags());
                    }
                });
        pump();
    }

    /**
     * Cancels a run that has not ended, at once when it is being worked on, else by a worker that
     * does nothing else.
     */
    public void cancel(RunRow row, String reason) {
        if (!workers.cancel(row.runId(), reason) && isOurs(row)) {
            WorkerFlags flags = new WorkerFlags();
            flags.cancel(reason);
            goOnWith(row, flags);
        }
    }

    /** Stops every worker at its next record and gives the lease back. Waits at most 15 seconds. */
    @Override
    public void close() {
        workers.stop();
        lease.close();
    }
}
