package palyra.gateway.internal.engine.tool;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Access;
import palyra.api.core.access.ApprovalTerms;
import palyra.api.core.access.CallContext;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.access.ToolPolicyDecision;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.core.gateway.AgentView;
import palyra.api.core.journal.Journal;
import palyra.api.core.tools.ToolExamination;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.api.tool.ToolDescriptor;
import palyra.gateway.internal.approval.ApprovalRequestFactory;
import palyra.gateway.internal.approval.CallForApproval;
import palyra.gateway.internal.approval.CallOrigin;
import palyra.gateway.internal.approval.CoveringGrant;
import palyra.gateway.internal.approval.GrantUses;
import palyra.gateway.internal.approval.Grants;
import palyra.gateway.internal.approval.PublicCall;
import palyra.gateway.internal.budget.Spending;
import palyra.gateway.internal.engine.run.RunContext;
import palyra.gateway.internal.engine.run.RunOrigin;
import palyra.gateway.internal.engine.run.WorkerFlags;
import palyra.gateway.internal.seam.Services;
import palyra.gateway.internal.settings.EngineSettings;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.ApprovalRequestCodec;
import palyra.shared.fold.Call;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.shared.hash.Ulids;
import palyra.shared.sealed.ApprovalRequestRedaction;
import palyra.shared.sealed.RunSecrets;
import palyra.shared.tool.ToolMentions;

/**
 * Decides proposed calls. Policy decides first. When it requires an approval, a grant that covers
 * the call is passed to policy again; without one, an approval is requested. An approval never
 * decides alone. Without a decision a call is refused: malformed or oversized input before a
 * decision, and every call when no decision arrives in time. Used by one worker.
 */
public final class ToolDecider {
    /** Most approval requests for one call: its facts may change each time. */
    public static final int MOST_ASKS = 3;

    private static final long SLICE_MILLIS = 250;
    private static final String OPERATORS = "operator";
    private static final Set<String> OPERATOR_GROUP = Set.of("group:" + OPERATORS);

    private final RunContext run;
    private final RunOrigin origin;
    private final AvailableTools tools;
    private final WorkerFlags flags;
    private final Consumer<String> waitingFor;
    private final Gate<Access> access;
    private final Gate<Journal> journal;
    private final Ulids ids;
    private final Spending spending;
    private final RunSecrets secrets;

    /**
     * Creates a decider for one run.
     *
     * @param secrets keeps secrets out of what people are asked
     * @param waitingFor told what the run waits for, and the empty text when it goes on
     */
    ToolDecider(
            RunContext run,
            Services services,
            RunSecrets secrets,
            RunOrigin origin,
            AvailableTools tools,
            WorkerFlags flags,
            Consumer<String> waitingFor) {
        this.run = run;
        this.origin = origin;
        this.tools = tools;
        this.flags = flags;
        this.waitingFor = waitingFor;
        this.access = services.access();
        this.journal = services.journal();
        this.ids = services.ids();
        this.spending = services.spending();
        this.secrets = secrets;
    }

    /**
     * Decides one call.
     *
     * @param offered the tools on offer by name
     * @param uses starts under grants that the unit in the making holds already
     * @return the decision; empty when a flag was raised meanwhile
     */
    Optional<CallDecision> decide(
            Call call,
            Map<String, ToolDescriptor> offered,
            GrantUses uses,
            EngineSettings settings) {
        if (!run.agent().tools().contains(call.proposal().tool())) {
            // the rules deny it for that, which is more to a model than what a guard would say
            return patiently(ExaminedCall.unknown(call), offered, uses, settings);
        }
        Optional<ToolPolicyDecision> unusable =
                Refusals.ofInput(call, offered.get(call.proposal().tool()));
        if (unusable.isPresent()) {
            return unusable.map(answer -> CallDecision.of(answer, ""));
        }
        boolean there = offered.containsKey(call.proposal().tool());
        Optional<ToolExamination> examination =
                there ? tools.examinePatiently(call, settings) : tools.examine(call);
        return switch (examination.orElse(null)) {
            case null ->
                    there && flags.raised()
                            ? Optional.empty()
                            : patiently(ExaminedCall.unknown(call), offered, uses, settings);
            case ToolExamination.Refused refused ->
                    Optional.of(
                            denied(
                                    refused.reasonCode(),
                                    ToolMentions.heard(
                                            refused.reason(),
                                            offered.keySet(),
                                            run.agent().tools())));
            case ToolExamination.Facts facts ->
                    patiently(ExaminedCall.of(call, facts), offered, uses, settings);
        };
    }

