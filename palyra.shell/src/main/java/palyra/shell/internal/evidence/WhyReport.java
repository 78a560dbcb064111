package palyra.shell.internal.evidence;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import palyra.api.PalyraException;
import palyra.api.tape.TapeEvent.ApprovalDecision;
import palyra.api.tape.TapeEvent.ApprovalRequest;
import palyra.api.tape.TapeEvent.ApprovalVoted;
import palyra.api.tape.TapeEvent.ToolAttestation;
import palyra.api.tape.TapeEvent.ToolCallOutput;
import palyra.api.tape.TapeEvent.ToolCallProposal;
import palyra.api.tape.TapeEvent.ToolDecision;
import palyra.api.tape.TapeEvent.ToolStarted;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.ApprovalRequestCodec;
import palyra.shell.internal.evidence.CallHistory.At;
import palyra.shell.internal.host.Fields;

/**
 * Why a call ran, waits or did not run, from the tape alone: its proposal, decisions, questions,
 * answers, grant, sandbox, limits and times, and what would have allowed it. Pure.
 */
final class WhyReport {
    private final RunEvidence.Read read;
    private final CallHistory call;

    WhyReport(RunEvidence.Read read) {
        this.read = read;
        this.call = read.evidence().calls().get(0);
    }

    CallHistory call() {
        return call;
    }

