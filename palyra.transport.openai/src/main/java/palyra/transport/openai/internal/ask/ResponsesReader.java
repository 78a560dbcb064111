package palyra.transport.openai.internal.ask;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import palyra.transport.openai.internal.http.RefusedException;

/** Reads requests for responses. Pure functions. */
public final class ResponsesReader {
    private static final Set<String> KNOWN =
            Set.of(
                    "model",
                    "input",
                    "instructions",
                    "stream",
                    "user",
                    "store",
                    "previous_response_id");
    private static final String INPUT = "input";

    private ResponsesReader() {}

    /** Returns what is asked. */
    public static Ask read(ObjectNode request) {
        List<String> ignored = Fields.ignored(request, KNOWN);
        JsonNode store = request.path("store");
        if (store.isBoolean() && !store.booleanValue()) {
            throw RefusedException.unsupported(
                    "store",
                    "store is false, but every run is kept on its tape until retention drops it;"
                            + " leave store out to accept that.");
        }
        Messages messages = new Messages(INPUT);
        messages.instruct(Fields.text(request, "instructions"));
        JsonNode input = request.path(INPUT);
        if (input.isTextual()) {
            messages.add("user", input.textValue());
        } else if (input.isArray()) {
            int newest = Messages.lastOfUser(input);
            for (int i = 0; i < input.size(); i++) {
                add(messages, input.get(i), "input[" + i + "]", i == newest);
            }
        } else {
            throw RefusedException.invalid(
                    INPUT, "input is missing; send a text, or a list of messages.");
        }
        return new Ask(
                Fields.model(request),
                messages.instructions(),
                messages.earlier(),
                messages.newest(),
                Fields.flag(request.path("stream"), "stream"),
                true,
                Fields.text(request, "user"),
                Fields.text(request, "previous_response_id"),
                ignored);
    }

    private static void add(Messages messages, JsonNode item, String field, boolean last) {
        switch (item.path("type").asText("message")) {
            case "message" ->
                    messages.add(
                            item.path("role").asText(),
                            Parts.text(item.path("content"), field + ".content", !last));
            case "reasoning" -> {
                // what this server said about its tools
            }
            default ->
                    throw RefusedException.unsupported(
                            field,
                            field
                                    + " is an item of a type that is not taken; send items of type"
                                    + " message.");
        }
    }
}
