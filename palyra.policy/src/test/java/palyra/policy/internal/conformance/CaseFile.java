package palyra.policy.internal.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import palyra.policy.internal.cedar.json.Json;
import palyra.policy.internal.cedar.value.CedarFormatException;
import palyra.policy.internal.cedar.value.EntityUid;

/**
 * One test: a policy set, a schema, entities and requests with what is to be answered.
 *
 * @param name its file
 * @param policies text of the policies
 * @param schema text of the schema, in either language
 * @param entities list of entities in JSON
 * @param shouldValidate whether the policies fit the schema
 * @param requests the requests
 */
record CaseFile(
        String name,
        String policies,
        String schema,
        JsonNode entities,
        boolean shouldValidate,
        List<Ask> requests) {
    /**
     * One request.
     *
     * @param context its context in JSON
     * @param validate whether it is to fit the schema
     * @param expected what is to be answered
     */
    record Ask(
            String description,
            EntityUid principal,
            EntityUid action,
            EntityUid resource,
            JsonNode context,
            boolean validate,
            Answer expected) {}

    CaseFile {
        requests = List.copyOf(requests);
    }

    /** Returns whether a file may hold a test; {@link #read} says whether it does. */
    static boolean possible(String name) {
        String file = name.substring(name.lastIndexOf('/') + 1);
        return file.endsWith(".json")
                && !file.startsWith(".")
                && !file.endsWith(".entities.json")
                && !file.endsWith(".cedarschema.json");
    }

    /**
     * Reads a test.
     *
     * @return empty when the file holds something else, such as entities
     * @throws CorpusException when it is broken, or what it refers to is not there
     */
    static Optional<CaseFile> read(CorpusFiles files, String name) {
        String text = files.text(name);
        try {
            JsonNode json = Json.parse(text, name);
            return json.isObject() && json.has("requests")
                    ? Optional.of(read(files, name, json))
                    : Optional.empty();
        } catch (CedarFormatException e) {
            throw new CorpusException(
                    e.getMessage().startsWith(name) ? e.getMessage() : name + ", " + e.getMessage(),
                    e);
        }
    }

    private static CaseFile read(CorpusFiles files, String name, JsonNode json) {
        String entities = referred(files, name, json, "entities");
        List<Ask> requests = new ArrayList<>();
        for (JsonNode request : Json.array(json.get("requests"), "requests")) {
            requests.add(ask(request, "request " + (requests.size() + 1)));
        }
        return new CaseFile(
                name,
                files.text(referred(files, name, json, "policies")),
                files.text(referred(files, name, json, "schema")),
                Json.array(Json.parse(files.text(entities), entities), entities),
                flag(json, "shouldValidate", true, "the test"),
                requests);
    }

    private static String referred(CorpusFiles files, String name, JsonNode json, String key) {
        String reference = Json.text(json, key, "the test");
        return files.find(name, reference)
                .orElseThrow(
                        () ->
                                new CorpusException(
                                        name
                                                + " names "
                                                + reference
                                                + " as its "
                                                + key
                                                + ", and there is no such file."));
    }

    private static Ask ask(JsonNode json, String place) {
        JsonNode context = Json.required(json, "context", place);
        Json.object(context, place + ".context");
        return new Ask(
                json.path("description").asText(json.path("desc").asText()),
                Json.uid(Json.required(json, "principal", place), place + ".principal"),
                Json.uid(Json.required(json, "action", place), place + ".action"),
                Json.uid(Json.required(json, "resource", place), place + ".resource"),
                context,
                flag(json, "validateRequest", true, place),
                expected(json, place));
    }

    private static Answer expected(JsonNode json, String place) {
        String decision = Json.text(json, "decision", place).toLowerCase(Locale.ROOT);
        if (!decision.equals("allow") && !decision.equals("deny")) {
            throw new CedarFormatException(
                    place + ": the decision is \"" + decision + "\"; it is allow or deny.");
        }
        String reasons = json.has("reasons") ? "reasons" : "reason";
        return Answer.of(
                decision.equals("allow"),
                texts(json, reasons, place),
                texts(json, "errors", place));
    }

    private static List<String> texts(JsonNode json, String key, String place) {
        List<String> texts = new ArrayList<>();
        for (JsonNode text : Json.array(Json.required(json, key, place), place + "." + key)) {
            texts.add(Json.text(text, place + "." + key));
        }
        return texts;
    }

    private static boolean flag(JsonNode json, String key, boolean otherwise, String place) {
        JsonNode flag = json.get(key);
        if (flag != null && !flag.isBoolean()) {
            throw new CedarFormatException(place + "." + key + ": expected true or false.");
        }
        return flag == null ? otherwise : flag.booleanValue();
    }
}