    /** Returns everything, for programs. */
    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("call", call.callId());
        fields.put("run", read.runId());
        fields.put("agent", read.evidence().agentId());
        call.first(ToolCallProposal.class).ifPresent(at -> fields.put("proposal", proposal(at)));
        fields.put("status", status());
        fields.put("decisions", call.of(ToolDecision.class).stream().map(this::decision).toList());
        fields.put(
                "approvals", call.of(ApprovalRequest.class).stream().map(this::approval).toList());
        fields.put("grant", grant());
        fields.put("execution", execution());
        fields.put("limits", limits());
        fields.put("timing", new CallTiming(call).fields());
        fields.put("missing", missing());
        fields.put("evidence", evidence());
        return fields;
    }

    /** Returns the state of the call, as a sentence. */
    String status() {
        Optional<ToolCallOutput> output = call.last(ToolCallOutput.class).map(At::event);
        if (output.isPresent()) {
            return switch (output.get().outcome()) {
                case SUCCEEDED -> "It ran and succeeded.";
                case FAILED -> "It ran and failed: " + output.get().error();
                case DENIED -> "It did not run: " + output.get().error();
                case TIMED_OUT -> "It ran and was stopped when its time was over.";
                case CANCELLED -> "It was cancelled with its run.";
                case INTERRUPTED -> "It was started and lost; whether it took effect is not known.";
            };
        }
        if (call.first(ToolStarted.class).isPresent()) {
            return "It is running, or was when the gateway stopped.";
        }
        return open().map(id -> "It waits for an answer to question " + id + ".")
                .orElse("It is not decided yet, or is about to start.");
    }

    /** Returns the pending approval request, according to the tape. */
    Optional<String> open() {
        Optional<At<ApprovalRequest>> asked = call.last(ApprovalRequest.class);
        return asked.map(at -> at.event().approvalId())
                .filter(
                        id ->
                                call.of(ApprovalDecision.class).stream()
                                        .noneMatch(at -> at.event().approvalId().equals(id)));
    }

    private static Map<String, Object> proposal(At<ToolCallProposal> at) {
        return Fields.of(
                "seq", at.seq(),
                "turn", at.event().turn(),
                "index", at.event().index(),
                "tool", at.event().tool(),
                "input", at.event().inputJson());
    }

    private Map<String, Object> decision(At<ToolDecision> at) {
        ToolDecision decision = at.event();
        return Fields.of(
                "seq", at.seq(),
                "atMillis", at.timeMillis(),
                "verdict", decision.verdict().name(),
                "reasonCode", decision.reasonCode(),
                "reason", decision.reason(),
                "forOperators", decision.operatorReason(),
                "source", decision.source(),
                "policyIds", decision.policyIds(),
                "policySetSha256", decision.setSha256(),
                "snapshotSha256", decision.snapshotSha256(),
                "nativeEngine", decision.confirmation(),
                "tier", decision.tier(),
                "egress", decision.egress(),
                "factsSha256", decision.factsSha256(),
                "grantId", decision.grantId(),
                "approvedBy", decision.approvedBy(),
                "missing", decision.missing());
    }

    private Map<String, Object> approval(At<ApprovalRequest> at) {
        ApprovalRequest asked = at.event();
        Map<String, Object> fields =
                Fields.of(
                        "approvalId", asked.approvalId(),
                        "seq", at.seq(),
                        "askedAtMillis", at.timeMillis(),
                        "expiresAtMillis", asked.expiresAtMillis(),
                        "bindingSha256", asked.bindingSha256(),
                        "quorum", asked.quorum());
        question(asked).ifPresent(question -> fields.putAll(question(question)));
        fields.put(
                "votes",
                call.of(ApprovalVoted.class).stream()
                        .filter(vote -> vote.event().approvalId().equals(asked.approvalId()))
                        .map(WhyReport::vote)
                        .toList());
        call.of(ApprovalDecision.class).stream()
                .filter(answer -> answer.event().approvalId().equals(asked.approvalId()))
                .findFirst()
                .ifPresent(answer -> fields.put("answer", answer(at, answer)));
        return fields;
    }

    private static Optional<ApprovalRequestBody> question(ApprovalRequest asked) {
        try {
            return Optional.of(
                    ApprovalRequestCodec.question(
                            asked.detailsJson().getBytes(StandardCharsets.UTF_8)));
        } catch (PalyraException e) {
            return Optional.empty(); // of another form; what the record itself says is shown
        }
    }

    private static Map<String, Object> question(ApprovalRequestBody question) {
        return Fields.of(
                "ask", question.ask(),
                "title", question.prompt().title(),
                "risk", question.prompt().risk(),
                "why", question.prompt().explanation(),
                "mayAnswer", question.terms().approvers(),
                "othersThanTheAsker", question.terms().others(),
                "scopes", question.terms().scopes(),
                "onceOnly", question.call().onceOnly(),
                "executable", question.call().executable(),
                "argv", question.call().argv(),
                "workingFolder", question.call().workingFolder());
    }

    private static Map<String, Object> vote(At<ApprovalVoted> at) {
        return Fields.of(
                "seq", at.seq(),
                "by", at.event().principal(),
                "scope", at.event().scope(),
                "reason", at.event().reason(),
                "votes", at.event().votes());
    }

    private static Map<String, Object> answer(At<ApprovalRequest> asked, At<ApprovalDecision> at) {
        ApprovalDecision answer = at.event();
        return Fields.of(
                "seq", at.seq(),
                "granted", answer.granted(),
                "by", answer.decidedBy(),
                "approvedBy", answer.approvedBy(),
                "scope", answer.scope(),
                "shape", answer.shape(),
                "grantId", answer.grantId(),
                "reason", answer.reason(),
                "waitedMillis", at.timeMillis() - asked.timeMillis());
    }

    /** Returns the grant that the last decision names; empty when no approval was needed. */
    Map<String, Object> grant() {
        Optional<ToolDecision> decision =
                call.last(ToolDecision.class)
                        .map(At::event)
                        .filter(each -> !each.grantId().isEmpty());
        if (decision.isEmpty()) {
            return Map.of();
        }
        String id = decision.get().grantId();
        Optional<ApprovalDecision> made =
                call.of(ApprovalDecision.class).stream()
                        .map(At::event)
                        .filter(each -> each.grantId().equals(id))
                        .findFirst();
        return Fields.of(
                "grantId", id,
                "givenBy", decision.get().approvedBy(),
                "madeFor", made.isPresent() ? "this call" : "an earlier call",
                "scope", made.map(ApprovalDecision::scope).orElse(""),
                "shape", made.map(ApprovalDecision::shape).orElse(""),
                "used",
                        call.of(ToolStarted.class).stream()
                                .anyMatch(each -> each.event().grantId().equals(id)));
    }

    /** Returns what was executed and how it was confined; empty when nothing was. */
    Map<String, Object> execution() {
        if (call.first(ToolStarted.class).isEmpty()) {
            return Map.of();
        }
        Map<String, Object> fields = Fields.of("attempts", call.of(ToolStarted.class).size());
        call.last(ToolCallOutput.class)
                .ifPresent(
                        at -> {
                            fields.put("outcome", at.event().outcome().name());
                            if (!at.event().error().isEmpty()) {
                                fields.put("error", at.event().error());
                            }
                        });
        call.last(ToolAttestation.class).ifPresent(at -> fields.putAll(sandbox(at.event())));
        return fields;
    }

    private static Map<String, Object> sandbox(ToolAttestation statement) {
        Enforcement enforcement = Enforcement.of(statement.sandboxEnforcement());
        return Fields.of(
                "executor", statement.executor(),
                "mode", enforcement.mode(),
                "posture", enforcement.posture(),
                "egress", enforcement.egress(),
                "enforcedLimits", enforcement.limits(),
                "executableSha256", statement.executableSha256(),
                "executedAtMillis", statement.executedAtMillis(),
                "timedOut", statement.timedOut(),
                "executionSha256", statement.executionSha256(),
                "signedBy", statement.keyId());
    }

    /** Returns how many calls the run might still make, this one included. */
    private Map<String, Object> limits() {
        int before = call.first(ToolCallProposal.class).map(at -> at.event().index()).orElse(0);
        return Fields.of("callsLeftOfRun", Math.max(0, read.evidence().budgetLeft() - before));
    }

    /**
     * Returns what would have to hold for the call to be allowed; empty for one that is allowed.
     */
    List<String> missing() {
        Optional<ToolDecision> decision = call.last(ToolDecision.class).map(At::event);
        if (decision.isEmpty()) {
            return List.of();
        }
        List<String> missing = new ArrayList<>();
        switch (decision.get().verdict()) {
            case ALLOW -> {
                // Nothing is.
            }
            case APPROVAL_REQUIRED -> {
                missing.add("a person's yes");
                missing.addAll(decision.get().missing());
            }
            case DENY -> missing.addAll(decision.get().missing());
        }
        if (decision.get().verdict() == Verdict.DENY && missing.isEmpty()) {
            missing.add(remedy(decision.get().reasonCode()));
        }
        return missing;
    }

    private String agent() {
        String id = read.evidence().agentId();
        return id.isEmpty() ? "AGENT" : id;
    }

    private String remedy(String reasonCode) {
        String code = reasonCode.toLowerCase(Locale.ROOT);
        if (code.contains("allowlist")) {
            return "the tool on the agent's list: palyra agents update "
                    + agent()
                    + " with a --tool for each tool it may use, this one included";
        }
        if (code.contains("budget")) {
            return "a larger budget of calls: maxCallsPerRun of palyra.gateway";
        }
        if (code.contains("approval")) {
            return "a yes in time, from a user who may approve";
        }
        return "another outcome of " + (code.isEmpty() ? "the decision" : code);
    }

    private Map<String, Object> evidence() {
        List<Map<String, Object>> faults = EvidenceVerdict.faults(read, List.of());
        return Fields.of(
                "verdict",
                faults.isEmpty() ? "intact" : "broken",
                "records",
                read.report().records(),
                "headSignedBy",
                read.sealKeyId(),
                "faults",
                faults);
    }
}
