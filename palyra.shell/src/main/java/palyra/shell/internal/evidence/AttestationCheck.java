package palyra.shell.internal.evidence;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import palyra.api.tape.TapeEvent.ApprovalDecision;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tape.TapeEvent.ToolAttestation;
import palyra.api.tape.TapeEvent.ToolCallOutput;
import palyra.api.tape.TapeEvent.ToolCallProposal;
import palyra.api.tape.TapeEvent.ToolDecision;
import palyra.api.tape.TapeEvent.ToolStarted;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.shared.hash.Digests;
import palyra.shared.tape.Attestations;
import palyra.shell.internal.evidence.CallHistory.At;

/**
 * Checks the attestation of one call against the other records of the call: that it belongs to the
 * proposal, to the decision that let it start, to the answer that a person gave, and to its output,
 * and that digest and signature are right. Pure.
 */
final class AttestationCheck {
    /** Kind of a fault. */
    enum Kind {
        /** There is no proposal before it. */
        PROPOSAL,
        /** It was started without, or against, a decision. */
        DECISION,
        /** It was started without the answer that the decision asked for. */
        APPROVAL,
        /** It was never started, or there is no output of it. */
        OUTPUT,
        /** The digest is not that of the records. */
        DIGEST,
        /** The signature is wrong or by no key that is known. */
        SIGNATURE,
        /** It ran, and nothing attests to it, or more than one statement does. */
        ATTESTATION
    }

    /**
     * A fault.
     *
     * @param seq record that it is about
     * @param detail a sentence without its end
     */
    record Finding(String callId, long seq, Kind kind, String detail) {}

    private final CallHistory call;
    private final AttestationKeys keys;
    private final List<Finding> findings = new ArrayList<>();

    private AttestationCheck(CallHistory call, AttestationKeys keys) {
        this.call = call;
        this.keys = keys;
    }

    /**
     * Returns the faults; empty for a call that was not started.
     *
     * @param withheld whether payloads of the tape were erased: missing records are no fault then
     */
    static List<Finding> of(CallHistory call, AttestationKeys keys, boolean withheld) {
        AttestationCheck check = new AttestationCheck(call, keys);
        if (!(withheld && call.first(ToolCallProposal.class).isEmpty())) {
            check.look();
        }
        return List.copyOf(check.findings);
    }

    private void look() {
        List<At<ToolStarted>> starts = call.of(ToolStarted.class);
        List<At<ToolAttestation>> statements = call.of(ToolAttestation.class);
        starts.forEach(this::start);
        if (statements.size() > 1) {
            find(statements.get(1).seq(), Kind.ATTESTATION, "it is attested more than once");
        }
        if (statements.isEmpty()) {
            unattested(starts);
        }
        statements.forEach(this::statement);
    }

    private void find(long seq, Kind kind, String detail) {
        findings.add(new Finding(call.callId(), seq, kind, detail));
    }

    private void unattested(List<At<ToolStarted>> starts) {
        for (At<ToolCallOutput> output : call.of(ToolCallOutput.class)) {
            boolean ran =
                    switch (output.event().outcome()) {
                        case SUCCEEDED, FAILED, TIMED_OUT -> true;
                        case DENIED, CANCELLED, INTERRUPTED -> false;
                    };
            if (ran && !starts.isEmpty()) {
                find(output.seq(), Kind.ATTESTATION, "it ran and nothing attests to it");
            }
        }
    }

    /** A start needs a decision, and the decision's grant needs to be the one that was used. */
    private void start(At<ToolStarted> start) {
        Optional<At<ToolCallProposal>> proposal =
                call.lastBefore(ToolCallProposal.class, start.seq());
        if (proposal.isEmpty()) {
            find(start.seq(), Kind.PROPOSAL, "it was started and never proposed");
            return;
        }
        ToolCallProposal proposed = proposal.get().event();
        if (!proposed.tool().equals(start.event().tool())
                || !call.withholdsInput(proposed)
                        && !Digests.sha256Hex(proposed.inputJson())
                                .equals(start.event().inputSha256())) {
            find(start.seq(), Kind.PROPOSAL, "what was started is not what was proposed");
        }
        Optional<At<ToolDecision>> decision = call.lastBefore(ToolDecision.class, start.seq());
        if (decision.isEmpty() || decision.get().event().verdict() != Verdict.ALLOW) {
            find(start.seq(), Kind.DECISION, "it was started and not allowed");
        } else {
            approval(start, decision.get().event());
        }
    }

    private void approval(At<ToolStarted> start, ToolDecision decision) {
        if (!decision.grantId().equals(start.event().grantId())) {
            find(start.seq(), Kind.APPROVAL, "it was started under another grant than decided");
        }
        boolean asked =
                call.of(ToolDecision.class).stream()
                        .filter(each -> each.seq() < start.seq())
                        .anyMatch(each -> each.event().verdict() == Verdict.APPROVAL_REQUIRED);
        if (asked && decision.grantId().isEmpty()) {
            find(start.seq(), Kind.APPROVAL, "it needed a person's word and has no grant");
        }
        Optional<At<ApprovalDecision>> answer =
                call.lastBefore(ApprovalDecision.class, start.seq());
        if (answer.isPresent() && !answer.get().event().granted()) {
            find(start.seq(), Kind.APPROVAL, "it was started although the answer was no");
        }
    }

    private void statement(At<ToolAttestation> at) {
        ToolAttestation statement = at.event();
        Optional<At<ToolCallProposal>> proposal = call.lastBefore(ToolCallProposal.class, at.seq());
        Optional<At<ToolCallOutput>> output = call.lastBefore(ToolCallOutput.class, at.seq());
        if (proposal.isEmpty()) {
            find(at.seq(), Kind.PROPOSAL, "what it attests to was never proposed");
        } else if (output.isEmpty() || call.of(ToolCallOutput.class).size() != 1) {
            find(at.seq(), Kind.OUTPUT, "it needs exactly one output before it");
        } else {
            digest(at, proposal.get().event(), output.get().event());
        }
        if (call.lastBefore(ToolStarted.class, at.seq()).isEmpty()) {
            find(at.seq(), Kind.OUTPUT, "what it attests to was never started");
        }
        String policy =
                call.lastBefore(ToolDecision.class, at.seq())
                        .map(each -> each.event().snapshotSha256())
                        .orElse("");
        if (!policy.equals(statement.policySha256())) {
            find(at.seq(), Kind.DECISION, "it names another policy snapshot than the decision");
        }
        keys.fault(statement).ifPresent(why -> find(at.seq(), Kind.SIGNATURE, why));
    }

    private void digest(At<ToolAttestation> at, ToolCallProposal proposal, ToolCallOutput output) {
        if (at.event().timedOut() != (output.outcome() == Outcome.TIMED_OUT)) {
            find(at.seq(), Kind.OUTPUT, "it says otherwise than the output whether time ran out");
        }
        if (!recomputed(call.attested(proposal), output, at.event())
                .equals(at.event().executionSha256())) {
            find(at.seq(), Kind.DIGEST, "its digest is not that of the records");
        }
    }

    /**
     * Returns the digest of an execution as the records have it, lower-case hex.
     *
     * @param proposal as it is attested to, see {@link CallHistory#attested}
     */
    static String recomputed(
            ToolCallProposal proposal, ToolCallOutput output, ToolAttestation statement) {
        return Digests.hex(
                Attestations.executionSha256(
                        proposal,
                        output,
                        statement.executor(),
                        statement.sandboxEnforcement(),
                        statement.executedAtMillis(),
                        statement.policySha256(),
                        statement.executableSha256()));
    }
}
