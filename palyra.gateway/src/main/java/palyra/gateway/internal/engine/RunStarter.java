package palyra.gateway.internal.engine;

import java.util.List;
import java.util.function.Supplier;
import palyra.api.core.gateway.AgentView;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.RunRow;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.agents.Agents;
import palyra.gateway.internal.fold.RunHistory;

/** Puts workers at runs, with what a worker needs to know of its run. Thread-safe. */
final class RunStarter {
    private final Services services;
    private final Agents agents;
    private final Supplier<EngineSettings> settings;
    private final Fence fence;
    private final Workers workers;
    private final SessionContext context;

    RunStarter(
            Services services,
            Agents agents,
            Supplier<EngineSettings> settings,
            Fence fence,
            Workers workers) {
        this.services = services;
        this.agents = agents;
        this.settings = settings;
        this.fence = fence;
        this.workers = workers;
        this.context = new SessionContext(services.journal(), services.secrets().redactor());
    }

    /** Plans the first turn of a run that is about to be recorded with these events before it. */
    FirstTurn plan(RunRow row, AgentView agent, boolean firstOfSession, List<TapeEvent> events) {
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
                fence.epoch(),
                agent,
                context.before(row.sessionId(), before, runs));
    }

    /** Starts work on a run that was just recorded with its first turn. */
    void launched(RunRow row, FirstTurn first, List<TapeEvent> events, Committed committed) {
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

    /** Starts work on a run from what its tape says. */
    void goOnWith(RunRow row, WorkerFlags flags) {
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

    private RunLog log(RunRow row, WorkerFlags flags) {
        return new RunLog(
                row.runId(),
                fence,
                services.journal(),
                services.secrets().of(row.runId()),
                flags::stopping);
    }
}
