package palyra.policy.internal.set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import palyra.api.core.policy.PolicyProblem;
import palyra.shared.hash.Digests;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * The content of {@code set.json}: everything about a stored set that is not in its files.
 *
 * @param files names of its files with their digests
 * @param compiledSha256 digest of {@code compiled.json}
 * @param schemaSha256 digest of {@code schema.json}
 * @param warnings found when the set was checked; sets of earlier versions have none
 */
record SetRecord(
        SortedMap<String, String> files,
        SortedSet<String> switchedOff,
        SortedMap<String, String> effective,
        Map<String, Snapshot.Origin> origins,
        String compiledSha256,
        String schemaSha256,
        String language,
        List<PolicyProblem> warnings) {

    static SetRecord of(CompiledSet set) {
        TreeMap<String, String> files = new TreeMap<>();
        set.source().files().forEach((name, bytes) -> files.put(name, Digests.sha256Hex(bytes)));
        return new SetRecord(
                files,
                set.source().switchedOff(),
                set.effective(),
                set.origins(),
                Digests.sha256Hex(set.policiesJson()),
                Digests.sha256Hex(set.schemaJson()),
                set.language(),
                set.warnings());
    }

    byte[] bytes() {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("v", 1);
        root.put("compiledSha256", compiledSha256);
        root.put("schemaSha256", schemaSha256);
        root.put("language", language);
        ObjectNode fileNodes = root.putObject("files");
        files.forEach(fileNodes::put);
        switchedOff.forEach(root.putArray("switchedOff")::add);
        ObjectNode texts = root.putObject("effective");
        effective.forEach(texts::put);
        ObjectNode places = root.putObject("origins");
        origins.forEach(
                (id, origin) -> {
                    ObjectNode place = places.putObject(id);
                    place.put("name", origin.name());
                    place.put("file", origin.file());
                    place.put("line", origin.line());
                    place.put("text", origin.text());
                });
        if (!warnings.isEmpty()) {
            ArrayNode nodes = root.putArray("warnings");
            warnings.forEach(warning -> put(nodes.addObject(), warning));
        }
        return Jcs.bytes(root);
    }

    private static void put(ObjectNode node, PolicyProblem warning) {
        node.put("file", warning.file());
        node.put("line", warning.line());
        node.put("column", warning.column());
        node.put("message", warning.message());
        node.put("help", warning.help());
        node.put("sourceLine", warning.sourceLine());
        node.put("caretLine", warning.caretLine());
    }

    private static List<PolicyProblem> warnings(JsonNode nodes) {
        List<PolicyProblem> warnings = new ArrayList<>();
        nodes.forEach(
                node ->
                        warnings.add(
                                new PolicyProblem(
                                        false,
                                        node.path("file").asText(),
                                        node.path("line").asInt(),
                                        node.path("column").asInt(),
                                        node.path("message").asText(),
                                        node.path("help").asText(),
                                        node.path("sourceLine").asText(),
                                        node.path("caretLine").asText())));
        return warnings;
    }

    /**
     * @throws palyra.api.PalyraException INVALID_ARGUMENT when it is no JSON
     */
    static SetRecord parse(byte[] bytes) {
        JsonNode root = StrictJson.parse(bytes, "the record of a policy set");
        TreeSet<String> off = new TreeSet<>();
        root.path("switchedOff").forEach(id -> off.add(id.asText()));
        Map<String, Snapshot.Origin> origins = new HashMap<>();
        root.path("origins")
                .properties()
                .forEach(
                        place ->
                                origins.put(
                                        place.getKey(),
                                        new Snapshot.Origin(
                                                place.getValue().path("name").asText(),
                                                place.getValue().path("file").asText(),
                                                place.getValue().path("line").asInt(),
                                                place.getValue().path("text").asText())));
        return new SetRecord(
                texts(root.path("files")),
                off,
                texts(root.path("effective")),
                origins,
                root.path("compiledSha256").asText(),
                root.path("schemaSha256").asText(),
                root.path("language").asText(),
                warnings(root.path("warnings")));
    }

    private static SortedMap<String, String> texts(JsonNode object) {
        TreeMap<String, String> texts = new TreeMap<>();
        object.properties().forEach(e -> texts.put(e.getKey(), e.getValue().asText()));
        return texts;
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
