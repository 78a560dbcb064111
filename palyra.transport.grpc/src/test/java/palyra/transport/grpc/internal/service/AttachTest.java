package palyra.transport.grpc.internal.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.testing.wait.Await;
import palyra.transport.grpc.internal.wire.common.RunStreamEvent;
import palyra.transport.grpc.internal.wire.common.RunStreamRequest;
import palyra.transport.grpc.internal.wire.common.StreamStatus.StatusKind;
import palyra.transport.grpc.internal.wire.common.TextPosition;

/** Attaching to runs that a test plays onto the tape; nothing else touches them. */
class AttachTest {
    @TempDir Path state;
    private TestGateway gateway;
    private Client alice;

    @BeforeEach
    void open() {
        gateway = new TestGateway(state);
        alice = gateway.client("user:alice", "integrator");
    }

    @AfterEach
    void close() {
        alice.close();
        gateway.close();
    }

    private TapeRun run() {
        return new TapeRun(gateway.journal, "user:alice");
    }

    private static RunStreamRequest.Builder attach(TapeRun run) {
        return StreamClient.request().setRunId(ApiMapper.id(run.runId));
    }

    private static TapeEvent note(String text) {
        return new TapeEvent.Message(TapeEvent.Role.USER, text, "user:alice", "grpc", "");
    }

    @Test
    void tellsWhatIsOnTheTapeAndThenWhatComes() {
        TapeRun run = run().write(TapeRun.running(), TapeRun.started(1, 1));
        StreamClient stream = alice.stream().send(attach(run));
        stream.awaitStatus(StatusKind.STATUS_KIND_IN_PROGRESS);
        run.live(1, 1, 0, "Hel");
        stream.awaitText("Hel");
        run.write(TapeRun.token(1, 1, "Hello"), TapeRun.finished(1, 1, "Hello"));
        run.end(RunState.SUCCEEDED);
        stream.awaitCompleted();
        assertEquals("Hello", stream.text());
        assertEquals(List.of(1L, 2L, 3L, 5L, 6L), StreamClient.seqs(stream.events()));
        assertTrue(stream.events().getFirst().hasSessionId());
        assertFalse(stream.events().get(1).hasSessionId());
    }

    @Test
    void beginsAfterThePositionThatTheClientHas() {
        TapeRun run = run().write(TapeRun.running(), note("a"), note("b"));
        run.end(RunState.FAILED);
        StreamClient stream =
                alice.stream().send(attach(run).setAttachAfterSeq(3)).awaitCompleted();
        assertEquals(List.of(4L, 5L), StreamClient.seqs(stream.events()));
        assertEquals(run.sessionId, stream.events().getFirst().getSessionId().getUlid());
        assertEquals(
                StatusKind.STATUS_KIND_FAILED, stream.events().getLast().getStatus().getKind());
    }

    @Test
    void goesOnWithinTheTextThatTheClientHas() {
        TapeRun run =
                run().write(TapeRun.started(1, 1), TapeRun.token(1, 1, "Hello "))
                        .write(TapeRun.token(1, 1, "wide world"));
        StreamClient stream =
                alice.stream()
                        .send(
                                attach(run)
                                        .setAttachAfterSeq(2)
                                        .setAttachText(
                                                TextPosition.newBuilder()
                                                        .setTurn(1)
                                                        .setAttempt(1)
                                                        .setAnswerLength(8)));
        RunStreamEvent first = stream.await("a token", RunStreamEvent::hasModelToken);
        assertEquals(8, first.getModelToken().getOffset());
        run.write(TapeRun.finished(1, 1, "Hello wide world")).end(RunState.SUCCEEDED);
        stream.awaitCompleted();
        StringBuilder text = new StringBuilder();
        stream.events().forEach(event -> text.append(event.getModelToken().getToken()));
        assertEquals("de world", text.toString());
        assertTrue(stream.events().stream().noneMatch(RunStreamEvent::hasTurnRestarted));
    }

