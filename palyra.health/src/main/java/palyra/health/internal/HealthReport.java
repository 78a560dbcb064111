package palyra.health.internal;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import palyra.shared.http.Reply;
import palyra.shared.readiness.Startup;

/**
 * Outcomes of the checks of one tag.
 *
 * @param outcomes one for each check, by name
 */
record HealthReport(List<CheckOutcome> outcomes) {
    HealthReport {
        outcomes = outcomes.stream().sorted(Comparator.comparing(CheckOutcome::name)).toList();
    }

    /**
     * Returns a report in which an expected check without an outcome counts as missing, so that no
     * registered checks do not mean healthy.
     */
    static HealthReport of(List<CheckOutcome> found, Set<String> expected) {
        List<CheckOutcome> all = new ArrayList<>(found);
        for (String name : expected) {
            if (found.stream().noneMatch(outcome -> outcome.name().equals(name))) {
                all.add(CheckOutcome.missing(name));
            }
        }
        return new HealthReport(all);
    }

    boolean healthy() {
        return !outcomes.isEmpty() && outcomes.stream().allMatch(CheckOutcome::healthy);
    }

    /** Returns the response; {@code detailed} adds the messages of the checks. */
    Reply reply(boolean detailed) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("status", status());
        ArrayNode checks = body.putArray("checks");
        for (CheckOutcome outcome : outcomes) {
            ObjectNode check = checks.addObject();
            check.put("name", outcome.name());
            check.put("status", outcome.status());
            if (detailed) {
                check.put("message", outcome.message());
            }
        }
        return Reply.json(healthy() ? Reply.OK : Reply.UNAVAILABLE, body);
    }

    private String status() {
        if (!healthy()) {
            return Startup.goesOn() ? "starting" : "failing";
        }
        return outcomes.stream().allMatch(o -> o.status().equals("ok")) ? "ok" : "warn";
    }
}
