package palyra.gateway.internal.engine.tool;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Access;
import palyra.api.core.access.ApprovalTerms;
import palyra.api.core.access.CallContext;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.access.ToolPolicyDecision;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.JournalReader;
import palyra.api.core.tools.ToolExamination;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.gateway.internal.approval.ApprovalRequestFactory;
import palyra.gateway.internal.approval.CallForApproval;
import palyra.gateway.internal.approval.CallOrigin;
import palyra.gateway.internal.approval.CoveringGrant;
import palyra.gateway.internal.approval.GrantUses;
import palyra.gateway.internal.approval.Grants;
import palyra.gateway.internal.approval.PublicCall;
import palyra.gateway.internal.engine.run.RunContext;
import palyra.gateway.internal.seam.Services;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.ApprovalRequestCodec;
import palyra.shared.fold.Call;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.shared.hash.Ulids;
import palyra.shared.sealed.ApprovalRequestRedaction;
import palyra.shared.sealed.RunSecrets;

/**
 * Decides a call whose facts are known. Policy decides first. When it requires an approval, a grant
 * that covers the call is passed to policy again; without one, an approval is requested. An
 * approval never decides alone.
 */
public final class CallAuthorizer {
    /** Most approval requests for one call: its facts may change each time. */
    public static final int MOST_ASKS = 3;

    private static final String OPERATORS = "operator";
    private static final Set<String> OPERATOR_GROUP = Set.of("group:" + OPERATORS);

    private final RunContext run;
    private final Gate<Access> access;
    private final Gate<Journal> journal;
    private final Ulids ids;
    private final RunSecrets secrets;
    private final long absentMillis;
    private final WorkspaceLook look;

    /** Looks at a call again, in the workspace as it is now. */
    interface WorkspaceLook {
        /**
         * Returns what the call would do.
         *
         * @param since digest of an earlier state, to name what changed; may be empty
         * @throws palyra.api.PalyraException TOOL_UNAVAILABLE when its tool is away
         */
        ToolExamination at(Call call, String since);
    }

    /**
     * Creates a ruling.
     *
     * @param secrets keeps secrets out of what people are asked
     * @param absentMillis how long to wait for access or the journal while they are absent
     * @param look asked only when a person's answer is needed, since it reads the whole workspace
     */
    CallAuthorizer(
            RunContext run,
            Services services,
            RunSecrets secrets,
            long absentMillis,
            WorkspaceLook look) {
        this.look = look;
        this.secrets = secrets;
        this.run = run;
        this.access = services.access();
        this.journal = services.journal();
        this.ids = services.ids();
        this.absentMillis = absentMillis;
    }

    /**
     * Decides.
     *
     * @param asked the question to policy, without an approval
     * @throws palyra.api.PalyraException UNAVAILABLE kinds when access or the journal is absent
     */
    CallDecision rule(Call call, ExaminedCall found, ToolPolicyRequest request, GrantUses uses) {
        ToolPolicyDecision answer = decide(request);
        return switch (answer.verdict()) {
            case ALLOW -> CallDecision.of(answer, found.factsSha256());
            case DENY -> CallDecision.of(unlessChanged(call, answer), found.factsSha256());
            case APPROVAL_REQUIRED -> people(call, found, request, answer, uses);
        };
    }

    private ToolPolicyDecision decide(ToolPolicyRequest question) {
        try (Gate.Lease<Access> lease = access.lease(absentMillis)) {
            return lease.service().decideTool(question);
        }
    }

    private static ToolPolicyDecision unlessChanged(Call call, ToolPolicyDecision answer) {
        boolean personSaidYes = call.approved() || call.underGrant();
        return personSaidYes && answer.policy().isPresent() ? changed(answer) : answer;
    }

    private static ToolPolicyDecision changed(ToolPolicyDecision answer) {
        return Refusals.instead(
                answer,
                Refusals.POLICY_CHANGED,
                "A person approved the call, but policy does not allow it any more: "
                        + answer.reason());
    }

    private CallDecision people(
            Call call,
            ExaminedCall found,
            ToolPolicyRequest request,
            ToolPolicyDecision answer,
            GrantUses uses) {
        Optional<ApprovalTerms> terms = answer.policy().flatMap(PolicyDecision::approval);
        if (terms.isEmpty()) {
            return denied(answer, found, "approval.nobody", "No user may approve the call.");
        }
        if (!found.known()) {
            return denied(
                    answer,
                    found,
                    "tool.not_examined",
                    "The call needs an approval, and its effects cannot be determined"
                            + " while its tool is away; try again later.");
        }
        CallOrigin callOrigin = callOrigin(call, request.situation());
        CallForApproval anywhere = subject(request, found, answer, terms.get()).call();
        // A lasting grant covers the call for any workspace content, so the workspace is not read.
        Optional<CoveringGrant> lasting =
                cover(Grants::findLasting, callOrigin, anywhere, terms.get(), uses);
        if (lasting.isPresent()) {
            Optional<CallDecision> decided = under(lasting.get(), call, found, request, anywhere);
            if (decided.isPresent()) {
                return decided.get();
            }
        }
        return switch (look.at(call, earlierWorkspace(call))) {
            case ToolExamination.Refused refused ->
                    denied(answer, found, refused.reasonCode(), refused.reason());
            case ToolExamination.Facts facts ->
                    here(call, inWorkspace(facts), request, answer, callOrigin, uses);
        };
    }

    private static ExaminedCall inWorkspace(ToolExamination.Facts facts) {
        return new ExaminedCall(facts.facts(), facts.description(), true);
    }

