package palyra.models.internal;

import java.util.ArrayList;
import java.util.List;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelRequest;

/** Requests for tests. */
final class Requests {
    private Requests() {}

    static ModelRequest plain(String requestId, String text) {
        return request(requestId, false, List.of(new ModelMessage.User(text)), 60_000);
    }

    static ModelRequest script(String requestId, String json, ModelMessage... after) {
        List<ModelMessage> messages = new ArrayList<>();
        messages.add(new ModelMessage.User(Script.MARK + "\n" + json));
        messages.addAll(List.of(after));
        return request(requestId, true, messages, 60_000);
    }

    static ModelRequest request(
            String requestId, boolean testAgent, List<ModelMessage> messages, long forMillis) {
        return new ModelRequest(
                requestId,
                "run-1",
                "",
                messages,
                List.of(),
                testAgent,
                System.currentTimeMillis() + forMillis);
    }
}
