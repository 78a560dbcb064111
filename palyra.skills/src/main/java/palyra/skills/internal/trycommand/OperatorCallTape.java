package palyra.skills.internal.trycommand;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.core.journal.Operation;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.KeySignature;
import palyra.api.core.keys.Keys;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.vault.SecretReach;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.shared.hash.Ulids;
import palyra.shared.sealed.RunSecretStore;
import palyra.shared.sealed.RunSecrets;
import palyra.shared.sealed.SecretReaches;
import palyra.shared.tape.Attestations;
import palyra.shared.tool.DecisionRecord;
import palyra.shared.tool.OperatorDecision;
import palyra.skills.internal.tool.SkillCallService.Ran;

/**
 * The tape of an operator's call: a run of one call that has ended when it is recorded, so that no
 * engine ever takes it up. Thread-safe.
 */
final class OperatorCallTape {
    private static final String ORIGIN = "skills.run";
    private static final String SNAPSHOTS = "policy_snapshot";

    private final Gate<Keys> keys;
    private final RunSecretStore secrets;
    private final Ulids ids;

    OperatorCallTape(Gate<Keys> keys, RunSecretStore secrets, Ulids ids) {
        this.keys = keys;
        this.secrets = secrets;
        this.ids = ids;
    }

    /**
     * The operations of one unit, with the call's output and attestation.
     *
     * @param operations session, run, records, end
     * @param output what the call came to, without secrets
     * @param attestation the signed statement about it
     */
    record Ended(
            List<Operation> operations,
            TapeEvent.ToolCallOutput output,
            TapeEvent.ToolAttestation attestation) {
        /** Copies. */
        Ended {
            operations = List.copyOf(operations);
        }
    }

    /** Makes the tape of a call, with its secrets in sealed parts, and signs the statement. */
    Ended of(
            OperatorCall call,
            ToolOrder order,
            OperatorDecision decision,
            Ran ran,
            long startedAtMillis) {
        RunSecrets own = secrets.ofNew(call.runId(), reach(order));
        own.readLent();
        TapeEvent.ToolCallProposal proposal = proposal(call, order);
        String policy = decision.policySha256();
        RunSecrets.Prepared opening = own.prepare(opening(proposal, order, decision, policy));
        own.written(opening);
        TapeEvent.ToolCallOutput output = output(call, order, ran.result(), own);
        TapeEvent.ToolAttestation statement =
                attest(
                        own.withholds(call.callId()) ? Attestations.withheld(proposal) : proposal,
                        output,
                        ran.result(),
                        policy,
                        startedAtMillis);
        TapeEvent.RunStateChanged end = end(output, ran.refusal());
        RunSecrets.Prepared closing = own.prepare(List.of(output, statement, end));
        List<Operation> all = new ArrayList<>(beginning(call, order));
        all.add(new Operation.PutDocument(SNAPSHOTS, policy, snapshot(decision)));
        all.addAll(opening.appends());
        all.addAll(closing.appends());
        all.add(
                new Operation.MoveRun(
                        call.runId(), Set.of(RunState.RUNNING), end.state(), output.error()));
        all.add(new Operation.ArchiveSession(call.sessionId()));
        return new Ended(all, output, statement);
    }

    private static SecretReach reach(ToolOrder order) {
        return SecretReaches.of(
                order.invocation().principalId(), order.groups(), order.agentId(), "");
    }

    private static TapeEvent.ToolCallProposal proposal(OperatorCall call, ToolOrder order) {
        return new TapeEvent.ToolCallProposal(
                call.callId(),
                OperatorCall.TURN,
                OperatorCall.INDEX,
                order.toolName(),
                order.invocation().inputJson());
    }

    private static byte[] snapshot(OperatorDecision decision) {
        return decision.answer().snapshotJson().getBytes(StandardCharsets.UTF_8);
    }

    private static List<Operation> beginning(OperatorCall call, ToolOrder order) {
        String who = order.invocation().principalId();
        return List.of(
                new Operation.InsertSession(
                        new SessionView(
                                call.sessionId(),
                                ORIGIN + " " + call.runId(),
                                "skills run " + order.toolName(),
                                who,
                                "",
                                "",
                                "",
                                0,
                                0,
                                0,
                                "")),
                new Operation.InsertRun(
                        call.runId(),
                        call.sessionId(),
                        who,
                        OperatorDecision.AGENT,
                        ORIGIN,
                        "",
                        ORIGIN,
                        RunState.RUNNING,
                        0));
    }

    private static List<TapeEvent> opening(
            TapeEvent.ToolCallProposal proposal,
            ToolOrder order,
            OperatorDecision decision,
            String policy) {
        return List.of(
                new TapeEvent.RunStateChanged(RunState.ACCEPTED, null, ""),
                new TapeEvent.RunStateChanged(RunState.RUNNING, null, ""),
                proposal,
                DecisionRecord.of(
                        proposal.callId(),
                        proposal.tool(),
                        decision.answer(),
                        policy,
                        order.factsSha256(),
                        "",
                        List.copyOf(decision.approvedBy())),
                new TapeEvent.ToolStarted(
                        proposal.callId(),
                        order.invocation().attempt(),
                        proposal.tool(),
                        Digests.sha256Hex(proposal.inputJson())));
    }

    private static TapeEvent.ToolCallOutput output(
            OperatorCall call, ToolOrder order, ConfinedResult result, RunSecrets own) {
        return new TapeEvent.ToolCallOutput(
                call.callId(),
                order.invocation().attempt(),
                order.toolName(),
                result.outcome(),
                own.json(result.result().outputJson()),
                own.text(result.result().error()),
                result.images());
    }

    private TapeEvent.ToolAttestation attest(
            TapeEvent.ToolCallProposal proposal,
            TapeEvent.ToolCallOutput output,
            ConfinedResult result,
            String policy,
            long atMillis) {
        byte[] digest =
                Attestations.executionSha256(
                        proposal,
                        output,
                        result.executor(),
                        result.enforcement(),
                        atMillis,
                        policy,
                        result.executableSha256());
        KeySignature signature = keys.call(store -> store.sign(KeyPurpose.ATTESTATION, digest));
        return new TapeEvent.ToolAttestation(
                ids.next(),
                output.callId(),
                result.executor(),
                result.enforcement(),
                atMillis,
                result.outcome() == Outcome.TIMED_OUT,
                policy,
                result.executableSha256(),
                Digests.hex(digest),
                signature.keyId(),
                Base64.getUrlEncoder().withoutPadding().encodeToString(signature.signature()));
    }

    private static TapeEvent.RunStateChanged end(
            TapeEvent.ToolCallOutput output, ErrorCode refusal) {
        return switch (output.outcome()) {
            case SUCCEEDED -> new TapeEvent.RunStateChanged(RunState.SUCCEEDED, null, "");
            case CANCELLED ->
                    new TapeEvent.RunStateChanged(RunState.CANCELLED, null, output.error());
            case TIMED_OUT -> failed(ErrorCode.TIMED_OUT, output);
            case INTERRUPTED -> failed(ErrorCode.TOOL_UNAVAILABLE, output);
            case FAILED, DENIED -> failed(refusal, output);
        };
    }

    private static TapeEvent.RunStateChanged failed(
            ErrorCode code, TapeEvent.ToolCallOutput output) {
        return new TapeEvent.RunStateChanged(RunState.FAILED, code, output.error());
    }
}
