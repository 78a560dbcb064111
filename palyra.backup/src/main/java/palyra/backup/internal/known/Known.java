package palyra.backup.internal.known;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * What a state folder has beside the journal. Immutable.
 *
 * @param files names of the files that count, by folder
 * @param keys ids of the published keys
 * @param policySet digest of the policy set in force; empty when it is not known
 */
record Known(SortedMap<String, SortedSet<String>> files, SortedSet<String> keys, String policySet) {
    static final Known NOTHING = new Known(new TreeMap<>(), new TreeSet<>(), "");

    /** More names of a folder are not kept. */
    static final int MOST_NAMES = 1_000;

    byte[] bytes() {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("v", 1);
        ObjectNode folders = root.putObject("files");
        files.forEach((folder, names) -> names.forEach(folders.putArray(folder)::add));
        keys.forEach(root.putArray("keys")::add);
        root.put("policySet", policySet);
        return Jcs.bytes(root);
    }

    /**
     * Reads it.
     *
     * @throws palyra.api.PalyraException INVALID_ARGUMENT when it is no JSON
     */
    static Known parse(byte[] bytes) {
        JsonNode root = StrictJson.parse(bytes, "what the state folder had");
        SortedMap<String, SortedSet<String>> files = new TreeMap<>();
        for (Map.Entry<String, JsonNode> folder : root.path("files").properties()) {
            files.put(folder.getKey(), texts(folder.getValue()));
        }
        return new Known(files, texts(root.path("keys")), root.path("policySet").asText());
    }

    private static SortedSet<String> texts(JsonNode array) {
        SortedSet<String> texts = new TreeSet<>();
        array.forEach(each -> texts.add(each.asText()));
        return texts;
    }
}
