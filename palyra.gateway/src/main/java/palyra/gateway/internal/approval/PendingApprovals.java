package palyra.gateway.internal.approval;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import palyra.api.core.journal.ApprovalFilter;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.ops.Metric;
import palyra.shared.gate.Gate;

/**
 * The number of pending approval requests. Counted in the journal, by the dispatcher's thread, if
 * it was read since the last count, at most every 15 seconds. Reading the number never waits.
 */
public final class PendingApprovals {
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(15);
    private static final int PAGE = 200;
    private static final int MOST_PAGES = 500;
    private static final long UNKNOWN = -1;

    private final Gate<Journal> journal;
    private volatile long last = UNKNOWN;
    private volatile boolean requested = true;
    private long nextNanos = System.nanoTime(); // the looking thread only

    /** Creates a counter. */
    public PendingApprovals(Gate<Journal> journal) {
        this.journal = journal;
    }

    /** Returns the last number as a metric; empty while it was never counted. */
    public Optional<Metric> metric() {
        requested = true;
        return last == UNKNOWN
                ? Optional.empty()
                : Optional.of(
                        Metric.gauge(
                                "palyra_approvals_open",
                                "Approval requests that are pending.",
                                (double) last));
    }

    /** Counts if it is time to. */
    public void refresh() {
        if (requested && System.nanoTime() - nextNanos >= 0) {
            requested = false;
            nextNanos = System.nanoTime() + KEPT_NANOS;
            last = count();
        }
    }

    private long count() {
        ApprovalFilter pending = ApprovalFilter.in(ApprovalRow.State.PENDING, "");
        long count = 0;
        String after = "";
        for (int i = 0; i < MOST_PAGES; i++) {
            String from = after;
            List<ApprovalRow> page = journal.call(j -> j.approvals(pending, from, PAGE));
            count += page.size();
            if (page.size() < PAGE) {
                break;
            }
            after = page.get(page.size() - 1).approvalId();
        }
        return count;
    }
}