    /** Decides by an answer for the workspace as it is, or asks for one. */
    private CallDecision here(
            Call call,
            ExaminedCall found,
            ToolPolicyRequest request,
            ToolPolicyDecision answer,
            CallOrigin callOrigin,
            GrantUses uses) {
        ApprovalTerms terms = answer.policy().flatMap(PolicyDecision::approval).orElseThrow();
        Subject subject = subject(request, found, answer, terms);
        return cover(Grants::find, callOrigin, subject.call(), terms, uses)
                .flatMap(given -> under(given, call, found, request, subject.call()))
                .orElseGet(() -> ask(call, found, answer, callOrigin, subject));
    }

    /** Returns what policy says under a grant; empty when people have to be asked all the same. */
    private Optional<CallDecision> under(
            CoveringGrant cover,
            Call call,
            ExaminedCall found,
            ToolPolicyRequest request,
            CallForApproval subject) {
        ToolPolicyDecision again = decide(approved(request, cover));
        if (again.verdict() == Verdict.ALLOW && confinement(again).equals(subject.confinement())) {
            return Optional.of(CallDecision.under(cover, again, found.factsSha256()));
        }
        return again.verdict() == Verdict.DENY && call.approved()
                ? Optional.of(CallDecision.of(changed(again), found.factsSha256()))
                : Optional.empty();
    }

    /** Returns what the workspace held when people were asked about the call last; may be empty. */
    private String earlierWorkspace(Call call) {
        if (call.asking().asks() == 0) {
            return "";
        }
        try (Gate.Lease<Journal> lease = journal.lease(absentMillis)) {
            return lease.service()
                    .approval(call.asking().approvalId())
                    .map(
                            row ->
                                    ApprovalRequestCodec.question(row.payload())
                                            .call()
                                            .workspaceSha256())
                    .orElse("");
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CORRUPT) {
                throw e;
            }
            return ""; // then a person is not told what changed, but asked all the same
        }
    }

    private static CallDecision denied(
            ToolPolicyDecision answer, ExaminedCall found, String code, String reason) {
        return CallDecision.of(Refusals.instead(answer, code, reason), found.factsSha256());
    }

    /** How grants are looked for. */
    private interface Finding {
        Optional<CoveringGrant> in(
                JournalReader journal,
                CallOrigin callOrigin,
                CallForApproval call,
                ApprovalTerms terms,
                GrantUses uses,
                long nowMillis);
    }

    private Optional<CoveringGrant> cover(
            Finding finding,
            CallOrigin callOrigin,
            CallForApproval subject,
            ApprovalTerms terms,
            GrantUses uses) {
        try (Gate.Lease<Journal> lease = journal.lease(absentMillis)) {
            return finding.in(
                    lease.service(), callOrigin, subject, terms, uses, System.currentTimeMillis());
        }
    }

    /** A call as it is, and as people are shown it. */
    private record Subject(CallForApproval call, CallForApproval shown) {}

    /** A call of which part is hidden is allowed for itself alone, and the question says so. */
    private Subject subject(
            ToolPolicyRequest request,
            ExaminedCall found,
            ToolPolicyDecision answer,
            ApprovalTerms terms) {
        CallForApproval call =
                CallForApproval.of(
                        request.toolName(),
                        request.inputJson(),
                        request.descriptor(),
                        found.facts(),
                        found.description(),
                        confinement(answer));
        ApprovalRequestRedaction redaction = secrets.forQuestion(run.principal());
        CallForApproval shown = PublicCall.of(call, redaction);
        Set<String> notes = redaction.notes(isForOperators(terms));
        if (notes.isEmpty()) {
            return new Subject(call, shown);
        }
        String hidden = "Part of the call is hidden from you: " + String.join("; ", notes) + ".";
        return new Subject(call.hiding(hidden), shown.hiding(hidden));
    }

    /** Names of secrets are for operators: of the run, and of those who are asked. */
    private boolean isForOperators(ApprovalTerms terms) {
        return run.caller().groups().contains(OPERATORS)
                && OPERATOR_GROUP.containsAll(terms.approvers())
                && OPERATOR_GROUP.containsAll(terms.escalateTo());
    }

    private static Confinement confinement(ToolPolicyDecision answer) {
        return answer.policy().map(PolicyDecision::confinement).orElse(Confinement.STRICTEST);
    }

    private CallOrigin callOrigin(Call call, CallContext situation) {
        return new CallOrigin(
                run.runId(),
                call.callId(),
                run.sessionId(),
                run.principal(),
                run.agent().agentId(),
                situation.device(),
                situation.channel(),
                run.person());
    }

    private static ToolPolicyRequest approved(ToolPolicyRequest request, CoveringGrant cover) {
        return request.withSituation(
                request.situation().withApproval(true, Set.copyOf(cover.approvedBy())));
    }

    private CallDecision ask(
            Call call,
            ExaminedCall found,
            ToolPolicyDecision answer,
            CallOrigin callOrigin,
            Subject subject) {
        if (call.asking().asks() >= MOST_ASKS) {
            return denied(
                    answer,
                    found,
                    Refusals.POLICY_CHANGED,
                    "The facts of the call or its approvers changed after each of "
                            + MOST_ASKS
                            + " approval requests; propose it again when they are stable.");
        }
        PolicyDecision policy = answer.policy().orElseThrow();
        ApprovalTerms terms = policy.approval().orElseThrow();
        ApprovalRequestBody question =
                ApprovalRequestFactory.ask(
                        new ApprovalRequestFactory.Occasion(
                                ids.next(), call.asking().asks() + 1, System.currentTimeMillis()),
                        callOrigin,
                        subject.call(),
                        subject.shown(),
                        terms,
                        policy,
                        Digests.sha256Hex(answer.snapshotJson().getBytes(StandardCharsets.UTF_8)));
        return CallDecision.asking(question, answer, found.factsSha256(), terms.reminderMillis());
    }
}
