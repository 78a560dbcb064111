package palyra.front.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.core.gateway.Intake;
import palyra.api.core.journal.CommandRow;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.run.AppendedEvent;
import palyra.api.run.RunObserver;
import palyra.api.run.RunState;
import palyra.api.run.RunView;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.shared.run.SubmissionCodec;
import palyra.shared.tape.TapeCodec;

class RunFrontTest {
    private static final Principal ALICE = People.person("alice", "integrator");
    private static final Principal BOB = People.person("bob", "integrator");
    private static final Principal VIEWER = People.person("vic", "viewer");
    private static final Principal OPERATOR = People.person("op", "operator");
    private static final RunObserver IGNORES = event -> {};

    @TempDir Path state;
    private final Gate<Intake> intake = new Gate<>("The gateway", ErrorCode.GATEWAY_UNAVAILABLE, 0);
    private final Ulids ids = new Ulids();
    private Stage stage;
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
                        new FrontSettings(5, 3));
    }

    @AfterEach
    void close() {
        front.close();
        stage.close();
    }

    private static SubmittedMessage message(String dedupeKey, String text) {
        return new SubmittedMessage("shell", dedupeKey, "", "", "", "", "", text, "", false);
    }

    private static ErrorCode codeOf(Runnable action) {
        return assertThrows(PalyraException.class, action::run).code();
    }

    private InboxRow inbox(Submission submission) {
        return stage.journal().inbox(submission.messageId()).orElseThrow();
    }

    private TestRun run(Principal principal) {
        return new TestRun(stage::journal, principal.id());
    }

    @Test
    void aMessageWaitsInTheInboxWhileTheGatewayIsAway() {
        Submission submission = front.submit(ALICE, message("", "hello"));
        assertEquals("", submission.runId());
        assertFalse(submission.duplicate());
        InboxRow row = inbox(submission);
        assertEquals(InboxRow.State.QUEUED, row.state());
        assertEquals(ALICE.id(), row.principal());
        assertEquals("hello", SubmissionCodec.message(row.payload()).text());
        assertEquals(1, permits("run.start"));
        assertNotEquals(
                submission.messageId(), front.submit(ALICE, message("", "hello")).messageId());
    }

    private long permits(String action) {
        return stage.journal().tape(TapeRecord.JOURNAL_STREAM, 0, 1_000).stream()
                .filter(record -> record.type().equals("access_decision"))
                .filter(
                        record ->
                                new String(record.payload(), StandardCharsets.UTF_8)
                                        .contains("\"" + action + "\""))
                .count();
    }

    @Test
    void aMessageThatCannotBeAnsweredSaysWhy() {
        Submission sent = front.submit(ALICE, message("", "hello"));
        assertEquals("", front.submission(ALICE, sent.messageId()).runId());
        stage.journal()
                .commit(
                        Unit.of(
                                new Operation.SettleInbox(
                                        sent.messageId(),
                                        InboxRow.State.REJECTED,
                                        "",
                                        "there is no agent x")));
        PalyraException refused =
                assertThrows(
                        PalyraException.class, () -> front.submission(ALICE, sent.messageId()));
        assertTrue(refused.getMessage().contains("there is no agent x"), refused.getMessage());
    }

    @Test
    void messageSentAgainAfterItWasRejectedIsToldTheReasonAndNotLeftToWait() {
        Submission sent = front.submit(ALICE, message("k1", "hello"));
        stage.journal()
                .commit(
                        Unit.of(
                                new Operation.SettleInbox(
                                        sent.messageId(),
                                        InboxRow.State.REJECTED,
                                        "",
                                        "it cannot be read back.")));
        PalyraException refused =
                assertThrows(
                        PalyraException.class, () -> front.submit(ALICE, message("k1", "hello")));
        assertTrue(refused.getMessage().contains("it cannot be read back"), refused.getMessage());
        assertEquals(List.of(), stage.journal().inboxIn(InboxRow.State.QUEUED, "", 10));
    }

    @Test
    void runWhoseRowIsLostIsToldAsDamagedToItsOwnerAndUnknownToOthers() {
        String runId = ids.next();
        stage.journal()
                .commit(
                        Unit.of(
                                new Operation.PutInbox(
                                        new InboxRow(
                                                ids.next(),
                                                "shell",
                                                "",
                                                ALICE.id(),
                                                new byte[1],
                                                InboxRow.State.ROUTED,
                                                runId,
                                                "",
                                                0))));
        assertEquals(ErrorCode.CORRUPT, codeOf(() -> front.run(ALICE, runId)));
        assertEquals(ErrorCode.CORRUPT, codeOf(() -> front.tape(ALICE, runId, 0, 10)));
        assertEquals(Optional.empty(), front.run(BOB, runId));
        assertEquals(Optional.empty(), front.run(ALICE, ids.next()));
    }

    @Test
    void theSameMessageIsAcceptedOnce() {
        Submission first = front.submit(ALICE, message("k1", "hello"));
        Submission again = front.submit(ALICE, message("k1", "hello"));
        assertEquals(first.messageId(), again.messageId());
        assertTrue(again.duplicate());
        assertEquals(
                ErrorCode.IDEMPOTENCY_MISMATCH,
                codeOf(() -> front.submit(ALICE, message("k1", "something else"))));
        assertEquals(1, stage.journal().inboxIn(InboxRow.State.QUEUED, "", 100).size());
    }

    @Test
    void nobodyTakesADedupeKeyAwayFromSomebodyElse() {
        Submission alices = front.submit(ALICE, message("k1", "hello"));
        Submission bobs = front.submit(BOB, message("k1", "hello"));
        assertNotEquals(alices.messageId(), bobs.messageId());
        assertFalse(bobs.duplicate());
    }

    @Test
    void aKeyRacedByManyIsOneMessage() throws Exception {
        List<Callable<String>> senders =
                IntStream.range(0, 16)
                        .mapToObj(
                                i ->
                                        (Callable<String>)
                                                () ->
                                                        front.submit(ALICE, message("race", "hi"))
                                                                .messageId())
                        .toList();
        Set<String> accepted = new HashSet<>();
        try (var threads = Executors.newFixedThreadPool(16)) {
            for (var sent : threads.invokeAll(senders, 60, TimeUnit.SECONDS)) {
                accepted.add(sent.get());
            }
        }
        assertEquals(1, accepted.size());
    }

    @Test
    void theQueueIsBounded() {
        for (int i = 0; i < 5; i++) {
            front.submit(ALICE, message("", "m" + i));
        }
        assertEquals(
                ErrorCode.RESOURCE_EXHAUSTED, codeOf(() -> front.submit(ALICE, message("", "m"))));
        front.settings(new FrontSettings(6, 3));
        front.submit(ALICE, message("", "m"));
    }

    @Test
    void anUnusableMessageChangesNothing() {
        assertEquals(
                ErrorCode.INVALID_ARGUMENT,
                codeOf(() -> front.submit(ALICE, message("x".repeat(300), "hello"))));
        assertEquals(
                ErrorCode.INVALID_ARGUMENT,
                codeOf(() -> front.submit(ALICE, message("", "half \ud83d"))));
        assertEquals(ErrorCode.DENIED, codeOf(() -> front.submit(VIEWER, message("", "hello"))));
        assertEquals(List.of(), stage.journal().inboxIn(InboxRow.State.QUEUED, "", 10));
    }

    /** A gateway that routes, and then fails as the test says. */
    private final class RoutingIntake extends FakeIntake {
        private final RuntimeException before;
        private final RuntimeException after;
        private String runId = "";

        RoutingIntake(RuntimeException before, RuntimeException after) {
            this.before = before;
            this.after = after;
        }

        @Override
        public Submission accept(InboxRow row, SubmittedMessage message, List<Operation> records) {
            if (before != null) {
                throw before;
            }
            TestRun made = run(ALICE);
            runId = made.runId;
            stage.journal()
                    .commit(
                            Unit.builder()
                                    .add(new Operation.PutInbox(TestRun.routed(row, runId)))
                                    .addAll(records)
                                    .build());
            if (after != null) {
                throw after;
            }
            return new Submission(row.messageId(), runId, made.sessionId, false);
        }
    }

    @Test
    void aMessageGoesStraightThroughAGatewayThatIsThere() {
        RoutingIntake gateway = new RoutingIntake(null, null);
        intake.add(gateway, Map.of());
        Submission submission = front.submit(ALICE, message("k", "hello"));
        assertEquals(gateway.runId, submission.runId());
        assertEquals(InboxRow.State.ROUTED, inbox(submission).state());
        assertEquals(submission.runId(), front.submission(ALICE, submission.messageId()).runId());
        assertEquals(1, permits("run.start"));
    }

    @Test
    void aGatewayThatCannotTakeItLeavesItToTheInbox() {
        intake.add(
                new RoutingIntake(
                        new PalyraException(ErrorCode.GATEWAY_UNAVAILABLE, "stopping"), null),
                Map.of());
        assertEquals(
                InboxRow.State.QUEUED, inbox(front.submit(ALICE, message("k", "hello"))).state());
    }

    @Test
    void aRefusalOfTheGatewayIsTheAnswer() {
        intake.add(
                new RoutingIntake(new PalyraException(ErrorCode.NOT_FOUND, "no such agent"), null),
                Map.of());
        assertEquals(ErrorCode.NOT_FOUND, codeOf(() -> front.submit(ALICE, message("k", "hi"))));
        assertEquals(List.of(), stage.journal().inboxIn(InboxRow.State.QUEUED, "", 10));
    }

    @Test
    void aGatewayThatBreaksAfterItTookTheMessageDoesNotMakeTwoOfIt() {
        for (String key : List.of("", "k")) {
            RoutingIntake gateway = new RoutingIntake(null, new IllegalStateException("stopped"));
            intake.add(gateway, Map.of());
            Submission submission = front.submit(ALICE, message(key, "hello"));
            assertEquals(gateway.runId, submission.runId());
            assertEquals(List.of(), stage.journal().inboxIn(InboxRow.State.QUEUED, "", 10));
            intake.remove(gateway);
        }
    }

    @Test
    void nobodyGoesOnWithSomebodyElsesSession() {
        TestRun alices = run(ALICE);
        SubmittedMessage into =
                new SubmittedMessage(
                        "shell", "", alices.sessionId, "", "", "", "", "hi", "", false);
        String foreign = sentence(() -> front.submit(BOB, into));
        SubmittedMessage nowhere =
                new SubmittedMessage("shell", "", ids.next(), "", "", "", "", "hi", "", false);
        String missing = sentence(() -> front.submit(BOB, nowhere));
        assertEquals(
                foreign.replace(alices.sessionId, "ID"),
                missing.replace(nowhere.sessionId(), "ID"));
        front.submit(ALICE, into);
    }

    private static String sentence(Runnable action) {
        PalyraException refused = assertThrows(PalyraException.class, action::run);
        assertEquals(ErrorCode.NOT_FOUND, refused.code());
        return refused.getMessage();
    }

    @Test
    void whatIsSomebodyElsesLooksAsIfItWereNotThere() {
        TestRun alices = run(ALICE);
        Submission sent = front.submit(ALICE, message("", "hello"));
        assertEquals(Optional.empty(), front.run(BOB, alices.runId));
        assertEquals(Optional.empty(), front.session(BOB, alices.sessionId));
        String missing = ids.next();
        assertEquals(
                sentence(() -> front.cancel(BOB, missing, "")).replace(missing, "ID"),
                sentence(() -> front.cancel(BOB, alices.runId, "")).replace(alices.runId, "ID"));
        sentence(() -> front.appendEvent(BOB, alices.runId, "", "note", "1"));
        sentence(() -> front.archiveSession(BOB, alices.sessionId));
        sentence(() -> front.follow(BOB, alices.runId, 0, IGNORES));
        sentence(() -> front.submission(BOB, sent.messageId()));
        assertEquals(List.of(), front.runs(BOB, "", "", 10));
        assertEquals(List.of(), front.runs(BOB, alices.sessionId, "", 10));
        assertEquals(List.of(), front.sessions(BOB, "", "", 10, true));
        assertEquals(List.of(), stage.journal().pendingCommands("", 10));

        for (Principal allowed : List.of(ALICE, OPERATOR)) {
            assertEquals(alices.runId, front.run(allowed, alices.runId).orElseThrow().runId());
            assertTrue(front.session(allowed, alices.sessionId).isPresent());
            assertEquals(1, front.runs(allowed, "", "", 10).size());
            assertEquals(1, front.sessions(allowed, "", "", 10, false).size());
            assertEquals(sent.messageId(), front.submission(allowed, sent.messageId()).messageId());
        }
    }

    @Test
    void whoMayNotEvenTouchHisOwnIsToldSo() {
        TestRun alices = run(ALICE);
        assertEquals(ErrorCode.DENIED, codeOf(() -> front.cancel(VIEWER, alices.runId, "")));
        assertEquals(ErrorCode.DENIED, codeOf(() -> front.cancel(VIEWER, ids.next(), "")));
        Principal nobody = People.person("nob");
        assertEquals(ErrorCode.DENIED, codeOf(() -> front.run(nobody, alices.runId)));
        assertEquals(ErrorCode.DENIED, codeOf(() -> front.runs(nobody, "", "", 10)));
    }

    @Test
    void aCancellationIsADurableCommandAndOneIsEnough() {
        TestRun run = run(ALICE);
        assertTrue(front.cancel(ALICE, run.runId, "changed my mind"));
        assertTrue(front.cancel(OPERATOR, run.runId, "me too"));
        List<CommandRow> commands = stage.journal().pendingCommands("", 10);
        assertEquals(1, commands.size());
        assertEquals(CommandRow.CANCEL_RUN, commands.get(0).kind());
        assertEquals(run.runId, commands.get(0).target());
        assertEquals(ALICE.id(), commands.get(0).principal());
        assertEquals(
                "{\"reason\":\"changed my mind\"}",
                new String(commands.get(0).payload(), StandardCharsets.UTF_8));
        assertEquals(1, permits("run.cancel"));
        run.end(RunState.SUCCEEDED);
        assertFalse(front.cancel(ALICE, run.runId, ""));
        assertEquals(
                ErrorCode.INVALID_ARGUMENT,
                codeOf(() -> front.cancel(ALICE, run.runId, "x".repeat(1_001))));
        assertEquals(ErrorCode.INVALID_ARGUMENT, codeOf(() -> front.cancel(ALICE, "nonsense", "")));
    }

    @Test
    void anEventGoesOntoTheTapeOnce() {
        TestRun run = run(ALICE);
        String id = ids.next();
        String content = "{ \"b\" : 1,  \"a\" : \"\\u00e9\" }";
        AppendedEvent first = front.appendEvent(ALICE, run.runId, id, "note", content);
        assertTrue(first.onTape());
        assertEquals(2, first.seq());
        run.write(TestRun.started(1, 1));
        assertEquals(first, front.appendEvent(ALICE, run.runId, id, "note", content));
        assertEquals(
                ErrorCode.IDEMPOTENCY_MISMATCH,
                codeOf(() -> front.appendEvent(ALICE, run.runId, id, "note", "{}")));
        List<TapeRecord> tape = stage.journal().tape(run.runId, 0, 100);
        assertEquals(3, tape.size());
        assertEquals(
                new TapeEvent.ExternalEvent(id, "note", ALICE.id(), content),
                TapeCodec.event(tape.get(1)));
        AppendedEvent chosen = front.appendEvent(ALICE, run.runId, "", "note", "1");
        assertTrue(Ulids.isUlid(chosen.eventId()));
        assertEquals(2, permits("event.append"));
    }

    @Test
    void keepsTheActorOfAnEventOnTheTapeAndInTheJournal() {
        TestRun run = run(ALICE);
        String id = ids.next();
        front.appendEvent(ALICE, run.runId, id, "note", "1", "plugin");
        TapeRecord record = stage.journal().tape(run.runId, 1, 1).get(0);
        assertEquals(
                new TapeEvent.ExternalEvent(id, "note", ALICE.id(), "1", "plugin"),
                TapeCodec.event(record));
        assertEquals(
                ErrorCode.IDEMPOTENCY_MISMATCH,
                codeOf(() -> front.appendEvent(ALICE, run.runId, id, "note", "1", "user")));
        assertEquals(
                ErrorCode.INVALID_ARGUMENT,
                codeOf(() -> front.appendEvent(ALICE, run.runId, "", "note", "1", "agent")));
        run.end(RunState.SUCCEEDED);
        AppendedEvent late = front.appendEvent(ALICE, run.runId, "", "note", "2", "user");
        TapeRecord kept = stage.journal().tape(TapeRecord.JOURNAL_STREAM, late.seq() - 1, 1).get(0);
        String payload = new String(kept.payload(), StandardCharsets.UTF_8);
        assertTrue(payload.contains("\"actor\":\"user\""), payload);
    }

    @Test
    void anEventAfterTheEndBecomesOneOfTheJournal() {
        TestRun run = run(ALICE);
        String onTape = ids.next();
        AppendedEvent before = front.appendEvent(ALICE, run.runId, onTape, "note", "1");
        run.end(RunState.SUCCEEDED);
        String late = ids.next();
        AppendedEvent after = front.appendEvent(ALICE, run.runId, late, "note", "[2]");
        assertFalse(after.onTape());
        TapeRecord record =
                stage.journal().tape(TapeRecord.JOURNAL_STREAM, after.seq() - 1, 1).get(0);
        assertEquals("external_event", record.type());
        assertEquals(
                "{\"contentJson\":\"[2]\",\"eventId\":\""
                        + late
                        + "\",\"kind\":\"note\",\"principal\":\"user:alice\",\"runId\":\""
                        + run.runId
                        + "\"}",
                new String(record.payload(), StandardCharsets.UTF_8));
        assertEquals(after, front.appendEvent(ALICE, run.runId, late, "note", "[2]"));
        assertEquals(before, front.appendEvent(ALICE, run.runId, onTape, "note", "1"));
        assertTrue(stage.journal().verifyStream(run.runId, () -> false).intact());
    }

    @Test
    void anEventThatRacesTheEndGoesSomewhereExactlyOnce() {
        stage.journalGoes();
        TestRun[] run = new TestRun[1];
        boolean[] ended = new boolean[1];
        stage.journalComes(
                (commit, unit) -> {
                    boolean event =
                            unit.operations().stream()
                                    .anyMatch(
                                            op ->
                                                    op instanceof Operation.Append append
                                                            && append.type()
                                                                    .equals("external_event"));
                    if (event && !ended[0]) {
                        ended[0] = true;
                        run[0].end(RunState.FAILED);
                    }
                    return commit.apply(unit);
                });
        run[0] = run(ALICE);
        AppendedEvent event = front.appendEvent(ALICE, run[0].runId, "", "note", "1");
        assertTrue(ended[0]);
        assertFalse(event.onTape());
        assertEquals(2, stage.journal().tape(run[0].runId, 0, 10).size());
    }

    @Test
    void unusableEventsAreRefusedAndChangeNothing() {
        TestRun run = run(ALICE);
        for (String[] bad :
                new String[][] {
                    {"", "note", "{\"a\":1,\"a\":2}"},
                    {"", "note", "{"},
                    {"", "note", ""},
                    {"", "note", "\"\\ud800\""},
                    {"", "note", "1 2"},
                    {"", "note", "[".repeat(65) + "]".repeat(65)},
                    {"", "note", "\"" + "x".repeat(65_535) + "\""},
                    {"", "Note", "1"},
                    {"", "", "1"},
                    {"", "k".repeat(65), "1"},
                    {"not-a-ulid", "note", "1"}
                }) {
            assertEquals(
                    ErrorCode.INVALID_ARGUMENT,
                    codeOf(() -> front.appendEvent(ALICE, run.runId, bad[0], bad[1], bad[2])),
                    bad[1] + " " + bad[2].length());
        }
        front.appendEvent(ALICE, run.runId, "", "note", "\"" + "x".repeat(65_534) + "\"");
        assertEquals(2, stage.journal().headSeq(run.runId));
    }

    @Test
    void aTapeIsReadAsItIsStored() {
        TestRun run = run(ALICE);
        run.write(TestRun.started(1, 1), TestRun.token(1, 1, "hi"));
        for (Principal reader : List.of(ALICE, OPERATOR)) {
            List<TapeRecord> all = front.tape(reader, run.runId, 0, 1_000);
            assertEquals(
                    List.of("run_state", "turn_started", "model_token"),
                    all.stream().map(TapeRecord::type).toList());
            assertArrayEquals(
                    stage.journal().tape(run.runId, 2, 1).get(0).hash(), all.get(2).hash());
        }
        List<TapeRecord> page = front.tape(ALICE, run.runId, 1, 1);
        assertEquals(List.of(2L), page.stream().map(TapeRecord::seq).toList());
        assertEquals(List.of(), front.tape(ALICE, run.runId, 3, 1));
        assertEquals(ErrorCode.NOT_FOUND, codeOf(() -> front.tape(BOB, run.runId, 0, 1)));
        assertEquals(ErrorCode.NOT_FOUND, codeOf(() -> front.tape(ALICE, ids.next(), 0, 1)));
        assertEquals(
                ErrorCode.DENIED,
                codeOf(() -> front.tape(People.person("nobody"), run.runId, 0, 1)));
        for (int limit : new int[] {0, -1, 1_001}) {
            assertEquals(
                    ErrorCode.INVALID_ARGUMENT,
                    codeOf(() -> front.tape(ALICE, run.runId, 0, limit)));
        }
        assertEquals(ErrorCode.INVALID_ARGUMENT, codeOf(() -> front.tape(ALICE, run.runId, -1, 1)));
        assertEquals(ErrorCode.INVALID_ARGUMENT, codeOf(() -> front.tape(ALICE, "journal", 0, 1)));
    }

    @Test
    void nobodyFollowsFromBeyondTheTape() {
        TestRun run = run(ALICE);
        assertEquals(
                ErrorCode.INVALID_ARGUMENT,
                codeOf(() -> front.follow(ALICE, run.runId, 2, IGNORES)));
        assertEquals(
                ErrorCode.INVALID_ARGUMENT,
                codeOf(() -> front.follow(ALICE, run.runId, -1, IGNORES)));
        front.follow(ALICE, run.runId, 1, IGNORES).close();
    }

    @Test
    void sessionsAreFoundByText() {
        TestRun run = run(ALICE);
        String part = run.sessionId.substring(10);
        assertEquals(1, front.sessions(ALICE, part, "", 10, false).size());
        assertEquals(List.of(), front.sessions(ALICE, part + "%", "", 10, false));
        assertEquals(List.of(), front.sessions(BOB, part, "", 10, false));
        assertEquals(List.of(), front.sessions(ALICE, part, run.sessionId, 10, false));
        assertEquals(
                ErrorCode.INVALID_ARGUMENT,
                codeOf(() -> front.sessions(ALICE, "x".repeat(257), "", 10, false)));
    }

    @Test
    void archivingFreesTheSessionUnlessARunOfItGoes() {
        TestRun run = run(ALICE);
        assertEquals(ErrorCode.CONFLICT, codeOf(() -> front.archiveSession(ALICE, run.sessionId)));
        run.end(RunState.SUCCEEDED);
        assertNotEquals(0, front.archiveSession(ALICE, run.sessionId).archivedAtMillis());
        assertEquals(List.of(), front.sessions(ALICE, "", "", 10, false));
        assertEquals(1, front.sessions(ALICE, "", "", 10, true).size());
        assertEquals(1, permits("session.archive"));
    }

    @Test
    void listsAreBoundedAndPaged() {
        TestRun first = run(ALICE);
        first.end(RunState.SUCCEEDED);
        TestRun second = run(ALICE);
        List<RunView> page = front.runs(ALICE, "", "", 1);
        assertEquals(List.of(second.runId), page.stream().map(RunView::runId).toList());
        page = front.runs(ALICE, "", second.runId, 1);
        assertEquals(List.of(first.runId), page.stream().map(RunView::runId).toList());
        for (int limit : new int[] {0, -1, 501}) {
            assertEquals(
                    ErrorCode.INVALID_ARGUMENT, codeOf(() -> front.runs(ALICE, "", "", limit)));
            assertEquals(
                    ErrorCode.INVALID_ARGUMENT,
                    codeOf(() -> front.sessions(ALICE, "", "", limit, true)));
        }
    }

    @Test
    void nothingIsAcceptedWithoutAJournal() {
        stage.journalGoes();
        assertEquals(
                ErrorCode.JOURNAL_UNAVAILABLE,
                codeOf(() -> front.submit(ALICE, message("", "hello"))));
        stage.journalComes();
        front.submit(ALICE, message("", "hello"));
    }
}
