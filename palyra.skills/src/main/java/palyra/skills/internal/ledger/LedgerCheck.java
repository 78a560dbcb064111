package palyra.skills.internal.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import palyra.api.PalyraException;
import palyra.shared.hash.Digests;
import palyra.shared.json.StrictJson;
import palyra.skills.internal.RefusedException;

/** Checks that the stored ledger is the one that this gateway wrote last. Thread-safe. */
final class LedgerCheck {
    private final LedgerSeal seal;

    LedgerCheck(LedgerSeal seal) {
        this.seal = seal;
    }

    /**
     * Returns the rows.
     *
     * @param last the serial number in the state folder
     * @throws RefusedException {@code trust_store_tampered}
     */
    LedgerRows rows(StoredLedger stored, OptionalLong last) {
        if (stored.index().isEmpty()) {
            require(last.isEmpty() && stored.documents().isEmpty(), "the index is gone");
            return LedgerRows.NONE;
        }
        JsonNode index = parse(stored.index().get().content(), SkillRegistry.INDEX);
        long serial = index.path("serial").asLong(-1);
        SortedMap<String, String> digests = digests(index, serial);
        require(last.isPresent() || serial == 1, "its number is missing in the state folder");
        require(serial >= last.orElse(0), "it was set back to an older state");
        return new LedgerRows(serial, rows(stored, digests));
    }

    private SortedMap<String, String> digests(JsonNode index, long serial) {
        SortedMap<String, String> digests = new TreeMap<>();
        index.path("rows")
                .fields()
                .forEachRemaining(e -> digests.put(e.getKey(), e.getValue().asText()));
        require(
                MessageDigest.isEqual(
                        seal.index(serial, digests).getBytes(StandardCharsets.US_ASCII),
                        index.path("mac").asText().getBytes(StandardCharsets.UTF_8)),
                "the index does not authenticate");
        return digests;
    }

    private static SortedMap<String, ObjectNode> rows(
            StoredLedger stored, SortedMap<String, String> digests) {
        SortedMap<String, ObjectNode> rows = new TreeMap<>();
        stored.contents()
                .forEach(
                        (key, content) -> {
                            if (!key.equals(SkillRegistry.INDEX)) {
                                require(
                                        Digests.sha256Hex(content).equals(digests.get(key)),
                                        "the row " + key);
                                rows.put(key, (ObjectNode) parse(content, key));
                            }
                        });
        require(rows.keySet().equals(digests.keySet()), "rows are missing");
        return rows;
    }

    private static JsonNode parse(byte[] content, String key) {
        try {
            JsonNode json = StrictJson.parse(content, key);
            require(json.isObject(), "the row " + key);
            return json;
        } catch (PalyraException e) {
            throw SkillRegistry.tampered("the row " + key);
        }
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw SkillRegistry.tampered(otherwise);
        }
    }
}
