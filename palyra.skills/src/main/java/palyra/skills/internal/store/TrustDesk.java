package palyra.skills.internal.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.ledger.Edit;
import palyra.skills.internal.trust.KeyRotation;
import palyra.skills.internal.trust.TrustRules;

/** Changes what is trusted, and has what is active looked at again. Thread-safe. */
public final class TrustDesk {
    /** Action of every change of trust. */
    public static final String ACTION = "skill.trust";

    private static final String CHANGED = "skill_trust_changed";
    private static final String PUBLISHER_FORM = "[a-z0-9][a-z0-9._:-]{0,99}";
    private static final String KEY_FORM = "[0-9a-f]{64}";
    private static final String KEYS = "keys";
    private static final String RETIRED = "retired";

    private final Changes changes;
    private final Runnable recheck;
    private final LongSupplier clock;

    /**
     * @param recheck looks at everything that is active
     */
    public TrustDesk(Changes changes, Runnable recheck, LongSupplier clock) {
        this.changes = changes;
        this.recheck = recheck;
        this.clock = clock;
    }

    private static ObjectNode row(String by, long atMillis) {
        return JsonNodeFactory.instance.objectNode().put("by", by).put("at", atMillis);
    }

    /** Adds a pin to an edit. */
    static void pin(Edit edit, String publisher, String key, String by, long atMillis) {
        ObjectNode row = row(by, atMillis);
        row.putArray(KEYS).add(key);
        row.putArray(RETIRED);
        edit.put(TrustRules.PIN + publisher, row)
                .event(CHANGED, event(by, "pin", publisher).put("key", key));
    }

    private static ObjectNode event(String by, String change, String what) {
        return Changes.event(by).put("change", change).put("what", what);
    }

    private void change(Principal principal, String what, Function<Inventory, Edit> edit) {
        changes.make(
                List.of(
                        new Changes.Question(
                                principal, ACTION, what, what.indexOf(':') < 0 ? what : "")),
                edit);
        recheck.run();
    }

    private static void requirePublisher(String publisher) {
        Require.that(
                publisher.matches(PUBLISHER_FORM), "'" + publisher + "' is no name of a publisher");
    }

    private static void requireKey(String key) {
        Require.that(
                key.matches(KEY_FORM),
                "'" + key + "' is no key: give the 32 bytes as 64 digits of lower-case hex");
    }

    /** Allows a key for a publisher; from then on only allowed keys count for it. */
    public void allow(Principal principal, String publisher, String key) {
        requirePublisher(publisher);
        requireKey(key);
        String name = TrustRules.PUBLISHER + publisher;
        change(
                principal,
                publisher,
                now -> {
                    ObjectNode row =
                            now.rows()
                                    .row(name)
                                    .orElseGet(() -> row(principal.id(), clock.getAsLong()));
                    add(row.withArray(KEYS), key);
                    row.withArray(RETIRED);
                    return new Edit()
                            .put(name, row)
                            .event(
                                    CHANGED,
                                    event(principal.id(), "allow", publisher).put("key", key));
                });
    }

    private static void add(ArrayNode list, String text) {
        for (JsonNode each : list) {
            if (each.asText().equals(text)) {
                return;
            }
        }
        list.add(text);
    }

    /** Pins a publisher to a key before its first skill comes. */
    public void pin(Principal principal, String publisher, String key) {
        requirePublisher(publisher);
        requireKey(key);
        change(
                principal,
                publisher,
                now -> {
                    if (now.rows().row(TrustRules.PIN + publisher).isPresent()) {
                        throw new PalyraException(
                                ErrorCode.ALREADY_EXISTS,
                                "'" + publisher + "' is pinned already; unpin it first.");
                    }
                    Edit edit = new Edit();
                    pin(edit, publisher, key, principal.id(), clock.getAsLong());
                    return edit;
                });
    }

    /** Takes allowed keys and the pin of a publisher away; its skills go into quarantine. */
    public void unpin(Principal principal, String publisher) {
        requirePublisher(publisher);
        change(
                principal,
                publisher,
                now -> {
                    Edit edit = new Edit();
                    for (String kind : List.of(TrustRules.PIN, TrustRules.PUBLISHER)) {
                        if (now.rows().row(kind + publisher).isPresent()) {
                            edit.delete(kind + publisher);
                        }
                    }
                    if (edit.isEmpty()) {
                        throw new PalyraException(
                                ErrorCode.NOT_FOUND, "'" + publisher + "' is not trusted.");
                    }
                    return edit.event(CHANGED, event(principal.id(), "unpin", publisher));
                });
    }

