package palyra.access.internal;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.TreeMap;
import palyra.api.access.DecisionSource;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.journal.Operation;
import palyra.api.tape.TapeRecord;
import palyra.shared.json.Jcs;

/**
 * What the journal keeps of one decision.
 *
 * @param permitId id of the permit, or of the denial
 * @param decision {@code allow}, {@code deny} or {@code no_decision}
 * @param cause for {@code break_glass}: why there was no other way; empty otherwise
 */
record DecisionRecord(
        String permitId,
        AccessRequest request,
        String decision,
        DecisionSource source,
        String ruleId,
        String reason,
        String cause) {
    static final String ACCESS_DECISION = "access_decision";
    static final String BREAK_GLASS = "break_glass";

    private static final int SCHEMA = 1;
    private static final int LONGEST_TEXT = 512;
    private static final int MOST_FACTS = 32;

    Operation.Append append(String type) {
        return new Operation.Append(TapeRecord.JOURNAL_STREAM, type, SCHEMA, Jcs.bytes(json()));
    }

    ObjectNode json() {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("permitId", permitId);
        root.put("principal", request.principal().id());
        root.put("credentialId", request.principal().credentialId());
        root.put("action", clip(request.action()));
        root.put("resource", clip(request.resource()));
        root.put("owner", clip(request.owner()));
        root.put("decision", decision);
        root.put("source", source.name());
        root.put("ruleId", ruleId);
        root.put("reason", clip(reason));
        if (!cause.isEmpty()) {
            root.put("cause", clip(cause));
        }
        ObjectNode facts = root.putObject("facts");
        new TreeMap<>(request.facts())
                .entrySet().stream()
                        .limit(MOST_FACTS)
                        .forEach(fact -> facts.put(clip(fact.getKey()), clip(fact.getValue())));
        return root;
    }

    /** What a caller chose must not fill the journal. */
    private static String clip(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
    }
}
