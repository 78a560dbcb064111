package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.Conversation;
import palyra.api.channel.MessageOrigin;
import palyra.api.channel.Sender;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelMessage;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.api.run.WhileRunning;
import palyra.api.tape.TapeRecord;
import palyra.shared.channel.Outbound;
import palyra.shared.hash.Ulids;
import palyra.shared.run.RejectedMessages;
import palyra.shared.run.SubmissionCodec;
import palyra.testing.access.FakeAccess;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.wait.Await;

/** What becomes of messages that choose their run, their session or both. */
class IntakeTest {
    private static final Ulids IDS = new Ulids();
    private static final String FIRST_EVER = "00000000000000000000000000";
    private static final String LAST_EVER = "7ZZZZZZZZZZZZZZZZZZZZZZZZZ";

    @TempDir Path state;

    private final ScriptedModelProvider model = new ScriptedModelProvider();
    private LightGateway.Surroundings around;
    private LightGateway gateway;

    @BeforeEach
    void open() {
        around = new LightGateway.Surroundings(state, "boot");
        gateway = new LightGateway(around, model, "boot/1").awaitReady();
        model.otherwise(
                request ->
                        List.of(
                                new ModelEvent.TextDelta("ok"),
                                new ModelEvent.Finished("stop", 1, 1)));
    }

    @AfterEach
    void close() {
        gateway.close();
        model.close();
        around.close();
    }

    private Submission submit(Wanted wanted) {
        return gateway.submit(wanted.message());
    }

    private Submission answered(Wanted wanted) {
        Submission accepted = submit(wanted);
        assertEquals(RunState.SUCCEEDED, gateway.ended(accepted.runId()).state());
        return accepted;
    }

    private PalyraException refused(Wanted wanted) {
        return assertThrows(PalyraException.class, () -> submit(wanted));
    }

    private List<RunRow> runs() {
        return around.journal().runs("", "", "", 100);
    }

    /** The same as somebody else, with a record of the permit. */
    private static InboxRow inbox(String principal, SubmittedMessage message) {
        return new InboxRow(
                IDS.next(),
                message.surface(),
                SubmissionCodec.inboxKey(principal, message),
                principal,
                SubmissionCodec.messageBytes(message),
                InboxRow.State.QUEUED,
                message.runId(),
                "",
                0);
    }

    @Test
    void aRunHasTheIdThatItsMessageChose() {
        String runId = IDS.next();
        Submission accepted = answered(Wanted.saying("hi").as(runId));
        assertEquals(runId, accepted.runId());
        assertFalse(accepted.duplicate());
        assertEquals(runId, around.journal().inbox(accepted.messageId()).orElseThrow().runId());
        assertTrue(around.opened.verifyStream(runId, () -> false).intact());
    }

    @Test
    void theSameMessageForTheSameRunIsAcceptedOnce() {
        String runId = IDS.next();
        Submission first = submit(Wanted.saying("hi").as(runId));
        Submission again = submit(Wanted.saying("hi").as(runId));
        assertEquals(new Submission(first.messageId(), runId, first.sessionId(), true), again);
        Submission keyed = submit(Wanted.saying("ho").as(IDS.next()).once("k"));
        Submission keyedAgain = submit(Wanted.saying("ho").as(keyed.runId()).once("k"));
        assertTrue(keyedAgain.duplicate());
        assertEquals(keyed.messageId(), keyedAgain.messageId());
        assertEquals(2, runs().size());
    }

    @Test
    void aRunIdBelongsToOneMessageOnly() {
        String runId = IDS.next();
        answered(Wanted.saying("hi").as(runId));
        assertEquals(ErrorCode.IDEMPOTENCY_MISMATCH, refused(Wanted.saying("ho").as(runId)).code());
        for (Wanted other :
                List.of(
                        Wanted.saying("hi").as(runId).once("k"),
                        Wanted.saying("ho").as(runId).once("k"),
                        Wanted.saying("ho").as(runId).once("k").in("elsewhere"))) {
            assertEquals(ErrorCode.ALREADY_EXISTS, refused(other).code());
        }
        SubmittedMessage same = Wanted.saying("hi").as(runId).message();
        PalyraException foreign =
                assertThrows(
                        PalyraException.class,
                        () ->
                                gateway.host
                                        .router()
                                        .accept(inbox("user:bob", same), same, List.of()));
        assertEquals(ErrorCode.ALREADY_EXISTS, foreign.code());
        assertFalse(foreign.getMessage().contains("alice"), foreign.getMessage());
        assertEquals(1, runs().size());
        Await.until("the worker to end", () -> gateway.host.activeRuns() == 0);
        assertEquals(1, around.journal().sessions("", "", "", 10, true).size());
    }

