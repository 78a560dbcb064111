package palyra.testing.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.ApprovalVoteRow;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.GrantRow;
import palyra.api.core.journal.Operation;
import palyra.shared.json.StrictJson;

/** Approvals and grants of {@link MemoryTables}, changed by one unit. Not thread-safe. */
final class MemoryApprovals {
    private final MemoryTables tables;
    private final long now;

    MemoryApprovals(MemoryTables tables, long now) {
        this.tables = tables;
        this.now = now;
    }

    /** Returns the mark of a run with an approval decided since it was last RUNNING. */
    static String answered(String runId) {
        return "answered " + runId;
    }

    void put(ApprovalRow row) {
        endOfCall(row.sessionId(), row.callId());
        tables.insert(tables.approvals, "approval", row.approvalId(), row);
        ApprovalRow inserted =
                new ApprovalRow(
                        row.approvalId(),
                        row.runId(),
                        row.callId(),
                        row.sessionId(),
                        row.principal(),
                        row.subjectType(),
                        row.subjectId(),
                        row.state(),
                        row.payload(),
                        row.quorum(),
                        row.votes(),
                        now,
                        row.expiresAtMillis(),
                        row.noticeAtMillis(),
                        row.notices(),
                        row.decidedAtMillis(),
                        row.decidedBy(),
                        row.decision());
        tables.put(tables.approvals, row.approvalId(), inserted);
        tables.put(tables.votes, row.approvalId(), new ArrayList<>());
        tables.hints.add(new FeedItem.ApprovalAsked(row.approvalId(), row.runId()));
    }

    private ApprovalRow requirePending(String approvalId) {
        ApprovalRow row = tables.require(tables.approvals, "approval", approvalId);
        if (row.state() != ApprovalRow.State.PENDING) {
            throw MemoryTables.conflict("Approval " + approvalId + " is " + row.state() + ".");
        }
        return row;
    }

    private ApprovalRow requireInTime(String approvalId) {
        ApprovalRow row = requirePending(approvalId);
        if (row.expiresAtMillis() <= now) {
            throw MemoryTables.conflict("Approval " + approvalId + " has expired.");
        }
        return row;
    }

    void requireOpen(String approvalId, int votes) {
        ApprovalRow row = requireInTime(approvalId);
        if (row.votes() != votes) {
            throw MemoryTables.conflict(
                    "Approval " + approvalId + " has " + row.votes() + " votes, not " + votes);
        }
    }

    void decide(Operation.DecideApproval decision) {
        if (decision.state() == ApprovalRow.State.PENDING) {
            throw new PalyraException(ErrorCode.INVALID_ARGUMENT, "PENDING is not a decision.");
        }
        ApprovalRow row = requirePending(decision.approvalId());
        boolean expired = row.expiresAtMillis() <= now;
        boolean isAnswer =
                decision.state() == ApprovalRow.State.GRANTED
                        || decision.state() == ApprovalRow.State.DENIED;
        if (isAnswer && expired || decision.state() == ApprovalRow.State.EXPIRED && !expired) {
            throw MemoryTables.conflict(
                    "Approval " + row.approvalId() + " cannot be " + decision.state() + " now.");
        }
        replace(
                row,
                decision.state(),
                row.votes(),
                0,
                row.notices(),
                now,
                decision.decidedBy(),
                decision.decision());
        tables.mark(answered(row.runId()));
        tables.hints.add(new FeedItem.ApprovalDecided(row.approvalId(), row.runId()));
    }

    void vote(Operation.VoteApproval vote) {
        ApprovalRow row = requireInTime(vote.approvalId());
        List<ApprovalVoteRow> votes = tables.votes.get(row.approvalId());
        if (votes.stream().anyMatch(other -> other.principal().equals(vote.principal()))) {
            throw MemoryTables.conflict(vote.principal() + " has voted before.");
        }
        tables.add(
                votes,
                new ApprovalVoteRow(row.approvalId(), vote.principal(), vote.payload(), now));
        replace(
                row,
                row.state(),
                row.votes() + 1,
                row.noticeAtMillis(),
                row.notices(),
                row.decidedAtMillis(),
                row.decidedBy(),
                row.decision());
    }

    void note(Operation.NoteApproval note) {
        ApprovalRow row = requirePending(note.approvalId());
        if (row.notices() != note.notices()) {
            throw MemoryTables.conflict(
                    "Approval " + row.approvalId() + " has " + row.notices() + " reminders.");
        }
        replace(
                row,
                row.state(),
                row.votes(),
                note.nextAtMillis(),
                row.notices() + 1,
                row.decidedAtMillis(),
                row.decidedBy(),
                row.decision());
    }

