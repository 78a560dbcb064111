package palyra.api.approval;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.osgi.annotation.versioning.ProviderType;
import palyra.api.access.Principal;

/**
 * Lists and decides approval requests, for every surface. Thread-safe. Every method may throw
 * {@link palyra.api.PalyraException}: DENIED, NOT_FOUND (also for what the principal may not see),
 * JOURNAL_UNAVAILABLE.
 */
@ProviderType
public interface Approvals {
    /**
     * Decides an approval request, once, durably. The first answer wins; when a quorum of several
     * users is needed, each of them answers once, and the request stays PENDING until enough have
     * approved. A denial decides at once.
     *
     * @return the approval request after the answer
     * @throws palyra.api.PalyraException CONFLICT when it was answered, expired or withdrawn
     *     before, saying how and by whom, and when the same user answers twice; DENIED when the
     *     principal may not decide; INVALID_ARGUMENT when the request does not offer that scope or
     *     shape
     */
    ApprovalView decide(Principal principal, ApprovalAnswer answer);

    /** Returns an approval request; empty also when the principal may not see it. */
    Optional<ApprovalView> approval(Principal principal, String approvalId);

    /**
     * Returns pending approval requests, oldest first.
     *
     * @param runId only of this run; empty means of all that the principal may see
     * @param afterApprovalId only younger than this; empty means from the oldest
     * @param limit 1 to 500
     */
    List<ApprovalView> pending(
            Principal principal, String runId, String afterApprovalId, int limit);

    /**
     * Returns approval requests in any state, oldest first: those of all principals when the caller
     * may see them, else its own.
     *
     * @param limit 1 to 500
     */
    List<ApprovalView> list(
            Principal principal, ApprovalQuery query, String afterApprovalId, int limit);

    /**
     * Writes approval requests, oldest first, to {@code chunks}, which gets arrays of at most 64
     * KiB on the calling thread.
     *
     * @param limit maximum number of approval requests, 1 to 5,000
     */
    void export(
            Principal principal,
            ApprovalQuery query,
            ApprovalExportFormat format,
            int limit,
            Consumer<byte[]> chunks);

    /**
     * Returns grants, oldest first: those of all principals when the caller may see them, else its
     * own.
     *
     * @param activeOnly only those that cover calls now
     * @param limit 1 to 500
     */
    List<GrantView> grants(
            Principal principal,
            String sessionId,
            boolean activeOnly,
            String afterGrantId,
            int limit);

    /**
     * Revokes a grant: it covers no further call. Calls that started under it go on.
     *
     * @throws palyra.api.PalyraException CONFLICT when it is no longer active
     */
    GrantView revoke(Principal principal, String grantId, String reason);
}