    @Test
    void tellsTheTurnAgainToAClientThatDoesNotSayWhatItHas() {
        TapeRun run = run().write(TapeRun.started(1, 1), TapeRun.token(1, 1, "Hello "));
        StreamClient stream = alice.stream().send(attach(run).setAttachAfterSeq(2));
        stream.awaitText("Hello ");
        assertTrue(stream.events().getFirst().hasTurnRestarted());
        run.write(TapeRun.finished(1, 1, "Hello you")).end(RunState.SUCCEEDED);
        assertEquals("Hello you", stream.awaitCompleted().text());
    }

    @Test
    void restartsNothingForAClientWhoseLastTextIsOfTheTurnBefore() {
        TapeRun run =
                run().write(TapeRun.started(1, 1), TapeRun.token(1, 1, "Hello "))
                        .write(TapeRun.finished(1, 1, "Hello "), TapeRun.started(2, 1));
        long seen = gateway.journal.headSeq(run.runId);
        StreamClient stream =
                alice.stream()
                        .send(
                                attach(run)
                                        .setAttachAfterSeq(seen)
                                        .setAttachText(
                                                TextPosition.newBuilder()
                                                        .setTurn(1)
                                                        .setAttempt(1)
                                                        .setAnswerLength(6)));
        run.write(TapeRun.token(2, 1, "you"));
        stream.awaitText("you");
        run.write(TapeRun.finished(2, 1, "you")).end(RunState.SUCCEEDED);
        assertEquals("you", stream.awaitCompleted().text());
        assertTrue(stream.events().stream().noneMatch(RunStreamEvent::hasTurnRestarted));
    }

    @Test
    void restartsTheTurnOfAnAttemptThatWasLost() {
        TapeRun run =
                run().write(TapeRun.started(1, 1), TapeRun.token(1, 1, "Bad"))
                        .write(
                                new TapeEvent.TurnRestarted(1, 2, "the model hung up"),
                                TapeRun.started(1, 2),
                                TapeRun.token(1, 2, "Good"),
                                TapeRun.finished(1, 2, "Good"))
                        .end(RunState.SUCCEEDED);
        StreamClient stream = alice.stream().send(attach(run)).awaitCompleted();
        assertEquals("Good", stream.text());
        RunStreamEvent record =
                stream.await(
                        "the record of it",
                        event -> event.getJournalEvent().getRecordType().equals("turn_restarted"));
        assertEquals(4, record.getSeq());
    }

    @Test
    void neverSendsHalfACharacter() {
        TapeRun run = run().write(TapeRun.started(1, 1));
        StreamClient stream = alice.stream().send(attach(run));
        stream.await("the turn", event -> event.getSeq() == 2);
        run.live(1, 1, 0, "a\uD83D");
        stream.awaitText("a");
        run.live(1, 1, 2, "\uDE00b");
        stream.awaitText("b");
        run.write(TapeRun.token(1, 1, "a😀b"), TapeRun.finished(1, 1, "a😀b"));
        run.end(RunState.SUCCEEDED);
        assertEquals("a😀b", stream.awaitCompleted().text());
    }

    @Test
    void attachesToARunThatHasEnded() {
        TapeRun run = run().write(note("x")).end(RunState.CANCELLED);
        StreamClient stream =
                alice.stream().send(attach(run).setAttachAfterSeq(3)).awaitCompleted();
        assertEquals(List.of(), stream.events());
        assertEquals(
                List.of(1L, 2L, 3L),
                StreamClient.seqs(alice.stream().send(attach(run)).awaitCompleted().events()));
    }

    @Test
    void refusesASessionThatIsNotTheRuns() {
        TapeRun run = run();
        Status status =
                alice.stream()
                        .send(attach(run).setSessionId(ApiMapper.id(Ids.next())))
                        .awaitStatus();
        assertEquals(Status.Code.INVALID_ARGUMENT, status.getCode());
        StreamClient stream =
                alice.stream().send(attach(run).setSessionId(ApiMapper.id(run.sessionId)));
        stream.awaitStatus(StatusKind.STATUS_KIND_ACCEPTED);
        stream.cancel();
    }