    private void replace(
            ApprovalRow old,
            ApprovalRow.State state,
            int votes,
            long noticeAt,
            int notices,
            long decidedAt,
            String decidedBy,
            byte[] decision) {
        ApprovalRow changed =
                new ApprovalRow(
                        old.approvalId(),
                        old.runId(),
                        old.callId(),
                        old.sessionId(),
                        old.principal(),
                        old.subjectType(),
                        old.subjectId(),
                        state,
                        old.payload(),
                        old.quorum(),
                        votes,
                        old.createdAtMillis(),
                        old.expiresAtMillis(),
                        noticeAt,
                        notices,
                        decidedAt,
                        decidedBy,
                        decision);
        tables.put(tables.approvals, old.approvalId(), changed);
    }

    void endOfRun(String runId) {
        for (ApprovalRow row : List.copyOf(tables.approvals.values())) {
            if (row.runId().equals(runId)) {
                if (row.state() == ApprovalRow.State.PENDING) {
                    replace(
                            row,
                            ApprovalRow.State.WITHDRAWN,
                            row.votes(),
                            0,
                            row.notices(),
                            now,
                            "",
                            null);
                }
                endOfCall(row.sessionId(), row.callId());
            }
        }
    }

    void put(GrantRow row) {
        ApprovalRow approval = tables.approvals.get(row.approvalId());
        if (approval != null) {
            requireReach(approval, row);
        }
        tables.insert(tables.grants, "grant", row.grantId(), row);
        replace(row, row.state(), row.uses(), now, row.endedAtMillis(), row.endedBy());
    }

    private static void requireReach(ApprovalRow approval, GrantRow grant) {
        String onceOnly =
                StrictJson.parse(approval.payload(), "the stored question")
                        .path("call")
                        .path("onceOnly")
                        .asText("");
        boolean once = grant.callId().equals(approval.callId()) && grant.maxUses() == 1;
        if (!onceOnly.isEmpty() && !once) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "Approval " + approval.approvalId() + " covers one call only. " + onceOnly);
        }
    }

    private GrantRow requireActive(String grantId) {
        GrantRow row = tables.require(tables.grants, "grant", grantId);
        if (row.state() != GrantRow.State.ACTIVE) {
            throw MemoryTables.conflict("Grant " + grantId + " is " + row.state() + ".");
        }
        return row;
    }

    void use(Operation.UseGrant use) {
        GrantRow row = requireActive(use.grantId());
        boolean expired = row.expiresAtMillis() != 0 && row.expiresAtMillis() <= now;
        boolean otherCall = !row.callId().isEmpty() && !row.callId().equals(use.callId());
        String start = "used " + use.grantId() + " " + use.callId() + " " + use.attempt();
        if (expired || otherCall || !tables.mark(start)) {
            throw MemoryTables.conflict(
                    "Grant " + row.grantId() + " does not cover call " + use.callId() + ".");
        }
        int uses = row.uses() + 1;
        boolean last = row.maxUses() != 0 && uses >= row.maxUses();
        replace(
                row,
                last ? GrantRow.State.EXHAUSTED : GrantRow.State.ACTIVE,
                uses,
                row.createdAtMillis(),
                last ? now : 0,
                "");
    }

    void revoke(Operation.RevokeGrant revocation) {
        end(requireActive(revocation.grantId()), GrantRow.State.REVOKED, revocation.by());
    }

    private void endOfCall(String sessionId, String callId) {
        endActive(
                row ->
                        row.sessionId().equals(sessionId)
                                && !row.callId().isEmpty()
                                && row.callId().equals(callId));
    }

    void endOfSession(String sessionId) {
        endActive(row -> row.sessionId().equals(sessionId));
    }

    private void endActive(Predicate<GrantRow> ends) {
        for (GrantRow row : List.copyOf(tables.grants.values())) {
            if (row.state() == GrantRow.State.ACTIVE && ends.test(row)) {
                end(row, GrantRow.State.EXPIRED, "");
            }
        }
    }

    private void end(GrantRow row, GrantRow.State state, String by) {
        replace(row, state, row.uses(), row.createdAtMillis(), now, by);
    }

    private void replace(
            GrantRow old,
            GrantRow.State state,
            int uses,
            long createdAt,
            long endedAt,
            String endedBy) {
        GrantRow changed =
                new GrantRow(
                        old.grantId(),
                        old.approvalId(),
                        old.sessionId(),
                        old.principal(),
                        old.agentId(),
                        old.tool(),
                        old.callId(),
                        state,
                        old.payload(),
                        createdAt,
                        old.expiresAtMillis(),
                        old.maxUses(),
                        uses,
                        endedAt,
                        endedBy);
        tables.put(tables.grants, old.grantId(), changed);
    }
}
