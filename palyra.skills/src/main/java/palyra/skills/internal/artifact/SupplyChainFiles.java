package palyra.skills.internal.artifact;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import palyra.api.PalyraException;
import palyra.shared.hash.Digests;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.manifest.Manifest;

/** The supply-chain files of an artifact: the bill of materials (CycloneDX) and the provenance. */
final class SupplyChainFiles {
    private static final String DIGEST = "sha256";

    private SupplyChainFiles() {}

    /**
     * Checks both.
     *
     * @throws RefusedException {@code sbom_invalid}, {@code provenance_invalid} or {@code
     *     provenance_mismatch}
     */
    static void verify(SortedMap<String, byte[]> entries) {
        sbom(entries.get(Paths.SBOM));
        provenance(entries);
    }

    private static JsonNode parse(byte[] file, String path, String reason) {
        if (file == null) {
            throw new RefusedException(reason, "The artifact has no " + path + ".");
        }
        try {
            JsonNode json = StrictJson.parse(file, path);
            if (json.isObject()) {
                return json;
            }
        } catch (PalyraException e) {
            throw new RefusedException(reason, e.getMessage() + ".", e);
        }
        throw new RefusedException(reason, path + " is not a JSON object.");
    }

    private static void sbom(byte[] file) {
        String reason = "sbom_invalid";
        JsonNode json = parse(file, Paths.SBOM, reason);
        if (!json.path("bomFormat").asText().equals("CycloneDX")
                || !json.path("specVersion").isTextual()
                || !json.path("specVersion").textValue().matches("1\\.[0-9]{1,2}")) {
            throw new RefusedException(
                    reason,
                    Paths.SBOM + " has no bomFormat CycloneDX with a specVersion such as 1.5.");
        }
    }

    private static void provenance(SortedMap<String, byte[]> entries) {
        String reason = "provenance_invalid";
        JsonNode json = parse(entries.get(Paths.PROVENANCE), Paths.PROVENANCE, reason);
        boolean builder =
                json.path("builder").isObject()
                        || json.at("/predicate/builder").isObject()
                        || json.at("/predicate/runDetails/builder").isObject();
        JsonNode subjects = json.path("subject");
        if (!builder || !subjects.isArray() || subjects.isEmpty()) {
            throw new RefusedException(
                    reason,
                    Paths.PROVENANCE + " has no builder object, or no list called subject.");
        }
        Set<String> covered = new HashSet<>();
        for (JsonNode subject : subjects) {
            String name = subject.path("name").asText();
            byte[] content = entries.get(name);
            String digest = subject.path("digest").path(DIGEST).asText();
            if (content == null || !Digests.sha256Hex(content).equals(digest)) {
                throw mismatch("the subject '" + name + "' is not what the artifact holds");
            }
            covered.add(name);
        }
        for (String path : entries.keySet()) {
            if (Paths.isModule(path) && !covered.contains(path)) {
                throw mismatch("it does not speak of " + path);
            }
        }
    }

    private static RefusedException mismatch(String found) {
        return new RefusedException(
                "provenance_mismatch",
                Paths.PROVENANCE
                        + " does not fit the modules: "
                        + found
                        + ". Remove the file from the folder, and palyra skills build writes it.");
    }

    /** Returns a bill of materials that names the skill and its modules. */
    static byte[] makeSbom(Manifest manifest, SortedMap<String, byte[]> entries) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("bomFormat", "CycloneDX").put("specVersion", "1.5").put("version", 1);
        json.putObject("metadata")
                .putObject("component")
                .put("type", "application")
                .put("name", manifest.id().skill())
                .put("version", manifest.id().version());
        ArrayNode components = json.putArray("components");
        for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
            if (Paths.isModule(entry.getKey())) {
                ObjectNode component = components.addObject();
                component.put("type", "file").put("name", entry.getKey());
                component
                        .putArray("hashes")
                        .addObject()
                        .put("alg", "SHA-256")
                        .put("content", Digests.sha256Hex(entry.getValue()));
            }
        }
        return Jcs.bytes(json);
    }

    /** Returns a provenance that says that these modules were there when it was built. */
    static byte[] makeProvenance(SortedMap<String, byte[]> entries) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.putObject("builder").put("id", "palyra skills build");
        ArrayNode subjects = json.putArray("subject");
        for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
            if (Paths.isModule(entry.getKey())) {
                ObjectNode subject = subjects.addObject().put("name", entry.getKey());
                subject.putObject("digest").put(DIGEST, Digests.sha256Hex(entry.getValue()));
            }
        }
        return Jcs.bytes(json);
    }
}
