package palyra.front.internal.approval;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import palyra.api.access.Principal;
import palyra.api.approval.ApprovalAnswer;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.GrantShape;
import palyra.api.core.access.Confinement;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.GrantRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeEvent;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.ApprovalRequestCodec;
import palyra.shared.approval.Coverage;
import palyra.shared.approval.PairingApprovals;
import palyra.shared.approval.Vote;
import palyra.shared.hash.Digests;
import palyra.shared.tape.TapeCodec;

/**
 * Builds the unit of an answer: permit, record on the tape and the grant that it makes, or not at
 * all. Pure.
 */
final class AnswerUnits {
    private AnswerUnits() {}

    /** Returns an answer as it is kept; {@code grantId} is empty unless it makes a grant. */
    static Vote vote(Principal principal, ApprovalAnswer answer) {
        return new Vote(
                principal.id(),
                principal.groups().stream().sorted().toList(),
                answer.granted(),
                answer.granted() ? answer.scope().name() : ApprovalScope.ONCE.name(),
                AnswerRules.shape(answer).name(),
                answer.granted() ? answer.ttlMillis() : 0,
                answer.granted() ? answer.maxUses() : 0,
                answer.reason(),
                "",
                principal.person());
    }

    /** Returns a no, which decides. */
    static Unit no(ApprovalRow row, Vote no, Operation record) {
        return Unit.builder()
                .require(new Precondition.ApprovalOpen(row.approvalId(), row.votes()))
                .add(
                        new Operation.DecideApproval(
                                row.approvalId(),
                                ApprovalRow.State.DENIED,
                                no.principal(),
                                ApprovalRequestCodec.bytes(no)))
                .add(
                        row.isPairing()
                                ? PairingApprovals.decided(
                                        row,
                                        ApprovalRow.State.DENIED,
                                        no.principal(),
                                        no.reason(),
                                        "")
                                : TapeCodec.append(
                                        row.runId(),
                                        new TapeEvent.ApprovalDecision(
                                                row.approvalId(),
                                                row.callId(),
                                                false,
                                                "",
                                                no.principal(),
                                                no.reason(),
                                                "",
                                                "",
                                                List.of())))
                .add(record)
                .build();
    }

    /**
     * Returns a yes, which decides when it is the last that was needed.
     *
     * @param before who said yes before, in order
     * @param grantId id of the grant that it makes if it decides
     * @param nowMillis unix time in milliseconds from which a time runs
     */
    static Unit yes(
            ApprovalRow row,
            ApprovalRequestBody question,
            List<Vote> before,
            Vote yes,
            String grantId,
            long nowMillis,
            Operation record) {
        List<Vote> all = new ArrayList<>(before);
        all.add(yes);
        Unit.Builder unit =
                Unit.builder()
                        .require(new Precondition.ApprovalOpen(row.approvalId(), before.size()))
                        .add(
                                new Operation.VoteApproval(
                                        row.approvalId(),
                                        yes.principal(),
                                        ApprovalRequestCodec.bytes(yes)));
        if (row.quorum() > 1) {
            unit.add(TapeCodec.append(row.runId(), voted(row, yes, all.size())));
        }
        if (all.size() >= row.quorum()) {
            unit.addAll(deciding(row, question, all, grantId, nowMillis));
        }
        return unit.add(record).build();
    }

    private static TapeEvent voted(ApprovalRow row, Vote yes, int votes) {
        return new TapeEvent.ApprovalVoted(
                row.approvalId(),
                row.callId(),
                yes.principal(),
                CombinedScope.text(StoredValues.scope(yes.scope()), yes.ttlMillis()),
                yes.reason(),
                votes,
                row.quorum());
    }