    @Test
    void whatIsNoIdIsRefused() {
        for (String bad : List.of("x", "01j00000000000000000000000", LAST_EVER + "Z")) {
            assertEquals(
                    ErrorCode.INVALID_ARGUMENT, refused(Wanted.saying("hi").as(bad)).code(), bad);
        }
        assertEquals(List.of(), runs());
    }

    @Test
    void aMessageThatWaitedInTheInboxGetsTheRunItChose() {
        String runId = IDS.next();
        InboxRow waiting = inbox("user:alice", Wanted.saying("hi").as(runId).message());
        around.journal().commit(Unit.of(new Operation.PutInbox(waiting)));
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        InboxRow settled = around.journal().inbox(waiting.messageId()).orElseThrow();
        assertEquals(InboxRow.State.ROUTED, settled.state());
        assertEquals(runId, settled.runId());
    }

    @Test
    void aRunThatAWaitingMessageChoseIsNobodyElses() {
        gateway.close();
        String runId = IDS.next();
        InboxRow waiting = inbox("user:alice", Wanted.saying("first").as(runId).message());
        around.journal().commit(Unit.of(new Operation.PutInbox(waiting)));
        SubmittedMessage other = Wanted.saying("second").as(runId).message();
        assertEquals(
                ErrorCode.ALREADY_EXISTS,
                assertThrows(
                                PalyraException.class,
                                () ->
                                        around.journal()
                                                .commit(
                                                        Unit.of(
                                                                new Operation.PutInbox(
                                                                        inbox("user:bob", other)))))
                        .code());
        gateway = new LightGateway(around, model, "boot/2").awaitReady();
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(waiting.messageId(), gateway.ended(runId).messageId());
    }

    @Test
    void conversationsKeepTheirOrderWhateverIdsAreChosen() {
        answered(Wanted.saying("one").as(LAST_EVER));
        answered(Wanted.saying("two").as(FIRST_EVER));
        answered(Wanted.saying("three"));
        List<ModelMessage> lastAsked = model.requests().get(2).messages();
        assertEquals(
                List.of("one", "ok", "two", "ok", "three"),
                lastAsked.stream().map(ModelMessage::text).toList());
    }

    @Test
    void queuedRunsKeepTheirOrderWhateverIdsAreChosen() {
        model.hold();
        Submission first = submit(Wanted.saying("one"));
        Await.until("the first turn", () -> model.runningTurns() == 1);
        submit(Wanted.saying("two").as(LAST_EVER));
        submit(Wanted.saying("three").as(FIRST_EVER));
        gateway.cancel(first.runId());
        gateway.ended(FIRST_EVER);
        assertEquals(
                List.of(first.runId(), LAST_EVER, FIRST_EVER),
                model.requests().stream().map(request -> request.runId()).toList());
        assertEquals(
                List.of(FIRST_EVER, LAST_EVER, first.runId()),
                runs().stream().map(RunRow::runId).toList());
    }

    @Test
    void whatMustExistAndDoesNotIsRefused() {
        assertEquals(ErrorCode.NOT_FOUND, refused(Wanted.saying("hi").existing()).code());
        assertEquals(ErrorCode.NOT_FOUND, refused(Wanted.saying("hi").existing().afresh()).code());
        assertEquals(ErrorCode.NOT_FOUND, refused(Wanted.saying("hi").in("").existing()).code());
        assertEquals(List.of(), around.journal().sessions("", "", "", 10, true));
        String sessionId = answered(Wanted.saying("hi")).sessionId();
        assertEquals(sessionId, answered(Wanted.saying("ho").existing()).sessionId());
        InboxRow waiting = inbox("user:alice", Wanted.saying("x").in("nope").existing().message());
        around.journal().commit(Unit.of(new Operation.PutInbox(waiting)));
        InboxRow rejected =
                Await.value(
                        "the message to be rejected",
                        () ->
                                around.journal()
                                        .inbox(waiting.messageId())
                                        .filter(row -> row.state() == InboxRow.State.REJECTED));
        assertTrue(rejected.reason().contains("nope"), rejected.reason());
    }

