package palyra.policy.internal.set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.policy.PolicySetView;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * Which sets there are on disk and which is in force: the content of {@code current.json}.
 * Immutable.
 *
 * @param current digest of the set in force; empty if absent
 * @param held whether it came by rollback or apply, so that saved files wait for a reload
 * @param bootId start of the process that wrote it
 * @param epoch sets that were in force in that process
 * @param entries the sets, the one that was in force last first
 */
record StoreIndex(String current, boolean held, String bootId, long epoch, List<Entry> entries) {
    /** Sets that are kept beside the one in force. */
    static final int KEPT = 50;

    static final StoreIndex NONE = new StoreIndex("", false, "", 0, List.of());

    private static final int VERSION = 1;
    private static final String WHAT = "the index of policy sets";

    /**
     * A set.
     *
     * @param recordSha256 digest of its {@code set.json}
     */
    record Entry(PolicySetView view, String recordSha256) {}

    StoreIndex {
        entries = List.copyOf(entries);
    }

    Optional<Entry> entry(String sha256) {
        return entries.stream().filter(e -> e.view().sha256().equals(sha256)).findFirst();
    }

    /** Returns the index after a set came into force. */
    StoreIndex with(Entry newest, boolean nowHeld, String boot, long newEpoch) {
        List<Entry> all = new ArrayList<>();
        all.add(newest);
        entries.stream()
                .filter(e -> !e.view().sha256().equals(newest.view().sha256()))
                .limit(KEPT)
                .forEach(all::add);
        return new StoreIndex(newest.view().sha256(), nowHeld, boot, newEpoch, all);
    }

    /** Returns the same sets with another word on whether saved files wait. */
    StoreIndex held(boolean nowHeld) {
        return new StoreIndex(current, nowHeld, bootId, epoch, entries);
    }

    byte[] bytes() {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("v", VERSION);
        root.put("current", current);
        root.put("held", held);
        root.put("bootId", bootId);
        root.put("epoch", epoch);
        ArrayNode sets = root.putArray("sets");
        for (Entry entry : entries) {
            PolicySetView view = entry.view();
            ObjectNode set = sets.addObject();
            set.put("sha256", view.sha256());
            set.put("recordSha256", entry.recordSha256());
            set.put("policies", view.policies());
            set.put("files", view.files());
            set.put("origin", view.origin());
            set.put("loadedAtMillis", view.loadedAtMillis());
            set.put("loadedBy", view.loadedBy());
        }
        return Jcs.bytes(root);
    }

    /**
     * Reads it.
     *
     * @throws PalyraException CORRUPT or INVALID_ARGUMENT when it is not one
     */
    static StoreIndex parse(byte[] bytes) {
        JsonNode root = StrictJson.parse(bytes, WHAT);
        if (root.path("v").asInt() != VERSION) {
            throw new PalyraException(
                    ErrorCode.CORRUPT,
                    WHAT + " is of form " + root.path("v") + "; this version reads form 1.");
        }
        List<Entry> entries = new ArrayList<>();
        for (JsonNode set : root.path("sets")) {
            PolicySetView view =
                    new PolicySetView(
                            digest(set.path("sha256")),
                            0,
                            set.path("policies").asInt(),
                            set.path("files").asInt(),
                            set.path("origin").asText(),
                            set.path("loadedAtMillis").asLong(),
                            set.path("loadedBy").asText());
            entries.add(new Entry(view, digest(set.path("recordSha256"))));
        }
        String current = root.path("current").asText();
        StoreIndex index =
                new StoreIndex(
                        current,
                        root.path("held").asBoolean(),
                        root.path("bootId").asText(),
                        root.path("epoch").asLong(),
                        entries);
        if (!current.isEmpty() && index.entry(current).isEmpty()) {
            throw new PalyraException(
                    ErrorCode.CORRUPT, WHAT + " names a set in force that it does not list.");
        }
        return index;
    }

    private static String digest(JsonNode node) {
        if (!node.asText().matches("[0-9a-f]{64}")) {
            throw new PalyraException(ErrorCode.CORRUPT, WHAT + " holds no digest where one goes.");
        }
        return node.asText();
    }
}
