package palyra.tracing.internal;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxProgress;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.Unit;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.shared.hash.Ulids;
import palyra.shared.tape.TapeCodec;
import palyra.testing.journal.ManualClock;
import palyra.testing.journal.MemoryJournal;

/**
 * A run of a message of a chat platform in a journal; each record is 10 ms after the one before.
 */
final class RecordedRun {
    /** In each text that a person, a model or a tool writes. */
    static final String CANARY = "Kanarienvogel";

    static final String SURFACE = "telegram:main";
    static final int STEP = 10;

    private static final Ulids IDS = new Ulids();

    final String messageId = IDS.next();
    final String runId = IDS.next();
    final String sessionId = IDS.next();
    final String approvalId = IDS.next();
    private final MemoryJournal journal;
    private final ManualClock clock;

    RecordedRun(MemoryJournal journal, ManualClock clock) {
        this.journal = journal;
        this.clock = clock;
    }

    String call(int turn, int index) {
        return runId + "." + turn + "." + index;
    }

    /** The message comes, and the run is accepted a step later. */
    RecordedRun begin() {
        journal.commit(
                Unit.of(
                        new Operation.InsertSession(
                                new SessionView(
                                        sessionId,
                                        CANARY + sessionId,
                                        CANARY,
                                        "user:" + CANARY,
                                        "",
                                        "",
                                        "",
                                        0,
                                        0,
                                        0,
                                        "")),
                        new Operation.PutInbox(
                                new InboxRow(
                                        messageId,
                                        SURFACE,
                                        messageId,
                                        "user:" + CANARY,
                                        json(),
                                        InboxRow.State.QUEUED,
                                        runId,
                                        "",
                                        0,
                                        CANARY,
                                        CANARY))));
        clock.advance(STEP);
        journal.commit(
                Unit.of(
                        new Operation.InsertRun(
                                runId,
                                sessionId,
                                "user:" + CANARY,
                                "main",
                                "interactive",
                                messageId,
                                SURFACE,
                                RunState.ACCEPTED,
                                0),
                        new Operation.SettleInbox(messageId, InboxRow.State.ROUTED, runId, ""),
                        append(new TapeEvent.RunStateChanged(RunState.ACCEPTED, null, ""))));
        tape(
                new TapeEvent.Message(
                        TapeEvent.Role.USER, CANARY, "user:" + CANARY, SURFACE, messageId));
        move(RunState.ACCEPTED, RunState.RUNNING);
        return this;
    }

    /** A turn with three calls: one that succeeds, one that is approved and fails, one denied. */
    RecordedRun work() {
        tape(turn(1, 1));
        List<ToolProposal> calls = new ArrayList<>();
        List<String> tools = List.of("palyra.file.read", "palyra.process.run", "do " + CANARY);
        for (int i = 0; i < tools.size(); i++) {
            calls.add(new ToolProposal(call(1, i), tools.get(i), "{\"a\":\"" + CANARY + "\"}"));
        }
        tape(new TapeEvent.TurnFinished(1, 1, CANARY, "tool_" + CANARY, calls, 120, 34));
        for (int i = 0; i < tools.size(); i++) {
            tape(
                    new TapeEvent.ToolCallProposal(
                            call(1, i), 1, i, tools.get(i), calls.get(i).inputJson()));
        }
        decide(0, tools.get(0), Verdict.ALLOW);
        tape(new TapeEvent.ToolStarted(call(1, 0), 1, tools.get(0), "ab"));
        output(0, tools.get(0), Outcome.SUCCEEDED, 1);
        decide(1, tools.get(1), Verdict.APPROVAL_REQUIRED);
        tape(
                new TapeEvent.ApprovalRequest(
                        approvalId, call(1, 1), "{\"why\":\"" + CANARY + "\"}", 1, "ab", 2));
        move(RunState.RUNNING, RunState.AWAITING_APPROVAL);
        tape(
                new TapeEvent.ApprovalDecision(
                        approvalId,
                        call(1, 1),
                        true,
                        "once",
                        "user:" + CANARY,
                        CANARY,
                        "exact",
                        "",
                        List.of("user:" + CANARY)));
        move(RunState.AWAITING_APPROVAL, RunState.RUNNING);
        decide(1, tools.get(1), Verdict.ALLOW);
        tape(new TapeEvent.ToolStarted(call(1, 1), 1, tools.get(1), "ab"));
        output(1, tools.get(1), Outcome.FAILED, 1);
        decide(2, tools.get(2), Verdict.DENY);
        output(2, tools.get(2), Outcome.DENIED, 0);
        return this;
    }

