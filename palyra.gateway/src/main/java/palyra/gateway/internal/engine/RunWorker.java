package palyra.gateway.internal.engine;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Operation;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.fold.RunHistory;
import palyra.gateway.internal.fold.Step;

/**
 * Works on one run: asks the tape what is next, records it, does it, again. It keeps nothing that
 * the tape does not say, so being stopped at any point and started again elsewhere is the same as
 * going on.
 */
final class RunWorker implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(RunWorker.class);

    /** How the reason of a run begins that this engine cannot go on with. */
    static final String PARKED = "needs_newer_engine";

    private final RunContext run;
    private final RunLog log;
    private final Services services;
    private final Supplier<EngineSettings> settings;
    private final Answered whenAnswered;
    private final Runnable whenEnded;
    private final WorkerFlags flags;
    private final Mailbox mailbox = new Mailbox();
    private final TurnRunner turns;
    private final ToolSteps tools;
    private TurnPlan
            announced; // a turn whose announcement is on the tape and which was not asked for yet

    /** Told what was said, once it is durable. */
    @FunctionalInterface
    interface Answered {
        void accept(String runId, String message, String answer);
    }

    RunWorker(
            RunContext run,
            RunLog log,
            WorkerFlags flags,
            TurnPlan announced,
            Services services,
            Supplier<EngineSettings> settings,
            Answered whenAnswered,
            Runnable whenEnded) {
        this.run = run;
        this.log = log;
        this.flags = flags;
        this.announced = announced;
        this.services = services;
        this.settings = settings;
        this.whenAnswered = whenAnswered;
        this.whenEnded = whenEnded;
        this.turns = new TurnRunner(services.models(), mailbox, log, services::publish, flags);
        this.tools = new ToolSteps(run, log, services, mailbox, flags, this::waitingFor);
    }

    String runId() {
        return run.runId();
    }

    String sessionId() {
        return run.sessionId();
    }

    /** Asks the run to be cancelled; false when it was asked before. */
    boolean cancel(String reason) {
        boolean first = flags.cancel(reason);
        mailbox.urgent(new Mailbox.Wake());
        return first;
    }

    /** Asks the worker to stop at the next record and leave the run to whoever comes. */
    void stop() {
        flags.stop();
        mailbox.urgent(new Mailbox.Wake());
    }

    @Override
    public void run() {
        try {
            long deadline =
                    System.nanoTime()
                            + TimeUnit.MILLISECONDS.toNanos(settings.get().runTimeoutMillis());
            if (announced == null && log.history().seq() == 0) {
                log.catchUp();
            }
            while (step(deadline)) {
                // the tape says what is next
            }
        } catch (Halt e) {
            LOG.info("Run {} is left where it stands: {}", run.runId(), e.getMessage());
        } catch (PalyraException e) {
            failed(e);
        } catch (RuntimeException e) {
            LOG.error("Run {} met a defect", run.runId(), e);
            failed(
                    new PalyraException(
                            ErrorCode.INTERNAL, "The engine met a defect; its log says more.", e));
        } finally {
            whenEnded.run();
        }
    }

    /** Takes one step; false when the worker has nothing more to do for now. */
    private boolean step(long deadline) {
        if (flags.stopping()) {
            throw new Halt("the engine stops");
        }
        Step next = log.history().next();
        if (next instanceof Step.Done) {
            return false;
        }
        if (flags.cancelling()) {
            cancelled();
            return false;
        }
        if (System.nanoTime() > deadline) {
            end(RunState.FAILED, ErrorCode.TIMED_OUT, "The run took longer than a run may take.");
            return false;
        }
        return take(next);
    }

    private boolean take(Step next) {
        return switch (next) {
            case Step.Begin ignored -> begin();
            case Step.AskModel ask -> askModel(ask);
            case Step.Decide decide -> tools.decide(decide.calls(), settings.get());
            case Step.Start ignored -> afterTools(tools.start(settings.get()));
            case Step.Recover recover -> afterTools(tools.recover(recover.calls(), settings.get()));
            case Step.Refuse refuse -> {
                log.commit(
                        List.of(tools.refused(refuse.call(), "A person refused the call.")),
                        List.of());
                yield true;
            }
            case Step.AwaitPeople ignored -> false;
            case Step.Answer answer -> {
                end(RunState.SUCCEEDED, null, answer.text());
                yield false;
            }
            case Step.Park park -> {
                waitingFor(PARKED + ": the tape holds a " + park.recordType() + " record");
                yield false;
            }
            case Step.Done ignored -> false;
        };
    }

    private boolean begin() {
        try {
            log.commit(
                    List.of(new TapeEvent.RunStateChanged(RunState.RUNNING, null, "")),
                    List.of(
                            new Operation.MoveRun(
                                    run.runId(),
                                    EnumSet.of(RunState.ACCEPTED),
                                    RunState.RUNNING,
                                    "")));
            return true;
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.CONFLICT) {
                return false; // the session is busy: the run stays queued and is looked at when the
                // other one ends
            }
            throw e;
        }
    }

    private boolean askModel(Step.AskModel ask) {
        TurnPlan plan = announced;
        announced = null;
        if (plan == null) {
            EngineSettings now = settings.get();
            if (ask.turn() > now.maxTurns()) {
                end(
                        RunState.FAILED,
                        ErrorCode.RESOURCE_EXHAUSTED,
                        "The run used its " + now.maxTurns() + " turns.");
                return false;
            }
            plan = plan(log.history(), ask.turn(), ask.attempt());
            log.commit(announcement(plan, ask.restart()), List.of());
        }
        return took(turns.run(plan, settings.get(), this::waitingFor), plan);
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
            end(answered.records(), RunState.SUCCEEDED, null, answered.finished().text());
            return false;
        }
        log.commit(answered.records(), List.of());
        return true;
    }

    private boolean again(TurnRunner.Failed failed, TapeEvent.TurnStarted lost) {
        if (!failed.retryable() || lost.attempt() >= settings.get().modelAttempts()) {
            end(RunState.FAILED, failed.code(), failed.message());
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
    private boolean afterTools(List<TapeEvent> records) {
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
        tools.forget(records);
        return true;
    }

    private void waitingFor(String reason) {
        log.commit(
                List.of(),
                List.of(
                        new Operation.MoveRun(
                                run.runId(),
                                EnumSet.of(RunState.RUNNING),
                                RunState.RUNNING,
                                reason)));
        LOG.debug("Run {}: {}", run.runId(), reason);
    }

    /** Every call gets an outcome, then the run is over. */
    private void cancelled() {
        List<TapeEvent> records = new ArrayList<>(tools.cancelled(log.history()));
        end(records, RunState.CANCELLED, null, flags.cancelReason());
        tools.forget(records);
    }

    private void failed(PalyraException e) {
        if (e.code() == ErrorCode.STALE_EPOCH) {
            LOG.info(
                    "Run {} is held by another engine or has ended; this worker lets go",
                    run.runId());
            return;
        }
        try {
            LOG.warn("Run {} failed: {}", run.runId(), e.getMessage());
            if (e.code() != ErrorCode.CORRUPT) {
                end(RunState.FAILED, e.code(), e.getMessage());
            }
        } catch (RuntimeException again) {
            LOG.warn(
                    "Run {} could not be ended and stays for the next start: {}",
                    run.runId(),
                    again.getMessage());
        }
    }

    private void end(RunState state, ErrorCode code, String text) {
        end(List.of(), state, code, text);
    }

    private void end(List<TapeEvent> before, RunState state, ErrorCode code, String text) {
        Ending ending = Ending.of(run, services.ids().next(), before, state, code, text);
        log.commit(ending.events(), ending.others());
        if (state == RunState.SUCCEEDED) {
            whenAnswered.accept(run.runId(), log.history().opening(), text);
        }
    }
}
