package palyra.gateway.internal.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.fold.RunHistory;
import palyra.gateway.internal.fold.Step;

/** The steps of a run that concern the model. Used by one worker. */
final class TurnSteps {
    private final RunContext run;
    private final RunLog log;
    private final Services services;
    private final Supplier<EngineSettings> settings;
    private final WorkerFlags flags;
    private final TurnRunner turns;
    private final RunEnd end;
    private final Consumer<String> waitingFor;
    private TurnPlan
            announced; // a turn whose announcement is on the tape and which was not asked for yet

    TurnSteps(
            RunContext run,
            RunLog log,
            Services services,
            Supplier<EngineSettings> settings,
            WorkerFlags flags,
            Mailbox mailbox,
            TurnPlan announced,
            RunEnd end,
            Consumer<String> waitingFor) {
        this.run = run;
        this.log = log;
        this.services = services;
        this.settings = settings;
        this.flags = flags;
        this.turns = new TurnRunner(services.models(), mailbox, log, services::publish, flags);
        this.announced = announced;
        this.end = end;
        this.waitingFor = waitingFor;
    }

    /** Returns whether a turn was announced that was not asked for yet. */
    boolean hasAnnounced() {
        return announced != null;
    }

    /** Asks the model; false when the run has ended. */
    boolean ask(Step.AskModel ask) {
        TurnPlan plan = announced;
        announced = null;
        if (plan == null) {
            EngineSettings now = settings.get();
            if (ask.turn() > now.maxTurns()) {
                end.failed(
                        ErrorCode.RESOURCE_EXHAUSTED,
                        "The run used its " + now.maxTurns() + " turns.");
                return false;
            }
            plan = plan(log.history(), ask.turn(), ask.attempt());
            log.commit(announcement(plan, ask.restart()), List.of());
        }
        return took(turns.run(plan, settings.get(), waitingFor), plan);
    }

    private TurnPlan plan(RunHistory history, int turn, int attempt) {
        return TurnPlan.of(
                run,
                history,
                turn,
                attempt,
                services.tools().catalogue(),
                settings.get(),
                log.history().seq());
    }

    private static List<TapeEvent> announcement(TurnPlan plan, String restart) {
        TapeEvent.TurnStarted started = plan.started();
        return started.attempt() == 1
                ? List.of(started)
                : List.of(
                        new TapeEvent.TurnRestarted(started.turn(), started.attempt(), restart),
                        started);
    }

    private boolean took(TurnRunner.Result result, TurnPlan plan) {
        return switch (result) {
            case TurnRunner.Interrupted ignored -> true; // the flags say why
            case TurnRunner.Answered answered -> answered(answered);
            case TurnRunner.Failed failed -> again(failed, plan.started());
        };
    }

    private boolean answered(TurnRunner.Answered answered) {
        if (answered.finished().proposals().isEmpty()) {
            end.succeeded(answered.records(), answered.finished().text());
            return false;
        }
        log.commit(answered.records(), List.of());
        return true;
    }

    private boolean again(TurnRunner.Failed failed, TapeEvent.TurnStarted lost) {
        if (!failed.retryable() || lost.attempt() >= settings.get().modelAttempts()) {
            end.failed(failed.code(), failed.message());
            return false;
        }
        if (turns.backOff(lost.attempt())) {
            TurnPlan plan = plan(log.history(), lost.turn(), lost.attempt() + 1);
            log.commit(announcement(plan, failed.message()), List.of());
            announced = plan;
        }
        return true;
    }

    /**
     * Outputs and, when the model is to be asked next, the announcement of that turn become durable
     * together.
     */
    void afterTools(List<TapeEvent> records) {
        log.catchUp();
        RunHistory ahead = log.history().fork();
        long seq = ahead.seq();
        for (TapeEvent record : records) {
            ahead.apply(++seq, System.currentTimeMillis(), record);
        }
        if (ahead.next() instanceof Step.AskModel ask
                && ask.turn() <= settings.get().maxTurns()
                && !flags.raised()) {
            TurnPlan plan = plan(ahead, ask.turn(), ask.attempt());
            List<TapeEvent> all = new ArrayList<>(records);
            all.addAll(announcement(plan, ask.restart()));
            log.commit(all, List.of());
            announced = plan;
        } else {
            log.commit(records, List.of());
        }
    }
}
