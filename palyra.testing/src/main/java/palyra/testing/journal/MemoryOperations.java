package palyra.testing.journal;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import palyra.api.Require;
import palyra.api.core.journal.CommandRow;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxProgress;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.RunPayloads;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.RunSnapshot;
import palyra.api.core.journal.Seal;
import palyra.api.core.journal.SettledKind;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.KeySignature;
import palyra.api.core.keys.Keys;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;
import palyra.api.tape.TapeRecord;
import palyra.shared.tape.TapeHash;

/** Applies the operations of one unit to {@link MemoryTables}. Not thread-safe. */
final class MemoryOperations {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final MemoryTables tables;
    private final MemoryApprovals approvals;
    private final Keys keys;
    private final long now;
    private final List<Committed.Position> appended = new ArrayList<>();
    private final Set<String> ending = new LinkedHashSet<>();

    MemoryOperations(MemoryTables tables, Keys keys, long now) {
        this.tables = tables;
        this.approvals = new MemoryApprovals(tables, now);
        this.keys = keys;
        this.now = now;
    }

    /** Applies all, then seals the runs that ended; returns where records went. */
    List<Committed.Position> apply(List<Operation> operations) {
        operations.forEach(this::apply);
        ending.forEach(this::seal);
        return appended;
    }

    private void apply(Operation operation) {
        switch (operation) {
            case Operation.InsertSession o -> insertSession(o.session());
            case Operation.BindSession o ->
                    replace(requireLive(o.sessionId()), o.agentId(), null, 0, null);
            case Operation.ArchiveSession o -> archive(o.sessionId());
            case Operation.InsertRun o -> insertRun(o);
            case Operation.ClaimRun o -> claim(o);
            case Operation.NoteAttempts o -> {
                RunRow run = run(o.runId());
                replace(run, run.state(), run.reason(), run.epoch(), o.attempts(), run.seal());
            }
            case Operation.MoveRun o -> move(o);
            case Operation.Append o -> append(o);
            case Operation.ErasePayload o -> erase(o);
            case Operation.NoteRunPayloads o -> notePayloads(o);
            case Operation.DropSettled o -> drop(o);
            case Operation.PutSnapshot o -> putSnapshot(o.snapshot());
            case Operation.PutInbox o -> putInbox(o.row());
            case Operation.SettleInbox o -> settle(o);
            case Operation.PutOutbox o -> putOutbox(o.row());
            case Operation.MoveOutbox o -> moveOutbox(o);
            case Operation.RewriteOutbox o -> rewriteOutbox(o);
            case Operation.PutCommand o -> putCommand(o.row());
            case Operation.FinishCommand o -> finish(o);
            case Operation.PutApproval o -> approvals.put(o.row());
            case Operation.DecideApproval o -> approvals.decide(o);
            case Operation.VoteApproval o -> approvals.vote(o);
            case Operation.NoteApproval o -> approvals.note(o);
            case Operation.PutGrant o -> approvals.put(o.row());
            case Operation.UseGrant o -> approvals.use(o);
            case Operation.RevokeGrant o -> approvals.revoke(o);
            case Operation.PutDocument o -> putDocument(o);
            case Operation.DeleteDocument o ->
                    tables.remove(
                            tables.documents, MemoryTables.documentKey(o.collection(), o.key()));
            case Operation.ReserveBudget o -> throw noBudgets();
            case Operation.SettleBudget o -> throw noBudgets();
            case Operation.NoteBudget o -> throw noBudgets();
        }
    }

    static UnsupportedOperationException noBudgets() {
        return new UnsupportedOperationException(
                "MemoryJournal keeps no budgets; use the SQLite journal");
    }

    private void insertSession(SessionView session) {
        boolean keyTaken =
                !session.key().isEmpty()
                        && tables.sessions.values().stream()
                                .anyMatch(
                                        other ->
                                                other.principal().equals(session.principal())
                                                        && other.key().equals(session.key()));
        if (keyTaken) {
            throw MemoryTables.taken("session named", session.key());
        }
        tables.insert(tables.sessions, "session", session.sessionId(), session);
        SessionView inserted =
                new SessionView(
                        session.sessionId(),
                        session.key(),
                        session.label(),
                        session.principal(),
                        session.deviceId(),
                        session.channel(),
                        session.agentId(),
                        now,
                        now,
                        0,
                        "");
        tables.put(tables.sessions, session.sessionId(), inserted);
    }

