package palyra.gateway.internal.engine.turn;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.BudgetAmount;
import palyra.api.core.journal.FeedItem;
import palyra.api.model.FailureCause;
import palyra.api.model.ModelEvent;
import palyra.api.model.ToolProposal;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.engine.run.Mailbox;
import palyra.gateway.internal.engine.run.RunLog;
import palyra.gateway.internal.engine.run.WaitNotice;
import palyra.gateway.internal.engine.run.WorkerFlags;
import palyra.gateway.internal.seam.ModelProviders;
import palyra.gateway.internal.settings.EngineSettings;
import palyra.gateway.internal.settings.ModelTarget;

/** Asks a model for one attempt of one turn and passes its text on. Used by one worker. */
final class TurnRunner {
    private static final long SLICE_MILLIS = 250;

    /** How often a turn looks whether it is to give way. */
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How an attempt ended. */
    sealed interface Result {}

    /** Well: records to commit, the last of which is the turn's. */
    record Answered(List<TapeEvent> records, TapeEvent.TurnFinished finished, BudgetAmount used)
            implements Result {}

    /**
     * Badly.
     *
     * @param reached how far it came
     */
    record Failed(ModelEvent.Failed why, Reached reached) implements Result {}

    /** How far an attempt came that failed. */
    enum Reached {
        /** No server was asked. */
        NO_SERVER,
        /** The provider said no at once and did no work. */
        REFUSED_AT_ONCE,
        /** The provider may have worked. */
        MAYBE_MODEL
    }

    /** The run is to be cancelled or the engine stops; look at the flags. */
    record Interrupted() implements Result {}

    private final ModelProviders providers;
    private final Mailbox mailbox;
    private final RunLog log;
    private final Consumer<FeedItem.LiveText> live;
    private final WorkerFlags flags;
    private final TurnMemory memory;
    private boolean heard; // whether the provider said anything in the attempt under way

    TurnRunner(
            ModelProviders providers,
            Mailbox mailbox,
            RunLog log,
            Consumer<FeedItem.LiveText> live,
            WorkerFlags flags,
            TurnMemory memory) {
        this.memory = memory;
        this.providers = providers;
        this.mailbox = mailbox;
        this.log = log;
        this.live = live;
        this.flags = flags;
    }

    /**
     * Asks, waits, and returns how it ended. The announcement of the attempt is durable before this
     * is called.
     */
    Result run(TurnPlan plan, EngineSettings settings, Consumer<String> waitingFor) {
        CircuitWait circuit = new CircuitWait(plan, settings, waitingFor);
        Result result = attempt(circuit, settings, waitingFor);
        while (result instanceof Failed failed && waits(failed, plan)) {
            OptionalLong millis = circuit.refused(failed.why());
            if (millis.isEmpty()) {
                result = circuit.givenUp(failed.why());
            } else if (pause(millis.getAsLong())) {
                result = attempt(circuit, settings, waitingFor);
            } else {
                result = new Interrupted();
            }
        }
        if (!flags.raised()) {
            circuit.over();
        }
        return result;
    }

    /** A run does not wait while another of the chain is there. */
    private boolean waits(Failed failed, TurnPlan plan) {
        return failed.reached() == Reached.NO_SERVER
                && CircuitWait.isRefusal(failed.why())
                && !isPresent(plan.later());
    }

    private Result attempt(
            CircuitWait circuit, EngineSettings settings, Consumer<String> waitingFor) {
        TurnPlan plan = circuit.plan();
        Optional<ModelEvent.Failed> full = memory.begin(plan.request().messages(), settings);
        Result result =
                full.isPresent()
                        ? new Failed(full.get(), Reached.NO_SERVER)
                        : request(plan, settings, circuit, waitingFor);
        if (!(result instanceof Answered)) {
            memory.end(); // an answer is held until it is recorded
        }
        return result;
    }

    private Result request(
            TurnPlan plan,
            EngineSettings settings,
            CircuitWait circuit,
            Consumer<String> waitingFor) {
        String requestId = plan.request().requestId();
        mailbox.listenTo(requestId);
        ModelProviders.RunningTurn turn;
        try {
            turn = start(plan, settings, waitingFor);
        } catch (PalyraException e) {
            mailbox.listenTo("");
            return new Failed(
                    new ModelEvent.Failed(
                            e.code(),
                            e.getMessage(),
                            e.code() == ErrorCode.MODEL_FAILED,
                            cause(e.code()),
                            0),
                    Reached.NO_SERVER);
        }
        if (turn == null) {
            mailbox.listenTo("");
            return new Interrupted();
        }
        try (turn) {
            return listen(plan, settings, turn, circuit, new WaitNotice(plan.target(), waitingFor));
        } finally {
            mailbox.listenTo("");
        }
    }

