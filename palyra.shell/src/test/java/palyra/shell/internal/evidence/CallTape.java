package palyra.shell.internal.evidence;

import java.util.Base64;
import java.util.List;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.KeySignature;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.ApprovalRequestCodec;
import palyra.shared.hash.Digests;
import palyra.shared.tape.Attestations;
import palyra.shared.tape.TapeCodec;
import palyra.shell.internal.fakes.FakeTape;

/** Writes what the engine writes about calls, or something that it never would. */
final class CallTape {
    static final String CALL = FakeTape.RUN + ".1.0";
    static final String APPROVAL = "01J0000000000000000000000Q";
    static final String GRANT = "01J0000000000000000000000G";
    static final String SNAPSHOT = "cd".repeat(32);
    static final String ENFORCEMENT =
            "strict tier=c bwrap=0.8.0 ns=user,mnt,pid caps=none network=proxied memory=536870912";

    final FakeTape tape;

    CallTape(FakeTape tape) {
        this.tape = tape;
    }

    static TapeEvent.ToolCallProposal proposal(String callId) {
        return new TapeEvent.ToolCallProposal(
                callId, 1, 0, "palyra.process.run", "{\"command\":\"git\"}");
    }

    CallTape proposed() {
        tape.append(
                new TapeEvent.TurnStarted(1, 1, "tester", "deterministic", "", "", "", "", 16, 0));
        tape.append(proposal(CALL));
        return this;
    }

    /** The exact input is sealed; the readable one differs. */
    CallTape proposedSealed() {
        tape.append(
                new TapeEvent.TurnStarted(1, 1, "tester", "deterministic", "", "", "", "", 16, 0));
        TapeEvent.ToolCallProposal seen =
                new TapeEvent.ToolCallProposal(
                        CALL, 1, 0, "palyra.process.run", "{\"command\":\"⟦secret:jwt:1⟧\"}");
        tape.append(TapeCodec.append(FakeTape.RUN, seen, "c2VhbGVk"));
        return this;
    }

    CallTape decided(Verdict verdict, String grantId) {
        tape.append(
                new TapeEvent.ToolDecision(
                        CALL,
                        "palyra.process.run",
                        verdict,
                        verdict == Verdict.DENY ? "approval.denied" : "policy",
                        "For the model.",
                        "POLICY",
                        List.of("sensitive_tools_need_approval"),
                        SNAPSHOT,
                        "ef".repeat(32),
                        "For operators.",
                        verdict == Verdict.ALLOW ? List.of() : List.of("context.approval.granted"),
                        "C",
                        "STRICT",
                        "CONFIRMED",
                        "{}",
                        "12".repeat(32),
                        grantId,
                        grantId.isEmpty() ? List.of() : List.of("user:carol")));
        return this;
    }

    CallTape asked() {
        tape.append(
                new TapeEvent.ApprovalRequest(
                        APPROVAL,
                        CALL,
                        ApprovalRequestCodec.text(question()),
                        1_800_000_000_000L,
                        "34".repeat(32),
                        1));
        return this;
    }

    private static ApprovalRequestBody question() {
        return new ApprovalRequestBody(
                APPROVAL,
                "TOOL",
                "tool:palyra.process.run",
                1,
                "Run git",
                new ApprovalRequestBody.Origin(
                        FakeTape.SESSION, FakeTape.RUN, CALL, "a", "user:op", "", ""),
                new ApprovalRequestBody.Call(
                        "palyra.process.run",
                        "{\"command\":\"git\"}",
                        "34".repeat(32),
                        "12".repeat(32),
                        "/usr/bin/git",
                        "56".repeat(32),
                        "/w",
                        List.of("git"),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of("process_exec"),
                        "C",
                        "STRICT",
                        "",
                        "",
                        List.of()),
                null,
                new ApprovalRequestBody.Terms(
                        List.of("group:approver"), false, List.of("ONCE"), 1, List.of(), 0),
                new ApprovalRequestBody.Policy(
                        List.of("sensitive_tools_need_approval"), "", SNAPSHOT, "asks"),
                new ApprovalRequestBody.Prompt(
                        "Run git?", "HIGH", "git", "It is sensitive.", 60, List.of()),
                1_000,
                1_800_000_000_000L);
    }

    CallTape answered(boolean yes) {
        tape.append(
                new TapeEvent.ApprovalDecision(
                        APPROVAL,
                        CALL,
                        yes,
                        yes ? "session" : "",
                        "user:carol",
                        "because",
                        yes ? "exact" : "",
                        yes ? GRANT : "",
                        yes ? List.of("user:carol") : List.of()));
        return this;
    }

    CallTape started(String grantId) {
        tape.append(
                new TapeEvent.ToolStarted(
                        CALL,
                        1,
                        "palyra.process.run",
                        Digests.sha256Hex(proposal(CALL).inputJson()),
                        grantId));
        return this;
    }

    static TapeEvent.ToolCallOutput output(Outcome outcome) {
        return new TapeEvent.ToolCallOutput(
                CALL, 1, "palyra.process.run", outcome, "{\"exit\":0}", "");
    }

    CallTape ended(Outcome outcome) {
        tape.append(output(outcome));
        return this;
    }

    CallTape attested() {
        return attested(output(Outcome.SUCCEEDED), SNAPSHOT, KeyPurpose.ATTESTATION);
    }

    /** Attests to an output, which may be another than that on the tape. */
    CallTape attested(TapeEvent.ToolCallOutput output, String snapshot, KeyPurpose signer) {
        return attested(proposal(CALL), output, snapshot, signer);
    }

    CallTape attested(
            TapeEvent.ToolCallProposal proposal,
            TapeEvent.ToolCallOutput output,
            String snapshot,
            KeyPurpose signer) {
        byte[] digest =
                Attestations.executionSha256(
                        proposal,
                        output,
                        "sandbox_tier_c_linux_bubblewrap",
                        ENFORCEMENT,
                        5_000,
                        snapshot,
                        "56".repeat(32));
        KeySignature signature = tape.keys.sign(signer, digest);
        tape.append(
                new TapeEvent.ToolAttestation(
                        "01J0000000000000000000000A",
                        CALL,
                        "sandbox_tier_c_linux_bubblewrap",
                        ENFORCEMENT,
                        5_000,
                        false,
                        snapshot,
                        "56".repeat(32),
                        Digests.hex(digest),
                        signature.keyId(),
                        Base64.getUrlEncoder()
                                .withoutPadding()
                                .encodeToString(signature.signature())));
        return this;
    }

    /** The whole story, as it should be. */
    CallTape story() {
        return proposed()
                .decided(Verdict.APPROVAL_REQUIRED, "")
                .asked()
                .answered(true)
                .decided(Verdict.ALLOW, GRANT)
                .started(GRANT)
                .ended(Outcome.SUCCEEDED)
                .attested();
    }
}
