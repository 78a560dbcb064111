package palyra.gateway.internal.approval;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.ApprovalTerms;
import palyra.api.core.journal.ApprovalVoteRow;
import palyra.api.core.journal.GrantRow;
import palyra.api.core.journal.JournalReader;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.ApprovalRequestCodec;
import palyra.shared.approval.Coverage;

/**
 * Finds the grant that covers a call. One that was given for this call comes first, then one that
 * may be used any number of times, so that those that may not last. Reads the journal, keeps
 * nothing. A grant that cannot be read covers nothing.
 */
public final class Grants {
    private static final Logger LOG = LoggerFactory.getLogger(Grants.class);
    private static final int PAGE = 100;
    private static final Comparator<GrantRow> BEST_FIRST =
            Comparator.comparing((GrantRow row) -> row.callId().isEmpty())
                    .thenComparing(row -> row.maxUses() != 0)
                    .thenComparing(GrantRow::grantId);

    private Grants() {}

    /**
     * Returns a grant that covers the call under the terms in force, and takes one start of it.
     *
     * @param lasting whether only a grant for more than one call counts, which depends on no state
     *     of the workspace
     * @throws PalyraException JOURNAL_UNAVAILABLE
     */
    public static Optional<CoveringGrant> find(
            JournalReader journal,
            CallOrigin callOrigin,
            CallForApproval call,
            ApprovalTerms terms,
            boolean lasting,
            GrantUses uses,
            long nowMillis) {
        for (GrantRow row : candidates(journal, callOrigin, call, nowMillis)) {
            if ((!lasting || row.callId().isEmpty()) && uses.hasRoom(row)) {
                Optional<Coverage> coverage = coverage(row, call);
                if (coverage.isPresent()
                        && given(journal, row, coverage.get(), terms, callOrigin)) {
                    uses.take(row.grantId());
                    return Optional.of(CoveringGrant.of(row.grantId(), coverage.get()));
                }
            }
        }
        return Optional.empty();
    }

    private static List<GrantRow> candidates(
            JournalReader journal, CallOrigin callOrigin, CallForApproval call, long nowMillis) {
        List<GrantRow> found = new ArrayList<>();
        String after = "";
        List<GrantRow> page;
        do {
            page =
                    journal.grants(
                            callOrigin.principal(),
                            callOrigin.sessionId(),
                            call.tool(),
                            nowMillis,
                            after,
                            PAGE);
            for (GrantRow row : page) {
                after = row.grantId();
                if (GrantMatcher.isFor(row, callOrigin, call, nowMillis)) {
                    found.add(row);
                }
            }
        } while (page.size() == PAGE);
        found.sort(BEST_FIRST);
        return found;
    }

    private static Optional<Coverage> coverage(GrantRow row, CallForApproval call) {
        try {
            return Optional.of(ApprovalRequestCodec.coverage(row.payload()))
                    .filter(coverage -> GrantMatcher.includes(coverage, call));
        } catch (PalyraException e) {
            LOG.warn(
                    "Grant {} cannot be read and covers no call: {}",
                    row.grantId(),
                    e.getMessage());
            return Optional.empty();
        }
    }

    private static boolean given(
            JournalReader journal,
            GrantRow row,
            Coverage coverage,
            ApprovalTerms terms,
            CallOrigin callOrigin) {
        Optional<ApprovalRequestBody> request = question(journal, row);
        return request.isPresent()
                && ApproverCheck.satisfy(
                        coverage, request.get(), votes(journal, row), terms, callOrigin);
    }

    private static Optional<ApprovalRequestBody> question(JournalReader journal, GrantRow row) {
        try {
            return journal.approval(row.approvalId())
                    .map(
                            request ->
                                    ApprovalRequestCodec.question(request.payload())
                                            .endingAt(request.expiresAtMillis()));
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CORRUPT) {
                throw e;
            }
            LOG.warn(
                    "Grant {} cannot be read and covers no call: {}",
                    row.grantId(),
                    e.getMessage());
            return Optional.empty();
        }
    }

    private static Map<String, Long> votes(JournalReader journal, GrantRow row) {
        Map<String, Long> votedAt = new HashMap<>();
        for (ApprovalVoteRow vote : journal.approvalVotes(row.approvalId())) {
            votedAt.put(vote.principal(), vote.votedAtMillis());
        }
        return votedAt;
    }
}
