package palyra.gateway.internal.approval;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import palyra.api.approval.ApprovalScope;
import palyra.api.core.access.ApprovalTerms;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.journal.GrantRow;
import palyra.api.core.tools.CallDescription;
import palyra.api.core.tools.CallPattern;
import palyra.api.tool.Capability;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.ApprovalRequestCodec;
import palyra.shared.approval.Coverage;

/** Calls, terms and grants to begin a test with. */
final class Samples {
    static final CallOrigin ALICE =
            new CallOrigin("run", "call", "session", "user:alice", "default", "phone", "chat");
    static final ApprovalTerms TERMS =
            new ApprovalTerms(
                    Set.of("group:approver"), true, 86_400_000, Set.of(ApprovalScope.values()), 1);

    private Samples() {}

    static CallFacts program(String executable) {
        return new CallFacts(
                executable,
                "a".repeat(64),
                "/work",
                "",
                Set.of(),
                1,
                Set.of(),
                Set.of(),
                Set.of(),
                Set.of("/work"),
                Set.of(),
                Set.of());
    }

    static CallDescription described(String onceOnly, CallPattern pattern) {
        return new CallDescription(
                "list files", List.of("ls", "-l", "a b"), onceOnly, Optional.ofNullable(pattern));
    }

    static CallPattern pattern(String fixed, String... options) {
        return new CallPattern("ls of any file", fixed, Set.of(options), Set.of());
    }

    static CallForApproval call(
            CallFacts facts, CallDescription description, Confinement confinement) {
        return CallForApproval.of(
                "palyra.process.run",
                "{\"command\":\"ls\"}",
                new palyra.api.tool.ToolDescriptor(
                        "palyra.process.run",
                        "Runs a program.",
                        "{\"type\":\"object\"}",
                        Set.of(Capability.PROCESS_EXEC),
                        false,
                        false,
                        1_000,
                        4_096),
                facts,
                description,
                confinement);
    }

    static CallForApproval ls() {
        return call(
                program("/usr/bin/ls"),
                described("", pattern("{\"p\":\"ls\"}", "-l")),
                Confinement.STRICTEST);
    }

    static PolicyDecision policy(ApprovalTerms terms) {
        return new PolicyDecision(
                PolicyDecision.Outcome.ALLOW_IF_APPROVED,
                "policy.approval_required",
                "It needs an approval.",
                "policy tools.exec asks",
                List.of("tools.exec"),
                List.of(),
                Optional.of(terms),
                Confinement.STRICTEST,
                PolicyDecision.Confirmation.NOT_NEEDED,
                "5e7",
                1,
                "{}");
    }

    static ApprovalRequestBody question(ApprovalTerms terms, CallForApproval call) {
        return ApprovalRequestFactory.ask(
                new ApprovalRequestFactory.Occasion("01ARZ3NDEKTSV4RRFFQ69G5FAV", 1, 1_000_000),
                ALICE,
                call,
                call,
                terms,
                policy(terms),
                "5a5");
    }

    static Coverage coverage(CallForApproval call, String shape, CallPattern pattern) {
        return coverage(
                call,
                shape,
                pattern,
                List.of(new Coverage.Voter("user:boss", List.of("approver"))));
    }

    static Coverage coverage(
            CallForApproval call, String shape, CallPattern pattern, List<Coverage.Voter> voters) {
        return new Coverage(
                "SESSION",
                shape,
                "",
                call.bindingSha256(),
                call.confinement().tier().name(),
                call.confinement().egress().name(),
                pattern == null
                        ? null
                        : new ApprovalRequestBody.Pattern(
                                pattern.sentence(),
                                pattern.fixed(),
                                pattern.options().stream().sorted().toList(),
                                List.of()),
                voters,
                call.facts().workspace().sha256(),
                List.copyOf(call.facts().workspace().running()));
    }

    static GrantRow grant(String sessionId, String callId, int maxUses, int uses) {
        return new GrantRow(
                "grant",
                "question",
                sessionId,
                ALICE.principal(),
                ALICE.agentId(),
                "palyra.process.run",
                callId,
                GrantRow.State.ACTIVE,
                ApprovalRequestCodec.bytes(coverage(ls(), "EXACT", null)),
                1,
                0,
                maxUses,
                uses,
                0,
                "");
    }
}
