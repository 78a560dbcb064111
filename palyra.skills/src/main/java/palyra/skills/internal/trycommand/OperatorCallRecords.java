package palyra.skills.internal.trycommand;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.core.tools.ToolOrder;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.shared.json.Jcs;
import palyra.shared.tool.OperatorDecision;
import palyra.skills.internal.tool.LoadedTool;
import palyra.skills.internal.tool.SkillCallService.Ran;

/**
 * Journal records of an operator's calls: {@code skill_run_started} before anything runs; after it,
 * in one unit, {@code skill_run_finished} and the tape of the call with its signed attestation.
 * Thread-safe.
 */
final class OperatorCallRecords {
    static final String STARTED = "skill_run_started";
    static final String FINISHED = "skill_run_finished";

    private final Gate<Journal> journal;
    private final OperatorCallTape tape;

    OperatorCallRecords(Gate<Journal> journal, OperatorCallTape tape) {
        this.journal = journal;
        this.tape = tape;
    }

    /** Returns when the start is durable; what it throws means that nothing may start. */
    void started(OperatorCall call, LoadedTool offer, ToolOrder order, OperatorDecision decision) {
        ObjectNode payload = of(call, order);
        payload.put("skill", offer.skill().id().skill());
        payload.put("version", offer.skill().id().version());
        payload.put("tool", order.toolName());
        payload.put("moduleSha256", offer.moduleSha256());
        payload.put("inputSha256", Digests.sha256Hex(order.invocation().inputJson()));
        payload.put("factsSha256", order.factsSha256());
        payload.put("reasonCode", decision.answer().reasonCode());
        payload.put("policySha256", decision.policySha256());
        decision.approvedBy().forEach(payload.putArray("approvedBy")::add);
        journal.run(store -> store.commit(Unit.of(event(STARTED, payload))));
    }

    private static ObjectNode of(OperatorCall call, ToolOrder order) {
        ObjectNode payload = JsonNodeFactory.instance.objectNode();
        payload.put("principal", order.invocation().principalId());
        payload.put("runId", call.runId());
        payload.put("callId", call.callId());
        return payload;
    }

    private static Operation event(String type, ObjectNode payload) {
        return new Operation.Append(TapeRecord.JOURNAL_STREAM, type, 1, Jcs.bytes(payload));
    }

    /** Returns when the end, the tape and its seal are durable. */
    void finished(
            OperatorCall call,
            ToolOrder order,
            OperatorDecision decision,
            Ran ran,
            long startedAtMillis) {
        OperatorCallTape.Ended ended = tape.of(call, order, decision, ran, startedAtMillis);
        ObjectNode payload = of(call, order);
        payload.put("outcome", ended.output().outcome().name());
        payload.put("error", ended.output().error());
        payload.put("outputSha256", Digests.sha256Hex(ended.output().outputJson()));
        payload.put("executor", ended.attestation().executor());
        payload.put("enforcement", ended.attestation().sandboxEnforcement());
        payload.put("executionSha256", ended.attestation().executionSha256());
        payload.put("keyId", ended.attestation().keyId());
        payload.put("signature", ended.attestation().signature());
        Unit unit = Unit.builder().addAll(ended.operations()).add(event(FINISHED, payload)).build();
        journal.run(store -> store.commit(unit));
    }
}
