package palyra.policy.internal.decide;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.policy.internal.cedar.entity.Entities;
import palyra.policy.internal.cedar.entity.Entity;
import palyra.policy.internal.cedar.json.EntitiesReader;
import palyra.policy.internal.cedar.json.Json;
import palyra.policy.internal.cedar.json.ValueReader;
import palyra.policy.internal.cedar.value.CedarFormatException;
import palyra.policy.internal.cedar.value.EntityUid;
import palyra.policy.internal.cedar.value.RecordValue;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/** Writes a policy request as canonical JSON and reads it again. */
final class Evidence {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final int VERSION = 1;
    private static final Set<String> KEYS =
            Set.of("v", "principal", "action", "resource", "context", "entities");
    private static final String WHAT = "the evidence of a decision";

    private Evidence() {}

    static String write(PolicyRequest request) {
        ObjectNode evidence = body(request).put("v", VERSION);
        evidence.put("action", request.action().id());
        return Jcs.text(evidence);
    }

    /** Returns the same as the native engine reads it. */
    static String nativeRequest(PolicyRequest request) {
        ObjectNode json = body(request);
        json.set("action", ValueJson.name(request.action()));
        return json.toString();
    }

    private static ObjectNode body(PolicyRequest request) {
        ObjectNode body = JSON.objectNode();
        body.set("principal", ValueJson.name(request.principal()));
        body.set("resource", ValueJson.name(request.resource()));
        body.set("context", ValueJson.of(request.context()));
        ArrayNode entities = body.putArray("entities");
        request.slice().forEach(entity -> entities.add(entity(entity)));
        return body;
    }

    private static ObjectNode entity(Entity entity) {
        ObjectNode node = JSON.objectNode();
        node.set("uid", ValueJson.name(entity.uid()));
        node.set("attrs", ValueJson.of(entity.attributes()));
        ArrayNode parents = node.putArray("parents");
        ValueJson.sorted(entity.parents()).forEach(parent -> parents.add(ValueJson.name(parent)));
        if (!entity.tags().names().isEmpty()) {
            node.set("tags", ValueJson.of(entity.tags()));
        }
        return node;
    }

    static PolicyRequest read(String json) {
        try {
            return read(StrictJson.parse(json, WHAT));
        } catch (CedarFormatException | IllegalArgumentException e) {
            throw refused(e.getMessage(), e);
        }
    }

    private static PolicyRequest read(JsonNode node) {
        Json.keys(node, KEYS, WHAT);
        JsonNode version = Json.required(node, "v", WHAT);
        if (!version.isInt() || version.intValue() != VERSION) {
            throw refused("its version is " + version + ", and this gateway reads 1", null);
        }
        List<Entity> slice =
                new ArrayList<>(
                        EntitiesReader.withoutSchema().read(Json.required(node, "entities", WHAT)));
        // Refuses an entity that is there twice or is its own ancestor.
        Entities.of(slice);
        RecordValue context =
                ValueReader.trusted().record(Json.required(node, "context", WHAT), "its context");
        EntityUid action = EntityUid.of("Action", Json.text(node, "action", WHAT));
        PolicyRequest request =
                new PolicyRequest(
                        uid(node, "principal"),
                        action,
                        uid(node, "resource"),
                        action.equals(ToolCallMapper.ACTION)
                                ? ToolCallMapper.withSpend(context)
                                : context,
                        slice);
        ValueJson.requireWritable(request);
        return request;
    }

    private static EntityUid uid(JsonNode node, String key) {
        return Json.uid(Json.required(node, key, WHAT), "its " + key);
    }

    private static PalyraException refused(String why, Throwable cause) {
        return new PalyraException(
                ErrorCode.INVALID_ARGUMENT,
                "What was given as " + WHAT + " cannot be read: " + why,
                cause);
    }
}
