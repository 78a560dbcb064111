package palyra.journal.internal.read;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import palyra.api.Require;
import palyra.api.core.journal.ApprovalFilter;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.ApprovalVoteRow;
import palyra.api.core.journal.BudgetRow;
import palyra.api.core.journal.CommandRow;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.GrantRow;
import palyra.api.core.journal.IdempotencyKey;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Lease;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.RunLoss;
import palyra.api.core.journal.RunPayloads;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.RunSnapshot;
import palyra.api.core.journal.SettledKind;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.table.KnownLosses;
import palyra.journal.internal.table.LostTable;
import palyra.journal.internal.table.TapeTable;

/** The reading half of the store: checks arguments and hands each read to the pool. */
public abstract class JournalReads implements Journal {
    private static final int MOST = 1_000;

    private final ReadPool readers;
    private final ReadPool scanners;
    private final TapeReader tapes;
    private final KnownLosses losses;

    /** Reads that may look at many rows go to {@code scanners}, all others to {@code readers}. */
    public JournalReads(ReadPool readers, ReadPool scanners, TapeReader tapes, KnownLosses losses) {
        this.readers = readers;
        this.scanners = scanners;
        this.tapes = tapes;
        this.losses = losses;
    }

    private static int checked(int limit) {
        Require.that(
                limit >= 1 && limit <= MOST,
                "a page of " + limit + " rows was requested: use 1 to " + MOST);
        return limit;
    }

    @Override
    public Optional<SessionView> session(String sessionId) {
        Require.present(sessionId, "session id");
        return readers.read(tables -> tables.sessions().find(sessionId));
    }

    @Override
    public Optional<SessionView> sessionByKey(String principal, String key) {
        Require.present(principal, "principal");
        Require.present(key, "session key");
        return readers.read(tables -> tables.sessions().findByKey(principal, key));
    }

    @Override
    public List<SessionView> sessions(
            String principal, String text, String beforeId, int limit, boolean includeArchived) {
        Require.present(principal, "principal");
        Require.present(text, "text to look for");
        Require.present(beforeId, "id to go on from");
        checked(limit);
        return (text.isEmpty() ? readers : scanners)
                .read(
                        tables ->
                                tables.sessions()
                                        .page(principal, text, beforeId, limit, includeArchived));
    }

    @Override
    public Optional<RunRow> run(String runId) {
        Require.present(runId, "run id");
        return readers.read(tables -> tables.runs().find(runId));
    }

    @Override
    public Optional<RunLoss> loss(String runId) {
        Require.present(runId, "run id");
        Optional<RunLoss> loss = readers.read(tables -> new LostTable(tables.sql()).loss(runId));
        loss.ifPresent(losses::found); // not only at the next look
        return loss;
    }

    @Override
    public List<RunLoss> losses(String principal) {
        return losses.runs(Require.present(principal, "principal"));
    }

    @Override
    public List<RunRow> runs(String principal, String sessionId, String beforeId, int limit) {
        Require.present(principal, "principal");
        Require.present(sessionId, "session id");
        Require.present(beforeId, "id to go on from");
        checked(limit);
        return readers.read(tables -> tables.runs().page(principal, sessionId, beforeId, limit));
    }

    @Override
    public List<RunRow> runsIn(Set<RunState> states, String sessionId, String afterId, int limit) {
        Require.present(states, "states");
        Require.present(sessionId, "session id");
        Require.present(afterId, "id to go on from");
        checked(limit);
        return readers.read(tables -> tables.runs().pageIn(states, sessionId, afterId, limit));
    }

    @Override
    public List<RunRow> endedRuns(RunPayloads left, long beforeMillis, String afterId, int limit) {
        Require.present(left, "payloads that are left");
        Require.present(afterId, "id to go on from");
        checked(limit);
        return readers.read(tables -> tables.runs().ended(left, beforeMillis, afterId, limit));
    }

    @Override
    public List<String> settled(SettledKind kind, long beforeMillis, String afterId, int limit) {
        Require.present(kind, "kind");
        Require.present(afterId, "id to go on from");
        checked(limit);
        return readers.read(tables -> tables.settled().page(kind, beforeMillis, afterId, limit));
    }

    @Override
    public List<TapeRecord> tape(String streamId, long afterSeq, int limit) {
        Require.present(streamId, "stream id");
        checked(limit);
        return readers.read(tables -> tapes.page(tables, streamId, afterSeq, limit));
    }

    @Override
    public String nodeStream() {
        return readers.read(tables -> tables.tape().nodeStream());
    }

    @Override
    public long headSeq(String streamId) {
        Require.present(streamId, "stream id");
        return readers.read(tables -> tables.tape().stream(streamId))
                .map(TapeTable.Stream::headSeq)
                .orElse(0L);
    }

    @Override
    public Optional<RunSnapshot> snapshot(String runId) {
        Require.present(runId, "run id");
        return readers.read(tables -> tables.snapshots().find(runId));
    }

    @Override
    public Optional<InboxRow> inbox(String messageId) {
        Require.present(messageId, "message id");
        return readers.read(tables -> tables.inbox().find(messageId));
    }

    @Override
    public Optional<InboxRow> inboxByKey(String surface, String dedupeKey) {
        Require.present(surface, "surface");
        Require.present(dedupeKey, "dedupe key");
        return readers.read(tables -> tables.inbox().findByKey(surface, dedupeKey));
    }

