package palyra.models.anthropic.internal;

import java.util.List;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelRequest;

/** Requests for tests of providers on the network. */
final class Conversations {
    private Conversations() {}

    /** Returns a request of one message. */
    static ModelRequest saying(String requestId, String text) {
        return new ModelRequest(
                requestId, "run-1", "", List.of(new ModelMessage.User(text)), List.of(), false, 0);
    }
}
