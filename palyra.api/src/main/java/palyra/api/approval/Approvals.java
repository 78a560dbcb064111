package palyra.api.approval;

import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;
import palyra.api.access.Principal;

/**
 * Questions to people, for every surface. Thread-safe. Every method may throw {@link
 * palyra.api.PalyraException}: DENIED, NOT_FOUND (also for what the principal may not see),
 * JOURNAL_UNAVAILABLE.
 */
@ProviderType
public interface Approvals {
    /**
     * Answers a question, once, durably. The first answer wins.
     *
     * @throws palyra.api.PalyraException CONFLICT when it was answered, expired or withdrawn
     *     before, saying how and by whom
     */
    ApprovalView decide(Principal principal, ApprovalAnswer answer);

    /** Returns a question; empty also when the principal may not see it. */
    Optional<ApprovalView> approval(Principal principal, String approvalId);

    /**
     * Returns questions that nobody answered yet, oldest first.
     *
     * @param runId only of this run; empty means of all that the principal may see
     * @param afterApprovalId only younger than this; empty means from the oldest
     * @param limit 1 to 500
     */
    List<ApprovalView> pending(
            Principal principal, String runId, String afterApprovalId, int limit);
}
