package palyra.skills.internal.store;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import palyra.api.access.Principal;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.api.core.journal.Operation;
import palyra.shared.gate.Gate;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.ledger.LedgerEdit;
import palyra.skills.internal.ledger.LedgerRows;
import palyra.skills.internal.ledger.SkillRegistry;

/** Changes the ledger under a permit, and notifies listeners. Thread-safe. */
public final class AuthorizedChanges {
    /** Principal of the gateway's own changes. */
    public static final String SYSTEM = "system:skills";

    private final SkillRegistry registry;
    private final Gate<Access> access;
    private final Runnable changed;

    /**
     * @param changed told after each change; must not block
     */
    public AuthorizedChanges(SkillRegistry registry, Gate<Access> access, Runnable changed) {
        this.registry = registry;
        this.access = access;
        this.changed = changed;
    }

    /** Returns whether {@link #inventory} would not have to wait. */
    public boolean reachable() {
        return registry.reachable();
    }

    /** Returns the installed versions. */
    public Inventory inventory() {
        return new Inventory(registry.read());
    }

    /** An authorization request. */
    public record Question(Principal principal, String action, String skill, String publisher) {
        /** Returns a question about an installed version. */
        static Question of(Principal principal, String action, SkillRecord record) {
            return new Question(
                    principal, action, record.id().skill(), record.origin().publisher());
        }
    }

    /**
     * Makes a change under permission; permission, rows and events are durable together.
     *
     * @throws palyra.api.PalyraException DENIED, POLICY_UNAVAILABLE, JOURNAL_UNAVAILABLE …
     */
    public Inventory make(List<Question> questions, Function<Inventory, LedgerEdit> change) {
        List<Operation> permits = permits(questions);
        return applied(registry.change(permits, rows -> change.apply(new Inventory(rows))));
    }

    private List<Operation> permits(List<Question> questions) {
        Inventory now = safeInventory();
        List<Operation> permits = new ArrayList<>();
        for (Question question : questions) {
            Map<String, String> facts =
                    Map.of(
                            "publisher",
                            question.publisher(),
                            "trusted",
                            Boolean.toString(now.trusted(question.skill())));
            AccessRequest request =
                    new AccessRequest(
                            question.principal(),
                            question.action(),
                            "skill:" + question.skill(),
                            "",
                            facts);
            Authorized permit = access.call(service -> service.authorize(request));
            permits.add(permit.record());
        }
        return permits;
    }

    private Inventory safeInventory() {
        try {
            return inventory();
        } catch (RefusedException e) {
            return new Inventory(LedgerRows.NONE); // a tampered ledger trusts no publisher
        }
    }

    /** Makes a change of the gateway's own: one that only takes something away, or notes it. */
    Inventory bySystem(Function<Inventory, LedgerEdit> change) {
        return applied(registry.change(List.of(), rows -> change.apply(new Inventory(rows))));
    }

    private Inventory applied(LedgerRows rows) {
        changed.run();
        return new Inventory(rows);
    }

    /** Throws everything away that is recorded. */
    void reset(Question question, LedgerEdit edit) {
        registry.reset(permits(List.of(question)), edit);
        changed.run();
    }

    /** Returns the common payload of an event. */
    static ObjectNode event(String principal) {
        return JsonNodeFactory.instance.objectNode().put("principal", principal);
    }

    /** Returns the common payload of an event about a version. */
    static ObjectNode event(String principal, SkillRecord record) {
        return event(principal)
                .put("skill", record.id().skill())
                .put("version", record.id().version())
                .put("publisher", record.origin().publisher())
                .put("artifact_sha256", record.origin().artifactSha256());
    }

    /** Adds a version's new standing to an edit, with its event. */
    static void move(LedgerEdit edit, SkillRecord record, String principal) {
        edit.put(record.row(), record.json())
                .event(
                        "skill_state",
                        event(principal, record)
                                .put("state", record.standing().state().text())
                                .put("reason", record.standing().reason())
                                .put("detail", record.standing().detail()));
    }
}
