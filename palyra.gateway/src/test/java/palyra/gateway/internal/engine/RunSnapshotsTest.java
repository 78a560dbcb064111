package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.RunSnapshot;
import palyra.api.core.journal.Unit;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelMessage;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.gateway.internal.engine.run.RunSnapshots;
import palyra.gateway.internal.fold.RunHistory;
import palyra.gateway.internal.fold.Snapshot;
import palyra.shared.hash.Ulids;
import palyra.shared.tape.TapeCodec;
import palyra.testing.access.FakeAccess;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.tool.RecordingTool;
import palyra.testing.wait.Await;

/** When snapshots of runs are written, and when they are gone on from. */
class RunSnapshotsTest {
    private static final String TOKEN = "glpat-" + "x7Kq9ZmT2vLw4RbN8sYd";
    private static final String TOOL = "test.effect";
    private static final int BEFORE_PIECES = 4; // records of a planted run before its text
    private static final int MOST = RunSnapshot.MAX_BYTES;
    private static final int LONG = RunSnapshots.EVERY + 100;

    @TempDir Path state;

    private final String runId = new Ulids().next();
    private final ScriptedModelProvider model = new ScriptedModelProvider();
    private final RecordingTool tool = RecordingTool.withEffect(TOOL);
    private final PeopleAccess access = new PeopleAccess();
    private final List<Long> tapeReads = new CopyOnWriteArrayList<>(); // after which record
    private final List<RunSnapshot> written = new CopyOnWriteArrayList<>();
    private volatile CompletableFuture<Committed> heldBack; // in place of what writing one gives
    private LightGateway.Surroundings around;
    private LightGateway gateway;

    @BeforeEach
    void open() {
        around = new LightGateway.Surroundings(state, "boot", tool);
        gateway = gateway("boot/0", access).offering(TOOL);
        gateway.close();
    }

    @AfterEach
    void close() {
        gateway.close();
        model.close();
        around.close();
    }

    private LightGateway gateway(String owner, FakeAccess who) {
        tapeReads.clear();
        return new LightGateway(
                        around, model, owner, real -> WatchedJournal.of(real, this::watch), who)
                .awaitReady();
    }

    private Object watch(WatchedJournal.Call call) throws Throwable {
        if (call.of("tape") && call.arguments()[0].equals(runId)) {
            tapeReads.add((Long) call.arguments()[1]);
        }
        call.unit().stream()
                .flatMap(unit -> unit.operations().stream())
                .filter(Operation.PutSnapshot.class::isInstance)
                .forEach(put -> written.add(((Operation.PutSnapshot) put).snapshot()));
        return heldBack == null || !call.of("submit") || !isSnapshot(call)
                ? call.proceed()
                : heldBack;
    }

    private Journal journal() {
        return around.journal();
    }

    private static boolean isSnapshot(WatchedJournal.Call call) {
        return call.unit().orElseThrow().operations().getFirst() instanceof Operation.PutSnapshot;
    }

    private RunSnapshot snapshot() {
        return Await.value("a snapshot", () -> journal().snapshot(runId));
    }

    private static String content(RunSnapshot snapshot) {
        return new String(snapshot.content(), StandardCharsets.UTF_8);
    }

    /** Folds what the tape has, as an engine does that knows no snapshots. */
    private RunHistory folded(long upTo) {
        RunHistory history = new RunHistory();
        List<TapeRecord> page = journal().tape(runId, 0, 1_000);
        while (!page.isEmpty()) {
            page.stream()
                    .filter(record -> record.seq() <= upTo)
                    .forEach(r -> history.apply(r.seq(), r.timeMillis(), TapeCodec.event(r)));
            page = journal().tape(runId, page.getLast().seq(), 1_000);
        }
        return history;
    }

    private void plant(String text, int pieces) {
        Planted.streaming(journal(), runId, text, pieces);
    }

    private void put(int format, byte[] content, long seq) {
        journal()
                .commit(
                        Unit.of(
                                new Operation.PutSnapshot(
                                        new RunSnapshot(runId, seq, format, content))));
    }

    private void assertEndsWell(LightGateway by) {
        assertEquals(RunState.SUCCEEDED, by.ended(runId).state());
        assertEquals(Optional.empty(), journal().snapshot(runId));
        assertTrue(around.opened.verifyStream(runId, () -> false).intact());
    }

    private List<ModelMessage> lastAsked() {
        return model.requests().getLast().messages();
    }

