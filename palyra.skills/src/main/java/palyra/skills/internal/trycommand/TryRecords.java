package palyra.skills.internal.trycommand;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ToolOrder;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.shared.json.Jcs;
import palyra.skills.internal.tool.Offer;

/**
 * Records of calls that an operator makes by hand: {@code skill_run_started} before anything runs,
 * {@code skill_run_finished} after it.
 */
final class TryRecords {
    static final String STARTED = "skill_run_started";
    static final String FINISHED = "skill_run_finished";

    private final Gate<Journal> journal;

    TryRecords(Gate<Journal> journal) {
        this.journal = journal;
    }

    /** Returns when the start is durable; what it throws means that nothing may start. */
    void started(Offer offer, ToolOrder order, TryDecision decision) {
        ObjectNode payload = of(order);
        payload.put("skill", offer.skill().id().skill());
        payload.put("version", offer.skill().id().version());
        payload.put("tool", order.toolName());
        payload.put("moduleSha256", offer.moduleSha256());
        payload.put("inputSha256", Digests.sha256Hex(order.invocation().inputJson()));
        payload.put("factsSha256", order.factsSha256());
        payload.put("reasonCode", decision.answer().reasonCode());
        decision.approvedBy().forEach(payload.putArray("approvedBy")::add);
        commit(STARTED, payload);
    }

    private static ObjectNode of(ToolOrder order) {
        ObjectNode payload = JsonNodeFactory.instance.objectNode();
        payload.put("principal", order.invocation().principalId());
        payload.put("callId", order.invocation().callId());
        return payload;
    }

    /** Returns when the end is durable. */
    void finished(ToolOrder order, ConfinedResult result) {
        ObjectNode payload = of(order);
        payload.put("outcome", result.outcome().name());
        payload.put("error", result.result().error());
        payload.put("outputSha256", Digests.sha256Hex(result.result().outputJson()));
        payload.put("executor", result.executor());
        payload.put("enforcement", result.enforcement());
        commit(FINISHED, payload);
    }

    private void commit(String type, ObjectNode payload) {
        Unit unit =
                Unit.of(
                        new Operation.Append(
                                TapeRecord.JOURNAL_STREAM, type, 1, Jcs.bytes(payload)));
        journal.run(store -> store.commit(unit));
    }
}
