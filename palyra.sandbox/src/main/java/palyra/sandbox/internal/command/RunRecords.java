package palyra.sandbox.internal.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Base64;
import java.util.TreeSet;
import palyra.api.PalyraException;
import palyra.api.core.journal.IdempotencyKey;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.KeySignature;
import palyra.api.core.keys.Keys;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ToolOrder;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.shared.json.Jcs;
import palyra.shared.tape.Attestations;
import palyra.shared.tool.OperatorDecision;

/**
 * Records of commands that an operator runs: {@code sandbox_run_refused} when guards or policy do
 * not let it come to that, {@code sandbox_run_started} before anything starts, {@code
 * sandbox_run_finished} with the same signed attestation that a tool call has.
 */
final class RunRecords {
    static final String STARTED = "sandbox_run_started";
    static final String REFUSED = "sandbox_run_refused";
    static final String FINISHED = "sandbox_run_finished";
    private static final int MOST_INTERRUPTIONS = 3;
    private static final String SCOPE = "sandbox.run";

    private final Gate<Journal> journal;
    private final Gate<Keys> keys;

    RunRecords(Gate<Journal> journal, Gate<Keys> keys) {
        this.journal = journal;
        this.keys = keys;
    }

    /** Returns when the start is durable; what it throws means that nothing may start. */
    void started(ToolOrder order, OperatorDecision decision) {
        ObjectNode payload = of(order);
        payload.put("tool", order.toolName());
        payload.put("inputSha256", Digests.sha256Hex(order.invocation().inputJson()));
        payload.put("factsSha256", order.factsSha256());
        payload.put("tier", order.confinement().tier().name());
        payload.put("egress", order.confinement().egress().name());
        payload.put("reasonCode", decision.answer().reasonCode());
        payload.put("policySha256", decision.policySha256());
        new TreeSet<>(decision.answer().policyIds()).forEach(payload.putArray("policies")::add);
        new TreeSet<>(decision.approvedBy()).forEach(payload.putArray("approvedBy")::add);
        commit(STARTED, order.invocation().callId() + "/start", payload);
    }

    /** Returns when a refusal is durable. */
    void refused(String callId, ObjectNode payload) {
        commit(REFUSED, callId + "/refused", payload);
    }

    private static ObjectNode of(ToolOrder order) {
        ObjectNode payload = JsonNodeFactory.instance.objectNode();
        payload.put("principal", order.invocation().principalId());
        payload.put("callId", order.invocation().callId());
        return payload;
    }

    /**
     * Returns when the end is durable. An interruption waits for that: the caller is still
     * interrupted afterwards.
     */
    void finished(
            ToolOrder order, OperatorDecision decision, ConfinedResult result, long atMillis) {
        boolean interrupted = Thread.interrupted();
        try {
            for (int interruptions = 0; ; interruptions++) {
                try {
                    recordEnd(order, decision, result, atMillis);
                    return;
                } catch (PalyraException e) {
                    boolean again = Thread.interrupted();
                    interrupted |= again;
                    if (!again || interruptions == MOST_INTERRUPTIONS) {
                        throw e;
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void recordEnd(
            ToolOrder order, OperatorDecision decision, ConfinedResult result, long atMillis) {
        String policy = decision.policySha256();
        byte[] digest = digest(order, result, atMillis, policy);
        KeySignature signature = keys.call(store -> store.sign(KeyPurpose.ATTESTATION, digest));
        ObjectNode payload = of(order);
        payload.put("outcome", result.outcome().name());
        payload.put("error", result.result().error());
        payload.put("outputSha256", Digests.sha256Hex(result.result().outputJson()));
        payload.put("executor", result.executor());
        payload.put("enforcement", result.enforcement());
        payload.put("executableSha256", result.executableSha256());
        payload.put("executedAtMillis", atMillis);
        payload.put("policySha256", policy);
        payload.put("executionSha256", Digests.hex(digest));
        payload.put("keyId", signature.keyId());
        payload.put(
                "signature",
                Base64.getUrlEncoder().withoutPadding().encodeToString(signature.signature()));
        commit(FINISHED, order.invocation().callId() + "/end", payload);
    }

    private static byte[] digest(
            ToolOrder order, ConfinedResult result, long atMillis, String policy) {
        String callId = order.invocation().callId();
        return Attestations.executionSha256(
                new TapeEvent.ToolCallProposal(
                        callId, 0, 0, order.toolName(), order.invocation().inputJson()),
                new TapeEvent.ToolCallOutput(
                        callId,
                        order.invocation().attempt(),
                        order.toolName(),
                        result.outcome(),
                        result.result().outputJson(),
                        result.result().error()),
                result.executor(),
                result.enforcement(),
                atMillis,
                policy,
                result.executableSha256());
    }

    private void commit(String type, String key, ObjectNode payload) {
        byte[] bytes = Jcs.bytes(payload);
        Unit unit =
                Unit.builder()
                        .once(new IdempotencyKey(SCOPE, key, Digests.sha256Hex(bytes)), new byte[0])
                        .add(new Operation.Append(TapeRecord.JOURNAL_STREAM, type, 1, bytes))
                        .build();
        journal.run(store -> store.commit(unit));
    }
}
