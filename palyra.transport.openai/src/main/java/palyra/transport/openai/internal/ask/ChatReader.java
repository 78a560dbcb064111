package palyra.transport.openai.internal.ask;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import palyra.transport.openai.internal.http.RefusedException;

/** Reads requests for chat completions. Pure functions. */
public final class ChatReader {
    private static final Set<String> KNOWN =
            Set.of("model", "messages", "stream", "stream_options", "user");
    private static final String MESSAGES = "messages";

    private ChatReader() {}

    /** Returns what is asked. */
    public static Ask read(ObjectNode request) {
        List<String> ignored = Fields.ignored(request, KNOWN);
        JsonNode list = request.path(MESSAGES);
        if (!list.isArray() || list.isEmpty()) {
            throw RefusedException.invalid(
                    MESSAGES, "messages is missing or empty; send at least one of the role user.");
        }
        Messages messages = new Messages(MESSAGES);
        int newest = Messages.lastOfUser(list);
        for (int i = 0; i < list.size(); i++) {
            JsonNode message = list.get(i);
            messages.add(
                    message.path("role").asText(),
                    Parts.text(
                            message.path("content"), "messages[" + i + "].content", i != newest));
        }
        return new Ask(
                Fields.model(request),
                messages.instructions(),
                messages.earlier(),
                messages.newest(),
                Fields.flag(request.path("stream"), "stream"),
                Fields.flag(
                        request.path("stream_options").path("include_usage"),
                        "stream_options.include_usage"),
                Fields.text(request, "user"),
                "",
                ignored);
    }
}
