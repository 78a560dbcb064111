package palyra.testing.discord;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/**
 * What a call asks.
 *
 * @param path parameters of the path, decoded
 * @param query parameters of the query, decoded
 * @param body body; {@code null} for none
 * @param files files that came with it
 */
record Ask(
        Map<String, String> path,
        Map<String, String> query,
        JsonNode body,
        List<Multipart.Part> files) {
    String path(String name) {
        return path.get(name);
    }

    JsonNode json() {
        return body == null ? Json.object() : body;
    }
}