    private void archive(String sessionId) {
        SessionView session = tables.require(tables.sessions, "session", sessionId);
        if (session.archivedAtMillis() != 0) {
            return;
        }
        boolean busy =
                tables.runsOf(sessionId)
                        .anyMatch(
                                run ->
                                        !run.state().terminal()
                                                && run.state() != RunState.QUARANTINED);
        if (busy) {
            throw MemoryTables.conflict("Session " + sessionId + " has a run that has not ended.");
        }
        replace(session, session.agentId(), "", now, null);
        approvals.endOfSession(sessionId);
    }

    private SessionView requireLive(String sessionId) {
        SessionView session = tables.require(tables.sessions, "session", sessionId);
        if (session.archivedAtMillis() != 0) {
            throw MemoryTables.conflict("Session " + sessionId + " is archived.");
        }
        return session;
    }

    /** Null keeps the key or the last run. */
    private void replace(
            SessionView old, String agentId, String key, long archivedAt, String lastRunId) {
        SessionView changed =
                new SessionView(
                        old.sessionId(),
                        key == null ? old.key() : key,
                        old.label(),
                        old.principal(),
                        old.deviceId(),
                        old.channel(),
                        agentId,
                        old.createdAtMillis(),
                        now,
                        archivedAt,
                        lastRunId == null ? old.lastRunId() : lastRunId);
        tables.put(tables.sessions, old.sessionId(), changed);
    }

    private void insertRun(Operation.InsertRun run) {
        Require.that(!TapeRecord.isJournal(run.runId()), "a run cannot be called " + run.runId());
        SessionView session = requireLive(run.sessionId());
        if (run.state() == RunState.RUNNING) {
            requireNoActiveRun(run.sessionId(), run.runId());
        }
        RunRow row =
                new RunRow(
                        run.runId(),
                        run.sessionId(),
                        run.principal(),
                        run.agentId(),
                        run.originKind(),
                        run.messageId(),
                        run.surface(),
                        run.state(),
                        "",
                        run.epoch(),
                        now,
                        now,
                        0,
                        Optional.empty());
        tables.insert(tables.runs, "run", run.runId(), row);
        tables.put(tables.tapes, run.runId(), new ArrayList<>());
        replace(session, session.agentId(), null, 0, run.runId());
    }

    private void requireNoActiveRun(String sessionId, String runId) {
        boolean active =
                tables.runsOf(sessionId)
                        .anyMatch(
                                run ->
                                        !run.runId().equals(runId)
                                                && (run.state() == RunState.RUNNING
                                                        || run.state()
                                                                == RunState.AWAITING_APPROVAL));
        if (active) {
            throw MemoryTables.conflict("Session " + sessionId + " has another active run.");
        }
    }

    private RunRow run(String runId) {
        return tables.require(tables.runs, "run", runId);
    }

    private void claim(Operation.ClaimRun claim) {
        RunRow run = run(claim.runId());
        if (run.state().terminal()) {
            throw MemoryTables.conflict("Run " + run.runId() + " is " + run.state() + ".");
        }
        if (claim.epoch() <= run.epoch()) {
            throw MemoryTables.stale("Run " + run.runId() + " has epoch " + run.epoch() + ".");
        }
        int attempts = run.attempts() + (claim.afterCrash() ? 1 : 0);
        replace(run, run.state(), run.reason(), claim.epoch(), attempts, run.seal());
    }

    private void move(Operation.MoveRun move) {
        RunRow run = run(move.runId());
        if (run.state().terminal() || !move.from().contains(run.state())) {
            throw MemoryTables.conflict(
                    "Run " + run.runId() + " is " + run.state() + ", not one of " + move.from());
        }
        if (move.to() == RunState.RUNNING || move.to() == RunState.AWAITING_APPROVAL) {
            requireNoActiveRun(run.sessionId(), run.runId());
        }
        replace(run, move.to(), move.reason(), run.epoch(), run.attempts(), run.seal());
        if (move.to() != RunState.AWAITING_APPROVAL) {
            tables.unmark(MemoryApprovals.answered(run.runId()));
        }
        if (move.to().terminal()) {
            end(run.runId(), move.to());
        }
    }

    private void end(String runId, RunState state) {
        ending.add(runId);
        tables.remove(tables.snapshots, runId);
        approvals.endOfRun(runId);
        if (state != RunState.SUCCEEDED) {
            for (OutboxRow row : List.copyOf(tables.outbox.values())) {
                if (row.runId().equals(runId) && row.state() == OutboxRow.State.PENDING) {
                    replace(row, row.payload(), OutboxRow.State.WITHDRAWN, row.progress());
                }
            }
        }
    }

    private void replace(
            RunRow old,
            RunState state,
            String reason,
            long epoch,
            int attempts,
            Optional<Seal> seal) {
        RunRow changed =
                new RunRow(
                        old.runId(),
                        old.sessionId(),
                        old.principal(),
                        old.agentId(),
                        old.originKind(),
                        old.messageId(),
                        old.surface(),
                        state,
                        reason,
                        epoch,
                        old.createdAtMillis(),
                        now,
                        0,
                        seal,
                        attempts);
        tables.put(tables.runs, old.runId(), changed);
    }