    private static CallDecision denied(String code, String reason) {
        return CallDecision.of(Refusals.deny(code, reason), "");
    }

    private ToolPolicyRequest request(
            ExaminedCall found, Map<String, ToolDescriptor> offered, EngineSettings settings) {
        Call call = found.call();
        int most = settings.callsOf(run.agent());
        return new ToolPolicyRequest(
                run.principal(),
                run.agent().agentId(),
                run.agent().test(),
                run.runId(),
                run.sessionId(),
                call.callId(),
                call.proposal().tool(),
                offered.get(call.proposal().tool()),
                call.proposal().inputJson(),
                Set.copyOf(run.agent().tools()),
                Math.max(0, most - call.ordinal() + 1),
                most,
                origin.read(SLICE_MILLIS)
                        .about(found.facts())
                        .after(spending.spend(run.caller(), run.runId())),
                List.copyOf(offered.values()),
                profile());
    }

    /** Returns the profile that the agent has now: what an operator changes counts at once. */
    private String profile() {
        AgentView now = run.latest().get();
        return now.agentId().equals(run.agent().agentId()) ? now.policyProfile() : "";
    }

    private Optional<CallDecision> patiently(
            ExaminedCall found,
            Map<String, ToolDescriptor> offered,
            GrantUses uses,
            EngineSettings settings) {
        long deadline =
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.unavailableWaitMillis());
        boolean reported = false;
        while (!flags.raised()) {
            Optional<CallDecision> decided =
                    tryOnce(
                            () -> authorize(found, request(found, offered, settings), uses),
                            System.nanoTime() >= deadline);
            if (decided.isPresent()) {
                if (reported) {
                    waitingFor.accept("");
                }
                return decided;
            }
            if (!reported) {
                reported = true;
                waitingFor.accept("waiting for policy");
            }
            AvailableTools.pause();
        }
        return Optional.empty();
    }

    /** Returns empty while access is absent, unless it is {@code late}. */
    private static Optional<CallDecision> tryOnce(Supplier<CallDecision> decision, boolean late) {
        try {
            return Optional.of(decision.get());
        } catch (PalyraException e) {
            if (e.code().kind() != ErrorCode.Kind.UNAVAILABLE) {
                return Optional.of(
                        denied("policy.failed", "The call could not be decided, so it is denied."));
            }
            return late
                    ? Optional.of(
                            denied(
                                    "policy.unavailable",
                                    "Access control is not available to decide the call, so it is denied."))
                    : Optional.empty();
        } catch (RuntimeException | LinkageError e) {
            return Optional.of(
                    denied(
                            "policy.failed",
                            "The decision failed unexpectedly, so the call is denied."));
        }
    }

    private CallDecision authorize(ExaminedCall found, ToolPolicyRequest request, GrantUses uses) {
        ToolPolicyDecision answer = policy(request);
        return switch (answer.verdict()) {
            case ALLOW -> CallDecision.of(answer, found.factsSha256());
            case DENY -> CallDecision.of(unlessChanged(found.call(), answer), found.factsSha256());
            case APPROVAL_REQUIRED -> byPeople(found, request, answer, uses);
        };
    }

    private ToolPolicyDecision policy(ToolPolicyRequest request) {
        try (Gate.Lease<Access> lease = access.lease(SLICE_MILLIS)) {
            return lease.service().decideTool(request);
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

    private CallDecision byPeople(
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
        // A lasting grant covers the call for any workspace content, so the workspace is not read.
        Subject anywhere = subject(found, request, answer, terms.get());
        Optional<CallDecision> lasting = underGrant(anywhere, true, found, request, uses);
        if (lasting.isPresent()) {
            return lasting.get();
        }
        return switch (tools.examineInWorkspace(found.call(), earlierWorkspace(found.call()))) {
            case ToolExamination.Refused refused ->
                    denied(answer, found, refused.reasonCode(), refused.reason());
            case ToolExamination.Facts facts -> {
                ExaminedCall here = ExaminedCall.of(found.call(), facts);
                Subject subject = subject(here, request, answer, terms.get());
                yield underGrant(subject, false, here, request, uses)
                        .orElseGet(() -> ask(subject, here, answer));
            }
        };
    }

    private static CallDecision denied(
            ToolPolicyDecision answer, ExaminedCall found, String code, String reason) {
        return CallDecision.of(Refusals.instead(answer, code, reason), found.factsSha256());
    }

    /** Returns what the workspace held when people were asked about the call last; may be empty. */
    private String earlierWorkspace(Call call) {
        if (call.asking().asks() == 0) {
            return "";
        }
        try (Gate.Lease<Journal> lease = journal.lease(SLICE_MILLIS)) {
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

    /**
     * What people approve.
     *
     * @param call the call as it is
     * @param shown the call as people are shown it
     */
    private record Subject(
            CallOrigin origin, CallForApproval call, CallForApproval shown, ApprovalTerms terms) {}

    /** A call of which part is hidden is allowed for itself alone, and the question says so. */
    private Subject subject(
            ExaminedCall found,
            ToolPolicyRequest request,
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
        if (!notes.isEmpty()) {
            String hidden =
                    "Part of the call is hidden from you: " + String.join("; ", notes) + ".";
            call = call.hiding(hidden);
            shown = shown.hiding(hidden);
        }
        return new Subject(origin(request), call, shown, terms);
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

    private CallOrigin origin(ToolPolicyRequest request) {
        return new CallOrigin(
                run.runId(),
                request.callId(),
                run.sessionId(),
                run.principal(),
                run.agent().agentId(),
                request.situation().device(),
                request.situation().channel(),
                run.person());
    }

    /**
     * Returns what policy says under a grant that covers the call; empty when people have to be
     * asked.
     *
     * @param lasting whether only grants for more than one call count
     */
    private Optional<CallDecision> underGrant(
            Subject subject,
            boolean lasting,
            ExaminedCall found,
            ToolPolicyRequest request,
            GrantUses uses) {
        Optional<CoveringGrant> grant = grant(subject, lasting, uses);
        if (grant.isEmpty()) {
            return Optional.empty();
        }
        CallContext approved =
                request.situation().withApproval(true, Set.copyOf(grant.get().approvedBy()));
        ToolPolicyDecision again = policy(request.withSituation(approved));
        if (again.verdict() == Verdict.ALLOW
                && confinement(again).equals(subject.call().confinement())) {
            return Optional.of(CallDecision.under(grant.get(), again, found.factsSha256()));
        }
        return again.verdict() == Verdict.DENY && found.call().approved()
                ? Optional.of(CallDecision.of(changed(again), found.factsSha256()))
                : Optional.empty();
    }

    private Optional<CoveringGrant> grant(Subject subject, boolean lasting, GrantUses uses) {
        try (Gate.Lease<Journal> lease = journal.lease(SLICE_MILLIS)) {
            return Grants.find(
                    lease.service(),
                    subject.origin(),
                    subject.call(),
                    subject.terms(),
                    lasting,
                    uses,
                    System.currentTimeMillis());
        }
    }

    private CallDecision ask(Subject subject, ExaminedCall found, ToolPolicyDecision answer) {
        int asks = found.call().asking().asks();
        if (asks >= MOST_ASKS) {
            return denied(
                    answer,
                    found,
                    Refusals.POLICY_CHANGED,
                    "The facts of the call or its approvers changed after each of "
                            + MOST_ASKS
                            + " approval requests; propose it again when they are stable.");
        }
        ApprovalRequestBody question =
                ApprovalRequestFactory.ask(
                        new ApprovalRequestFactory.Occasion(
                                ids.next(), asks + 1, System.currentTimeMillis()),
                        subject.origin(),
                        subject.call(),
                        subject.shown(),
                        subject.terms(),
                        answer.policy().orElseThrow(),
                        Digests.sha256Hex(answer.snapshotJson().getBytes(StandardCharsets.UTF_8)));
        return CallDecision.asking(
                question, answer, found.factsSha256(), subject.terms().reminderMillis());
    }
}
