package palyra.shell.internal.fakes;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.approval.ApprovalAnswer;
import palyra.api.approval.ApprovalExportFormat;
import palyra.api.approval.ApprovalOption;
import palyra.api.approval.ApprovalOrigin;
import palyra.api.approval.ApprovalOutcome;
import palyra.api.approval.ApprovalPolicy;
import palyra.api.approval.ApprovalPrompt;
import palyra.api.approval.ApprovalQuery;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.ApprovalState;
import palyra.api.approval.ApprovalSubject;
import palyra.api.approval.ApprovalView;
import palyra.api.approval.ApprovalVote;
import palyra.api.approval.Approvals;
import palyra.api.approval.GrantShape;
import palyra.api.approval.GrantState;
import palyra.api.approval.GrantView;
import palyra.api.approval.RiskLevel;

/** Approval requests in memory, with the rules of the real service that commands can observe. */
public final class FakeApprovals implements Approvals {
    public static final String QUESTION = "01J0000000000000000000000Q";
    public static final String GRANT = "01J0000000000000000000000G";
    public static final String CALL = FakeTape.RUN + ".1.0";

    private final Map<String, ApprovalView> questions = new TreeMap<>(); // guarded by this
    private final List<ApprovalAnswer> answers = new ArrayList<>(); // guarded by this
    private final List<String> calls = new ArrayList<>(); // guarded by this
    private GrantState grantState = GrantState.ACTIVE; // guarded by this

    /** Returns a question that waits. */
    public static ApprovalView question(String id, int quorum, String title, String details) {
        return new ApprovalView(
                id,
                new ApprovalOrigin(
                        FakeTape.SESSION, FakeTape.RUN, CALL, "tester", "user:bob", "", ""),
                ApprovalSubject.TOOL,
                "tool:palyra.process.run",
                "Run git status",
                new ApprovalPrompt(
                        title,
                        RiskLevel.HIGH,
                        "tool:palyra.process.run",
                        "It runs git with status\nin the workspace.",
                        options(),
                        86_400,
                        details,
                        "A sensitive tool needs a person's word."),
                new ApprovalPolicy("sensitive_tools_need_approval", "ab".repeat(32), "asks"),
                List.of("group:operator", "user:carol"),
                quorum,
                List.of(),
                System.currentTimeMillis(),
                System.currentTimeMillis() + 86_400_000,
                0,
                false,
                ApprovalOutcome.PENDING);
    }

    /** Returns a question about a sender, and about no call. */
    public static ApprovalView sender(String id) {
        ApprovalView call = question(id, 1, "Answer a new sender?", "");
        return new ApprovalView(
                id,
                new ApprovalOrigin("", "", "", "", "user:fake:main:ann", "", "fake:main"),
                ApprovalSubject.DEVICE_PAIRING,
                "sender:fake:main/ann",
                "answer ann of fake:main",
                call.prompt(),
                call.policy(),
                List.of("action:channel.pair"),
                1,
                List.of(),
                call.createdAtMillis(),
                call.expiresAtMillis(),
                0,
                false,
                ApprovalOutcome.PENDING);
    }

    private static List<ApprovalOption> options() {
        return List.of(
                option("allow_once", "Allow once", "Only this call.", ApprovalScope.ONCE, 0),
                option(
                        "allow_session",
                        "Allow in this session",
                        "The same call again.",
                        ApprovalScope.SESSION,
                        0),
                option(
                        "allow_timeboxed",
                        "Allow for 15 minutes",
                        "The same call again.",
                        ApprovalScope.TIMEBOXED,
                        900_000),
                new ApprovalOption(
                        "deny_once",
                        "No",
                        "It does not run.",
                        true,
                        false,
                        ApprovalScope.ONCE,
                        GrantShape.EXACT,
                        0));
    }

    private static ApprovalOption option(
            String id, String label, String means, ApprovalScope scope, long ttl) {
        return new ApprovalOption(id, label, means, false, true, scope, GrantShape.EXACT, ttl);
    }

    public synchronized FakeApprovals add(ApprovalView view) {
        questions.put(view.approvalId(), view);
        return this;
    }

    public synchronized List<ApprovalAnswer> answers() {
        return List.copyOf(answers);
    }

    public synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    /** Another user answers first. */
    public synchronized void decideElsewhere(String id, String who) {
        ApprovalView old = questions.get(id);
        add(
                with(
                        old,
                        old.votes(),
                        new ApprovalOutcome(
                                ApprovalState.DENIED,
                                2_000,
                                who,
                                ApprovalScope.ONCE,
                                GrantShape.EXACT,
                                0,
                                "not today",
                                "")));
    }

