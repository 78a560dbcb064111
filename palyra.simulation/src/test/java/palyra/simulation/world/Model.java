package palyra.simulation.world;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelProvider;
import palyra.api.model.ModelRequest;
import palyra.api.model.ModelSink;
import palyra.api.model.ToolProposal;

/**
 * A model that reads in the message what to do: each letter is a turn, {@code o}, {@code a} and
 * {@code q} propose a call of a tool that runs once, that runs again, that asks first; {@code .}
 * answers.
 */
final class Model implements ModelProvider {
    private final Faults faults;
    private final Set<String> cancelled = ConcurrentHashMap.newKeySet();

    Model(Faults faults) {
        this.faults = faults;
    }

    @Override
    public void start(ModelRequest request, ModelSink sink) {
        if (faults.happens(2)) {
            throw new PalyraException(ErrorCode.MODEL_UNAVAILABLE, "The model does not start.");
        }
        Thread.ofVirtual().start(() -> speak(request, sink));
    }

    @Override
    public void cancel(String requestId) {
        cancelled.add(requestId);
    }

    private void speak(ModelRequest request, ModelSink sink) {
        pause(faults.below(800));
        for (ModelEvent event : turn(request)) {
            pause(faults.below(60));
            if (cancelled.contains(request.requestId())) {
                sink.accept(new ModelEvent.Failed(ErrorCode.CANCELLED, "Cancelled.", false));
                return;
            }
            if (faults.happens(2)) {
                sink.accept(new ModelEvent.Failed(ErrorCode.MODEL_FAILED, "The line broke.", true));
                return;
            }
            if (!sink.accept(event)) {
                return;
            }
        }
    }

    private static List<ModelEvent> turn(ModelRequest request) {
        String script = "";
        int turn = 0;
        for (ModelMessage message : request.messages()) {
            switch (message) {
                case ModelMessage.User user -> {
                    script = user.text().substring(user.text().lastIndexOf(' ') + 1);
                    turn = 0;
                }
                case ModelMessage.ToolOutput ignored -> turn++;
                default -> {} // what it said itself
            }
        }
        return switch (turn < script.length() ? script.charAt(turn) : '.') {
            case 'o' -> call(Effects.ONCE, turn);
            case 'a' -> call(Effects.AGAIN, turn);
            case 'q' -> call(Effects.ASKING, turn);
            default ->
                    List.of(
                            new ModelEvent.TextDelta("This is "),
                            new ModelEvent.TextDelta("the answer."),
                            new ModelEvent.Finished("stop", 1, 1));
        };
    }

    private static List<ModelEvent> call(String tool, int turn) {
        return List.of(
                new ModelEvent.TextDelta("I call."),
                new ModelEvent.Proposed(new ToolProposal("", tool, "{\"turn\":" + turn + "}")),
                new ModelEvent.Finished("tool_calls", 1, 1));
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
