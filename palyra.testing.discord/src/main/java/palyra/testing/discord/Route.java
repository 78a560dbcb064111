package palyra.testing.discord;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A call of the REST interface.
 *
 * @param method in lower case
 * @param path as in the OpenAPI document
 * @param status status of the answer if all is well; 204 for one without a body
 * @param act does it, and returns the body
 */
record Route(String method, String path, int status, Function<Ask, JsonNode> act) {
    /** Returns what tests call it, such as {@code GET /users/@me}. */
    String name() {
        return method.toUpperCase(Locale.ROOT) + " " + path;
    }

    /** Returns the parameters of a path, if it is one of this call. */
    Optional<Map<String, String>> match(String asked) {
        List<String> own = List.of(path.split("/"));
        List<String> its = List.of(asked.split("/"));
        if (own.size() != its.size()) {
            return Optional.empty();
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        for (int at = 0; at < own.size(); at++) {
            String part =
                    URLDecoder.decode(its.get(at).replace("+", "%2B"), StandardCharsets.UTF_8);
            if (own.get(at).startsWith("{")) {
                parameters.put(own.get(at).replaceAll("[{}]", ""), part);
            } else if (!own.get(at).equals(part)) {
                return Optional.empty();
            }
        }
        return Optional.of(parameters);
    }

    /** Returns the id whose calls are counted together. */
    String major(Map<String, String> parameters) {
        return parameters.getOrDefault("channel_id", "")
                + parameters.getOrDefault("guild_id", "")
                + parameters.getOrDefault("webhook_id", "")
                + parameters.getOrDefault("webhook_token", "")
                + parameters.getOrDefault("interaction_id", "");
    }
}
