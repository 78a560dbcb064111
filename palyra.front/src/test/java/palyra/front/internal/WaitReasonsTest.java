package palyra.front.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.access.Principal;
import palyra.api.core.gateway.Intake;
import palyra.api.core.gateway.Setback;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.JournalStatus;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunEvent;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.testing.journal.MemoryKeys;
import palyra.testing.run.RecordingObserver;

/** Whoever asks for a run, or follows it, learns what it waits for. */
class WaitReasonsTest {
    private static final Ulids IDS = new Ulids();
    private static final Principal ALICE = People.person("alice", "integrator");

    @TempDir Path state;
    private final String sessionId = IDS.next();
    private Stage stage;
    private final Gate<Intake> intake = FakeIntake.absent();
    private final MemoryKeys keys = new MemoryKeys();
    private RunFront front;

    @BeforeEach
    void open() {
        stage = Stage.open(state);
        front =
                new RunFront(
                        stage.access,
                        stage.journalGate,
                        stage.feedGate,
                        intake,
                        new FrontSettings(10, 3));
        front.bindKeys(keys, Map.of());
        commit(
                new Operation.InsertSession(
                        new SessionView(sessionId, "k", "", ALICE.id(), "", "", "", 0, 0, 0, "")));
    }

    @AfterEach
    void close() {
        front.close();
        stage.close();
    }

    private void commit(Operation... operations) {
        stage.journal().commit(Unit.of(operations));
    }

    private String run(RunState state) {
        String runId = IDS.next();
        commit(
                new Operation.InsertRun(
                        runId,
                        sessionId,
                        ALICE.id(),
                        "main",
                        "interactive",
                        "",
                        "shell",
                        state,
                        1));
        return runId;
    }

    private void waits(String runId, String reason) {
        commit(
                new Operation.MoveRun(
                        runId, EnumSet.of(RunState.RUNNING), RunState.RUNNING, reason));
    }

    private String reasonOf(String runId) {
        return front.run(ALICE, runId).orElseThrow().reason();
    }

    @Test
    void queuedRunTellsItsPlaceAndWhatItIsBehind() {
        String going = run(RunState.RUNNING);
        waits(going, "openai/x is asked again at 2026-11-23T20:00:00Z");
        String first = run(RunState.ACCEPTED);
        String second = run(RunState.ACCEPTED);
        assertEquals(
                "queued in its session, number 1, behind run "
                        + going
                        + ", which is RUNNING (openai/x is asked again at 2026-11-23T20:00:00Z)",
                reasonOf(first));
        assertTrue(reasonOf(second).startsWith("queued in its session, number 2, behind run"));
        assertEquals(reasonOf(second), front.runs(ALICE, sessionId, "", 10).get(0).reason());
        commit(new Operation.MoveRun(going, EnumSet.of(RunState.RUNNING), RunState.SUCCEEDED, ""));
        assertTrue(reasonOf(first).contains("maxActiveRuns"), reasonOf(first));
        assertEquals("", reasonOf(going));
    }

    /** A run whose worker waits for the medium cannot say so in its row. */
    @Test
    void runningRunTellsThatNothingCanBeWritten() {
        String going = run(RunState.RUNNING);
        Gate<Journal> full = new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
        full.add(
                (Journal)
                        Proxy.newProxyInstance(
                                Journal.class.getClassLoader(),
                                new Class<?>[] {Journal.class},
                                (self, method, arguments) ->
                                        method.getName().equals("status")
                                                ? new JournalStatus(
                                                        JournalStatus.State.DISK_FULL,
                                                        "no space is left",
                                                        0,
                                                        0,
                                                        0,
                                                        1)
                                                : method.invoke(stage.journal(), arguments)),
                Map.of());
        Gate<Intake> intake = new Gate<>("The gateway", ErrorCode.GATEWAY_UNAVAILABLE, 0);
        try (RunFront other =
                new RunFront(
                        stage.access, full, stage.feedGate, intake, new FrontSettings(10, 3))) {
            assertEquals(
                    "waiting for the journal, which is DISK_FULL: no space is left",
                    other.run(ALICE, going).orElseThrow().reason());
        }
        assertEquals("", reasonOf(going));
    }

    @Test
    void runningRunTellsThatItsEndCannotBeSigned() {
        String going = run(RunState.RUNNING);
        assertEquals("", reasonOf(going));
        front.unbindKeys(keys);
        assertTrue(reasonOf(going).contains("the key store is away"), reasonOf(going));
        front.bindKeys(keys, Map.of());
        assertEquals("", reasonOf(going));
    }

    @Test
    void runThatWaitsForAnUnreadableQuestionTellsWhatEndsTheWait() {
        TestRun run = new TestRun(stage::journal, ALICE.id());
        Questions question = new Questions();
        commit(
                new Operation.PutApproval(question.row(run, new byte[] {-1})),
                new Operation.MoveRun(
                        run.runId,
                        EnumSet.of(RunState.RUNNING),
                        RunState.AWAITING_APPROVAL,
                        "waiting for a person"));
        String reason = reasonOf(run.runId);
        assertTrue(reason.startsWith("waiting for a person. Approval "), reason);
        assertTrue(
                reason.contains("palyra approvals decide " + question.approvalId + " --deny"),
                reason);
    }

    @Test
    void followerIsToldOfAWaitAndOfItsEnd() {
        String runId = run(RunState.RUNNING);
        RecordingObserver seen = new RecordingObserver();
        front.follow(ALICE, runId, 0, seen);
        waits(runId, "waiting for model provider openai");
        seen.awaitEvent(
                "the wait",
                event ->
                        event instanceof RunEvent.Waiting w
                                && w.state() == RunState.RUNNING
                                && w.reason().equals("waiting for model provider openai"));
        waits(runId, "");
        seen.awaitEvent(
                "its end", event -> event instanceof RunEvent.Waiting w && w.reason().isEmpty());
        long told = seen.events().stream().filter(RunEvent.Waiting.class::isInstance).count();
        assertEquals(2, told, "each once");
    }

    /** The gateway has it from where doctor, status and metrics have it. */
    @Test
    void runThatIsSetAsideTellsWhyAndWhenItIsTriedAgain() {
        String aside = run(RunState.RUNNING);
        String other = run(RunState.ACCEPTED);
        RecordingObserver seen = new RecordingObserver();
        front.follow(ALICE, aside, 0, seen);
        Setback setback = new Setback(Setback.Kind.RUN, aside, 2, "no worker", 1_000, 61_500);
        Setback message = new Setback(Setback.Kind.MESSAGE, other, 2, "not it", 0, 0);
        intake.add(
                new FakeIntake() {
                    @Override
                    public List<Setback> setbacks() {
                        return List.of(message, setback);
                    }
                },
                Map.of());
        String told =
                "Run '"
                        + aside
                        + "' failed 2 times and is tried again at 1970-01-01T00:01:01Z: no worker";
        assertEquals(told, reasonOf(aside));
        assertEquals(told, front.runs(ALICE, sessionId, "", 10).get(1).reason());
        assertTrue(reasonOf(other).startsWith("queued"), "a message is no run");
        seen.awaitEvent(
                "the reason",
                event -> event instanceof RunEvent.Waiting w && w.reason().equals(told));
    }

    @Test
    void whoFollowsLaterIsToldOfTheWaitToo() {
        String going = run(RunState.RUNNING);
        String queued = run(RunState.ACCEPTED);
        RecordingObserver seen = new RecordingObserver();
        front.follow(ALICE, queued, 0, seen);
        seen.awaitEvent(
                "its place",
                event -> event instanceof RunEvent.Waiting w && w.reason().contains(going));
    }
}