    /** A turn that is lost once and answers. */
    RecordedRun answer(int number) {
        tape(turn(number, 1));
        tape(new TapeEvent.ModelToken(number, 1, CANARY));
        tape(new TapeEvent.TurnRestarted(number, 2, CANARY));
        tape(turn(number, 2));
        tape(new TapeEvent.ExternalEvent(IDS.next(), CANARY, CANARY, "{}"));
        tape(
                new TapeEvent.TurnFinished(
                        number, 2, CANARY, "stop", List.of(), 200, 50, "provider", 80, 0, ""));
        return this;
    }

    /** Ends, with an answer that has that state; returns the id of the answer. */
    String end(RunState state, OutboxRow.State answer) {
        String outboxId = IDS.next();
        boolean failed = state == RunState.FAILED;
        journal.commit(
                Unit.of(
                        new Operation.MoveRun(
                                runId, EnumSet.of(RunState.RUNNING), state, failed ? CANARY : ""),
                        append(
                                new TapeEvent.RunStateChanged(
                                        state,
                                        failed ? ErrorCode.MODEL_UNAVAILABLE : null,
                                        failed ? CANARY : "")),
                        new Operation.PutOutbox(
                                new OutboxRow(
                                        outboxId,
                                        runId,
                                        SURFACE,
                                        CANARY,
                                        json(),
                                        answer,
                                        OutboxProgress.NONE,
                                        0,
                                        0))));
        clock.advance(STEP);
        return outboxId;
    }

    void moveAnswer(
            String outboxId, OutboxRow.State from, OutboxRow.State to, OutboxProgress progress) {
        journal.commit(Unit.of(new Operation.MoveOutbox(outboxId, from, to, progress)));
        clock.advance(STEP);
    }

    private TapeEvent turn(int number, int attempt) {
        return new TapeEvent.TurnStarted(
                number, attempt, "main", "openai", "org/model-4:8b", "", "", "", 8, 2);
    }

    private void decide(int index, String tool, Verdict verdict) {
        tape(
                new TapeEvent.ToolDecision(
                        call(1, index),
                        tool,
                        verdict,
                        verdict == Verdict.DENY ? "tool.not_allowlisted" : "policy",
                        CANARY,
                        "POLICY",
                        List.of(CANARY),
                        "ab"));
    }

    private void output(int index, String tool, Outcome outcome, int attempt) {
        tape(
                new TapeEvent.ToolCallOutput(
                        call(1, index), attempt, tool, outcome, "\"" + CANARY + "\"", CANARY));
    }

    private void move(RunState from, RunState to) {
        journal.commit(
                Unit.of(
                        new Operation.MoveRun(runId, EnumSet.of(from), to, ""),
                        append(new TapeEvent.RunStateChanged(to, null, ""))));
        clock.advance(STEP);
    }

    void tape(TapeEvent event) {
        journal.commit(Unit.of(append(event)));
        clock.advance(STEP);
    }

    private Operation append(TapeEvent event) {
        return TapeCodec.append(runId, event);
    }

    private static byte[] json() {
        return ("{\"text\":\"" + CANARY + "\"}").getBytes(StandardCharsets.UTF_8);
    }
}
