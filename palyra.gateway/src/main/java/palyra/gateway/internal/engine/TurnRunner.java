package palyra.gateway.internal.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.FeedItem;
import palyra.api.model.ModelEvent;
import palyra.api.model.ToolProposal;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.seam.ModelProviders;

/** Asks a model for one attempt of one turn and passes its text on. Used by one worker. */
final class TurnRunner {
    private static final long SLICE_MILLIS = 250;

    /** How an attempt ended. */
    sealed interface Result {}

    /** Well: records to commit, the last of which is the turn's. */
    record Answered(List<TapeEvent> records, TapeEvent.TurnFinished finished) implements Result {}

    /** Badly. */
    record Failed(ErrorCode code, String message, boolean retryable) implements Result {}

    /** The run is to be cancelled or the engine stops; look at the flags. */
    record Interrupted() implements Result {}

    private final ModelProviders providers;
    private final Mailbox mailbox;
    private final RunLog log;
    private final Consumer<FeedItem.LiveText> live;
    private final WorkerFlags flags;

    TurnRunner(
            ModelProviders providers,
            Mailbox mailbox,
            RunLog log,
            Consumer<FeedItem.LiveText> live,
            WorkerFlags flags) {
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
        String requestId = plan.request().requestId();
        mailbox.listenTo(requestId);
        ModelProviders.RunningTurn turn;
        try {
            turn = start(plan, settings, waitingFor);
        } catch (PalyraException e) {
            mailbox.listenTo("");
            return new Failed(e.code(), e.getMessage(), e.code() == ErrorCode.MODEL_FAILED);
        }
        if (turn == null) {
            mailbox.listenTo("");
            return new Interrupted();
        }
        try (turn) {
            return listen(plan, settings, turn);
        } finally {
            mailbox.listenTo("");
        }
    }

    /**
     * Starts the turn, waiting for an absent provider in slices so that a cancellation is heard;
     * null when interrupted.
     */
    private ModelProviders.RunningTurn start(
            TurnPlan plan, EngineSettings settings, Consumer<String> waitingFor) {
        String requestId = plan.request().requestId();
        long deadline =
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.unavailableWaitMillis());
        boolean told = false;
        while (!flags.raised()) {
            try {
                ModelProviders.RunningTurn turn =
                        providers.start(
                                plan.provider(),
                                plan.request(),
                                event -> mailbox.offer(requestId, event),
                                told ? SLICE_MILLIS : 0);
                if (told) {
                    waitingFor.accept("");
                }
                return turn;
            } catch (PalyraException e) {
                if (e.code() != ErrorCode.MODEL_UNAVAILABLE) {
                    throw e;
                }
                if (System.nanoTime() >= deadline) {
                    throw absent(plan, settings);
                }
            }
            if (!told) {
                told = true;
                waitingFor.accept("waiting for model provider " + plan.provider());
            }
        }
        return null;
    }

    /** The wait was the patience that a run has with an absent provider; there is no second one. */
    private static PalyraException absent(TurnPlan plan, EngineSettings settings) {
        return new PalyraException(
                ErrorCode.MODEL_UNAVAILABLE,
                "Model provider '"
                        + plan.provider()
                        + "' was asked for a turn and did not come within "
                        + settings.unavailableWaitMillis()
                        + " ms; run palyra doctor to see why it is absent.");
    }

    private Result listen(TurnPlan plan, EngineSettings settings, ModelProviders.RunningTurn turn) {
        TextFlow flow = new TextFlow(log, live, plan.started(), plan.request().runId(), settings);
        List<ToolProposal> proposals = new ArrayList<>();
        long deadline =
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.turnTimeoutMillis());
        while (true) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                turn.cancel();
                return new Failed(
                        ErrorCode.TIMED_OUT, "The model took longer than a turn may take.", true);
            }
            Mailbox.Letter letter = mailbox.take(flow.nanosUntilDue(left));
            if (flags.raised()) {
                turn.cancel();
                return new Interrupted();
            }
            if (letter instanceof Mailbox.FromModel fromModel) {
                Result result = take(fromModel.event(), plan, flow, proposals);
                if (result != null) {
                    return result;
                }
            }
            flow.flushIfDue();
        }
    }

    private static Result take(
            ModelEvent event, TurnPlan plan, TextFlow flow, List<ToolProposal> proposals) {
        return switch (event) {
            case ModelEvent.TextDelta delta -> {
                flow.text(delta.text());
                yield null;
            }
            case ModelEvent.ThoughtDelta delta -> {
                flow.thought(delta.text());
                yield null;
            }
            case ModelEvent.Proposed proposed -> {
                proposals.add(named(proposed.proposal(), plan, proposals.size()));
                yield null;
            }
            case ModelEvent.Finished finished -> answered(finished, plan, flow, proposals);
            case ModelEvent.Failed failed ->
                    new Failed(failed.code(), failed.message(), failed.retryable());
        };
    }

    /**
     * The id of a call derives from run, turn and index, so that it is the same whoever derives it.
     */
    private static ToolProposal named(ToolProposal proposal, TurnPlan plan, int index) {
        String callId = plan.request().runId() + "." + plan.started().turn() + "." + index;
        return new ToolProposal(callId, proposal.toolName(), proposal.inputJson());
    }

    private static Result answered(
            ModelEvent.Finished finished,
            TurnPlan plan,
            TextFlow flow,
            List<ToolProposal> proposals) {
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
                        finished.outputTokens());
        records.add(turn);
        for (int i = 0; i < proposals.size(); i++) {
            ToolProposal p = proposals.get(i);
            records.add(
                    new TapeEvent.ToolCallProposal(
                            p.callId(), started.turn(), i, p.toolName(), p.inputJson()));
        }
        return new Answered(records, turn);
    }

    /**
     * Waits before another attempt: 200 ms doubled each time, with jitter; false when a flag was
     * raised.
     */
    boolean backOff(int attempt) {
        long base = 200L << Math.min(attempt - 1, 5);
        long until =
                System.nanoTime()
                        + TimeUnit.MILLISECONDS.toNanos(
                                base / 2 + ThreadLocalRandom.current().nextLong(base));
        while (System.nanoTime() < until && !flags.raised()) {
            mailbox.take(until - System.nanoTime());
        }
        return !flags.raised();
    }
}