    /**
     * Starts the turn, waiting for an absent provider in slices so that a cancellation is heard;
     * null when interrupted.
     */
    private static FailureCause cause(ErrorCode code) {
        return switch (code) {
            case INVALID_ARGUMENT -> FailureCause.BAD_REQUEST;
            case MODEL_UNAVAILABLE -> FailureCause.UNAVAILABLE;
            case MODEL_FAILED -> FailureCause.SERVER;
            case DENIED -> FailureCause.DENIED;
            case TIMED_OUT -> FailureCause.TIMEOUT;
            default -> FailureCause.OTHER;
        };
    }

    private ModelProviders.RunningTurn start(
            TurnPlan plan, EngineSettings settings, Consumer<String> waitingFor) {
        String requestId = plan.request().requestId();
        long deadline =
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.unavailableWaitMillis());
        boolean reported = false;
        while (!flags.raised()) {
            try {
                ModelProviders.RunningTurn turn =
                        providers.start(
                                plan.provider(),
                                plan.request(),
                                event -> mailbox.offer(requestId, event),
                                reported ? SLICE_MILLIS : 0);
                if (reported) {
                    waitingFor.accept("");
                }
                return turn;
            } catch (PalyraException e) {
                if (e.code() != ErrorCode.MODEL_UNAVAILABLE) {
                    throw e;
                }
                if (isPresent(plan.later())) {
                    throw e; // the run does not wait while another of the chain is there
                }
                if (System.nanoTime() >= deadline) {
                    throw absent(plan, settings);
                }
            }
            if (!reported) {
                reported = true;
                waitingFor.accept(
                        "waiting for model provider "
                                + plan.provider()
                                + WaitNotice.until(settings.unavailableWaitMillis()));
            }
        }
        return null;
    }

    /** The wait was the patience that a run has with an absent provider; there is no second one. */
    private boolean isPresent(List<ModelTarget> targets) {
        return targets.stream().anyMatch(target -> providers.isPresent(target.provider()));
    }

    private static PalyraException absent(TurnPlan plan, EngineSettings settings) {
        return new PalyraException(
                ErrorCode.MODEL_UNAVAILABLE,
                "Model provider '"
                        + plan.provider()
                        + "' is not there and did not come within "
                        + settings.unavailableWaitMillis()
                        + " ms (unavailableWaitMillis). Configure it, or give the agent another one"
                        + " with palyra agents update; palyra doctor names agents whose provider is"
                        + " not there.");
    }

    private Result listen(
            TurnPlan plan,
            EngineSettings settings,
            ModelProviders.RunningTurn turn,
            CircuitWait circuit,
            WaitNotice silence) {
        TextStream flow =
                new TextStream(log, live, plan.started(), plan.request().runId(), settings);
        List<ToolProposal> proposals = new ArrayList<>();
        heard = false;
        long deadline =
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.turnTimeoutMillis());
        while (true) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                turn.cancel();
                return new Failed(
                        new ModelEvent.Failed(
                                ErrorCode.TIMED_OUT,
                                "The model took longer than a turn may take.",
                                true,
                                FailureCause.TIMEOUT,
                                0),
                        Reached.MAYBE_MODEL);
            }
            Mailbox.Letter letter =
                    mailbox.take(
                            circuit.nanosUntilDue(
                                    silence.nanosUntilDue(
                                            flow.nanosUntilDue(Math.min(left, LOOK_NANOS)))));
            if (flags.raised()) {
                turn.cancel();
                return new Interrupted();
            }
            if (letter instanceof Mailbox.FromModel fromModel) {
                silence.broken();
                if (!CircuitWait.isRefusal(fromModel.event())) {
                    circuit.over();
                }
                Result result = take(fromModel.event(), plan, flow, proposals, settings);
                if (result != null) {
                    return left(result, turn, flow);
                }
                silence.broken(); // it may have waited for memory, and the model with it
            }
            Optional<ModelEvent.Failed> giveWay = memory.giveWay();
            if (giveWay.isPresent()) {
                return left(new Failed(giveWay.get(), Reached.MAYBE_MODEL), turn, flow);
            }
            flow.flushIfDue();
            circuit.overIfDue();
            silence.tellIfDue(deadline, turn::silenceEndsAtMillis);
        }
    }

    /** Cancels the request of a turn that was refused memory: its answer is not read any more. */
    private Result left(Result result, ModelProviders.RunningTurn turn, TextStream flow) {
        if (memory.refused()) {
            turn.cancel();
            flow.leave();
        }
        return result;
    }

    private Result take(
            ModelEvent event,
            TurnPlan plan,
            TextStream flow,
            List<ToolProposal> proposals,
            EngineSettings settings) {
        Reached reached = reached(event);
        heard = true;
        return switch (event) {
            case ModelEvent.TextDelta delta ->
                    within(memory.text(delta.text(), settings), () -> flow.text(delta.text()));
            case ModelEvent.ThoughtDelta delta ->
                    within(
                            memory.thought(delta.text(), settings),
                            () -> flow.thought(delta.text()));
            case ModelEvent.Proposed proposed ->
                    within(
                            memory.proposal(proposed.proposal(), settings),
                            () ->
                                    proposals.add(
                                            named(proposed.proposal(), plan, proposals.size())));
            case ModelEvent.Finished finished ->
                    answered(finished, plan, flow, proposals, settings);
            case ModelEvent.Failed failed -> new Failed(failed, reached);
        };
    }

    /** Takes what there is room for; otherwise the turn ends as failed. */
    private static Result within(Optional<ModelEvent.Failed> full, Runnable take) {
        if (full.isPresent()) {
            return new Failed(full.get(), Reached.MAYBE_MODEL);
        }
        take.run();
        return null;
    }

    /** What it said before decides whether a provider has worked, then what it says of itself. */
    private Reached reached(ModelEvent event) {
        if (heard || !(event instanceof ModelEvent.Failed failed)) {
            return Reached.MAYBE_MODEL;
        }
        return switch (failed.cause()) {
            case CIRCUIT_OPEN, DENIED, UNAVAILABLE -> Reached.NO_SERVER;
            case AUTHENTICATION, QUOTA, RATE_LIMITED, BAD_REQUEST, CONTEXT_EXCEEDED ->
                    Reached.REFUSED_AT_ONCE;
            default -> Reached.MAYBE_MODEL;
        };
    }

    /**
     * The id of a call derives from run, turn and index, so that every engine derives the same id.
     */
    private static ToolProposal named(ToolProposal proposal, TurnPlan plan, int index) {
        String callId = plan.request().runId() + "." + plan.started().turn() + "." + index;
        return new ToolProposal(callId, proposal.toolName(), proposal.inputJson());
    }

    private static Result answered(
            ModelEvent.Finished finished,
            TurnPlan plan,
            TextStream flow,
            List<ToolProposal> proposals,
            EngineSettings settings) {
        TapeEvent.TurnStarted started = plan.started();
        List<TapeEvent> records = new ArrayList<>(flow.rest());
        TapeEvent.TurnFinished turn =
                new TapeEvent.TurnFinished(
                        started.turn(),
                        started.attempt(),
                        flow.wholeText(),
                        finished.finishReason(),
                        proposals,
                        finished.inputTokens(),
                        finished.outputTokens(),
                        counting(finished, plan),
                        finished.cachedInputTokens(),
                        plan.reservation().cost(finished),
                        plan.reservation().price().isPresent() ? settings.asking().currency() : "");
        records.add(turn);
        for (int i = 0; i < proposals.size(); i++) {
            ToolProposal p = proposals.get(i);
            records.add(
                    new TapeEvent.ToolCallProposal(
                            p.callId(), started.turn(), i, p.toolName(), p.inputJson()));
        }
        return new Answered(records, turn, plan.reservation().used(finished));
    }

    /** Said only where it matters: for most turns the shortest form of the record will do. */
    private static String counting(ModelEvent.Finished finished, TurnPlan plan) {
        boolean matters =
                finished.cachedInputTokens() > 0
                        || !plan.reservation().claims().isEmpty()
                        || plan.reservation().price().isPresent();
        if (!matters) {
            return "";
        }
        return finished.counted() ? "provider" : "reservation";
    }

    /**
     * Returns how long to wait before another attempt at the same place: longer after each, or as
     * long as the server asks for, with some chance in it so that many runs do not come back at
     * once.
     *
     * @param attempt how often the place was asked
     * @param askedMillis how long the server asks to wait; 0 when it does not say
     * @param mostMillis longest wait that a server may ask for
     */
    static long backOffMillis(int attempt, long retryAfterMillis, long mostMillis) {
        long base = 200L << Math.min(attempt - 1, 5);
        long own = base / 2 + ThreadLocalRandom.current().nextLong(base);
        long serverMillis = Math.min(retryAfterMillis, mostMillis);
        return Math.max(
                own, serverMillis + ThreadLocalRandom.current().nextLong(serverMillis / 10 + 1));
    }

    /** Waits; false when a flag ended the wait. */
    boolean pause(long millis) {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() < until && !flags.raised()) {
            mailbox.take(until - System.nanoTime());
        }
        return !flags.raised();
    }
}
