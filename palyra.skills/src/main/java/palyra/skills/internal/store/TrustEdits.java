package palyra.skills.internal.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.ledger.LedgerEdit;
import palyra.skills.internal.trust.KeyRotation;
import palyra.skills.internal.trust.TrustRules;

/**
 * Ledger edits for changes of trust, with their events. Pure; for one change.
 *
 * @param now the rows as they are
 * @param by who changes something
 * @param atMillis when
 */
record TrustEdits(Inventory now, String by, long atMillis) {
    private static final String CHANGED = "skill_trust_changed";
    private static final String KEYS = "keys";
    private static final String RETIRED = "retired";
    private static final String ISSUED = "issued";

    /** Tolerated clock skew of a publisher. */
    private static final long AHEAD_MILLIS = 300_000;

    private static ObjectNode row(String by, long atMillis) {
        return JsonNodeFactory.instance.objectNode().put("by", by).put("at", atMillis);
    }

    private static ObjectNode event(String by, String change, String what) {
        return AuthorizedChanges.event(by).put("change", change).put("what", what);
    }

    private Optional<ObjectNode> found(String row) {
        return now.rows().row(row);
    }

    LedgerEdit allow(String publisher, String key) {
        String name = TrustRules.PUBLISHER + publisher;
        ObjectNode row = found(name).orElseGet(() -> row(by, atMillis));
        add(row.withArray(KEYS), key);
        row.withArray(RETIRED);
        return new LedgerEdit()
                .put(name, row)
                .event(CHANGED, event(by, "allow", publisher).put("key", key));
    }

    private static void add(ArrayNode list, String text) {
        for (JsonNode each : list) {
            if (each.asText().equals(text)) {
                return;
            }
        }
        list.add(text);
    }

    LedgerEdit pin(String publisher, String key) {
        if (found(TrustRules.PIN + publisher).isPresent()) {
            throw new PalyraException(
                    ErrorCode.ALREADY_EXISTS,
                    "'" + publisher + "' is pinned already; unpin it first.");
        }
        LedgerEdit edit = new LedgerEdit();
        pin(edit, publisher, key, by, atMillis);
        return edit;
    }

    /** Adds a pin to an edit. */
    static void pin(LedgerEdit edit, String publisher, String key, String by, long atMillis) {
        ObjectNode row = row(by, atMillis);
        row.putArray(KEYS).add(key);
        row.putArray(RETIRED);
        edit.put(TrustRules.PIN + publisher, row)
                .event(CHANGED, event(by, "pin", publisher).put("key", key));
    }

    LedgerEdit unpin(String publisher) {
        LedgerEdit edit = new LedgerEdit();
        for (String kind : List.of(TrustRules.PIN, TrustRules.PUBLISHER)) {
            if (found(kind + publisher).isPresent()) {
                edit.delete(kind + publisher);
            }
        }
        if (edit.isEmpty()) {
            throw new PalyraException(ErrorCode.NOT_FOUND, "'" + publisher + "' is not trusted.");
        }
        return edit.event(CHANGED, event(by, "unpin", publisher));
    }

    /** Applies a rotation that is younger than the last one of its publisher. */
    LedgerEdit rotate(KeyRotation rotation) {
        String publisher = rotation.publisher();
        ObjectNode last = requireYounger(rotation);
        LedgerEdit edit = new LedgerEdit();
        for (String kind : List.of(TrustRules.PUBLISHER, TrustRules.PIN)) {
            Optional<ObjectNode> row = found(kind + publisher);
            if (row.isPresent() && exchange(row.get(), rotation)) {
                edit.put(kind + publisher, row.get());
            }
        }
        boolean revoked = found(TrustRules.REVOKED + "key:" + rotation.oldKey()).isPresent();
        if (edit.isEmpty() || revoked) {
            throw new RefusedException(
                    "rotation_invalid",
                    "The old key of the rotation is "
                            + (revoked
                                    ? "revoked"
                                    : "not one that '" + publisher + "' is trusted with")
                            + ".");
        }
        edit.put(TrustRules.ROTATED + publisher, last);
        return edit.event(
                CHANGED,
                event(by, "rotate", publisher)
                        .put("old_key", rotation.oldKey())
                        .put("key", rotation.newKey()));
    }

    /** A statement that was applied, or is older than one that was, moves no key any more. */
    private ObjectNode requireYounger(KeyRotation rotation) {
        String name = TrustRules.ROTATED + rotation.publisher();
        ObjectNode row = found(name).orElseGet(() -> row(by, atMillis));
        long last = row.path(ISSUED).asLong(Long.MIN_VALUE);
        if (rotation.atMillis() <= last) {
            throw new RefusedException(
                    "rotation_old",
                    "The rotation was issued at "
                            + Instant.ofEpochMilli(rotation.atMillis())
                            + ", and one of '"
                            + rotation.publisher()
                            + "' that was issued at "
                            + Instant.ofEpochMilli(last)
                            + " was applied already. Ask the publisher for a new statement: palyra"
                            + " skills rotate.");
        }
        if (rotation.atMillis() > atMillis + AHEAD_MILLIS) {
            throw new RefusedException(
                    "rotation_invalid",
                    "The rotation was issued at "
                            + Instant.ofEpochMilli(rotation.atMillis())
                            + ", which is in the future here ("
                            + Instant.ofEpochMilli(atMillis)
                            + "). Set both clocks, and let the publisher issue it again.");
        }
        return row.put("by", by).put("at", atMillis).put(ISSUED, rotation.atMillis());
    }

    private static boolean exchange(ObjectNode row, KeyRotation rotation) {
        ArrayNode keys = row.withArray(KEYS);
        for (int i = 0; i < keys.size(); i++) {
            if (keys.get(i).asText().equals(rotation.oldKey())) {
                keys.remove(i);
                add(keys, rotation.newKey());
                add(row.withArray(RETIRED), rotation.oldKey());
                return true;
            }
        }
        return false;
    }

    LedgerEdit revoke(String what, String reason) {
        return new LedgerEdit()
                .put(TrustRules.REVOKED + what, row(by, atMillis).put("reason", reason))
                .event(CHANGED, event(by, "revoke", what).put("reason", reason));
    }

    LedgerEdit unrevoke(String what) {
        if (found(TrustRules.REVOKED + what).isEmpty()) {
            throw new PalyraException(ErrorCode.NOT_FOUND, what + " is not revoked.");
        }
        return new LedgerEdit()
                .delete(TrustRules.REVOKED + what)
                .event(CHANGED, event(by, "unrevoke", what));
    }

    LedgerEdit mark(String skill, boolean trusted, String engine) {
        LedgerEdit edit = new LedgerEdit();
        if (trusted) {
            edit.put(Inventory.markRow(skill), row(by, atMillis).put("engine", engine));
        } else {
            edit.delete(Inventory.markRow(skill));
        }
        return edit.event(
                CHANGED, event(by, trusted ? "mark" : "unmark", skill).put("engine", engine));
    }

    /** Returns the event of a ledger that was reset. */
    static LedgerEdit reset(String by, String reason) {
        return new LedgerEdit().event(CHANGED, event(by, "reset", "").put("reason", reason));
    }
}
