package palyra.bench.turn;

import java.util.ArrayList;
import java.util.List;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;
import palyra.api.tape.TapeEvent;
import palyra.shared.hash.Ulids;
import palyra.shared.tape.TapeCodec;

/**
 * A run that an engine before left in the middle of a turn: twenty turns with a call each, nearly
 * all of whose records are streamed text, and every hundredth an event from outside.
 */
final class LongRun {
    private static final int TURNS = 20;
    private static final int GROUP = 500;
    private static final Ulids IDS = new Ulids();
    private static final String TEXT =
            "The quick brown fox jumps over the lazy dog and wonders what to do next. ";

    private final Journal journal;
    private final String runId = IDS.next();
    private final List<Operation> waiting = new ArrayList<>();
    private long records;

    private LongRun(Journal journal) {
        this.journal = journal;
    }

    /** Writes a run of about so many records, and returns its id. */
    static String plant(Journal journal, int records) {
        LongRun run = new LongRun(journal);
        run.begin();
        for (int turn = 1; turn <= TURNS; turn++) {
            run.turn(turn, records / TURNS, turn == TURNS);
        }
        run.flush();
        return run.runId;
    }

    /** Writes a run that was left in its first turn, in one unit, and returns its id. */
    static String plantFirstTurn(Journal journal) {
        LongRun run = new LongRun(journal);
        run.begin();
        run.turn(1, 10, true);
        run.flush();
        return run.runId;
    }

    private void begin() {
        String sessionId = IDS.next();
        waiting.add(
                new Operation.InsertSession(
                        new SessionView(
                                sessionId,
                                "long-" + sessionId,
                                "",
                                LightProduct.PRINCIPAL,
                                "",
                                "",
                                "",
                                0,
                                0,
                                0,
                                "")));
        waiting.add(
                new Operation.InsertRun(
                        runId,
                        sessionId,
                        LightProduct.PRINCIPAL,
                        "",
                        "interactive",
                        "",
                        "shell",
                        RunState.RUNNING,
                        0));
        say(new TapeEvent.RunStateChanged(RunState.ACCEPTED, null, ""));
        say(new TapeEvent.Message(TapeEvent.Role.USER, TEXT, LightProduct.PRINCIPAL, "shell", ""));
        say(new TapeEvent.RunStateChanged(RunState.RUNNING, null, ""));
    }

    private void turn(int turn, int size, boolean last) {
        String callId = runId + "/" + turn + "/0";
        say(new TapeEvent.TurnStarted(turn, 1, "", "deterministic", "", "", "", "", 16, records));
        for (int i = 0; i < size - 8; i++) {
            say(
                    i % 100 == 99
                            ? new TapeEvent.ExternalEvent(
                                    IDS.next(),
                                    "note",
                                    LightProduct.PRINCIPAL,
                                    "{\"note\":" + i + "}")
                            : new TapeEvent.ModelToken(turn, 1, TEXT));
        }
        if (last) {
            return;
        }
        ToolProposal proposal = new ToolProposal(callId, "test.tool", "{\"at\":" + turn + "}");
        say(new TapeEvent.TurnFinished(turn, 1, TEXT.repeat(20), "tool", List.of(proposal), 1, 1));
        say(
                new TapeEvent.ToolCallProposal(
                        callId, turn, 0, proposal.toolName(), proposal.inputJson()));
        say(
                new TapeEvent.ToolDecision(
                        callId,
                        proposal.toolName(),
                        TapeEvent.Verdict.ALLOW,
                        "",
                        "",
                        "BUILT_IN_RULES",
                        List.of(),
                        ""));
        say(new TapeEvent.ToolStarted(callId, 1, proposal.toolName(), ""));
        say(
                new TapeEvent.ToolCallOutput(
                        callId,
                        1,
                        proposal.toolName(),
                        TapeEvent.Outcome.SUCCEEDED,
                        "{\"said\":\"" + TEXT + "\"}",
                        ""));
    }

    private void say(TapeEvent event) {
        waiting.add(TapeCodec.append(runId, event));
        records++;
        if (waiting.size() >= GROUP) {
            flush();
        }
    }

    private void flush() {
        journal.commit(Unit.builder().addAll(waiting).build());
        waiting.clear();
    }
}