    @Test
    void survivesSwapsOfTheFrontWithoutAGapOrARepeat() throws InterruptedException {
        TapeRun run = run().write(TapeRun.running(), TapeRun.started(1, 1));
        StreamClient stream = alice.stream().send(attach(run));
        stream.awaitStatus(StatusKind.STATUS_KIND_IN_PROGRESS);
        int swaps = 6;
        int pieces = 50;
        for (int i = 0; i < swaps; i++) {
            Thread swap = Thread.ofPlatform().start(this::swapFront);
            speak(run, i * pieces, (i + 1) * pieces);
            swap.join();
        }
        run.write(TapeRun.finished(1, 1, said(swaps * pieces))).end(RunState.SUCCEEDED);
        stream.awaitCompleted();
        assertEquals(said(swaps * pieces), stream.text());
        List<Long> seqs = StreamClient.seqs(stream.events());
        assertEquals(seqs.stream().sorted().distinct().toList(), seqs);
        assertEquals(swaps * pieces / 10 + 5, seqs.size());
        assertEquals(
                1, stream.events().stream().filter(e -> e.getModelToken().getIsFinal()).count());
        assertTrue(stream.events().stream().noneMatch(RunStreamEvent::hasTurnRestarted));
    }

    private void swapFront() {
        gateway.frontGoes();
        gateway.frontComes();
    }

    /** Says pieces, live and on the tape, with a note after every ten. */
    private void speak(TapeRun run, int from, int to) {
        for (int i = from; i < to; i++) {
            String piece = piece(i);
            run.live(1, 1, said(i).length(), piece);
            run.write(TapeRun.token(1, 1, piece));
            if (i % 10 == 9) {
                run.write(note("note " + i));
            }
        }
    }

    private static String piece(int i) {
        return i + (i % 7 == 0 ? "😀 " : " ");
    }