    private static List<Operation> deciding(
            ApprovalRow row,
            ApprovalRequestBody question,
            List<Vote> all,
            String grantId,
            long nowMillis) {
        CombinedScope reach = CombinedScope.common(all);
        Vote last = all.get(all.size() - 1);
        Vote decision =
                new Vote(
                        last.principal(),
                        last.groups(),
                        true,
                        reach.scope().name(),
                        reach.shape().name(),
                        reach.ttlMillis(),
                        reach.maxUses(),
                        last.reason(),
                        grantId,
                        last.person());
        return List.of(
                new Operation.DecideApproval(
                        row.approvalId(),
                        ApprovalRow.State.GRANTED,
                        last.principal(),
                        ApprovalRequestCodec.bytes(decision)),
                new Operation.PutGrant(grant(row, question, reach, all, grantId, nowMillis)),
                row.isPairing()
                        ? PairingApprovals.decided(
                                row,
                                ApprovalRow.State.GRANTED,
                                last.principal(),
                                last.reason(),
                                grantId)
                        : TapeCodec.append(
                                row.runId(),
                                new TapeEvent.ApprovalDecision(
                                        row.approvalId(),
                                        row.callId(),
                                        true,
                                        reach.text(),
                                        last.principal(),
                                        last.reason(),
                                        reach.shape().name().toLowerCase(Locale.ROOT),
                                        grantId,
                                        all.stream().map(Vote::principal).toList())));
    }

    private static GrantRow grant(
            ApprovalRow row,
            ApprovalRequestBody question,
            CombinedScope reach,
            List<Vote> all,
            String grantId,
            long nowMillis) {
        if (row.isPairing()) {
            return pairing(row, question, reach, all, grantId, nowMillis);
        }
        boolean once = reach.scope() == ApprovalScope.ONCE;
        return GrantRow.begin(
                grantId,
                row.approvalId(),
                reach.withinSession() ? question.origin().sessionId() : "",
                question.origin().principal(),
                question.origin().agentId(),
                question.call().tool(),
                once ? row.callId() : "",
                ApprovalRequestCodec.bytes(coverage(question, reach, all)),
                reach.ttlMillis() == 0 ? 0 : nowMillis + reach.ttlMillis(),
                reach.maxUses());
    }

    /** It covers all messages of the sender, and no call. */
    private static GrantRow pairing(
            ApprovalRow row,
            ApprovalRequestBody question,
            CombinedScope reach,
            List<Vote> all,
            String grantId,
            long nowMillis) {
        Coverage coverage =
                new Coverage(
                        reach.scope().name(),
                        GrantShape.EXACT.name(),
                        covers(question, reach),
                        Digests.sha256Hex(row.subjectId()),
                        Confinement.Tier.A.name(),
                        Confinement.Egress.NONE.name(),
                        null,
                        voters(all),
                        "",
                        List.of());
        return GrantRow.begin(
                grantId,
                row.approvalId(),
                "",
                row.principal(),
                "",
                PairingApprovals.ACTION,
                "",
                ApprovalRequestCodec.bytes(coverage),
                reach.ttlMillis() == 0 ? 0 : nowMillis + reach.ttlMillis(),
                0);
    }

    private static List<Coverage.Voter> voters(List<Vote> all) {
        return all.stream()
                .map(vote -> new Coverage.Voter(vote.principal(), vote.groups(), vote.person()))
                .toList();
    }

    private static Coverage coverage(
            ApprovalRequestBody question, CombinedScope reach, List<Vote> all) {
        boolean pattern = reach.shape() == GrantShape.PATTERN;
        return new Coverage(
                reach.scope().name(),
                reach.shape().name(),
                covers(question, reach),
                question.call().bindingSha256(),
                question.call().tier(),
                question.call().egress(),
                pattern ? question.pattern() : null,
                voters(all),
                question.call().workspaceSha256(),
                question.call().running());
    }

    /** Returns what the option said that was chosen, or what comes closest to it. */
    private static String covers(ApprovalRequestBody question, CombinedScope reach) {
        return question.prompt().options().stream()
                .filter(ApprovalRequestBody.Option::granted)
                .filter(option -> StoredValues.scope(option.scope()) == reach.scope())
                .filter(option -> StoredValues.shape(option.shape()) == reach.shape())
                .map(ApprovalRequestBody.Option::description)
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElseGet(
                        () ->
                                reach.shape() == GrantShape.PATTERN
                                        ? question.pattern().sentence()
                                        : question.requestSummary());
    }
}
