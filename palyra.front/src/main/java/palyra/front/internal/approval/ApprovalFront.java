package palyra.front.internal.approval;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.approval.ApprovalAnswer;
import palyra.api.approval.ApprovalExportFormat;
import palyra.api.approval.ApprovalQuery;
import palyra.api.approval.ApprovalView;
import palyra.api.approval.Approvals;
import palyra.api.approval.GrantView;
import palyra.api.core.access.Access;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.keys.Keys;
import palyra.front.internal.OwnershipCheck;
import palyra.front.internal.PageLimits;
import palyra.shared.approval.StoredApprovalRequest;
import palyra.shared.gate.Gate;

/** Approval requests, without any framework. Thread-safe. */
public final class ApprovalFront implements Approvals {
    private static final String LIST = "approval.list";

    private final OwnershipCheck ownership;
    private final Gate<Journal> journal;
    private final LongSupplier clock;
    private final ApprovalRequestStore questions;
    private final AnswerProcessor answering;
    private final Grants grants;
    private final ApprovalExport export;

    /** Creates a front; {@code access} is called directly, {@code clock} is unix milliseconds. */
    public ApprovalFront(
            Access access, Gate<Journal> journal, Gate<Keys> keys, LongSupplier clock) {
        this.ownership = new OwnershipCheck(access);
        this.journal = journal;
        this.clock = clock;
        this.questions = new ApprovalRequestStore(journal);
        this.answering = new AnswerProcessor(ownership, journal, questions, clock);
        this.grants = new Grants(ownership, journal, clock);
        this.export = new ApprovalExport(questions, keys);
    }

    @Override
    public ApprovalView decide(Principal principal, ApprovalAnswer answer) {
        answering.decide(principal, Require.present(answer, "answer"));
        return view(questions.row(answer.approvalId()).orElseThrow());
    }

    @Override
    public Optional<ApprovalView> approval(Principal principal, String approvalId) {
        Optional<ApprovalRow> row = questions.row(approvalId);
        return ownership.readable(principal, "approval.read", questions.resource(approvalId, row))
                ? row.map(this::view)
                : Optional.empty();
    }

    @Override
    public List<ApprovalView> pending(
            Principal principal, String runId, String afterApprovalId, int limit) {
        PageLimits.requireLimit(limit, PageLimits.MOST);
        String run = PageLimits.idOrEmpty(runId, "run id");
        String after = PageLimits.idOrEmpty(afterApprovalId, "approval id");
        String owner = "";
        if (run.isEmpty()) {
            owner = owner(principal);
        } else {
            ownership.read(
                    principal,
                    LIST,
                    new OwnershipCheck.Resource("run", run, questions.ownerOfRun(run)));
        }
        return views(rows(ApprovalQuery.pending(run), owner, after), limit);
    }

    @Override
    public List<ApprovalView> list(
            Principal principal, ApprovalQuery query, String afterApprovalId, int limit) {
        PageLimits.requireLimit(limit, PageLimits.MOST);
        requireIds(query);
        String after = PageLimits.idOrEmpty(afterApprovalId, "approval id");
        return views(rows(query, owner(principal), after), limit);
    }

    private static void requireIds(ApprovalQuery query) {
        PageLimits.idOrEmpty(Require.present(query, "query").runId(), "run id");
        PageLimits.idOrEmpty(query.sessionId(), "session id");
    }

    /** Returns the owner whose approval requests the principal sees; empty for all owners. */
    private String owner(Principal principal) {
        return ownership.listOwner(principal, LIST, "operator", "approver");
    }

    private ApprovalQueryReader rows(ApprovalQuery query, String owner, String after) {
        return new ApprovalQueryReader(journal, query, owner, after, clock.getAsLong());
    }

    private List<ApprovalView> views(ApprovalQueryReader rows, int limit) {
        List<ApprovalView> views = new ArrayList<>();
        while (views.size() < limit) {
            Optional<ApprovalRow> row = rows.next();
            if (row.isEmpty()) {
                break;
            }
            views.add(view(row.get()));
        }
        return List.copyOf(views);
    }

    private ApprovalView view(ApprovalRow row) {
        return ApprovalViews.view(
                StoredApprovalRequest.of(row),
                row.votes() == 0 ? List.of() : questions.votes(row),
                clock.getAsLong());
    }

    @Override
    public void export(
            Principal principal,
            ApprovalQuery query,
            ApprovalExportFormat format,
            int limit,
            Consumer<byte[]> chunks) {
        PageLimits.requireLimit(limit, ApprovalExport.MOST);
        requireIds(query);
        Require.present(format, "format");
        String owner = owner(principal);
        long now = clock.getAsLong();
        ApprovalExport.Order order =
                new ApprovalExport.Order(principal.id(), query, owner, format, limit, now);
        export.write(order, rows(query, owner, ""), Require.present(chunks, "chunks"));
    }

    @Override
    public List<GrantView> grants(
            Principal principal,
            String sessionId,
            boolean activeOnly,
            String afterGrantId,
            int limit) {
        return grants.list(principal, sessionId, activeOnly, afterGrantId, limit);
    }

    @Override
    public GrantView revoke(Principal principal, String grantId, String reason) {
        return grants.revoke(principal, grantId, reason);
    }
}