    private void seal(String runId) {
        List<TapeRecord> tape = tables.tapes.get(runId);
        byte[] hash = lastHash(runId);
        KeySignature signed =
                keys.sign(KeyPurpose.TAPE_HEAD, TapeHash.headStatement(runId, tape.size(), hash));
        Seal seal = new Seal(runId, tape.size(), hash, signed.keyId(), signed.signature());
        RunRow run = run(runId);
        replace(run, run.state(), run.reason(), run.epoch(), run.attempts(), Optional.of(seal));
    }

    private byte[] lastHash(String streamId) {
        List<TapeRecord> tape = tables.tapes.get(streamId);
        return tape.isEmpty() ? genesis(tables, streamId) : tape.getLast().hash();
    }

    static byte[] genesis(MemoryTables tables, String streamId) {
        RunRow run = tables.runs.get(streamId);
        return run == null
                ? TapeHash.genesis(MemoryTables.nameOf(streamId), "", "")
                : TapeHash.genesis(streamId, run.sessionId(), run.principal());
    }

    private List<TapeRecord> openTape(String streamId) {
        List<TapeRecord> tape = tables.require(tables.tapes, "stream", streamId);
        RunRow run = tables.runs.get(streamId);
        if (run != null && run.seal().isPresent()) {
            throw MemoryTables.conflict("Run " + streamId + " is sealed.");
        }
        return tape;
    }

    private void append(Operation.Append append) {
        List<TapeRecord> tape = openTape(append.streamId());
        byte[] salt = new byte[TapeHash.LENGTH];
        RANDOM.nextBytes(salt);
        byte[] commitment = TapeHash.commitment(salt, append.payload());
        byte[] previous = lastHash(append.streamId());
        long seq = tape.size() + 1L;
        byte[] hash =
                TapeHash.hash(
                        previous,
                        MemoryTables.nameOf(append.streamId()),
                        seq,
                        append.type(),
                        now,
                        append.schema(),
                        commitment);
        tables.add(
                tape,
                new TapeRecord(
                        MemoryTables.nameOf(append.streamId()),
                        seq,
                        append.type(),
                        now,
                        append.schema(),
                        salt,
                        append.payload(),
                        commitment,
                        previous,
                        hash));
        appended.add(new Committed.Position(append.streamId(), seq, now));
        tables.hints.add(new FeedItem.Advanced(append.streamId(), seq));
    }

    private void erase(Operation.ErasePayload erase) {
        List<TapeRecord> tape = tables.require(tables.tapes, "stream", erase.streamId());
        TapeRecord record = record(tape, erase.streamId(), erase.seq());
        tables.set(
                tape,
                (int) erase.seq() - 1,
                new TapeRecord(
                        record.streamId(),
                        record.seq(),
                        record.type(),
                        record.timeMillis(),
                        record.schema(),
                        null,
                        null,
                        record.commitment(),
                        record.prevHash(),
                        record.hash()));
        tables.remove(tables.snapshots, erase.streamId());
    }

    private static TapeRecord record(List<TapeRecord> tape, String streamId, long seq) {
        if (seq < 1 || seq > tape.size()) {
            throw MemoryTables.notFound("record", streamId + "/" + seq);
        }
        return tape.get((int) seq - 1);
    }

    private void putSnapshot(RunSnapshot snapshot) {
        record(openTape(snapshot.runId()), snapshot.runId(), snapshot.seq());
        tables.put(tables.snapshots, snapshot.runId(), snapshot);
    }

    private void notePayloads(Operation.NoteRunPayloads note) {
        if (!run(note.runId()).state().terminal()) {
            throw MemoryTables.conflict("Run " + note.runId() + " has not ended.");
        }
        RunPayloads before = tables.payloads.getOrDefault(note.runId(), RunPayloads.WHOLE);
        if (note.left().compareTo(before) > 0) {
            tables.put(tables.payloads, note.runId(), note.left());
        }
    }

    private void drop(Operation.DropSettled drop) {
        boolean settled =
                tables.settledBefore(drop.kind(), drop.id(), drop.beforeMillis()).orElse(true);
        if (!settled) {
            throw MemoryTables.conflict(drop.kind() + " " + drop.id() + " is not settled.");
        }
        tables.remove(tables.rows(drop.kind()), drop.id());
        if (drop.kind() == SettledKind.APPROVAL) {
            tables.remove(tables.votes, drop.id());
        }
    }