    @Test
    void noMessageOvertakesThoseOfItsSessionThatWaitInTheInbox() {
        gateway.close();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            expected.add("waiting " + i);
            put("waiting " + i);
        }
        gateway = new LightGateway(around, model, "boot/2").awaitReady();
        for (int i = 0; i < 10; i++) {
            expected.add("direct " + i);
            try {
                gateway.submit(Wanted.saying("direct " + i).in("s").message());
            } catch (PalyraException e) {
                assertEquals(ErrorCode.GATEWAY_UNAVAILABLE, e.code());
                put("direct " + i); // as the front does
            }
        }
        Await.until("all to be asked", () -> model.requests().size() == expected.size());
        assertEquals(expected, asked());
    }

    private void put(String text) {
        InboxRow row = LightGateway.inbox(Wanted.saying(text).in("s").message());
        around.journal().commit(Unit.of(new Operation.PutInbox(row)));
    }

    private List<String> asked() {
        return model.requests().stream()
                .map(request -> request.messages().getLast())
                .map(last -> ((ModelMessage.User) last).text())
                .toList();
    }

    @Test
    void aMessageThatFailsHoldsBackTheLaterOnesOfItsSession() {
        gateway.close();
        AtomicInteger failures = new AtomicInteger();
        List<String> expected = List.of("one", "two", "three");
        expected.forEach(this::put);
        gateway =
                new LightGateway(
                        around,
                        model,
                        "boot/2",
                        journal ->
                                WatchedJournal.before(
                                        journal,
                                        unit -> {
                                            if (isAccepted(unit, "one")
                                                    && failures.incrementAndGet() <= 2) {
                                                throw new PalyraException(
                                                        ErrorCode.INTERNAL, "not yet");
                                            }
                                        }),
                        FakeAccess.forTools());
        Await.until("all to be asked", () -> model.requests().size() == expected.size());
        assertEquals(expected, asked());
        assertTrue(failures.get() > 2);
    }

    private static boolean isAccepted(Unit unit, String text) {
        return unit.operations().stream()
                .filter(Operation.Append.class::isInstance)
                .map(Operation.Append.class::cast)
                .anyMatch(
                        append ->
                                append.type().equals("message")
                                        && new String(append.payload(), StandardCharsets.UTF_8)
                                                .contains("\"" + text + "\""));
    }

    @Test
    void queuedMessageThatCannotBeReadEndsWithItsReasonRecordedAndTold() {
        InboxRow good = inbox("user:alice", Wanted.saying("x").message());
        InboxRow damaged =
                new InboxRow(
                        good.messageId(),
                        good.surface(),
                        good.dedupeKey(),
                        good.principal(),
                        new byte[] {1, 2, 3},
                        InboxRow.State.QUEUED,
                        "",
                        "",
                        0);
        around.journal().commit(Unit.of(new Operation.PutInbox(damaged)));
        Await.until(
                "the message to be rejected",
                () ->
                        around.journal().inbox(damaged.messageId()).orElseThrow().state()
                                == InboxRow.State.REJECTED);
        assertTrue(
                around.journal().tape(TapeRecord.JOURNAL_STREAM, 0, 1_000).stream()
                        .filter(record -> record.type().equals("message_rejected"))
                        .anyMatch(
                                record ->
                                        new String(record.payload(), StandardCharsets.UTF_8)
                                                .contains(damaged.messageId())));
        List<InboxRow> told =
                RejectedMessages.ofLastDay(around.journal(), System.currentTimeMillis(), 10);
        assertEquals(List.of(damaged.messageId()), told.stream().map(InboxRow::messageId).toList());
        assertTrue(RejectedMessages.sentence(told.getFirst()).contains("cannot be read back"));
        assertEquals(
                List.of(),
                RejectedMessages.ofLastDay(
                        around.journal(), System.currentTimeMillis() + 48L * 3_600_000, 10));
    }

    private static SubmittedMessage ofChat(String text, String agent) {
        return new SubmittedMessage(
                "fake:main",
                IDS.next(),
                "",
                "channel:fake:main:conversation:room",
                "",
                "fake:main",
                agent,
                text,
                "",
                false,
                "",
                "",
                false,
                "",
                false,
                new MessageOrigin(
                        Conversation.group("room", ""),
                        new Sender("7", "Ann", false, true),
                        "m1",
                        "bot: "),
                WhileRunning.QUEUE);
    }

    private OutboxRow sentToRoom() {
        return Await.value(
                "the answer to be in the outbox",
                () ->
                        around
                                .journal()
                                .outboxIn(OutboxRow.State.PENDING, "fake:main", "", 10)
                                .stream()
                                .findFirst());
    }

    @Test
    void answerToAMessageOfAChatGoesWhereItCameFrom() {
        InboxRow waiting = inbox("user:alice", ofChat("hi", ""));
        around.journal().commit(Unit.of(new Operation.PutInbox(waiting)));
        OutboxRow answer = sentToRoom();
        assertEquals("room", answer.orderKey());
        Outbound message = Outbound.read(answer.payload());
        assertEquals(
                List.of("answer", "bot: ok", "m1"),
                List.of(message.kind(), message.text(), message.replyTo()));
    }

    @Test
    void messageOfAChatThatIsRejectedIsToldThere() {
        InboxRow waiting = inbox("user:alice", ofChat("hi", "nope"));
        around.journal().commit(Unit.of(new Operation.PutInbox(waiting)));
        Outbound message = Outbound.read(sentToRoom().payload());
        assertEquals("failure", message.kind());
        assertTrue(message.text().contains("nope"), message.text());
        assertEquals(
                InboxRow.State.REJECTED,
                around.journal().inbox(waiting.messageId()).orElseThrow().state());
    }

    private SessionView session(String sessionId) {
        return around.journal().session(sessionId).orElseThrow();
    }

    @Test
    void aSessionIsCalledAsTheMessageThatMakesItSays() {
        String named = answered(Wanted.saying("hi").called("My work")).sessionId();
        assertEquals("My work", session(named).label());
        answered(Wanted.saying("ho").called("Another name"));
        assertEquals("My work", session(named).label());
        assertEquals("play", session(answered(Wanted.saying("x").in("play")).sessionId()).label());
        assertEquals("", session(answered(Wanted.saying("x").in("")).sessionId()).label());
    }

    @Test
    void aFreshSessionTakesThePlaceOfTheOneThatWasNamed() {
        String old = answered(Wanted.saying("hi")).sessionId();
        String byKey = answered(Wanted.saying("again").afresh()).sessionId();
        assertNotEquals(old, byKey);
        assertNotEquals(0, session(old).archivedAtMillis());
        String byId = answered(Wanted.saying("and again").inId(byKey).afresh()).sessionId();
        assertNotEquals(byKey, byId);
        assertNotEquals(0, session(byKey).archivedAtMillis());
        assertEquals("work", session(byId).key());
        assertEquals(byId, answered(Wanted.saying("goes on")).sessionId());
    }

    @Test
    void aMessageSentAgainIsTheFirstEvenWhenItsSessionIsGone() {
        String sessionId = answered(Wanted.saying("hi")).sessionId();
        Wanted keyed = Wanted.saying("keyed").inId(sessionId).once("k");
        Wanted chosen = Wanted.saying("chosen").inId(sessionId).as(IDS.next());
        Submission firstKeyed = answered(keyed);
        Submission firstChosen = answered(chosen);
        around.journal().commit(Unit.of(new Operation.ArchiveSession(sessionId)));
        assertEquals(firstKeyed.runId(), submit(keyed).runId());
        assertTrue(submit(keyed).duplicate());
        assertEquals(firstChosen.messageId(), submit(chosen).messageId());
        assertEquals(ErrorCode.NOT_FOUND, refused(Wanted.saying("new").inId(sessionId)).code());
        assertEquals(
                ErrorCode.IDEMPOTENCY_MISMATCH,
                refused(Wanted.saying("other").inId(sessionId).once("k")).code());
    }

    @Test
    void manyWhoSendTheSameMessageAtOnceGetOneRun() throws Exception {
        Wanted wanted = Wanted.saying("hi").as(IDS.next());
        List<Submission> answers = Race.of(12, () -> submit(wanted));
        assertEquals(
                List.of(wanted.runId()),
                answers.stream().map(Submission::runId).distinct().toList());
        assertEquals(11, answers.stream().filter(Submission::duplicate).count());
        assertEquals(1, runs().size());
    }

    @Test
    void ofManyMessagesForOneRunOneIsAccepted() throws Exception {
        String runId = IDS.next();
        List<Optional<Submission>> answers =
                Race.of(
                        12,
                        () -> {
                            Wanted wanted = Wanted.saying("hi").as(runId).once(IDS.next());
                            try {
                                return Optional.of(submit(wanted));
                            } catch (PalyraException e) {
                                assertEquals(ErrorCode.ALREADY_EXISTS, e.code());
                                return Optional.empty();
                            }
                        });
        assertEquals(1, answers.stream().filter(Optional::isPresent).count());
        assertEquals(1, runs().size());
    }
}
