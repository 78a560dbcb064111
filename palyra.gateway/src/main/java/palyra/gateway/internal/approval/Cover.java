package palyra.gateway.internal.approval;

import java.util.List;
import palyra.shared.approval.Coverage;

/**
 * A grant that covers a call.
 *
 * @param approvedBy who gave it, in the order of their answers
 */
public record Cover(String grantId, List<String> approvedBy) {
    /** Copies. */
    public Cover {
        approvedBy = List.copyOf(approvedBy);
    }

    static Cover of(String grantId, Coverage coverage) {
        return new Cover(
                grantId, coverage.voters().stream().map(Coverage.Voter::principal).toList());
    }
}