    /** Applies a rotation: the old key carries what is installed and installs nothing more. */
    public void rotate(Principal principal, KeyRotation rotation) {
        String publisher = rotation.publisher();
        requirePublisher(publisher);
        change(
                principal,
                publisher,
                now -> {
                    Edit edit = new Edit();
                    for (String kind : List.of(TrustRules.PUBLISHER, TrustRules.PIN)) {
                        Optional<ObjectNode> row = now.rows().row(kind + publisher);
                        if (row.isPresent() && exchange(row.get(), rotation)) {
                            edit.put(kind + publisher, row.get());
                        }
                    }
                    boolean revoked =
                            now.rows()
                                    .row(TrustRules.REVOKED + "key:" + rotation.oldKey())
                                    .isPresent();
                    if (edit.isEmpty() || revoked) {
                        throw new RefusedException(
                                "rotation_invalid",
                                "The old key of the rotation is "
                                        + (revoked
                                                ? "revoked"
                                                : "not one that '"
                                                        + publisher
                                                        + "' is trusted with")
                                        + ".");
                    }
                    return edit.event(
                            CHANGED,
                            event(principal.id(), "rotate", publisher)
                                    .put("old_key", rotation.oldKey())
                                    .put("key", rotation.newKey()));
                });
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

    /**
     * Revokes a key, an artifact or a version: {@code key:HEX}, {@code artifact:SHA256}, {@code
     * version:ID[@x.y.z]}.
     */
    public void revoke(Principal principal, String what, String reason) {
        requireRevocable(what);
        Require.text(reason, "reason");
        change(
                principal,
                what,
                now ->
                        new Edit()
                                .put(
                                        TrustRules.REVOKED + what,
                                        row(principal.id(), clock.getAsLong())
                                                .put("reason", reason))
                                .event(
                                        CHANGED,
                                        event(principal.id(), "revoke", what)
                                                .put("reason", reason)));
    }

    private static void requireRevocable(String what) {
        Require.that(
                what.matches("(key|artifact):" + KEY_FORM)
                        || what.matches("version:" + PUBLISHER_FORM + "(@[0-9.]{5,30})?"),
                "'"
                        + what
                        + "' cannot be revoked; write key:HEX, artifact:SHA256 or"
                        + " version:ID[@x.y.z]");
    }

    /** Takes a revocation back; what went into quarantine by it stays there. */
    public void unrevoke(Principal principal, String what) {
        requireRevocable(what);
        change(
                principal,
                what,
                now -> {
                    if (now.rows().row(TrustRules.REVOKED + what).isEmpty()) {
                        throw new PalyraException(ErrorCode.NOT_FOUND, what + " is not revoked.");
                    }
                    return new Edit()
                            .delete(TrustRules.REVOKED + what)
                            .event(CHANGED, event(principal.id(), "unrevoke", what));
                });
    }

    /** Marks an installed skill as trusted, for engines and policies that ask for it, or not. */
    public void mark(Principal principal, String skill, boolean trusted, String engine) {
        changes.inventory().resolve(skill);
        change(
                principal,
                skill,
                now -> {
                    Edit edit = new Edit();
                    if (trusted) {
                        edit.put(
                                Inventory.markRow(skill),
                                row(principal.id(), clock.getAsLong()).put("engine", engine));
                    } else {
                        edit.delete(Inventory.markRow(skill));
                    }
                    return edit.event(
                            CHANGED,
                            event(principal.id(), trusted ? "mark" : "unmark", skill)
                                    .put("engine", engine));
                });
    }

    /** Throws away everything that is recorded about skills and trust. */
    public void reset(Principal principal, String reason) {
        Require.text(reason, "reason");
        changes.reset(
                new Changes.Question(principal, ACTION, "", ""),
                new Edit()
                        .event(CHANGED, event(principal.id(), "reset", "").put("reason", reason)));
    }
}
