package palyra.testing.discord;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonMetaSchema;
import com.networknt.schema.JsonNodePath;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.NonValidationKeyword;
import com.networknt.schema.PathType;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Discord's OpenAPI document, as far as the fake uses it. It is read once a JVM. Thread-safe. */
final class OpenApi {
    private static final OpenApi ONE = new OpenApi();
    private static final int MOST = 5;

    private final JsonNode document;
    private final JsonSchema root;
    private final Map<List<String>, JsonSchema> schemas = new ConcurrentHashMap<>();

    private OpenApi() {
        try (InputStream in = OpenApi.class.getResourceAsStream("openapi.json")) {
            document = Json.MAPPER.readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        SchemaValidatorsConfig config =
                SchemaValidatorsConfig.builder()
                        .formatAssertionsEnabled(true)
                        .pathType(PathType.JSON_POINTER)
                        .build();
        root =
                JsonSchemaFactory.getInstance(
                                SpecVersion.VersionFlag.V202012,
                                builder -> builder.metaSchema(withOpenApi()))
                        .getSchema(SchemaLocation.of("urn:discord"), document, config);
    }

    /** The validator warns of each word that it does not know, in the log of who uses the fake. */
    private static JsonMetaSchema withOpenApi() {
        JsonMetaSchema.Builder known = JsonMetaSchema.builder(JsonMetaSchema.getV202012());
        for (String word : List.of("openapi", "info", "paths", "components")) {
            known.keyword(new NonValidationKeyword(word));
        }
        return known.build();
    }

    static OpenApi get() {
        return ONE;
    }

    /** Returns whether the document knows a call such as {@code GET /gateway}. */
    boolean knows(String method, String path) {
        return operation(method, path).isObject();
    }

    /** Returns whether a call needs the bot's token. */
    boolean needsToken(String method, String path) {
        for (JsonNode way : operation(method, path).path("security")) {
            if (way.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /**
     * A request as Discord reads it.
     *
     * @param body body; {@code null} for none
     * @param wrong what is wrong with it
     */
    record Reading(JsonNode body, List<String> wrong) {}

    /** Reads the body of a request; {@code null} stands for no body. */
    Reading request(String method, String path, JsonNode body) {
        if (operation(method, path).path("requestBody").isMissingNode()) {
            boolean none = body == null || body.isEmpty();
            return new Reading(null, none ? List.of() : List.of("takes no body"));
        }
        List<String> place =
                List.of(
                        "paths",
                        path,
                        method,
                        "requestBody",
                        "content",
                        "application/json",
                        "schema");
        JsonNode asked = body == null ? Json.object() : body;
        Set<ValidationMessage> all = validate(asked, place);
        if (all.isEmpty()) {
            return new Reading(asked, List.of());
        }
        JsonNode coerced = coerced(asked, all);
        return new Reading(coerced, said(validate(coerced, place)));
    }

    /** Returns a request with numbers for texts and texts for ids, where a type was wrong. */
    private static JsonNode coerced(JsonNode asked, Set<ValidationMessage> wrong) {
        JsonNode copy = asked.deepCopy();
        for (ValidationMessage one : wrong) {
            JsonPointer at = JsonPointer.compile(one.getInstanceLocation().toString());
            JsonNode value = asked.at(at);
            JsonNode parent = at.head() == null ? Json.NODES.missingNode() : copy.at(at.head());
            if (one.getType().equals("type") && value.isValueNode()) {
                put(parent, at.last(), other(value));
            }
        }
        return copy;
    }

    private static JsonNode other(JsonNode value) {
        if (value.isTextual() && value.textValue().matches("-?[0-9]{1,18}")) {
            return Json.NODES.numberNode(Long.parseLong(value.textValue()));
        }
        return value.isIntegralNumber() ? Json.NODES.textNode(value.asText()) : value;
    }

    private static void put(JsonNode parent, JsonPointer last, JsonNode value) {
        if (parent instanceof ObjectNode object) {
            object.set(last.getMatchingProperty(), value);
        } else if (parent instanceof ArrayNode array) {
            array.set(last.getMatchingIndex(), value);
        }
    }

    /** Returns what is wrong with the query of a request. */
    List<String> query(String method, String path, Map<String, String> query) {
        List<String> wrong = new ArrayList<>();
        query.forEach(
                (name, value) -> {
                    if (!takes(method, path, name)) {
                        wrong.add("takes no query parameter " + name);
                    }
                });
        return wrong;
    }

    private boolean takes(String method, String path, String name) {
        for (JsonNode one : operation(method, path).path("parameters")) {
            if (one.path("in").asText().equals("query") && one.path("name").asText().equals(name)) {
                return true;
            }
        }
        return false;
    }

    /** Returns what is wrong with an answer; {@code null} stands for no body. */
    List<String> response(String method, String path, int status, JsonNode body) {
        JsonNode responses = operation(method, path).path("responses");
        String name = Integer.toString(status);
        if (!responses.has(name)) {
            name = status / 100 + "XX";
        }
        if (!responses.has(name)) {
            return List.of("status " + status + " is no answer of this call");
        }
        if (responses.path(name).isEmpty()) {
            return body == null ? List.of() : List.of("status " + status + " has no body");
        }
        return wrong(
                body == null ? Json.NODES.nullNode() : body,
                "paths",
                path,
                method,
                "responses",
                name,
                "content",
                "application/json",
                "schema");
    }

    /** Returns what is wrong with something that should be one of the document's components. */
    List<String> component(String name, JsonNode value) {
        return wrong(value, "components", "schemas", name);
    }

    private JsonNode operation(String method, String path) {
        return document.path("paths").path(path).path(method);
    }

    private List<String> wrong(JsonNode value, String... place) {
        return said(validate(value, List.of(place)));
    }

    private Set<ValidationMessage> validate(JsonNode value, List<String> place) {
        return schemas.computeIfAbsent(place, this::schema).validate(value);
    }

    private static List<String> said(Set<ValidationMessage> wrong) {
        return wrong.stream().map(ValidationMessage::getMessage).distinct().limit(MOST).toList();
    }

    private JsonSchema schema(List<String> place) {
        JsonNodePath path = new JsonNodePath(PathType.JSON_POINTER);
        for (String name : place) {
            path = path.append(name);
        }
        return root.getSubSchema(path);
    }
}