    private static String said(int pieces) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < pieces; i++) {
            text.append(piece(i));
        }
        return text.toString();
    }

    @Test
    void survivesAnAbsenceOfTheJournal() {
        TapeRun run = run().write(TapeRun.running(), TapeRun.started(1, 1));
        StreamClient stream = alice.stream().send(attach(run));
        stream.awaitStatus(StatusKind.STATUS_KIND_IN_PROGRESS);
        gateway.journalGoes();
        run.write(TapeRun.token(1, 1, "Back"), TapeRun.finished(1, 1, "Back"));
        run.end(RunState.SUCCEEDED);
        assertFalse(stream.isOver());
        gateway.journalComes();
        assertEquals("Back", stream.awaitCompleted().text());
        assertEquals(List.of(1L, 2L, 3L, 5L, 6L), StreamClient.seqs(stream.events()));
    }

    /** Cuts the stream at random places, again and again, and puts the parts together. */
    @Test
    void putsPartsTogetherWithoutAGapOrARepeatWhereverTheyWereCut() {
        Random random = new Random(20260112);
        for (int round = 0; round < 12; round++) {
            TapeRun run = run();
            List<String> texts = play(run, random);
            List<RunStreamEvent> whole = alice.stream().send(attach(run)).awaitCompleted().events();
            List<RunStreamEvent> parts = inParts(run, random);
            String what = "round " + round;
            assertEquals(seqs(run), StreamClient.seqs(whole), what);
            assertEquals(seqs(run), StreamClient.seqs(parts), what);
            assertEquals(String.join("", texts), StreamClient.text(parts, false), what);
            assertEquals(StreamClient.text(whole, true), StreamClient.text(parts, true), what);
        }
    }

    /** Returns the sequence numbers of records that are told as such. */
    private List<Long> seqs(TapeRun run) {
        return gateway.journal.tape(run.runId, 0, 1_000).stream()
                .filter(record -> !record.type().startsWith("model_"))
                .map(TapeRecord::seq)
                .toList();
    }

    /** Writes a run of some turns, with lost attempts and thoughts; returns the answers. */
    private static List<String> play(TapeRun run, Random random) {
        List<String> answers = new ArrayList<>();
        for (int turn = 1; turn <= 1 + random.nextInt(3); turn++) {
            int attempt = 1;
            run.write(TapeRun.started(turn, attempt));
            while (random.nextInt(3) == 0) {
                say(run, random, turn, attempt);
                attempt++;
                run.write(
                        new TapeEvent.TurnRestarted(turn, attempt, "lost"),
                        TapeRun.started(turn, attempt));
            }
            String answer = say(run, random, turn, attempt);
            run.write(note("meanwhile"), TapeRun.finished(turn, attempt, answer));
            answers.add(answer);
        }
        run.end(RunState.SUCCEEDED);
        return answers;
    }

    private static String say(TapeRun run, Random random, int turn, int attempt) {
        StringBuilder answer = new StringBuilder();
        for (int i = 0; i < random.nextInt(12); i++) {
            String piece = piece(random.nextInt(100));
            if (random.nextInt(4) == 0) {
                run.write(TapeRun.thought(turn, attempt, "hm" + piece));
            } else {
                run.write(TapeRun.token(turn, attempt, piece));
                answer.append(piece);
            }
        }
        return answer.toString();
    }

    /** Reads a few messages at a time, then hangs up and attaches again. */
    private List<RunStreamEvent> inParts(TapeRun run, Random random) {
        List<RunStreamEvent> got = new ArrayList<>();
        while (true) {
            int some = 1 + random.nextInt(6);
            StreamClient stream = alice.streamReading(some).send(position(run, got));
            Await.until("a part", Patience.LONG, () -> stream.count() == some || stream.isOver());
            boolean over = stream.count() < some;
            stream.cancel();
            got.addAll(stream.events());
            if (over) {
                stream.awaitCompletedOrCancelled();
                return got;
            }
        }
    }

    /** Says what the client has, as the .proto file tells it to. */
    private static RunStreamRequest.Builder position(TapeRun run, List<RunStreamEvent> got) {
        RunStreamRequest.Builder request = attach(run);
        TextPosition.Builder text = null;
        for (RunStreamEvent event : got) {
            request.setAttachAfterSeq(Math.max(request.getAttachAfterSeq(), event.getSeq()));
            if (event.hasTurnRestarted()) {
                text = null;
            } else if (event.hasModelToken()) {
                var token = event.getModelToken();
                boolean same =
                        text != null
                                && text.getTurn() == token.getTurn()
                                && text.getAttempt() == token.getAttempt();
                if (!same) {
                    text = TextPosition.newBuilder();
                    text.setTurn(token.getTurn()).setAttempt(token.getAttempt());
                }
                long end = token.getOffset() + token.getToken().length();
                if (token.getThought()) {
                    text.setThoughtLength(end);
                } else {
                    text.setAnswerLength(end);
                }
            }
        }
        return text == null ? request : request.setAttachText(text);
    }

    @Test
    void endsOpenStreamsWithAHintWhenTheTransportGoes() {
        TapeRun run = run().write(TapeRun.running());
        StreamClient stream = alice.stream().send(attach(run));
        stream.awaitStatus(StatusKind.STATUS_KIND_IN_PROGRESS);
        gateway.seams.streams().closeAll("This port is closing.");
        StatusRuntimeException end = stream.awaitFailed();
        assertEquals(Status.Code.UNAVAILABLE, end.getStatus().getCode());
        assertEquals("reattach", StreamClient.trailer(end, "palyra-hint"));
        Await.until("nobody to follow", Patience.LONG, () -> gateway.following() == 0);
    }
}
