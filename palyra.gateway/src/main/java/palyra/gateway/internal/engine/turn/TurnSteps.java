package palyra.gateway.internal.engine.turn;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.BudgetAmount;
import palyra.api.core.journal.BudgetExceeded;
import palyra.api.core.journal.Operation;
import palyra.api.model.ModelEvent;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.budget.BudgetText;
import palyra.gateway.internal.engine.run.Mailbox;
import palyra.gateway.internal.engine.run.RunContext;
import palyra.gateway.internal.engine.run.RunFinisher;
import palyra.gateway.internal.engine.run.RunLog;
import palyra.gateway.internal.engine.run.WaitNotice;
import palyra.gateway.internal.engine.run.WorkerFlags;
import palyra.gateway.internal.fold.RunHistory;
import palyra.gateway.internal.fold.Step;
import palyra.gateway.internal.seam.ModelProviders;
import palyra.gateway.internal.seam.ModelWaits;
import palyra.gateway.internal.seam.Services;
import palyra.gateway.internal.settings.EngineSettings;

/** The steps of a run that concern the model. Used by one worker. */
public final class TurnSteps {
    private static final long PAUSE_MILLIS = 100;
    private static final long TOLD_MILLIS = 1_000;

    /** A call that was made and refused at once. */
    private static final BudgetAmount ONE_CALL = new BudgetAmount(0, 0, 1);

    private final RunLog log;
    private final Services services;
    private final Supplier<EngineSettings> settings;
    private final WorkerFlags flags;
    private final TurnRunner turns;
    private final TurnMemory memory;
    private final TurnPlanner planner;
    private final RunFinisher end;
    private final Consumer<String> waitingFor;
    private final Runnable steering;
    private final ModelWaits waits;
    private final String runId;
    private String provider = ""; // the provider; empty before it is known
    private TurnPlan
            announced; // a turn whose announcement is on the tape and which was not asked for yet
    private Failure unannounced; // of the last attempt, when the next was not announced with it

    public TurnSteps(
            RunContext run,
            RunLog log,
            Services services,
            Supplier<EngineSettings> settings,
            WorkerFlags flags,
            Mailbox mailbox,
            TurnPlan announced,
            RunFinisher end,
            Consumer<String> waitingFor,
            TurnMemory memory,
            Runnable steering) {
        this.memory = memory;
        this.steering = steering;
        this.log = log;
        this.services = services;
        this.settings = settings;
        this.flags = flags;
        this.turns =
                new TurnRunner(services.models(), mailbox, log, services::publish, flags, memory);
        this.planner = new TurnPlanner(run, services, settings);
        this.announced = announced;
        this.end = end;
        this.waits = services.models().waits();
        this.runId = run.runId();
        this.waitingFor =
                reason -> {
                    waits.note(runId, provider, reason);
                    waitingFor.accept(reason);
                };
    }

    /** What the next announcement has to say and to settle of an attempt that failed. */
    private record Failure(String reason, TurnPlanner.Aim aim, List<Operation> settlement) {}

    /** Returns whether the worker was given a turn that is announced already. */
    public boolean hasAnnounced() {
        return announced != null;
    }

    /** The worker leaves the run. */
    public void leave() {
        waits.note(runId, provider, "");
    }

    /** Asks the model, announcing the attempt first unless that is done; false ends the work. */
    public boolean ask(Step.AskModel ask) {
        TurnPlan plan = announced;
        announced = null;
        if (plan == null) {
            plan = announce(ask);
        }
        if (plan == null) {
            return true;
        }
        provider = plan.provider();
        return took(turns.run(plan, settings.get(), waitingFor), plan);
    }

    /** Returns null when the run has ended or is to stop: the next step tells. */
    private TurnPlan announce(Step.AskModel ask) {
        int most = settings.get().maxTurns();
        if (ask.turn() > most) {
            end.failed(ErrorCode.RESOURCE_EXHAUSTED, "The run used its " + most + " turns.");
            return null;
        }
        if (ask.turn() > 1) {
            steering.run();
        }
        Failure lost = lost(ask);
        Optional<TurnPlan> plan = planned(ask, lost.aim());
        if (plan.isEmpty() || !announce(plan.get(), lost)) {
            return null;
        }
        return plan.get();
    }

