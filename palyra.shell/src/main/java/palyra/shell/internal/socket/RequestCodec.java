package palyra.shell.internal.socket;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import palyra.api.PalyraException;
import palyra.shared.json.StrictJson;
import palyra.shared.socket.ProtocolException;
import palyra.shell.internal.host.Request;

/** Reads the JSON of REQUEST and RESIZE frames. */
final class RequestCodec {
    private static final int MAX_ARGUMENTS = 4_096;
    private static final int MAX_COLUMNS = 10_000;

    private RequestCodec() {}

    static Request request(byte[] payload) throws ProtocolException {
        JsonNode request = object(payload, "the request");
        JsonNode argv = request.path("argv");
        if (!argv.isArray() || argv.size() > MAX_ARGUMENTS) {
            throw new ProtocolException(
                    "A request needs argv, an array of at most " + MAX_ARGUMENTS + " texts.");
        }
        List<String> words = new ArrayList<>(argv.size());
        for (JsonNode word : argv) {
            if (!word.isTextual() || word.textValue().indexOf('\0') >= 0) {
                throw new ProtocolException("Each element of argv must be a text.");
            }
            words.add(word.textValue());
        }
        boolean interactive = request.path("tty").asBoolean(false);
        return new Request(
                words,
                interactive,
                request.path("out").asBoolean(interactive), // older clients do not say
                request.path("err").asBoolean(interactive),
                columns(request),
                colour(request),
                request.path("cwd").asText(""));
    }

    /** By no-color.org: NO_COLOR with any value but the empty one means none. */
    private static boolean colour(JsonNode request) {
        JsonNode env = request.path("env");
        String type = env.path("TERM").asText("");
        return request.path("tty").asBoolean(false)
                && !type.isEmpty()
                && !type.equals("dumb")
                && env.path("NO_COLOR").asText("").isEmpty();
    }

    static int columns(byte[] resize) throws ProtocolException {
        return columns(object(resize, "the new size"));
    }

    private static int columns(JsonNode node) {
        int columns = node.path("columns").asInt(0);
        return columns < 0 ? 0 : Math.min(columns, MAX_COLUMNS);
    }

    private static JsonNode object(byte[] payload, String what) throws ProtocolException {
        JsonNode node;
        try {
            node = StrictJson.parse(payload, what);
        } catch (PalyraException e) {
            throw new ProtocolException(e.getMessage());
        }
        if (!node.isObject()) {
            throw new ProtocolException("Expected " + what + " as a JSON object.");
        }
        return node;
    }
}
