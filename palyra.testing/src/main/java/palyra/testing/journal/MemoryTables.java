package palyra.testing.journal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.ApprovalVoteRow;
import palyra.api.core.journal.CommandRow;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.GrantRow;
import palyra.api.core.journal.IdempotencyKey;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.RunPayloads;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.RunSnapshot;
import palyra.api.core.journal.SettledKind;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;
import palyra.api.tape.TapeRecord;

/** The rows of a {@link MemoryJournal} and a log that undoes a refused unit. Not thread-safe. */
final class MemoryTables {
    /** Stored answer of an idempotency key. */
    record Answer(String requestSha256, byte[] result) {}

    final Map<String, SessionView> sessions = new TreeMap<>();
    final Map<String, RunRow> runs = new LinkedHashMap<>(); // in the order of recording
    final Map<String, RunPayloads> payloads = new HashMap<>(); // by run; absent means all
    final Map<String, List<TapeRecord>> tapes = new HashMap<>();
    final Map<String, RunSnapshot> snapshots = new HashMap<>();
    final Map<String, InboxRow> inbox = new TreeMap<>();
    final Map<String, OutboxRow> outbox = new TreeMap<>();
    final Map<String, CommandRow> commands = new TreeMap<>();
    final Map<String, ApprovalRow> approvals = new TreeMap<>();
    final Map<String, List<ApprovalVoteRow>> votes = new HashMap<>();
    final Map<String, GrantRow> grants = new TreeMap<>();
    final Map<String, Document> documents = new TreeMap<>(); // by collection, NUL and key
    final Map<String, Answer> answers = new HashMap<>();
    final Map<String, String> steps = new HashMap<>(); // last step key by stream

    /** Marks such as a used grant or an answered run. */
    final Set<String> marks = new HashSet<>();

    /** Hints of the current unit, delivered once it is applied. */
    final List<FeedItem> hints = new ArrayList<>();

    private static final Set<OutboxRow.State> SETTLED_ANSWERS =
            Set.of(
                    OutboxRow.State.READABLE,
                    OutboxRow.State.SENT,
                    OutboxRow.State.FAILED,
                    OutboxRow.State.WITHDRAWN);

    private final Deque<Runnable> undo = new ArrayDeque<>();

    /** Full name of the stream of the node's events. */
    static final String NODE_STREAM = TapeRecord.JOURNAL_STREAM + "/main";

    /** Returns under which name a stream is in {@link #tapes}. */
    static String key(String streamId) {
        return streamId.equals(NODE_STREAM) ? TapeRecord.JOURNAL_STREAM : streamId;
    }

    /** Returns the name that the records of a stream have. */
    static String nameOf(String streamId) {
        return streamId.equals(TapeRecord.JOURNAL_STREAM) ? NODE_STREAM : streamId;
    }

    MemoryTables() {
        tapes.put(TapeRecord.JOURNAL_STREAM, new ArrayList<>());
    }

    /** Begins a unit: changes up to here stay. */
    void begin() {
        undo.clear();
        hints.clear();
    }

    /** Undoes every change since {@link #begin}. */
    void rollBack() {
        while (!undo.isEmpty()) {
            undo.pop().run();
        }
        hints.clear();
    }

    <V> void put(Map<String, V> table, String key, V row) {
        V old = table.put(key, row);
        undo.push(
                () -> {
                    if (old == null) {
                        table.remove(key);
                    } else {
                        table.put(key, old);
                    }
                });
    }

    <V> void remove(Map<String, V> table, String key) {
        V old = table.remove(key);
        if (old != null) {
            undo.push(() -> table.put(key, old));
        }
    }

    <V> void insert(Map<String, V> table, String name, String key, V row) {
        if (table.containsKey(key)) {
            throw taken(name, key);
        }
        put(table, key, row);
    }

    <V> void add(List<V> list, V row) {
        list.add(row);
        undo.push(list::removeLast);
    }

    <V> void set(List<V> list, int index, V row) {
        V old = list.set(index, row);
        undo.push(() -> list.set(index, old));
    }