    /** Of an attempt of which nothing more is known, all that was reserved counts as used. */
    private Failure lost(Step.AskModel ask) {
        Failure known = unannounced;
        unannounced = null;
        RunHistory history = log.history();
        if (known != null) {
            return known;
        }
        Optional<TapeEvent.TurnStarted> open =
                history.turnOpen() ? history.attempts().last() : Optional.empty();
        return new Failure(
                ask.restart(),
                open.map(TurnPlanner.Aim::same).orElse(TurnPlanner.Aim.FRESH),
                open.map(TapeEvent.TurnStarted::reservationId)
                        .filter(id -> !id.isEmpty())
                        .<List<Operation>>map(id -> List.of(Operation.SettleBudget.whole(id)))
                        .orElse(List.of()));
    }

    /** Waits, bounded, for a profile that is away; nothing when the run has ended or is to stop. */
    private Optional<TurnPlan> planned(Step.AskModel ask, TurnPlanner.Aim aim) {
        long deadline =
                System.nanoTime()
                        + TimeUnit.MILLISECONDS.toNanos(settings.get().unavailableWaitMillis());
        boolean reported = false;
        while (!flags.raised()) {
            try {
                RunHistory history = log.history();
                TurnPlan plan =
                        planner.plan(history, ask.turn(), ask.attempt(), aim, history.seq());
                if (reported) {
                    waitingFor.accept("");
                }
                return Optional.of(plan);
            } catch (PalyraException e) {
                if (!mayCome(e.code()) || System.nanoTime() >= deadline) {
                    end.failed(e.code(), e.getMessage());
                    return Optional.empty();
                }
                if (!reported) {
                    reported = true;
                    waitingFor.accept("waiting: " + e.getMessage());
                }
            }
            turns.pause(PAUSE_MILLIS);
        }
        return Optional.empty();
    }

    /** A profile, or the vault that instructions are compared with, may be on its way. */
    private static boolean mayCome(ErrorCode code) {
        return code == ErrorCode.MODEL_UNAVAILABLE || code == ErrorCode.KEYS_UNAVAILABLE;
    }

