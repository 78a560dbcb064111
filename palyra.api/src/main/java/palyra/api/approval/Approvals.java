package palyra.api.approval;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
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
     * Answers a question, once, durably. The first answer wins; where several people must say yes,
     * each of them answers once, and the question stays PENDING until enough have. A no decides at
     * once.
     *
     * @return the question after the answer
     * @throws palyra.api.PalyraException CONFLICT when it was answered, expired or withdrawn
     *     before, saying how and by whom, and when the same person answers twice; DENIED when the
     *     principal is none of those who may answer; INVALID_ARGUMENT when the question does not
     *     offer that scope or shape
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

    /**
     * Returns questions, answered or not, oldest first: of everybody for whom the principal may
     * see, else its own.
     *
     * @param limit 1 to 500
     */
    List<ApprovalView> list(
            Principal principal, ApprovalQuery query, String afterApprovalId, int limit);

    /**
     * Writes questions, oldest first, to {@code chunks}, which gets arrays of at most 64 KiB on the
     * calling thread.
     *
     * @param limit at most so many questions, 1 to 5,000
     */
    void export(
            Principal principal,
            ApprovalQuery query,
            ApprovalExportFormat format,
            int limit,
            Consumer<byte[]> chunks);

    /**
     * Returns grants, oldest first: of everybody for whom the principal may see, else its own.
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
     * Takes a grant back: from now on it covers nothing. Calls that started under it go on.
     *
     * @throws palyra.api.PalyraException CONFLICT when it covers nothing any more
     */
    GrantView revoke(Principal principal, String grantId, String reason);
}