    @Override
    public List<InboxRow> inboxIn(InboxRow.State state, String afterId, int limit) {
        Require.present(state, "state");
        Require.present(afterId, "id to go on from");
        checked(limit);
        return readers.read(tables -> tables.inbox().pageIn(state, afterId, limit));
    }

    @Override
    public List<OutboxRow> outboxIn(
            OutboxRow.State state, String surface, String afterId, int limit) {
        Require.present(state, "state");
        Require.present(surface, "surface");
        Require.present(afterId, "id to go on from");
        checked(limit);
        return readers.read(tables -> tables.outbox().pageIn(state, surface, afterId, limit));
    }

    @Override
    public List<OutboxRow> outboxHeads(String surface, String afterKey, int limit) {
        Require.text(surface, "surface");
        Require.present(afterKey, "order key to go on from");
        checked(limit);
        return readers.read(tables -> tables.outbox().heads(surface, afterKey, limit));
    }

    @Override
    public List<InboxRow> inboxOf(String surface, String conversation, String beforeId, int limit) {
        Require.text(surface, "surface");
        Require.text(conversation, "conversation");
        Require.present(beforeId, "id to go back from");
        checked(limit);
        return readers.read(
                tables -> tables.inbox().pageOf(surface, conversation, beforeId, limit));
    }

    @Override
    public List<OutboxRow> outboxSent(String surface, String orderKey, String beforeId, int limit) {
        Require.text(surface, "surface");
        Require.text(orderKey, "order key");
        Require.present(beforeId, "id to go back from");
        checked(limit);
        return readers.read(tables -> tables.outbox().sent(surface, orderKey, beforeId, limit));
    }

    @Override
    public Optional<OutboxRow> outbox(String outboxId) {
        Require.present(outboxId, "outbox id");
        return readers.read(tables -> tables.outbox().find(outboxId));
    }

    @Override
    public List<OutboxRow> outboxOf(String runId) {
        Require.present(runId, "run id");
        return readers.read(tables -> tables.outbox().of(runId, MOST));
    }

    @Override
    public List<CommandRow> pendingCommands(String afterId, int limit) {
        Require.present(afterId, "id to go on from");
        checked(limit);
        return readers.read(tables -> tables.commands().pending(afterId, limit));
    }

    @Override
    public Optional<ApprovalRow> approval(String approvalId) {
        Require.present(approvalId, "approval id");
        return readers.read(tables -> tables.approvals().find(approvalId));
    }

    @Override
    public List<ApprovalRow> approvals(ApprovalFilter filter, String afterId, int limit) {
        Require.present(filter, "filter");
        Require.present(afterId, "id to go on from");
        checked(limit);
        boolean indexed =
                !filter.runId().isEmpty()
                        || !filter.sessionId().isEmpty()
                        || filter.state().isPresent();
        return (indexed ? readers : scanners)
                .read(tables -> tables.approvals().page(filter, afterId, limit));
    }

    @Override
    public List<ApprovalVoteRow> approvalVotes(String approvalId) {
        Require.present(approvalId, "approval id");
        return readers.read(tables -> tables.approvals().votes(approvalId));
    }

    @Override
    public List<ApprovalRow> approvalsDue(long nowMillis, int limit) {
        checked(limit);
        return readers.read(tables -> tables.approvals().due(nowMillis, limit));
    }

    @Override
    public List<RunRow> answeredRuns(String afterId, int limit) {
        Require.present(afterId, "id to go on from");
        checked(limit);
        return readers.read(tables -> tables.runs().answered(afterId, limit));
    }

    @Override
    public Optional<GrantRow> grant(String grantId) {
        Require.present(grantId, "grant id");
        return readers.read(tables -> tables.grants().find(grantId));
    }

    @Override
    public List<GrantRow> grants(
            String principal,
            String sessionId,
            String tool,
            long activeAtMillis,
            String afterId,
            int limit) {
        Require.present(principal, "principal");
        Require.present(sessionId, "session id");
        Require.present(tool, "tool");
        Require.present(afterId, "id to go on from");
        checked(limit);
        return readers.read(
                tables ->
                        tables.grants()
                                .page(principal, sessionId, tool, activeAtMillis, afterId, limit));
    }

    @Override
    public Optional<Document> document(String collection, String key) {
        Require.present(collection, "collection");
        Require.present(key, "key");
        return readers.read(tables -> tables.documents().find(collection, key));
    }

    @Override
    public List<Document> documents(String collection, String afterKey, int limit) {
        Require.present(collection, "collection");
        Require.present(afterKey, "key to go on from");
        checked(limit);
        return readers.read(tables -> tables.documents().page(collection, afterKey, limit));
    }

    @Override
    public List<BudgetRow> budgets(String period, String subject, long afterNo, int limit) {
        Require.present(period, "period");
        Require.present(subject, "subject");
        checked(limit);
        return (period.isEmpty() ? scanners : readers)
                .read(tables -> tables.budgets().page(period, subject, afterNo, limit));
    }

    @Override
    public Optional<Lease> lease(String name) {
        Require.present(name, "lease name");
        return readers.read(tables -> tables.leases().find(name));
    }

    @Override
    public Optional<byte[]> stored(IdempotencyKey key) {
        Require.present(key, "idempotency key");
        return readers.read(tables -> tables.idempotency().find(key));
    }
}