    /** Makes the announcement durable with its reservation; false when there is no room for it. */
    private boolean announce(TurnPlan plan, Failure lost) {
        List<Operation> operations = new ArrayList<>(lost.settlement());
        operations.addAll(plan.reservation().open());
        try {
            log.commit(announcement(plan, lost.reason()), operations);
            return true;
        } catch (PalyraException e) {
            BudgetExceeded full = BudgetExceeded.find(e).orElseThrow(() -> e);
            end.failed(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    BudgetText.refusal(full.claim(), settings.get().asking().currency()),
                    lost.settlement());
            services.spending().refused(full.claim());
            return false;
        }
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
            case TurnRunner.Answered answered -> {
                try {
                    yield answered(answered, plan);
                } finally {
                    memory.end();
                }
            }
            case TurnRunner.Failed failed -> again(failed, plan);
        };
    }

    private boolean answered(TurnRunner.Answered answered, TurnPlan plan) {
        List<Operation> settlement = plan.reservation().settle(answered.used());
        boolean last = answered.finished().proposals().isEmpty();
        if (last) {
            end.succeeded(answered.records(), answered.finished().text(), settlement);
        } else {
            log.commit(answered.records(), settlement);
        }
        services.spending().settled(plan.reservation());
        return !last;
    }

    /** Announces the next attempt, or ends the run. */
    private boolean again(TurnRunner.Failed failed, TurnPlan lost) {
        ModelEvent.Failed why = failed.why();
        RunHistory history = log.history();
        long shown =
                new TokenEstimator(settings.get().asking().bytesPerToken())
                        .of(lost.request().messages());
        Optional<TurnPlanner.Aim> aim =
                RetryPolicy.after(
                        why, lost, history.attempts(), settings.get(), planner::isPresent, shown);
        List<Operation> settlement = settlement(failed, lost);
        if (aim.isEmpty()) {
            end.failed(why.code(), RetryPolicy.sentence(why, lost, history.attempts()), settlement);
            services.spending().settled(lost.reservation());
            return false;
        }
        unannounced = new Failure(why.message(), aim.get(), settlement);
        boolean samePlace =
                aim.get().target().filter(lost.target()::equals).isPresent()
                        && aim.get().windowTokens() == lost.started().windowTokens();
        if (samePlace && !why.equals(ModelProviders.WITHDRAWN)) {
            backOff(
                    why,
                    lost,
                    history.attempts().inARow(lost.target().provider(), lost.target().model()));
        }
        return true; // the tape says that the turn is open, so it is asked for again
    }

    /** Reports a wait long enough for a user to notice, with the time of the next attempt. */
    private void backOff(ModelEvent.Failed why, TurnPlan lost, int attempts) {
        EngineSettings now = settings.get();
        long most = now.asking().maxRetryAfterMillis();
        long millis = TurnRunner.backOffMillis(attempts, why.retryAfterMillis(), most);
        boolean reported = millis >= TOLD_MILLIS;
        if (reported) {
            String wanted =
                    why.retryAfterMillis() > most
                            ? " (it wants "
                                    + why.retryAfterMillis() / 1_000
                                    + " s; at most "
                                    + most / 1_000
                                    + " s are waited, maxRetryAfterMillis)"
                            : "";
            waitingFor.accept(
                    lost.target()
                            + " is asked again at "
                            + WaitNotice.at(millis)
                            + wanted
                            + ", attempt "
                            + (attempts + 1)
                            + " of "
                            + now.modelAttempts()
                            + ": "
                            + why.message());
        }
        turns.pause(millis);
        if (reported && !flags.raised()) {
            waitingFor.accept("");
        }
    }

    private static List<Operation> settlement(TurnRunner.Failed failed, TurnPlan lost) {
        return switch (failed.reached()) {
            case NO_SERVER -> lost.reservation().settle(BudgetAmount.NONE);
            case REFUSED_AT_ONCE -> lost.reservation().settle(ONE_CALL);
            case MAYBE_MODEL -> lost.reservation().settleWhole();
        };
    }

    /** Commits what tools said and, when the model is asked next, its announcement with it. */
    public void afterTools(List<TapeEvent> records) {
        log.catchUp();
        steering.run();
        RunHistory ahead = log.history().fork();
        long seq = ahead.seq();
        for (TapeEvent record : records) {
            ahead.apply(++seq, System.currentTimeMillis(), record);
        }
        Optional<TurnPlan> plan = planAhead(ahead);
        if (plan.isEmpty() || !announceWith(records, plan.get())) {
            log.commit(records, List.of());
        }
    }

    private Optional<TurnPlan> planAhead(RunHistory ahead) {
        if (!(ahead.next() instanceof Step.AskModel ask)
                || ask.turn() > settings.get().maxTurns()
                || flags.raised()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    planner.plan(
                            ahead,
                            ask.turn(),
                            ask.attempt(),
                            TurnPlanner.Aim.FRESH,
                            log.history().seq()));
        } catch (PalyraException e) {
            return Optional.empty(); // the step that asks meets it again, and says so
        }
    }

    /** Returns false when a budget has no room: the step that asks meets it again. */
    private boolean announceWith(List<TapeEvent> records, TurnPlan plan) {
        List<TapeEvent> all = new ArrayList<>(records);
        all.addAll(announcement(plan, ""));
        try {
            log.commit(all, plan.reservation().open());
            announced = plan;
            return true;
        } catch (PalyraException e) {
            if (!BudgetExceeded.in(e)) {
                throw e;
            }
            return false;
        }
    }
}
