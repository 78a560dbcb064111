package palyra.testing.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.TapeVerifier;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;
import palyra.api.tape.TapeRecord;
import palyra.shared.hash.Ulids;

/** What the rules work with. */
interface Rules {
    String ALICE = "user:alice";
    Ulids IDS = new Ulids();

    Journal journal();

    LiveFeed feed();

    TapeVerifier verifier();

    ManualClock clock();

    MemoryKeys keys();

    void reopen(String bootId);

    static byte[] json(String text) {
        return ("{\"text\":\"" + text + "\"}").getBytes(StandardCharsets.UTF_8);
    }

    static SessionView sessionView(String sessionId, String key) {
        return new SessionView(
                sessionId, key, "Label", ALICE, "phone", "chat", "main", 0, 0, 0, "");
    }

    static Operation.InsertRun insertRun(String runId, String sessionId, RunState state) {
        return new Operation.InsertRun(
                runId, sessionId, ALICE, "main", "interactive", "", "shell", state, 0);
    }

    static Operation.Append append(String streamId, String text) {
        return new Operation.Append(streamId, "model_token", 1, json(text));
    }

    static Operation.MoveRun move(String runId, RunState to) {
        return new Operation.MoveRun(runId, EnumSet.allOf(RunState.class), to, "");
    }

    default String newSession() {
        String sessionId = IDS.next();
        commit(new Operation.InsertSession(sessionView(sessionId, "key-" + sessionId)));
        return sessionId;
    }

    default String newRun(RunState state) {
        return newRun(newSession(), state);
    }

    default String newRun(String sessionId, RunState state) {
        String runId = IDS.next();
        commit(insertRun(runId, sessionId, state));
        return runId;
    }

    default void commit(Operation... operations) {
        journal().commit(Unit.of(operations));
    }

    default void commit(Precondition precondition, Operation... operations) {
        journal().commit(Unit.builder().require(precondition).addAll(List.of(operations)).build());
    }

    default RunState stateOf(String runId) {
        return journal().run(runId).orElseThrow().state();
    }

    default List<String> texts(String streamId) {
        return journal().tape(streamId, 0, 1_000).stream()
                .map(TapeRecord::payload)
                .map(payload -> new String(payload, StandardCharsets.UTF_8))
                .toList();
    }

    static void refused(ErrorCode code, Runnable what) {
        PalyraException thrown = assertThrows(PalyraException.class, what::run);
        assertEquals(code, thrown.code(), thrown.getMessage());
    }
}
