package palyra.testing.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelProvider;
import palyra.api.model.ModelRequest;
import palyra.api.model.ModelSink;
import palyra.api.model.ToolProposal;

/**
 * A model that says what the test told it to say, turn after turn, and keeps what it was asked.
 *
 * <p>Turns are queued before they are asked for; when the queue is empty {@link #otherwise}
 * answers, and without it the turn fails with a sentence. Each turn runs on a thread of its own;
 * {@link #close} fails turns that still run and waits for their threads. Thread-safe.
 */
public final class ScriptedModelProvider implements ModelProvider, AutoCloseable {
    /** One turn to come. */
    private sealed interface Turn {
        record Told(List<ModelEvent> events) implements Turn {}

        record Held(List<ModelEvent> before) implements Turn {}

        record Refused(PalyraException refusal) implements Turn {}
    }

    private static final long HELD_NANOS = 120_000_000_000L;

    private final Object lock = new Object();
    private final Deque<Turn> queued = new ArrayDeque<>(); // guarded by lock
    private final List<ModelRequest> requests = new ArrayList<>(); // guarded by lock
    private final Map<String, Running> running = new HashMap<>(); // guarded by lock
    private Function<ModelRequest, List<ModelEvent>> otherwise; // guarded by lock
    private boolean closed; // guarded by lock
    private volatile boolean seeing;

    /** Queues a turn of exactly these events; the last one ends it. */
    public ScriptedModelProvider turn(ModelEvent... events) {
        return queue(new Turn.Told(List.of(events)));
    }

    /** Queues a turn that answers, in one piece. */
    public ScriptedModelProvider answer(String text) {
        return turn(new ModelEvent.TextDelta(text), new ModelEvent.Finished("stop", 1, 1));
    }

    /** Queues a turn that proposes one call. */
    public ScriptedModelProvider propose(String toolName, String inputJson) {
        return turn(
                new ModelEvent.Proposed(new ToolProposal("", toolName, inputJson)),
                new ModelEvent.Finished("tool_calls", 1, 1));
    }

    /** Queues a turn that fails. */
    public ScriptedModelProvider fail(ErrorCode code, String message, boolean retryable) {
        return turn(new ModelEvent.Failed(code, message, retryable));
    }

    /** Queues a turn that says {@code before} and then nothing until it is cancelled. */
    public ScriptedModelProvider hold(ModelEvent... before) {
        return queue(new Turn.Held(List.of(before)));
    }

    /** Queues a turn that cannot even start: {@link #start} throws. */
    public ScriptedModelProvider refuse(ErrorCode code, String message) {
        return queue(new Turn.Refused(new PalyraException(code, message)));
    }

    /** Says from now on that its models see images. */
    public ScriptedModelProvider seeing() {
        seeing = true;
        return this;
    }

    @Override
    public boolean sees(String model) {
        return seeing;
    }

    /** Says how turns are answered that were not queued. */
    public ScriptedModelProvider otherwise(Function<ModelRequest, List<ModelEvent>> answer) {
        synchronized (lock) {
            otherwise = answer;
        }
        return this;
    }

    private ScriptedModelProvider queue(Turn turn) {
        synchronized (lock) {
            queued.add(turn);
        }
        return this;
    }

    /** Returns what it was asked so far, oldest first. */
    public List<ModelRequest> requests() {
        synchronized (lock) {
            return List.copyOf(requests);
        }
    }

    /** Returns how many turns run now. */
    public int runningTurns() {
        synchronized (lock) {
            return running.size();
        }
    }

    @Override
    public void start(ModelRequest request, ModelSink sink) {
        synchronized (lock) {
            if (closed) {
                throw new PalyraException(
                        ErrorCode.MODEL_UNAVAILABLE, "The scripted model was closed; ask another.");
            }
            requests.add(request);
            Turn turn = queued.isEmpty() ? unqueued(request) : queued.remove();
            if (turn instanceof Turn.Refused refused) {
                throw refused.refusal();
            }
            Running one = new Running(request.requestId(), turn, sink);
            running.put(request.requestId(), one);
            one.thread.start();
        }
    }

    private Turn unqueued(ModelRequest request) {
        if (otherwise != null) {
            return new Turn.Told(otherwise.apply(request));
        }
        return new Turn.Told(
                List.of(
                        new ModelEvent.Failed(
                                ErrorCode.MODEL_FAILED,
                                "The test queued no turn for request " + request.requestId() + ".",
                                false)));
    }

    @Override
    public void cancel(String requestId) {
        synchronized (lock) {
            Running one = running.get(requestId);
            if (one != null) {
                one.stop(new ModelEvent.Failed(ErrorCode.CANCELLED, "Cancelled.", false));
            }
        }
    }

    @Override
    public void close() {
        List<Running> all;
        synchronized (lock) {
            closed = true;
            all = new ArrayList<>(running.values());
            for (Running one : all) {
                one.stop(
                        new ModelEvent.Failed(
                                ErrorCode.MODEL_UNAVAILABLE, "The model was withdrawn.", true));
            }
        }
        all.forEach(Running::join);
    }

    private final class Running {
        private final String requestId;
        private final ModelSink sink;
        private final Thread thread;
        private ModelEvent.Failed stopped; // guarded by lock

        Running(String requestId, Turn turn, ModelSink sink) {
            this.requestId = requestId;
            this.sink = sink;
            thread =
                    Thread.ofPlatform()
                            .daemon()
                            .name("scripted-model-" + requestId)
                            .unstarted(() -> speak(turn));
        }

        private void speak(Turn turn) {
            try {
                List<ModelEvent> events = new ArrayList<>(said(turn));
                boolean told = true;
                for (int i = 0; i < events.size() && told && ending() == null; i++) {
                    told = sink.accept(events.get(i)) && !RecordingSink.ends(events.get(i));
                }
                if (told) {
                    sink.accept(turn instanceof Turn.Held ? awaitStop() : lastWord());
                }
            } finally {
                synchronized (lock) {
                    running.remove(requestId);
                }
            }
        }

        private List<ModelEvent> said(Turn turn) {
            return switch (turn) {
                case Turn.Told told -> told.events();
                case Turn.Held held -> held.before();
                case Turn.Refused ignored -> List.of();
            };
        }

        private ModelEvent lastWord() {
            ModelEvent.Failed ending = ending();
            return ending != null
                    ? ending
                    : new ModelEvent.Failed(
                            ErrorCode.MODEL_FAILED, "The test's turn has no end.", false);
        }

        private ModelEvent.Failed ending() {
            synchronized (lock) {
                return stopped;
            }
        }

        void stop(ModelEvent.Failed ending) {
            synchronized (lock) {
                stopped = stopped == null ? ending : stopped;
                lock.notifyAll();
            }
        }

        private ModelEvent.Failed awaitStop() {
            long deadline = System.nanoTime() + HELD_NANOS;
            synchronized (lock) {
                while (stopped == null && System.nanoTime() - deadline < 0) {
                    try {
                        lock.wait(1_000);
                    } catch (InterruptedException e) {
                        break; // the thread ends with the turn
                    }
                }
                return stopped != null
                        ? stopped
                        : new ModelEvent.Failed(
                                ErrorCode.TIMED_OUT,
                                "The held turn was not cancelled in time.",
                                false);
            }
        }

        void join() {
            try {
                if (thread != Thread.currentThread()) {
                    thread.join(5_000);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
