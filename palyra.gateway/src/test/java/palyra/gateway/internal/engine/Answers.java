package palyra.gateway.internal.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.GrantShape;
import palyra.api.core.journal.ApprovalFilter;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.ApprovalVoteRow;
import palyra.api.core.journal.GrantRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.ApprovalRequestCodec;
import palyra.shared.approval.Coverage;
import palyra.shared.approval.Vote;
import palyra.shared.hash.Ulids;
import palyra.shared.tape.TapeCodec;
import palyra.testing.wait.Await;

/** People who answer: commits the same units as the front does, and checks nothing. */
final class Answers {
    private static final Ulids IDS = new Ulids();

    private final Journal journal;

    Answers(Journal journal) {
        this.journal = journal;
    }

    /** A yes that reaches as far as it says. */
    record Yes(String by, ApprovalScope scope, GrantShape shape, int maxUses) {
        static Yes once() {
            return new Yes("user:boss", ApprovalScope.ONCE, GrantShape.EXACT, 1);
        }

        static Yes session() {
            return new Yes("user:boss", ApprovalScope.SESSION, GrantShape.EXACT, 0);
        }

        Yes shaped(GrantShape other) {
            return new Yes(by, scope, other, maxUses);
        }

        Yes times(int uses) {
            return new Yes(by, scope, shape, uses);
        }
    }

    /** Waits until the run waits for people and returns its open questions. */
    List<ApprovalRow> waiting(String runId) {
        Await.until(
                "run " + runId + " to wait for people",
                Duration.ofSeconds(30),
                () ->
                        journal.run(runId)
                                .filter(row -> row.state() == RunState.AWAITING_APPROVAL)
                                .isPresent());
        return open(runId);
    }

    List<ApprovalRow> open(String runId) {
        return journal.approvals(ApprovalFilter.in(ApprovalRow.State.PENDING, runId), "", 100);
    }

    /** Waits for a question of the run, whatever state the run is in. */
    ApprovalRow asked(String runId) {
        return Await.value(
                "a question of run " + runId,
                Duration.ofSeconds(30),
                () -> open(runId).stream().findFirst());
    }

    static ApprovalRequestBody question(ApprovalRow row) {
        return ApprovalRequestCodec.question(row.payload());
    }

    /** Says yes and takes it back in the same breath. */
    void yesAndNoMore(ApprovalRow row) {
        String grantId = IDS.next();
        journal.commit(
                unit(row, Yes.once(), grantId)
                        .add(new Operation.RevokeGrant(grantId, "user:boss"))
                        .build());
    }

    /** Says yes as the last one who has to; returns the grant. */
    String yes(ApprovalRow row, Yes yes) {
        String grantId = IDS.next();
        journal.commit(unit(row, yes, grantId).build());
        return grantId;
    }

    private Unit.Builder unit(ApprovalRow row, Yes yes, String grantId) {
        ApprovalRequestBody question = question(row);
        List<Coverage.Voter> voters = new ArrayList<>();
        for (ApprovalVoteRow before : journal.approvalVotes(row.approvalId())) {
            voters.add(
                    new Coverage.Voter(
                            before.principal(),
                            ApprovalRequestCodec.vote(before.payload()).groups()));
        }
        voters.add(new Coverage.Voter(yes.by(), List.of("approver")));
        Vote vote = vote(yes, grantId);
        return Unit.builder()
                .require(new Precondition.ApprovalOpen(row.approvalId(), voters.size() - 1))
                .add(
                        new Operation.VoteApproval(
                                row.approvalId(), yes.by(), ApprovalRequestCodec.bytes(vote)))
                .add(
                        new Operation.DecideApproval(
                                row.approvalId(),
                                ApprovalRow.State.GRANTED,
                                yes.by(),
                                ApprovalRequestCodec.bytes(vote)))
                .add(new Operation.PutGrant(grant(row, question, yes, grantId, voters)))
                .add(
                        TapeCodec.append(
                                row.runId(),
                                new TapeEvent.ApprovalDecision(
                                        row.approvalId(),
                                        row.callId(),
                                        true,
                                        yes.scope().name().toLowerCase(Locale.ROOT),
                                        yes.by(),
                                        "fine",
                                        yes.shape().name().toLowerCase(Locale.ROOT),
                                        grantId,
                                        voters.stream().map(Coverage.Voter::principal).toList())));
    }

    /** One of several says yes; others have to as well. */
    void vote(ApprovalRow row, Yes yes) {
        journal.commit(
                Unit.of(
                        new Operation.VoteApproval(
                                row.approvalId(),
                                yes.by(),
                                ApprovalRequestCodec.bytes(vote(yes, "")))));
    }

    private static Vote vote(Yes yes, String grantId) {
        return new Vote(
                yes.by(),
                List.of("approver"),
                true,
                yes.scope().name(),
                yes.shape().name(),
                0,
                yes.maxUses(),
                "fine",
                grantId);
    }

    private static GrantRow grant(
            ApprovalRow row,
            ApprovalRequestBody question,
            Yes yes,
            String grantId,
            List<Coverage.Voter> voters) {
        boolean once = yes.scope() == ApprovalScope.ONCE;
        Coverage coverage =
                new Coverage(
                        yes.scope().name(),
                        yes.shape().name(),
                        question.requestSummary(),
                        question.call().bindingSha256(),
                        question.call().tier(),
                        question.call().egress(),
                        yes.shape() == GrantShape.PATTERN ? question.pattern() : null,
                        voters,
                        question.call().workspaceSha256(),
                        question.call().running());
        return GrantRow.begin(
                grantId,
                row.approvalId(),
                yes.scope() == ApprovalScope.SESSION ? row.sessionId() : "",
                row.principal(),
                question.origin().agentId(),
                question.call().tool(),
                once ? row.callId() : "",
                ApprovalRequestCodec.bytes(coverage),
                0,
                once ? 1 : yes.maxUses());
    }

    void no(ApprovalRow row, String by, String reason) {
        journal.commit(
                Unit.builder()
                        .require(new Precondition.ApprovalOpen(row.approvalId(), row.votes()))
                        .add(
                                new Operation.DecideApproval(
                                        row.approvalId(), ApprovalRow.State.DENIED, by))
                        .add(
                                TapeCodec.append(
                                        row.runId(),
                                        new TapeEvent.ApprovalDecision(
                                                row.approvalId(),
                                                row.callId(),
                                                false,
                                                "",
                                                by,
                                                reason,
                                                "",
                                                "",
                                                List.of())))
                        .build());
    }

    void revoke(String grantId) {
        journal.commit(Unit.of(new Operation.RevokeGrant(grantId, "user:boss")));
    }
}
