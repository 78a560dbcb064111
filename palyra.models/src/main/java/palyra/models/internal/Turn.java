package palyra.models.internal;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelRequest;
import palyra.api.model.ModelSink;
import palyra.api.model.ToolProposal;

/**
 * One running turn, on its own thread. The first stop decides how it ends; the thread reports it at
 * the next piece, or at once during a pause.
 */
final class Turn implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Turn.class);

    /** How long past its deadline a turn may go on: the engine is to give up first. */
    private static final long OVERTIME_MILLIS = 2_000;

    private static final long LONGEST_MILLIS = TimeUnit.HOURS.toMillis(1);

    private final ModelRequest request;
    private final ModelSink sink;
    private final long wordMillis;
    private final long endNanos;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition stopping = lock.newCondition();
    private ModelEvent.Failed stopped; // guarded by lock

    // confined to the turn's thread
    private boolean listening = true;
    private long outputWords;
    private boolean proposed;
    private ModelEvent ending;

    Turn(ModelRequest request, ModelSink sink, long wordMillis) {
        this.request = request;
        this.sink = sink;
        this.wordMillis = wordMillis;
        endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(lifeMillis(request));
    }

    private static long lifeMillis(ModelRequest request) {
        long left = request.deadlineMillis() - System.currentTimeMillis();
        return request.deadlineMillis() <= 0
                ? LONGEST_MILLIS
                : Math.clamp(left, 0, LONGEST_MILLIS) + OVERTIME_MILLIS;
    }

    /** Stops the turn unless it was stopped before. Never blocks for long. */
    void stop(ErrorCode code, String message, boolean retryable) {
        lock.lock();
        try {
            if (stopped == null) {
                stopped = new ModelEvent.Failed(code, message, retryable);
            }
            stopping.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void run() {
        try {
            play();
        } catch (PalyraException e) {
            end(new ModelEvent.Failed(e.code(), e.getMessage(), false));
        } catch (RuntimeException | LinkageError e) {
            LOG.error("Turn {} of the deterministic model broke", request.requestId(), e);
            end(new ModelEvent.Failed(ErrorCode.INTERNAL, "The deterministic model broke.", true));
        }
    }

    /** Returns how the turn ended; null when the sink was closed before. For the turn's thread. */
    ModelEvent ending() {
        return ending;
    }

    private void play() {
        Conversation conversation = new Conversation(request.messages());
        for (Step step : steps(conversation)) {
            if (!goesOn()) {
                break;
            }
            perform(step, conversation);
        }
        finish(conversation.words());
    }

    private List<Step> steps(Conversation conversation) {
        String said = conversation.lastUserText();
        if (request.testAgent() && Script.isScript(said)) {
            return Script.read(said).turn(conversation.turnsSince());
        }
        return List.of(new Step.Say(said.isBlank() ? "ack" : "You said: " + said, -1));
    }

    private void perform(Step step, Conversation conversation) {
        switch (step) {
            case Step.Say say -> stream(Words.pieces(say.text()), say.chunkMillis(), false);
            case Step.Think think -> stream(Words.pieces(think.text()), think.chunkMillis(), true);
            case Step.Call call -> {
                proposed = true;
                emit(new ModelEvent.Proposed(new ToolProposal("", call.tool(), call.inputJson())));
            }
            case Step.Delay delay -> pause(delay.millis());
            case Step.Fail fail -> fail(fail);
            case Step.Stall ignored -> pause(Long.MAX_VALUE);
            case Step.Repeat repeat -> repeat(repeat);
            case Step.LastToolOutput ignored ->
                    stream(Words.pieces(toolOutput(conversation)), -1, false);
        }
    }

    private static String toolOutput(Conversation conversation) {
        String output = conversation.lastToolOutput();
        if (output == null) {
            throw Refusal.of("a step lastToolOutput", "found no output of a tool to say");
        }
        return output;
    }

    private void fail(Step.Fail fail) {
        if (RequestIds.attempt(request.requestId()) <= fail.times()) {
            stop(fail.code(), fail.message(), fail.retryable());
        }
    }

    private void repeat(Step.Repeat repeat) {
        for (int i = 0; i < repeat.count() && goesOn(); i++) {
            stream(Words.whole(repeat.text()), 0, false);
        }
    }

    private void stream(List<String> pieces, long chunkMillis, boolean thought) {
        long millis = chunkMillis < 0 ? wordMillis : chunkMillis;
        for (String piece : pieces) {
            if (!goesOn()) {
                return;
            }
            outputWords += Words.count(piece);
            emit(thought ? new ModelEvent.ThoughtDelta(piece) : new ModelEvent.TextDelta(piece));
            pause(millis);
        }
    }

    /** A sink that throws counts as closed. */
    private void emit(ModelEvent event) {
        try {
            listening = listening && sink.accept(event);
        } catch (RuntimeException e) {
            LOG.warn("The sink of turn {} broke; the turn is given up", request.requestId(), e);
            listening = false;
        }
    }

    private boolean goesOn() {
        return listening && stopped() == null;
    }

    private ModelEvent.Failed stopped() {
        lock.lock();
        try {
            if (stopped == null && System.nanoTime() - endNanos >= 0) {
                stopped = tooLate();
            }
            return stopped;
        } finally {
            lock.unlock();
        }
    }

    private static ModelEvent.Failed tooLate() {
        return new ModelEvent.Failed(
                ErrorCode.TIMED_OUT, "The turn was not done by its deadline.", true);
    }

    /** Waits, unless stopped, for so long and never past the turn's own end. */
    private void pause(long millis) {
        if (millis <= 0) {
            return;
        }
        lock.lock();
        try {
            long left =
                    Math.min(TimeUnit.MILLISECONDS.toNanos(millis), endNanos - System.nanoTime());
            while (left > 0 && stopped == null) {
                left = stopping.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            stopped = stopped == null ? withdrawn() : stopped;
        } finally {
            lock.unlock();
        }
    }

    /** How a turn ends whose provider leaves. */
    static ModelEvent.Failed withdrawn() {
        return new ModelEvent.Failed(
                ErrorCode.MODEL_UNAVAILABLE,
                "The deterministic model was withdrawn during the turn; ask again.",
                true);
    }

    private void finish(long inputWords) {
        ModelEvent.Failed failed = stopped();
        end(
                failed != null
                        ? failed
                        : new ModelEvent.Finished(
                                proposed ? "tool_calls" : "stop", inputWords, outputWords));
    }

    private void end(ModelEvent how) {
        if (listening) {
            ending = how;
            emit(how);
        }
    }
}
