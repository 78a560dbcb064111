package palyra.gateway.internal.engine.queue;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import palyra.api.PalyraException;
import palyra.api.core.gateway.AgentView;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.RunRow;
import palyra.api.model.ModelCaller;
import palyra.api.model.ModelMessage;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.agents.Agents;
import palyra.gateway.internal.engine.lease.Fence;
import palyra.gateway.internal.engine.run.RunContext;
import palyra.gateway.internal.engine.run.RunLog;
import palyra.gateway.internal.engine.run.RunSnapshots;
import palyra.gateway.internal.engine.run.Steering;
import palyra.gateway.internal.engine.run.WorkerFlags;
import palyra.gateway.internal.engine.turn.FirstTurn;
import palyra.gateway.internal.engine.turn.SessionContext;
import palyra.gateway.internal.engine.turn.TurnPlan;
import palyra.gateway.internal.engine.turn.TurnPlanner;
import palyra.gateway.internal.fold.RunHistory;
import palyra.gateway.internal.seam.Services;
import palyra.gateway.internal.settings.EngineSettings;
import palyra.shared.run.SubmissionCodec;
import palyra.shared.sealed.SecretReaches;

/** Puts workers at runs, with what a worker needs to know of its run. Thread-safe. */
public final class RunStarter {
    private final Services services;
    private final Agents agents;
    private final Supplier<EngineSettings> settings;
    private final Fence fence;
    private final Workers workers;
    private final SessionContext context;
    private final RunFailures runFailures;
    private final Steering steering;
    private final Semaphore room = new Semaphore(RunSnapshots.MOST_UNDER_WAY);

    public RunStarter(
            Services services,
            Agents agents,
            Supplier<EngineSettings> settings,
            Fence fence,
            Workers workers,
            RunFailures runFailures,
            Steering steering) {
        this.services = services;
        this.agents = agents;
        this.settings = settings;
        this.fence = fence;
        this.workers = workers;
        this.runFailures = runFailures;
        this.steering = steering;
        this.context = new SessionContext(services.journal(), services.secrets().redactor());
    }

    /**
     * Plans the first turn of a run that is about to be recorded with these events before it.
     *
     * @param newest the last run of its session; empty when it has none
     */
    public FirstTurn planFirstTurn(
            RunRow row, AgentView agent, String newest, List<TapeEvent> events, InboxRow message) {
        List<ModelMessage> earlier =
                context.forNext(row.sessionId(), newest, row.runId(), settings.get().contextRuns());
        RunContext run = contextOf(row, agent, earlier, Optional.of(message));
        RunHistory history = new RunHistory();
        long seq = 0;
        for (TapeEvent event : events) {
            history.apply(++seq, System.currentTimeMillis(), event);
        }
        return new FirstTurn(run, turn(run, history, seq));
    }

    /** Returns nothing when it cannot be planned now: the run is recorded, its worker says why. */
    private Optional<TurnPlan> turn(RunContext run, RunHistory history, long seq) {
        try {
            return Optional.of(
                    new TurnPlanner(run, services, settings)
                            .plan(history, 1, 1, TurnPlanner.Aim.FRESH, seq));
        } catch (PalyraException e) {
            return Optional.empty();
        }
    }

    /** Groups and channel are known as long as the message is kept. */
    private static ModelCaller caller(RunRow row, Optional<InboxRow> message) {
        Optional<InboxRow> own = message.filter(m -> m.principal().equals(row.principal()));
        return new ModelCaller(
                row.principal(),
                own.map(m -> SubmissionCodec.principalGroups(m.payload())).orElse(Set.of()),
                row.agentId(),
                row.sessionId(),
                own.map(m -> SubmissionCodec.message(m.payload()).channel()).orElse(""));
    }

    /** A message without a named person was brought by its own principal. */
    private static String person(RunRow row, Optional<InboxRow> message) {
        return message.map(m -> SubmissionCodec.person(m.payload()))
                .filter(person -> !person.isEmpty())
                .orElse(row.principal());
    }

    private Optional<InboxRow> message(RunRow row) {
        return row.messageId().isEmpty()
                ? Optional.empty()
                : services.journal().call(j -> j.inbox(row.messageId()));
    }

    private RunContext contextOf(
            RunRow row, AgentView agent, List<ModelMessage> earlier, Optional<InboxRow> message) {
        return new RunContext(
                row.runId(),
                row.sessionId(),
                row.principal(),
                row.surface(),
                row.messageId(),
                fence.epoch(),
                agent,
                earlier,
                caller(row, message),
                person(row, message),
                message.map(m -> SubmissionCodec.message(m.payload()).origin()).orElse(null),
                () -> agents.forRun(agent.agentId()));
    }

    /** Starts work on a run that was just recorded with its first turn. */
    public void start(RunRow row, FirstTurn first, List<TapeEvent> events, Committed committed) {
        WorkerFlags flags = new WorkerFlags();
        RunLog log = log(row, flags, first.run().caller());
        log.begin(events, committed);
        launch(
                row,
                flags,
                ended -> worker(row, first.run(), log, flags, first.plan().orElse(null), ended));
    }

    /** Continues a run from its tape; its session is reserved for it. */
    public void resume(RunRow row) {
        resume(row, new WorkerFlags());
    }

    /** As above, with flags that may be raised already. */
    void resume(RunRow row, WorkerFlags flags) {
        launch(
                row,
                flags,
                ended -> {
                    RunContext run =
                            contextOf(
                                    row,
                                    agents.forRun(row.agentId()),
                                    context.before(
                                            row.sessionId(),
                                            row.runId(),
                                            settings.get().contextRuns()),
                                    message(row));
                    return worker(row, run, log(row, flags, run.caller()), flags, null, ended);
                });
    }

    private void launch(RunRow row, WorkerFlags flags, Workers.Factory factory) {
        workers.launch(row, flags, factory, e -> runFailures.notStarted(row, e));
    }

    private RunWorker worker(
            RunRow row,
            RunContext run,
            RunLog log,
            WorkerFlags flags,
            TurnPlan announced,
            Runnable whenEnded) {
        return new RunWorker(
                run,
                log,
                flags,
                announced,
                services,
                settings,
                context::ended,
                runFailures,
                row,
                steering,
                whenEnded);
    }

    private RunLog log(RunRow row, WorkerFlags flags, ModelCaller caller) {
        return new RunLog(
                row.runId(),
                fence,
                services.journal(),
                services.secrets()
                        .of(
                                row.runId(),
                                SecretReaches.of(
                                        row.principal(),
                                        caller.groups(),
                                        row.agentId(),
                                        caller.channel())),
                flags::stopping,
                row.attempts(),
                room);
    }
}
