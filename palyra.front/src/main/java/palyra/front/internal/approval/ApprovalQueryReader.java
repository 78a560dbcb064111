package palyra.front.internal.approval;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import palyra.api.approval.ApprovalQuery;
import palyra.api.approval.ApprovalState;
import palyra.api.core.journal.ApprovalFilter;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.Journal;
import palyra.shared.gate.Gate;

/**
 * Approval requests that a query fits, oldest first, read page by page: never more than a page of
 * each is held. A request whose time is over counts as EXPIRED even before the journal says so.
 * Used by one thread.
 */
final class ApprovalQueryReader {
    private static final int PAGE = 100;

    private final Gate<Journal> journal;
    private final long nowMillis;
    private final Optional<ApprovalState> wanted;
    private final List<Cursor> cursors = new ArrayList<>();

    /**
     * Begins after {@code afterId}.
     *
     * @param owner only of this principal; empty for all principals
     */
    ApprovalQueryReader(
            Gate<Journal> journal,
            ApprovalQuery query,
            String owner,
            String afterId,
            long nowMillis) {
        this.journal = journal;
        this.nowMillis = nowMillis;
        this.wanted = query.state();
        if (!owner.isEmpty() && !query.principal().isEmpty() && !owner.equals(query.principal())) {
            return; // of another principal: not visible
        }
        String principal = owner.isEmpty() ? query.principal() : owner;
        for (Optional<ApprovalRow.State> state : stored(query.state())) {
            cursors.add(new Cursor(filter(query, state, principal), afterId));
        }
    }

    private static List<Optional<ApprovalRow.State>> stored(Optional<ApprovalState> wanted) {
        if (wanted.isEmpty()) {
            return List.of(Optional.empty());
        }
        return switch (wanted.get()) {
            case PENDING -> List.of(Optional.of(ApprovalRow.State.PENDING));
            case GRANTED -> List.of(Optional.of(ApprovalRow.State.GRANTED));
            case DENIED -> List.of(Optional.of(ApprovalRow.State.DENIED));
            case EXPIRED ->
                    List.of(
                            Optional.of(ApprovalRow.State.EXPIRED),
                            Optional.of(ApprovalRow.State.PENDING));
            case WITHDRAWN -> List.of(Optional.of(ApprovalRow.State.WITHDRAWN));
        };
    }

    private static ApprovalFilter filter(
            ApprovalQuery query, Optional<ApprovalRow.State> state, String principal) {
        return new ApprovalFilter(
                state,
                query.subject().map(Enum::name).orElse(""),
                query.subjectId(),
                principal,
                query.runId(),
                query.sessionId(),
                query.sinceMillis(),
                query.untilMillis());
    }

    /** Returns the next approval request; empty at the end. */
    Optional<ApprovalRow> next() {
        while (true) {
            Cursor first = null;
            for (Cursor cursor : cursors) {
                if (cursor.id() != null && (first == null || cursor.isBefore(first))) {
                    first = cursor;
                }
            }
            if (first == null) {
                return Optional.empty();
            }
            ApprovalRow row = first.take();
            if (wanted.isEmpty() || ApprovalViews.state(row, nowMillis) == wanted.get()) {
                return Optional.of(row);
            }
        }
    }

    private final class Cursor {
        private final ApprovalFilter filter;
        private final Deque<ApprovalRow> page = new ArrayDeque<>();
        private String after;
        private boolean ended;

        Cursor(ApprovalFilter filter, String after) {
            this.filter = filter;
            this.after = after;
        }

        /** Returns the id of the next row; null at the end. */
        String id() {
            if (page.isEmpty() && !ended) {
                List<ApprovalRow> more =
                        journal.call(present -> present.approvals(filter, after, PAGE));
                page.addAll(more);
                ended = more.size() < PAGE;
            }
            return page.isEmpty() ? null : page.peek().approvalId();
        }

        boolean isBefore(Cursor other) {
            return id().compareTo(other.id()) < 0;
        }

        ApprovalRow take() {
            ApprovalRow row = page.remove();
            after = row.approvalId();
            return row;
        }
    }
}
