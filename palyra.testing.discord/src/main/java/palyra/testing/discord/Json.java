package palyra.testing.discord;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** Makes and reads JSON. */
final class Json {
    static final ObjectMapper MAPPER = JsonMapper.builder().build();
    static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Json() {}

    /** Returns an object of names and values; a value is a node, or what has one. */
    static ObjectNode object(Object... pairs) {
        return put(NODES.objectNode(), pairs);
    }

    /** Puts names and values into an object and returns it. */
    static ObjectNode put(ObjectNode object, Object... pairs) {
        for (int at = 0; at < pairs.length; at += 2) {
            object.set((String) pairs[at], MAPPER.valueToTree(pairs[at + 1]));
        }
        return object;
    }

    static ArrayNode array(Object... values) {
        ArrayNode array = NODES.arrayNode();
        for (Object value : values) {
            array.add(MAPPER.<JsonNode>valueToTree(value));
        }
        return array;
    }

    static JsonNode read(byte[] text) throws java.io.IOException {
        return MAPPER.readTree(text);
    }

    static String write(JsonNode node) {
        try {
            return MAPPER.writeValueAsString(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree is always written", e);
        }
    }

    /** Returns a copy without the fields that are null, at any depth of objects and arrays. */
    static JsonNode withoutNulls(JsonNode node) {
        if (node.isArray()) {
            ArrayNode array = NODES.arrayNode();
            node.forEach(one -> array.add(withoutNulls(one)));
            return array;
        }
        if (!node.isObject()) {
            return node;
        }
        ObjectNode object = NODES.objectNode();
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            if (!field.getValue().isNull()) {
                object.set(field.getKey(), withoutNulls(field.getValue()));
            }
        }
        return object;
    }
}