    @Test
    void aLongRunIsTakenUpFromItsSnapshotAndTheRecordsAfterIt() {
        plant("hello", LONG);
        model.hold();
        gateway = gateway("boot/1", access);
        RunSnapshot snapshot = snapshot();
        assertEquals(BEFORE_PIECES + LONG, snapshot.seq());
        assertEquals(
                content(snapshot),
                Snapshot.write(folded(snapshot.seq()), MOST)
                        .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                        .orElseThrow());
        Await.until("the model to be asked", () -> model.requests().size() == 1);
        List<ModelMessage> asked = lastAsked();
        gateway.close();

        model.answer("done");
        gateway = gateway("boot/2", access);
        assertEndsWell(gateway);
        assertTrue(tapeReads.stream().allMatch(after -> after >= snapshot.seq()), "" + tapeReads);
        assertFalse(tapeReads.isEmpty());
        assertEquals(asked, lastAsked());
        assertEquals(1, written.size(), "none after so few records");
    }

    /** The fold knows it from its place; that it is damaged is for whoever verifies. */
    @Test
    void streamedTextIsNotReadToBeFolded() {
        plant("hello", 1);
        byte[] damaged = "no JSON".getBytes(StandardCharsets.UTF_8);
        journal().commit(Unit.of(new Operation.Append(runId, "model_token", 1, damaged)));
        model.answer("done");
        gateway = gateway("boot/1", access);
        assertEndsWell(gateway);
    }

    @Test
    void aShortRunHasNone() {
        plant("hello", RunSnapshots.EVERY - 100);
        model.answer("done");
        gateway = gateway("boot/1", access);
        assertEndsWell(gateway);
        assertEquals(List.of(), written);
    }