    private void putInbox(InboxRow row) {
        for (InboxRow other : tables.inbox.values()) {
            if (!row.runId().isEmpty() && other.runId().equals(row.runId())) {
                throw MemoryTables.taken("run", row.runId());
            }
            if (!row.dedupeKey().isEmpty()
                    && other.dedupeKey().equals(row.dedupeKey())
                    && other.surface().equals(row.surface())) {
                throw MemoryTables.taken("message", row.dedupeKey());
            }
        }
        boolean queued = row.state() == InboxRow.State.QUEUED;
        if (queued && tables.runs.containsKey(row.runId())) {
            throw MemoryTables.taken("run", row.runId());
        }
        tables.insert(
                tables.inbox,
                "message",
                row.messageId(),
                new InboxRow(
                        row.messageId(),
                        row.surface(),
                        row.dedupeKey(),
                        row.principal(),
                        row.payload(),
                        row.state(),
                        row.runId(),
                        row.reason(),
                        now,
                        row.conversation(),
                        row.sender()));
        if (queued) {
            tables.hints.add(new FeedItem.MessageQueued(row.messageId()));
        }
    }

    private void settle(Operation.SettleInbox settling) {
        InboxRow row = tables.require(tables.inbox, "message", settling.messageId());
        if (row.state() != InboxRow.State.QUEUED) {
            throw MemoryTables.conflict("Message " + row.messageId() + " is " + row.state() + ".");
        }
        tables.put(
                tables.inbox,
                row.messageId(),
                row.settled(settling.state(), settling.runId(), settling.reason()));
    }

    private void putOutbox(OutboxRow row) {
        OutboxRow inserted =
                new OutboxRow(
                        row.outboxId(),
                        row.runId(),
                        row.surface(),
                        row.orderKey(),
                        row.payload(),
                        row.state(),
                        row.progress(),
                        now,
                        now);
        tables.insert(tables.outbox, "answer", row.outboxId(), inserted);
        if (row.state() == OutboxRow.State.PENDING) {
            tables.hints.add(new FeedItem.AnswerQueued(row.outboxId(), row.surface()));
        }
    }

    private void moveOutbox(Operation.MoveOutbox move) {
        OutboxRow row = tables.require(tables.outbox, "answer", move.outboxId());
        if (row.state() != move.from()) {
            throw MemoryTables.conflict("Answer " + row.outboxId() + " is " + row.state() + ".");
        }
        int begun = move.to() == OutboxRow.State.SENDING ? 1 : 0;
        OutboxProgress next = move.progress() == null ? row.progress() : move.progress();
        replace(row, row.payload(), move.to(), next.withAttempts(next.attempts() + begun));
    }

    private void rewriteOutbox(Operation.RewriteOutbox rewrite) {
        OutboxRow row = tables.require(tables.outbox, "answer", rewrite.outboxId());
        if (row.state() != OutboxRow.State.PENDING) {
            throw MemoryTables.conflict("Answer " + row.outboxId() + " is " + row.state() + ".");
        }
        replace(row, rewrite.payload(), row.state(), row.progress());
    }

    private void replace(
            OutboxRow old, byte[] payload, OutboxRow.State state, OutboxProgress progress) {
        OutboxRow changed =
                new OutboxRow(
                        old.outboxId(),
                        old.runId(),
                        old.surface(),
                        old.orderKey(),
                        payload,
                        state,
                        progress,
                        old.createdAtMillis(),
                        now);
        tables.put(tables.outbox, old.outboxId(), changed);
    }

    private void putCommand(CommandRow row) {
        tables.insert(tables.commands, "command", row.commandId(), row);
        replace(row, row.done(), row.result(), now);
        tables.hints.add(new FeedItem.CommandQueued(row.commandId()));
    }

    private void finish(Operation.FinishCommand finish) {
        CommandRow row = tables.require(tables.commands, "command", finish.commandId());
        if (row.done()) {
            throw MemoryTables.conflict("Command " + row.commandId() + " is done.");
        }
        replace(row, true, finish.result(), row.createdAtMillis());
    }

    private void replace(CommandRow old, boolean done, String result, long createdAt) {
        CommandRow changed =
                new CommandRow(
                        old.commandId(),
                        old.kind(),
                        old.target(),
                        old.principal(),
                        old.payload(),
                        done,
                        result,
                        createdAt);
        tables.put(tables.commands, old.commandId(), changed);
    }

    private void putDocument(Operation.PutDocument put) {
        String key = MemoryTables.documentKey(put.collection(), put.key());
        Document old = tables.documents.get(key);
        long version = old == null ? 1 : old.version() + 1;
        tables.put(
                tables.documents,
                key,
                new Document(put.collection(), put.key(), version, put.content(), now));
    }
}
