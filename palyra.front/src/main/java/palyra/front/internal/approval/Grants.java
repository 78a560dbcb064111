package palyra.front.internal.approval;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.approval.GrantView;
import palyra.api.core.access.Authorized;
import palyra.api.core.journal.GrantRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeRecord;
import palyra.front.internal.OwnershipCheck;
import palyra.front.internal.PageLimits;
import palyra.shared.approval.PairingApprovals;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.shared.json.Jcs;
import palyra.shared.outcome.Commits;

/** Lists and revokes grants. Thread-safe. */
final class Grants {
    private static final int LONGEST_REASON = 1_000;

    private final OwnershipCheck ownership;
    private final Gate<Journal> journal;
    private final LongSupplier clock;

    Grants(OwnershipCheck ownership, Gate<Journal> journal, LongSupplier clock) {
        this.ownership = ownership;
        this.journal = journal;
        this.clock = clock;
    }

    List<GrantView> list(
            Principal principal,
            String sessionId,
            boolean activeOnly,
            String afterGrantId,
            int limit) {
        PageLimits.requireLimit(limit, PageLimits.MOST);
        String session = PageLimits.idOrEmpty(sessionId, "session id");
        String after = PageLimits.idOrEmpty(afterGrantId, "grant id");
        String owner = ownership.listOwner(principal, "approval.list", "operator", "approver");
        long now = clock.getAsLong();
        return journal
                .call(
                        present ->
                                present.grants(
                                        owner, session, "", activeOnly ? now : 0, after, limit))
                .stream()
                .map(row -> GrantViews.view(row, now))
                .toList();
    }

    GrantView revoke(Principal principal, String grantId, String reason) {
        String why = Require.orEmpty(reason);
        Require.that(
                why.length() <= LONGEST_REASON,
                "the reason has "
                        + why.length()
                        + " characters; at most "
                        + LONGEST_REASON
                        + " are taken");
        Optional<GrantRow> found = row(grantId);
        OwnershipCheck.Resource resource =
                new OwnershipCheck.Resource("grant", grantId, found.map(GrantRow::principal));
        boolean pairing =
                found.filter(row -> row.tool().equals(PairingApprovals.ACTION)).isPresent();
        Authorized authorized =
                pairing
                        ? ownership.pairing(principal, "revoke", Map.of())
                        : ownership.change(principal, "approval.revoke", resource, Map.of());
        GrantRow grant = found.orElseThrow(resource::notFound);
        requireActive(grant);
        Unit unit =
                Unit.of(
                        new Operation.RevokeGrant(grantId, principal.id()),
                        revoked(grant, principal, why),
                        authorized.record());
        try {
            Commits.commit(journal, unit);
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.CONFLICT) {
                row(grantId).ifPresent(this::requireActive); // says what ended it meanwhile
            }
            throw e;
        }
        return GrantViews.view(row(grantId).orElse(grant), clock.getAsLong());
    }

    private static Operation revoked(GrantRow grant, Principal by, String reason) {
        return new Operation.Append(
                TapeRecord.JOURNAL_STREAM,
                "grant_revoked",
                1,
                Jcs.bytes(
                        JsonNodeFactory.instance
                                .objectNode()
                                .put("grantId", grant.grantId())
                                .put("approvalId", grant.approvalId())
                                .put("owner", grant.principal())
                                .put("principal", by.id())
                                .put("uses", grant.uses())
                                .put("reason", reason)));
    }

    private void requireActive(GrantRow grant) {
        String what =
                switch (GrantViews.state(grant, clock.getAsLong())) {
                    case ACTIVE -> "";
                    case EXHAUSTED -> "its " + grant.maxUses() + " calls were made";
                    case EXPIRED ->
                            grant.state() == GrantRow.State.EXPIRED
                                    ? "its session was archived" + at(grant.endedAtMillis())
                                    : "its time was over" + at(grant.expiresAtMillis());
                    case REVOKED -> grant.endedBy() + " took it back" + at(grant.endedAtMillis());
                };
        if (!what.isEmpty()) {
            throw new PalyraException(
                    ErrorCode.CONFLICT,
                    "Grant " + grant.grantId() + " covers nothing any more: " + what + ".");
        }
    }

    private static String at(long millis) {
        return " at " + Instant.ofEpochMilli(millis);
    }

    private Optional<GrantRow> row(String grantId) {
        Ulids.require(grantId, "grant id");
        return journal.call(present -> present.grant(grantId));
    }
}