    private static ApprovalView with(
            ApprovalView old, List<ApprovalVote> votes, ApprovalOutcome outcome) {
        return new ApprovalView(
                old.approvalId(),
                old.origin(),
                old.subject(),
                old.subjectId(),
                old.requestSummary(),
                old.prompt(),
                old.policy(),
                old.approvers(),
                old.quorum(),
                votes,
                old.createdAtMillis(),
                old.expiresAtMillis(),
                old.notices(),
                old.escalated(),
                outcome);
    }

    @Override
    public synchronized ApprovalView decide(Principal principal, ApprovalAnswer answer) {
        ApprovalView old = questions.get(answer.approvalId());
        if (old == null) {
            throw new PalyraException(ErrorCode.NOT_FOUND, "There is no such question.");
        }
        if (old.state() != ApprovalState.PENDING) {
            throw new PalyraException(
                    ErrorCode.CONFLICT,
                    "It was answered before: " + old.outcome().decidedBy() + " said no.");
        }
        answers.add(answer);
        List<ApprovalVote> votes = new ArrayList<>(old.votes());
        if (answer.granted()) {
            votes.add(
                    new ApprovalVote(
                            principal.id(),
                            answer.scope(),
                            answer.shape(),
                            answer.ttlMillis(),
                            answer.maxUses(),
                            answer.reason(),
                            1_500));
        }
        ApprovalView now = with(old, votes, outcome(principal, answer, old, votes.size()));
        add(now);
        return now;
    }

    private static ApprovalOutcome outcome(
            Principal principal, ApprovalAnswer answer, ApprovalView old, int votes) {
        if (answer.granted() && votes < old.quorum()) {
            return ApprovalOutcome.PENDING;
        }
        return new ApprovalOutcome(
                answer.granted() ? ApprovalState.GRANTED : ApprovalState.DENIED,
                2_000,
                principal.id(),
                answer.scope(),
                answer.shape(),
                answer.ttlMillis(),
                answer.reason(),
                answer.granted() ? GRANT : "");
    }

    @Override
    public synchronized Optional<ApprovalView> approval(Principal principal, String approvalId) {
        return Optional.ofNullable(questions.get(approvalId));
    }

    @Override
    public List<ApprovalView> pending(
            Principal principal, String runId, String afterApprovalId, int limit) {
        return list(principal, ApprovalQuery.pending(runId), afterApprovalId, limit);
    }

    @Override
    public synchronized List<ApprovalView> list(
            Principal principal, ApprovalQuery query, String afterApprovalId, int limit) {
        calls.add("list " + query + " " + afterApprovalId + " " + limit);
        return questions.values().stream()
                .filter(each -> query.state().isEmpty() || query.state().get() == each.state())
                .filter(each -> query.runId().isEmpty() || query.runId().equals(each.runId()))
                .limit(limit)
                .toList();
    }

    @Override
    public synchronized void export(
            Principal principal,
            ApprovalQuery query,
            ApprovalExportFormat format,
            int limit,
            Consumer<byte[]> chunks) {
        calls.add("export " + format + " " + query.sinceMillis() + " " + limit);
        for (String chunk : Set.of("one\n")) {
            chunks.accept(chunk.getBytes(StandardCharsets.UTF_8));
        }
        chunks.accept("two\n".getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public synchronized List<GrantView> grants(
            Principal principal,
            String sessionId,
            boolean activeOnly,
            String afterGrantId,
            int limit) {
        calls.add("grants " + sessionId + " " + activeOnly + " " + limit);
        return activeOnly && grantState != GrantState.ACTIVE ? List.of() : List.of(grant(""));
    }

    private GrantView grant(String endedBy) {
        return new GrantView(
                GRANT,
                QUESTION,
                "user:bob",
                "tester",
                FakeTape.SESSION,
                "palyra.process.run",
                ApprovalScope.SESSION,
                GrantShape.EXACT,
                "git status\u202E again",
                "user:op",
                grantState,
                1_000,
                0,
                0,
                3,
                endedBy);
    }

    @Override
    public synchronized GrantView revoke(Principal principal, String grantId, String reason) {
        calls.add("revoke " + grantId + " " + reason);
        if (grantState != GrantState.ACTIVE) {
            throw new PalyraException(ErrorCode.CONFLICT, "It covers nothing any more.");
        }
        grantState = GrantState.REVOKED;
        return grant(principal.id());
    }
}
