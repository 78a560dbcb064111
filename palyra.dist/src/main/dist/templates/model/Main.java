package @name@.internal;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelProvider;
import palyra.api.model.ModelRequest;
import palyra.api.model.ModelSink;

/** A model that says the last message again, louder. Replace it with your own. */
@Component(
        service = ModelProvider.class,
        immediate = true,
        property = ModelProvider.ID_PROPERTY + "=@word@")
public final class @Class@Model implements ModelProvider {
    private final Map<String, Thread> turns = new ConcurrentHashMap<>();
    private volatile boolean withdrawn;

    @Override
    public void start(ModelRequest request, ModelSink sink) {
        Thread turn =
                Thread.ofVirtual()
                        .name("@word@-" + request.requestId())
                        .unstarted(() -> run(request, sink));
        turns.put(request.requestId(), turn);
        if (withdrawn) { // looked at after the put: either we see it, or close() sees the turn
            turns.remove(request.requestId());
            throw new PalyraException(
                    ErrorCode.MODEL_UNAVAILABLE, "The model is going; ask again.");
        }
        turn.start();
    }

    private void run(ModelRequest request, ModelSink sink) {
        try {
            String said = request.messages().getLast().text();
            for (String word : said.toUpperCase(Locale.ROOT).split("(?<= )")) {
                Thread.sleep(20); // a real provider reads from its connection here
                if (!word.isEmpty() && !sink.accept(new ModelEvent.TextDelta(word))) {
                    return;
                }
            }
            sink.accept(new ModelEvent.Finished("stop", 0, 0));
        } catch (InterruptedException e) {
            sink.accept(stopped());
        } finally {
            turns.remove(request.requestId());
        }
    }

    private ModelEvent stopped() {
        return withdrawn
                ? new ModelEvent.Failed(
                        ErrorCode.MODEL_UNAVAILABLE, "The model was withdrawn; ask again.", true)
                : new ModelEvent.Failed(ErrorCode.CANCELLED, "The turn was cancelled.", false);
    }

    @Override
    public void cancel(String requestId) {
        Thread turn = turns.get(requestId);
        if (turn != null) {
            turn.interrupt();
        }
    }

    @Deactivate
    void close() throws InterruptedException {
        withdrawn = true;
        for (Thread turn : turns.values()) {
            turn.interrupt();
            turn.join(2_000);
        }
    }
}
