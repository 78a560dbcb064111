package palyra.api.core.journal;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.osgi.annotation.versioning.ProviderType;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;
import palyra.api.tape.TapeRecord;

/**
 * Reading the store. Every list is a page: {@code limit} is 1 to 1,000 and the next page begins
 * after the last key of this one, so no read transaction is long. Empty strings as keys mean "from
 * the end" or "any", as each method says.
 */
@ProviderType
public interface JournalReader {
    /** Returns a session by id. */
    Optional<SessionView> session(String sessionId);

    /** Returns the live session of that name. */
    Optional<SessionView> sessionByKey(String principal, String key);

    /**
     * Returns sessions, newest first; {@code principal} empty means any; {@code text} empty means
     * all, else those whose key or label contains it, letter case of a to z ignored; only older
     * than {@code beforeId} unless that is empty.
     */
    List<SessionView> sessions(
            String principal, String text, String beforeId, int limit, boolean includeArchived);

    /** Returns a run. */
    Optional<RunRow> run(String runId);

    /**
     * Returns the loss of a run that {@link #run} does not know although a message was accepted for
     * it; empty when no such message was.
     */
    default Optional<RunLoss> loss(String runId) {
        return Optional.empty();
    }

    /**
     * Returns such runs as far as the journal has looked for them since it was opened, in no
     * particular order; at most 100.
     *
     * @param principal whose; empty means any
     */
    default List<RunLoss> losses(String principal) {
        return List.of();
    }

    /**
     * Returns runs, newest first; {@code principal} and {@code sessionId} empty mean any; only
     * those recorded before {@code beforeId} unless that is empty; none when that is no run of the
     * principal.
     */
    List<RunRow> runs(String principal, String sessionId, String beforeId, int limit);

    /**
     * Returns runs in one of {@code states}, oldest first, of any session or of one; only those
     * recorded after {@code afterId} unless that is empty; none when that is no run.
     */
    List<RunRow> runsIn(Set<RunState> states, String sessionId, String afterId, int limit);

    /**
     * Returns runs that ended before a time and of whose payloads retention left {@code left}, in
     * the order in which they ended; only those after the run {@code afterId} unless that is empty;
     * none when that is no run.
     */
    List<RunRow> endedRuns(RunPayloads left, long beforeMillis, String afterId, int limit);

    /**
     * Returns ids of rows that can be dropped, in their order.
     *
     * @param beforeMillis unix milliseconds: only rows that were settled before it. A message
     *     counts as settled when its run ended, or, if it was rejected, when it came; a command
     *     when it was given. Ids are ULIDs, and an id that was not made before that time is left
     *     out
     */
    List<String> settled(SettledKind kind, long beforeMillis, String afterId, int limit);

    /**
     * Returns records of a run's tape, or of {@code journal}, with a sequence number above {@code
     * afterSeq}, in order. A page has a bound of bytes too, so it may have fewer than {@code limit}
     * records while there are more: an empty page alone says that nothing follows.
     */
    List<TapeRecord> tape(String streamId, long afterSeq, int limit);

    /**
     * Returns the full name of the stream of this node's events, {@code journal/NODE}, which its
     * records carry. {@code journal} names the same stream wherever one is asked for, and alone
     * where something is appended: a node writes to no stream of another.
     */
    String nodeStream();

    /** Returns the sequence number of the last record of a stream; 0 when it has none. */
    long headSeq(String streamId);

    /**
     * Returns the last snapshot of a run; empty when it has none, and when the stored snapshot is
     * not what was handed in, or was made after another record than the one that the tape has
     * there.
     */
    Optional<RunSnapshot> snapshot(String runId);

    /** Returns an accepted message. */
    Optional<InboxRow> inbox(String messageId);

    /** Returns the message that was accepted from a surface under a dedupe key. */
    Optional<InboxRow> inboxByKey(String surface, String dedupeKey);

    /** Returns accepted messages in a state, oldest first. */
    List<InboxRow> inboxIn(InboxRow.State state, String afterId, int limit);

    /**
     * Returns the messages of a conversation that became runs, and the events by which senders took
     * messages of it back (IGNORED, with the reason {@code deleted} or {@code
     * deleted_after_start}), newest first.
     *
     * @param conversation id of the conversation, with all of its threads
     * @param beforeId only messages before this one; empty means from the newest
     */
    List<InboxRow> inboxOf(String surface, String conversation, String beforeId, int limit);

    /** Returns answers in a state, oldest first; {@code surface} empty means any. */
    List<OutboxRow> outboxIn(OutboxRow.State state, String surface, String afterId, int limit);

    /**
     * Returns, for each order key of a surface, the first answer that is PENDING or SENDING, in the
     * order of the keys: what may be sent next. Answers without an order key are not among them.
     *
     * @param afterKey only keys after this one; empty means from the first
     */
    List<OutboxRow> outboxHeads(String surface, String afterKey, int limit);

    /** Returns an answer. */
    Optional<OutboxRow> outbox(String outboxId);

    /**
     * Returns the answers with an order key that were SENT, newest first.
     *
     * @param beforeId only answers before this one; empty means from the newest
     */
    List<OutboxRow> outboxSent(String surface, String orderKey, String beforeId, int limit);

    /** Returns the answers of a run. */
    List<OutboxRow> outboxOf(String runId);

    /** Returns commands that are not done, oldest first. */
    List<CommandRow> pendingCommands(String afterId, int limit);

    /** Returns an approval request. */
    Optional<ApprovalRow> approval(String approvalId);

    /**
     * Returns approval requests that match the filter, in the order of their ids, which is the
     * order of creation.
     */
    List<ApprovalRow> approvals(ApprovalFilter filter, String afterId, int limit);

    /** Returns the votes for an approval request, in order. */
    List<ApprovalVoteRow> approvalVotes(String approvalId);

    /**
     * Returns PENDING approval requests that have expired at {@code nowMillis}, or whose reminder
     * is due by then; in no order. Waits a moment when the system's clock has just jumped.
     */
    List<ApprovalRow> approvalsDue(long nowMillis, int limit);

    /**
     * Returns runs AWAITING_APPROVAL with an approval request decided since they were last RUNNING,
     * oldest first.
     */
    List<RunRow> answeredRuns(String afterId, int limit);

    /** Returns a grant. */
    Optional<GrantRow> grant(String grantId);

    /**
     * Returns grants in the order of their ids. Empty texts mean any; {@code activeAtMillis} 0
     * means active or not, else only those that cover calls at that time.
     *
     * @param sessionId of this session, or of none in particular
     */
    List<GrantRow> grants(
            String principal,
            String sessionId,
            String tool,
            long activeAtMillis,
            String afterId,
            int limit);

    /** Returns a document. */
    Optional<Document> document(String collection, String key);

    /** Returns documents of a collection in the order of their keys. */
    List<Document> documents(String collection, String afterKey, int limit);

    /**
     * Returns accounts of budgets in the order of their numbers; empty texts mean any.
     *
     * @param afterNo only accounts of a higher number
     */
    List<BudgetRow> budgets(String period, String subject, long afterNo, int limit);

    /** Returns a lease, held or expired; empty when it was never taken. */
    Optional<Lease> lease(String name);

    /** Returns the stored answer for an idempotency key. */
    Optional<byte[]> stored(IdempotencyKey key);
}
