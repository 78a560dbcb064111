package palyra.policy.internal.cedar.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import palyra.policy.internal.cedar.value.CedarFormatException;
import palyra.policy.internal.cedar.value.EntityUid;

/** Strict access to JSON: unexpected members are refused, with their place. */
public final class Json {
    /** A chain of a thousand operators is two thousand levels of JSON. */
    private static final int NESTING = 20_000;

    private static final ObjectMapper MAPPER =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(NESTING)
                                                    .build())
                                    .build())
                    .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    /** Reads a value in the middle of a text. */
    private static final ObjectReader PARTS =
            MAPPER.reader().without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private Json() {}

    /**
     * @param what what the text is, for the message
     * @throws CedarFormatException if it is not JSON, or has a key twice
     */
    public static JsonNode parse(String text, String what) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new CedarFormatException(what + " is not valid JSON: " + e.getOriginalMessage());
        }
    }

    /** Takes a part of a text that is read piece by piece. */
    public interface Taker {
        /**
         * @param section key in the outermost object
         * @param key key in the section, or the section's own where it is taken as a whole
         */
        void take(String section, String key, JsonNode value);
    }

    /**
     * Reads an object section by section and hands on its parts, one at a time.
     *
     * @param what what the text is, for the message
     * @param objects sections that are objects, of which each member is handed on
     * @param others sections that are handed on as a whole
     * @throws CedarFormatException if it is not JSON, has a key twice or another section
     */
    public static void members(
            String text, String what, Set<String> objects, Set<String> others, Taker taker) {
        try (JsonParser parser = MAPPER.createParser(text)) {
            parser.enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
            require(parser.nextToken() == JsonToken.START_OBJECT, what + ": expected an object.");
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String section = parser.currentName();
                JsonToken begin = parser.nextToken();
                if (objects.contains(section)) {
                    require(
                            begin == JsonToken.START_OBJECT,
                            what + "." + section + ": expected an object.");
                    while (parser.nextToken() != JsonToken.END_OBJECT) {
                        String key = parser.currentName();
                        parser.nextToken();
                        taker.take(section, key, PARTS.readTree(parser));
                    }
                } else {
                    require(
                            others.contains(section),
                            what + ": the key \"" + section + "\" is not known here.");
                    taker.take(section, section, PARTS.readTree(parser));
                }
            }
            require(parser.nextToken() == null, what + ": there is something after its end.");
        } catch (JsonProcessingException e) {
            throw new CedarFormatException(what + " is not valid JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new UncheckedIOException("Text in memory could not be read.", e);
        }
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new CedarFormatException(message);
        }
    }

    /** The object's only key and its value. */
    public static Map.Entry<String, JsonNode> only(JsonNode node, String place) {
        if (!node.isObject() || node.size() != 1) {
            throw new CedarFormatException(place + ": expected an object with exactly one key.");
        }
        return node.properties().iterator().next();
    }

    /** Refuses anything but an object with no other keys than these. */
    public static void keys(JsonNode node, Set<String> allowed, String place) {
        for (Map.Entry<String, JsonNode> field : object(node, place)) {
            if (!allowed.contains(field.getKey())) {
                throw new CedarFormatException(
                        place + ": the key \"" + field.getKey() + "\" is not known here.");
            }
        }
    }

    public static JsonNode required(JsonNode node, String key, String place) {
        JsonNode child = node.get(key);
        if (child == null) {
            throw new CedarFormatException(place + ": the key \"" + key + "\" is missing.");
        }
        return child;
    }

    public static String text(JsonNode node, String place) {
        if (!node.isTextual()) {
            throw new CedarFormatException(place + ": expected a text.");
        }
        return node.textValue();
    }

    public static String text(JsonNode node, String key, String place) {
        return text(required(node, key, place), place + "." + key);
    }

    public static JsonNode array(JsonNode node, String place) {
        if (!node.isArray()) {
            throw new CedarFormatException(place + ": expected a list.");
        }
        return node;
    }

    /** The fields of an object, in their order. */
    public static Collection<Map.Entry<String, JsonNode>> object(JsonNode node, String place) {
        if (!node.isObject()) {
            throw new CedarFormatException(place + ": expected an object.");
        }
        return node.properties();
    }

    /** A name of an entity: {@code {type, id}}, bare or under {@code __entity}. */
    public static EntityUid uid(JsonNode node, String place) {
        JsonNode body = node;
        if (node.isObject() && node.size() == 1 && node.has("__entity")) {
            body = node.get("__entity");
        }
        keys(body, Set.of("type", "id"), place);
        return uid(text(body, "type", place), text(body, "id", place), place);
    }

    private static EntityUid uid(String type, String id, String place) {
        try {
            return EntityUid.of(type, id);
        } catch (IllegalArgumentException e) {
            throw new CedarFormatException(place + ": " + e.getMessage());
        }
    }
}