    boolean mark(String text) {
        boolean added = marks.add(text);
        if (added) {
            undo.push(() -> marks.remove(text));
        }
        return added;
    }

    void unmark(String text) {
        if (marks.remove(text)) {
            undo.push(() -> marks.add(text));
        }
    }

    <V> V require(Map<String, V> table, String name, String key) {
        V row = table.get(key);
        if (row == null) {
            throw notFound(name, key);
        }
        return row;
    }

    static String documentKey(String collection, String key) {
        return collection + '\0' + key;
    }

    static String answerKey(IdempotencyKey key) {
        return key.scope() + '\0' + key.key();
    }

    /** Returns whether a run has ended; false for an unknown run. */
    boolean hasEnded(String runId) {
        return runs.containsKey(runId) && runs.get(runId).state().terminal();
    }

    /** Returns whether a row can be dropped; empty when there is no such row. */
    Optional<Boolean> settledBefore(SettledKind kind, String id, long before) {
        return switch (kind) {
            case MESSAGE -> Optional.ofNullable(inbox.get(id)).map(row -> settled(row, before));
            case ANSWER ->
                    Optional.ofNullable(outbox.get(id))
                            .map(
                                    row ->
                                            row.updatedAtMillis() < before
                                                    && SETTLED_ANSWERS.contains(row.state())
                                                    && (row.runId().isEmpty()
                                                            || hasEnded(row.runId())));
            case COMMAND ->
                    Optional.ofNullable(commands.get(id))
                            .map(row -> row.done() && row.createdAtMillis() < before);
            case APPROVAL ->
                    Optional.ofNullable(approvals.get(id))
                            .map(
                                    row ->
                                            row.state() != ApprovalRow.State.PENDING
                                                    && row.decidedAtMillis() < before
                                                    && (row.runId().isEmpty()
                                                            || hasEnded(row.runId())));
            case GRANT ->
                    Optional.ofNullable(grants.get(id))
                            .map(
                                    row ->
                                            row.state() != GrantRow.State.ACTIVE
                                                    && row.endedAtMillis() < before);
        };
    }

    private boolean settled(InboxRow row, long before) {
        return row.createdAtMillis() < before
                && (row.state() == InboxRow.State.REJECTED
                        || row.state() == InboxRow.State.IGNORED
                        || row.state() == InboxRow.State.ROUTED
                                && hasEnded(row.runId())
                                && runs.get(row.runId()).updatedAtMillis() < before);
    }

    /** Returns the rows of a kind. */
    Map<String, ?> rows(SettledKind kind) {
        return switch (kind) {
            case MESSAGE -> inbox;
            case ANSWER -> outbox;
            case COMMAND -> commands;
            case APPROVAL -> approvals;
            case GRANT -> grants;
        };
    }

    /** Returns whether a run of the session is RUNNING or AWAITING_APPROVAL. */
    boolean hasActiveRun(String sessionId) {
        return runsOf(sessionId)
                .anyMatch(
                        run ->
                                run.state() == RunState.RUNNING
                                        || run.state() == RunState.AWAITING_APPROVAL);
    }

    boolean hasOpenRun(String sessionId) {
        return hasActiveRun(sessionId)
                || runsOf(sessionId).anyMatch(run -> run.state() == RunState.ACCEPTED);
    }

    Stream<RunRow> runsOf(String sessionId) {
        return runs.values().stream().filter(run -> run.sessionId().equals(sessionId));
    }

    static PalyraException notFound(String name, String key) {
        return new PalyraException(ErrorCode.NOT_FOUND, "not found: " + name + " '" + key + "'");
    }

    static PalyraException taken(String name, String key) {
        return new PalyraException(
                ErrorCode.ALREADY_EXISTS, "There is already a " + name + " '" + key + "'.");
    }

    static PalyraException conflict(String message) {
        return new PalyraException(ErrorCode.CONFLICT, message);
    }

    static PalyraException stale(String message) {
        return new PalyraException(ErrorCode.STALE_EPOCH, message);
    }
}
