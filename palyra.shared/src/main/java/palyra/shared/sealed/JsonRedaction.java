package palyra.shared.sealed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
import palyra.api.PalyraException;
import palyra.shared.json.StrictJson;

/** Replaces texts within a JSON text. For one use. */
final class JsonRedaction {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final BinaryOperator<String> replace;
    private boolean changed;

    /**
     * Creates a redaction.
     *
     * @param replace gives for a member's name (empty for an element and for a name itself) and its
     *     text what takes the text's place
     */
    JsonRedaction(BinaryOperator<String> replace) {
        this.replace = replace;
    }

    /** Returns the new JSON; the same text when nothing was replaced; empty for invalid JSON. */
    Optional<String> of(String json) {
        JsonNode tree;
        try {
            tree = StrictJson.parse(json, "the content");
        } catch (PalyraException e) {
            return Optional.empty();
        }
        JsonNode replaced = walk("", tree);
        return Optional.of(changed ? written(replaced) : json);
    }

    private static String written(JsonNode tree) {
        try {
            return MAPPER.writeValueAsString(tree);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a JSON tree cannot be written", e);
        }
    }

    private JsonNode walk(String name, JsonNode node) {
        if (node instanceof ObjectNode object) {
            ObjectNode copy = JsonNodeFactory.instance.objectNode();
            for (Map.Entry<String, JsonNode> member : object.properties()) {
                copy.set(text("", member.getKey()), walk(member.getKey(), member.getValue()));
            }
            return copy;
        }
        if (node instanceof ArrayNode array) {
            ArrayNode copy = JsonNodeFactory.instance.arrayNode();
            array.forEach(element -> copy.add(walk(name, element)));
            return copy;
        }
        return node.isTextual()
                ? JsonNodeFactory.instance.textNode(text(name, node.textValue()))
                : node;
    }

    private String text(String name, String value) {
        String replaced = replace.apply(name, value);
        changed |= !replaced.equals(value);
        return replaced;
    }
}
