package palyra.retention.internal;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.core.journal.CommandRow;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.Unit;
import palyra.api.core.keys.Keys;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.JournalFactory;
import palyra.journal.internal.JournalSettings;
import palyra.journal.internal.SqliteJournal;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.shared.tape.TapeCodec;
import palyra.testing.journal.ManualClock;
import palyra.testing.journal.MemoryKeys;

/** A real journal under a clock of its own, and what runs leave in it. */
final class Store implements AutoCloseable {
    static final long BEGIN = 1_790_000_000_000L;

    final ManualClock clock;
    final SqliteJournal journal;
    final Gate<Journal> gate = new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    private int ids;

    Store(Path state) {
        this(state, new ManualClock(BEGIN), new MemoryKeys());
    }

    Store(Path state, ManualClock clock, Keys keys) {
        this.clock = clock;
        this.journal = JournalFactory.open(JournalSettings.under(state, ""), keys, clock);
        gate.add(journal, Map.of());
    }

    /** Returns an id of the clock's time. */
    String id() {
        return Ulids.firstAt(clock.millis()).substring(0, 21) + (ids++ + 10_000);
    }

    /** Records a run that has its message, so many pieces of streamed text, and its answer. */
    String run(String question, String answer, int tokens) {
        String runId = open(question, answer, tokens);
        end(runId, answer, OutboxRow.State.READABLE);
        return runId;
    }

    String open(String question, String answer, int tokens) {
        String sessionId = id();
        String runId = id();
        String messageId = id();
        Unit.Builder unit =
                Unit.builder()
                        .add(
                                new Operation.InsertSession(
                                        new SessionView(
                                                sessionId, "", "", "user:a", "", "", "", 0, 0, 0,
                                                "")))
                        .add(
                                new Operation.PutInbox(
                                        new InboxRow(
                                                messageId,
                                                "grpc",
                                                messageId,
                                                "user:a",
                                                json(question),
                                                InboxRow.State.ROUTED,
                                                runId,
                                                "",
                                                0)))
                        .add(
                                new Operation.InsertRun(
                                        runId,
                                        sessionId,
                                        "user:a",
                                        "main",
                                        "interactive",
                                        messageId,
                                        "grpc",
                                        RunState.RUNNING,
                                        1))
                        .add(
                                TapeCodec.append(
                                        runId,
                                        new TapeEvent.Message(
                                                TapeEvent.Role.USER,
                                                question,
                                                "user:a",
                                                "grpc",
                                                messageId)));
        for (int i = 0; i < tokens; i++) {
            unit.add(
                    TapeCodec.append(
                            runId, new TapeEvent.ModelToken(1, 1, answer + " piece " + i)));
        }
        journal.commit(unit.build());
        return runId;
    }

    void end(String runId, String answer, OutboxRow.State delivered) {
        String outboxId = id();
        String commandId = id();
        journal.commit(
                Unit.of(
                        TapeCodec.append(
                                runId,
                                new TapeEvent.Message(
                                        TapeEvent.Role.AGENT, answer, "main", "grpc", outboxId)),
                        new Operation.PutOutbox(
                                new OutboxRow(
                                        outboxId, runId, "grpc", json(answer), delivered, 0, 0, 0)),
                        new Operation.PutCommand(
                                new CommandRow(
                                        commandId,
                                        CommandRow.CANCEL_RUN,
                                        runId,
                                        "user:a",
                                        json("c"),
                                        false,
                                        "",
                                        0)),
                        new Operation.FinishCommand(commandId, "done"),
                        new Operation.MoveRun(
                                runId, EnumSet.of(RunState.RUNNING), RunState.SUCCEEDED, "")));
    }

    static byte[] json(String text) {
        return ("{\"text\":\"" + text + "\"}").getBytes(StandardCharsets.UTF_8);
    }

    List<TapeRecord> tape(String streamId) {
        return journal.tape(streamId, 0, 1_000);
    }

    /** Returns the records of a run that still have a payload. */
    List<String> whole(String runId) {
        return tape(runId).stream()
                .filter(record -> record.payload() != null)
                .map(TapeRecord::type)
                .toList();
    }

    /** Returns the events about removals. */
    List<String> events() {
        return tape(TapeRecord.JOURNAL_STREAM).stream()
                .filter(record -> record.type().equals(Sweep.EVENT))
                .map(record -> new String(record.payload(), StandardCharsets.UTF_8))
                .toList();
    }

    @Override
    public void close() {
        journal.close();
    }
}
