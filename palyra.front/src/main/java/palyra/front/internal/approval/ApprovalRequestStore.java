package palyra.front.internal.approval;

import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.ApprovalVoteRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.RunRow;
import palyra.front.internal.OwnershipCheck;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;

/** Approval requests as the journal has them now. Thread-safe. */
final class ApprovalRequestStore {
    private final Gate<Journal> journal;

    ApprovalRequestStore(Gate<Journal> journal) {
        this.journal = journal;
    }

    Optional<ApprovalRow> row(String approvalId) {
        Ulids.require(approvalId, "approval id");
        return journal.call(present -> present.approval(approvalId));
    }

    List<ApprovalVoteRow> votes(ApprovalRow row) {
        return journal.call(present -> present.approvalVotes(row.approvalId()));
    }

    /** Returns an approval request as a resource; its owner is the principal of its run. */
    OwnershipCheck.Resource resource(String approvalId, Optional<ApprovalRow> row) {
        return new OwnershipCheck.Resource("approval", approvalId, row.flatMap(this::owner));
    }

    private Optional<String> owner(ApprovalRow row) {
        return row.principal().isEmpty() ? ownerOfRun(row.runId()) : Optional.of(row.principal());
    }

    /**
     * Throws CORRUPT when the run of an approval request is lost or cannot be read: a yes would
     * have no effect.
     */
    void requireRun(ApprovalRow row) {
        if (journal.call(present -> present.run(row.runId())).isEmpty()) {
            throw new PalyraException(
                    ErrorCode.CORRUPT,
                    "The journal has no run "
                            + row.runId()
                            + ", which made this request, so a yes would have no effect; answer no,"
                            + " and run palyra doctor.");
        }
    }

    Optional<String> ownerOfRun(String runId) {
        return journal.call(present -> present.run(runId)).map(RunRow::principal);
    }
}