    @Test
    void onlySoManyAreOnTheirWayAtOnce() {
        heldBack = new CompletableFuture<>();
        tool.holding();
        model.otherwise(
                request ->
                        request.messages().getLast() instanceof ModelMessage.ToolOutput
                                ? List.of(new ModelEvent.Finished("stop", 1, 1))
                                : List.of(
                                        new ModelEvent.Proposed(new ToolProposal("", TOOL, "{}")),
                                        new ModelEvent.Finished("tool_calls", 1, 1)));
        int runs = RunSnapshots.MOST_UNDER_WAY + 2;
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
            ids.add(new Ulids().next());
            Planted.streaming(journal(), ids.getLast(), "hello", LONG);
        }
        gateway = gateway("boot/1", access);
        tool.awaitCalls(runs);
        assertEquals(RunSnapshots.MOST_UNDER_WAY, written.size());
        heldBack.complete(new Committed(false, new byte[0], List.of()));
        tool.release();
        ids.forEach(id -> assertEquals(RunState.SUCCEEDED, gateway.ended(id).state()));
        assertEquals(ids.size(), written.stream().map(RunSnapshot::runId).distinct().count());
    }

    /** Writing it again and again would cost more than reading the tape. */
    @Test
    void aLargeOneIsWrittenLessOften() {
        int pieces = 2 * RunSnapshots.EVERY;
        plant("word ".repeat(pieces * RunSnapshots.BYTES_A_RECORD / 5), pieces);
        long seq = BEFORE_PIECES;
        put(Snapshot.FORMAT, Snapshot.write(folded(seq), MOST).orElseThrow(), seq);
        model.answer("done");
        gateway = gateway("boot/1", access);
        assertEndsWell(gateway);
        assertEquals(seq, tapeReads.getFirst());
        assertEquals(List.of(), written);
    }

    @Test
    void oneThatIsTooLargeIsNotWritten() {
        plant("word ".repeat(MOST / 5), LONG);
        model.answer("done");
        gateway = gateway("boot/1", access);
        assertEndsWell(gateway);
        assertEquals(List.of(), written);
    }

    @Test
    void whatThisEngineDoesNotReadIsIgnored() {
        plant("hello", LONG);
        long seq = 10;
        byte[] right = Snapshot.write(folded(seq), MOST).orElseThrow();
        byte[] early = Snapshot.write(folded(seq - 1), MOST).orElseThrow();
        List<Runnable> wrong =
                List.of(
                        () -> put(Snapshot.FORMAT + 1, right, seq),
                        () -> put(Snapshot.FORMAT, new byte[] {1}, seq),
                        () -> put(Snapshot.FORMAT, early, seq));
        for (int i = 0; i < wrong.size(); i++) {
            wrong.get(i).run();
            model.hold();
            int asked = i + 1;
            gateway = gateway("boot/" + asked, access);
            Await.until("the model to be asked", () -> model.requests().size() == asked);
            assertEquals(0, tapeReads.getFirst(), "read from the beginning: " + i);
            gateway.close();
        }
        put(Snapshot.FORMAT, right, seq);
        model.answer("done");
        gateway = gateway("boot/9", access);
        assertEndsWell(gateway);
        assertEquals(seq, tapeReads.getFirst());
    }

    @Test
    void aSnapshotWithASecretThatIsKnownByNowIsIgnored() {
        plant("mine is " + TOKEN, LONG); // as an older gateway wrote it
        put(Snapshot.FORMAT, Snapshot.write(folded(10), MOST).orElseThrow(), 10);
        assertTrue(content(snapshot()).contains(TOKEN));
        model.answer("done");
        gateway = gateway("boot/1", access);
        assertEndsWell(gateway);
        assertEquals(0, tapeReads.getFirst());
        assertFalse(lastAsked().toString().contains(TOKEN), lastAsked()::toString);
        assertTrue(lastAsked().toString().contains("⟦secret:gitlab-pat:1⟧"));
    }

    @Test
    void noSnapshotHoldsTheExactInputOfACallThatTheTapeKeepsSealed() {
        plant("hello", RunSnapshots.EVERY - BEFORE_PIECES - 3); // due with the proposal
        model.propose(TOOL, "{\"token\":\"" + TOKEN + "\"}");
        model.hold();
        gateway = gateway("boot/1", access);
        snapshot(); // in the next turn
        assertTrue(tool.calls().getFirst().inputJson().contains(TOKEN), "the tool gets it");
        assertEquals(2, folded(written.getFirst().seq()).turn());
        written.forEach(one -> assertFalse(content(one).contains(TOKEN)));
    }

    @Test
    void aRunThatWaitsForPeopleIsTakenUpFromItsSnapshot() {
        plant("hello", RunSnapshots.EVERY_WAIT);
        model.propose(TOOL, "{\"n\":1}");
        PeopleAccess asks = new PeopleAccess(TOOL);
        gateway = gateway("boot/1", asks);
        Answers people = new Answers(journal());
        assertEquals(1, people.waiting(runId).size());
        RunSnapshot snapshot = snapshot();
        assertEquals(journal().headSeq(runId), snapshot.seq());
        gateway.close();

        model.answer("done");
        gateway = gateway("boot/2", asks);
        people.yes(people.open(runId).getFirst(), Answers.Yes.once());
        assertEndsWell(gateway);
        assertEquals(1, tool.calls().size());
        assertTrue(tapeReads.stream().allMatch(after -> after >= snapshot.seq()), "" + tapeReads);
    }

    /** A fold that goes on from it fails; the tape is what counts. */
    @Test
    void aSnapshotThatLeadsNowhereIsGivenUp() {
        plant("hello", RunSnapshots.EVERY_WAIT);
        long seq = journal().headSeq(runId) + 2;
        byte[] wrong = afterTwoThatProposeNothing();
        ToolProposal call = new ToolProposal(runId + ".1.0", TOOL, "{\"n\":1}");
        append(
                new TapeEvent.TurnFinished(1, 1, "", "tool", List.of(call), 1, 1),
                new TapeEvent.ToolCallProposal(call.callId(), 1, 0, TOOL, call.inputJson()),
                new TapeEvent.ToolDecision(
                        call.callId(),
                        TOOL,
                        TapeEvent.Verdict.ALLOW,
                        "c",
                        "r",
                        "POLICY",
                        List.of(),
                        ""));
        put(Snapshot.FORMAT, wrong, seq);
        model.answer("done");
        gateway = gateway("boot/1", access);
        assertEndsWell(gateway);
        assertEquals(seq, tapeReads.getFirst());
        assertTrue(tapeReads.contains(0L), "" + tapeReads);
        assertEquals(1, tool.calls().size());
    }

    private byte[] afterTwoThatProposeNothing() {
        RunHistory history = folded(Long.MAX_VALUE);
        for (int i = 0; i < 2; i++) {
            history.apply(history.seq() + 1, 1, new TapeEvent.ModelToken(1, 1, ""));
        }
        return Snapshot.write(history, MOST).orElseThrow();
    }

    private void append(TapeEvent... events) {
        List<Operation> appends = new ArrayList<>();
        for (TapeEvent event : events) {
            appends.add(TapeCodec.append(runId, event));
        }
        journal().commit(Unit.builder().addAll(appends).build());
    }
}
