package palyra.gateway.internal.approval;

import java.util.List;
import palyra.shared.approval.Coverage;

/**
 * A grant that covers a call.
 *
 * @param approvedBy the approvers, in the order of their answers
 */
public record CoveringGrant(String grantId, List<String> approvedBy) {
    /** Copies. */
    public CoveringGrant {
        approvedBy = List.copyOf(approvedBy);
    }

    static CoveringGrant of(String grantId, Coverage coverage) {
        return new CoveringGrant(
                grantId, coverage.voters().stream().map(Coverage.Voter::principal).toList());
    }
}
