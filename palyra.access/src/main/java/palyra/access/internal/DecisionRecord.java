package palyra.access.internal;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import palyra.api.access.DecisionSource;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.journal.Operation;
import palyra.api.tape.TapeRecord;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * What the journal keeps of one decision.
 *
 * @param permitId id of the permit, or of the denial
 * @param decision {@code allow}, {@code deny} or {@code no_decision}
 * @param cause for {@code break_glass}: why there was no other way; empty otherwise
 * @param policy the answer of the policies; empty unless they decided
 */
record DecisionRecord(
        String permitId,
        AccessRequest request,
        String decision,
        DecisionSource source,
        String ruleId,
        String reason,
        String cause,
        Optional<PolicyDecision> policy) {
    static final String ACCESS_DECISION = "access_decision";
    static final String BREAK_GLASS = "break_glass";

    private static final int SCHEMA = 1;
    private static final int LONGEST_TEXT = 512;
    private static final int MOST_FACTS = 32;
    private static final int MOST_LISTED = 16;

    /** Evidence beyond it is left out: what a caller chose must not fill the journal. */
    private static final int LONGEST_EVIDENCE = 16_384;

    Operation.Append append(String type) {
        return new Operation.Append(TapeRecord.JOURNAL_STREAM, type, SCHEMA, Jcs.bytes(json()));
    }

    /** The same with a payload that was made earlier, such as one with the time of its making. */
    Operation.Append append(String type, byte[] json) {
        return new Operation.Append(
                TapeRecord.JOURNAL_STREAM, type, SCHEMA, Jcs.bytes(StrictJson.parse(json, type)));
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
        policy.ifPresent(answer -> put(root, answer));
        return root;
    }

    private static void put(ObjectNode root, PolicyDecision answer) {
        root.put("policySet", answer.setSha256());
        root.put("epoch", answer.epoch());
        root.put("reasonCode", answer.reasonCode());
        root.put("confirmation", answer.confirmation().name());
        putAll(root.putArray("policyIds"), answer.policyIds());
        if (!answer.operatorReason().isEmpty()) {
            root.put("operatorReason", clip(answer.operatorReason()));
        }
        if (!answer.missing().isEmpty()) {
            putAll(root.putArray("missing"), answer.missing());
        }
        if (answer.evidenceJson().length() > LONGEST_EVIDENCE) {
            root.put("evidenceOmittedChars", answer.evidenceJson().length());
        } else if (!answer.evidenceJson().isEmpty()) {
            root.set("evidence", StrictJson.parse(answer.evidenceJson(), "the evidence"));
        }
    }

    private static void putAll(ArrayNode array, List<String> texts) {
        texts.stream().limit(MOST_LISTED).forEach(text -> array.add(clip(text)));
    }

    /** What a caller chose must not fill the journal. */
    private static String clip(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
    }
}
