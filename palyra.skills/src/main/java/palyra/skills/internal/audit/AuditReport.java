package palyra.skills.internal.audit;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;

/**
 * Result of an audit.
 *
 * @param checks all checks, in the order in which they were made
 */
public record AuditReport(List<AuditCheck> checks) {
    /** Copies. */
    public AuditReport {
        checks = List.copyOf(checks);
    }

    /** Returns whether nothing failed. */
    public boolean passed() {
        return reasons().isEmpty();
    }

    /** Returns the ids of what failed, each once: the reasons for quarantine. */
    public List<String> reasons() {
        return checks.stream()
                .filter(check -> check.result() == AuditCheck.Result.FAIL)
                .map(AuditCheck::id)
                .distinct()
                .toList();
    }

    /** Returns the sentences of what failed. */
    public List<String> faults() {
        return checks.stream()
                .filter(check -> check.result() == AuditCheck.Result.FAIL)
                .map(check -> check.id() + ": " + check.message())
                .toList();
    }

    /** Returns the report as JSON. */
    public ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("passed", passed()).put("should_quarantine", !passed());
        ArrayNode reasons = json.putArray("quarantine_reasons");
        reasons().forEach(reasons::add);
        ArrayNode list = json.putArray("checks");
        for (AuditCheck check : checks) {
            list.addObject()
                    .put("id", check.id())
                    .put("result", check.result().name().toLowerCase(Locale.ROOT))
                    .put("subject", check.subject())
                    .put("message", check.message());
        }
        return json;
    }
}
