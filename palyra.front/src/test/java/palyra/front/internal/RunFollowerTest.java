package palyra.front.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.front.internal.TestRun.finished;
import static palyra.front.internal.TestRun.started;
import static palyra.front.internal.TestRun.token;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.core.gateway.Intake;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.run.Following;
import palyra.api.run.RunEvent;
import palyra.api.run.RunPosition;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.shared.gate.Gate;
import palyra.testing.run.RecordingObserver;
import palyra.testing.wait.Await;

class RunFollowerTest {
    private static final Principal ALICE = People.person("alice", "integrator");

    @TempDir Path state;
    private final RecordingObserver seen = new RecordingObserver();
    private Stage stage;
    private RunFront front;
    private TestRun run;

    @BeforeEach
    void open() {
        stage = Stage.open(state);
        Gate<Intake> intake = new Gate<>("The gateway", ErrorCode.GATEWAY_UNAVAILABLE, 0);
        front =
                new RunFront(
                        stage.access,
                        stage.journalGate,
                        stage.feedGate,
                        intake,
                        new FrontSettings(10, 3));
        run = new TestRun(stage::journal, ALICE.id());
    }

    @AfterEach
    void close() {
        front.close();
        stage.close();
    }

    private Following follow(long afterSeq) {
        return front.follow(ALICE, run.runId, afterSeq, seen);
    }

    private void live(int turn, int attempt, long offset, String text) {
        run.live(stage.journal(), turn, attempt, offset, text);
    }

    /** Hints may be lost, above all before the follower has subscribed: the engine's next try. */
    private void liveUntilSeen(int turn, int attempt, long offset, String text) {
        Await.until(
                "the live text '" + text + "'",
                () -> {
                    live(turn, attempt, offset, text);
                    return seen.text().contains(text);
                });
    }

    private static List<Long> seqs(RecordingObserver observer) {
        List<Long> seqs = new ArrayList<>();
        for (RunEvent event : observer.events()) {
            if (event instanceof RunEvent.Recorded recorded) {
                seqs.add(recorded.seq());
            }
        }
        return seqs;
    }

    private long dropped() {
        return seen.events().stream().filter(RunEvent.Dropped.class::isInstance).count();
    }

    @Test
    void erasedPiecesAreNotToldAndTheTextIsWhole() throws Exception {
        run.write(started(1, 1));
        run.write(token(1, 1, "Hello"));
        run.write(token(1, 1, " world"));
        run.write(finished(1, 1, "Hello world"));
        run.end(RunState.SUCCEEDED);
        stage.journal()
                .commit(
                        Unit.of(
                                new Operation.ErasePayload(run.runId, 3),
                                new Operation.ErasePayload(run.runId, 4)));
        assertTrue(follow(0).await(10_000));
        assertEquals("Hello world", seen.text());
        assertEquals(List.of(1L, 2L, 5L, 6L), seqs(seen));
        RecordingObserver again = new RecordingObserver();
        assertTrue(front.follow(ALICE, run.runId, 3, again).await(10_000));
        assertEquals(List.of(5L, 6L), seqs(again), "going on from an erased piece");
    }

    @Test
    void tellsTextLiveAndRecordsInOrderEachOnce() throws Exception {
        Following following = follow(0);
        run.write(started(1, 1));
        liveUntilSeen(1, 1, 0, "Hel");
        run.write(token(1, 1, "Hello"));
        seen.awaitText("Hello");
        liveUntilSeen(1, 1, 3, "lo wor");
        run.write(finished(1, 1, "Hello world"));
        run.end(RunState.SUCCEEDED);
        assertEquals(RunState.SUCCEEDED, seen.awaitEnded().state());
        assertTrue(following.await(10_000));
        assertEquals("Hello world", seen.text());
        assertEquals(List.of(1L, 2L, 4L, 5L), seqs(seen));
        assertEquals(0, dropped());
        List<RunEvent> events = seen.events();
        assertTrue(events.get(events.size() - 1) instanceof RunEvent.Ended);
        assertEquals(List.of(), seen.interruptions());
        Await.until("the follower to be gone", () -> front.following() == 0);
    }

    @Test
    void tellsARunThatEndedFromTheTape() {
        run.write(started(1, 1), token(1, 1, "ab"), token(1, 1, "c"), finished(1, 1, "abcd"));
        run.write(started(2, 1), token(2, 1, "xyz"), finished(2, 1, "xyz"));
        run.end(RunState.FAILED);
        follow(0);
        assertEquals(RunState.FAILED, seen.awaitEnded().state());
        assertEquals("abcdxyz", seen.text());
        assertEquals(List.of(1L, 2L, 5L, 6L, 8L, 9L), seqs(seen));
    }

    @Test
    void goesOnFromEveryPositionWithoutRepeatingOrSkippingARecord() {
        run.write(started(1, 1), token(1, 1, "ab"), finished(1, 1, "abc"));
        run.write(started(2, 1), token(2, 1, "x"));
        run.write(new TapeEvent.TurnRestarted(2, 2, "lost"), started(2, 2), token(2, 2, "y"));
        run.write(finished(2, 2, "yz"));
        run.end(RunState.SUCCEEDED);
        long head = stage.journal().headSeq(run.runId);
        List<Long> tokens = List.of(3L, 6L, 9L);
        for (long from = 0; from <= head; from++) {
            RecordingObserver observer = new RecordingObserver();
            front.follow(ALICE, run.runId, from, observer);
            observer.awaitEnded();
            assertEquals(
                    LongStream.rangeClosed(from + 1, head)
                            .filter(seq -> !tokens.contains(seq))
                            .boxed()
                            .toList(),
                    seqs(observer),
                    "from " + from);
            String text = from < 4 ? "abcyz" : from < 10 ? "yz" : "";
            assertEquals(text, observer.text(), "from " + from);
            Await.until("the follower to be gone", () -> front.following() == 0);
        }
    }

    @Test
    void whoFollowsAgainInsideATurnSeesTheWholeTextOnce() throws Exception {
        Following first = follow(0);
        run.write(started(1, 1), token(1, 1, "Hello"));
        liveUntilSeen(1, 1, 5, " you");
        first.close();
        assertTrue(first.await(10_000));
        follow(seen.lastSeq());
        run.write(token(1, 1, " you"), finished(1, 1, "Hello you!"));
        run.end(RunState.SUCCEEDED);
        seen.awaitEnded();
        assertEquals("Hello you!", seen.text());
        assertEquals(1, dropped());
    }

    @Test
    void anotherAttemptDropsWhatWasShown() {
        follow(0);
        run.write(started(1, 1));
        liveUntilSeen(1, 1, 0, "wrong");
        run.write(new TapeEvent.TurnRestarted(1, 2, "the model was lost"), started(1, 2));
        seen.awaitEvent("the drop", RunEvent.Dropped.class::isInstance);
        live(1, 1, 5, " stale");
        liveUntilSeen(1, 2, 0, "right");
        run.write(finished(1, 2, "right"));
        run.end(RunState.SUCCEEDED);
        seen.awaitEnded();
        assertEquals("right", seen.text());
        assertEquals(1, dropped());
    }

    @Test
    void thoughtsAndAnswersDoNotMix() {
        follow(0);
        run.write(started(1, 1), new TapeEvent.ModelThought(1, 1, "hmm"), token(1, 1, "yes"));
        run.write(finished(1, 1, "yes"));
        run.end(RunState.SUCCEEDED);
        seen.awaitEnded();
        assertEquals("hmm", seen.thoughts());
        assertEquals("yes", seen.text());
    }

    /** A feed that loses every hint. */
    private static final class DeafFeed implements LiveFeed {
        @Override
        public Subscription subscribe(String streamId, Consumer<FeedItem> listener) {
            return () -> {};
        }

        @Override
        public void publish(FeedItem.LiveText text) {}
    }

    @Test
    void goesByTheTapeWhenEveryHintIsLost() {
        stage.feedGate.remove(stage.journal());
        stage.feedGate.add(new DeafFeed(), Map.of());
        follow(0);
        run.write(started(1, 1), token(1, 1, "slow"));
        seen.awaitText("slow");
        run.write(finished(1, 1, "slow but sure"));
        run.end(RunState.SUCCEEDED);
        seen.awaitEnded();
        assertEquals("slow but sure", seen.text());
    }

    @Test
    void survivesAnUpdateOfTheJournal() {
        follow(0);
        run.write(started(1, 1), token(1, 1, "before "));
        seen.awaitText("before");
        for (int i = 0; i < 3; i++) {
            stage.journalGoes();
            stage.journalComes();
            run.write(token(1, 1, "after" + i + " "));
            seen.awaitText("after" + i);
        }
        // Hints come again from the new feed: live text is told before it is on the tape.
        liveUntilSeen(1, 1, "before after0 after1 after2 ".length(), "live");
        run.write(finished(1, 1, "before after0 after1 after2 live"));
        run.end(RunState.SUCCEEDED);
        seen.awaitEnded();
        assertEquals("before after0 after1 after2 live", seen.text());
        assertEquals(0, dropped());
        assertEquals(List.of(), seen.interruptions());
    }

    @Test
    void saysSoWhenTheJournalStaysAway() throws Exception {
        RunFollower follower =
                new RunFollower(
                        stage.journalGate,
                        stage.feedGate,
                        new WaitReasons(stage.journalGate, FakeIntake.absent(), () -> true),
                        run.runId,
                        RunPosition.START,
                        seen,
                        1_000,
                        over -> {});
        follower.start();
        Await.until("the first record", () -> seen.lastSeq() == 1);
        stage.journalGoes();
        assertTrue(follower.await(15_000));
        assertEquals(1, seen.interruptions().size());
        assertTrue(seen.ended().isEmpty());
        stage.journalComes();
    }

    @Test
    void aSlowObserverHoldsBackNobodyAndMissesNothing() {
        seen.hold();
        follow(0);
        RecordingObserver quick = new RecordingObserver();
        front.follow(ALICE, run.runId, 0, quick);
        run.write(started(1, 1));
        StringBuilder text = new StringBuilder();
        String piece = "0123456789".repeat(100);
        for (int i = 0; i < 150; i++) {
            live(1, 1, text.length(), piece);
            run.write(token(1, 1, piece));
            text.append(piece);
        }
        run.write(finished(1, 1, text.toString()));
        run.end(RunState.SUCCEEDED);
        quick.awaitEnded();
        assertEquals(text.toString(), quick.text());
        assertTrue(seen.ended().isEmpty());
        seen.release();
        seen.awaitEnded();
        assertEquals(text.toString(), seen.text());
    }

    @Test
    void anObserverThatThrowsEndsItsFollowingOnly() throws Exception {
        Following broken =
                front.follow(
                        ALICE,
                        run.runId,
                        0,
                        event -> {
                            throw new IllegalStateException("broken");
                        });
        assertTrue(broken.await(10_000));
        follow(0);
        run.end(RunState.SUCCEEDED);
        seen.awaitEnded();
    }

    @Test
    void theNumberOfFollowersIsBounded() throws Exception {
        List<Following> three = List.of(follow(0), follow(0), follow(0));
        PalyraException refused = assertThrows(PalyraException.class, () -> follow(0));
        assertEquals(ErrorCode.RESOURCE_EXHAUSTED, refused.code());
        three.get(0).close();
        three.get(0).close();
        assertTrue(three.get(0).await(10_000));
        follow(0);
        assertEquals(
                ErrorCode.INVALID_ARGUMENT,
                assertThrows(PalyraException.class, () -> follow(-1)).code());
    }

    @Test
    void closingTheFrontEndsEveryFollowingAndSaysWhy() throws Exception {
        Following following = follow(0);
        RecordingObserver stuck = new RecordingObserver();
        stuck.hold();
        Following stuckFollowing = front.follow(ALICE, run.runId, 0, stuck);
        Await.until("the first record", () -> seen.lastSeq() == 1 && stuck.lastSeq() == 1);
        front.close();
        assertTrue(following.await(0));
        assertTrue(stuckFollowing.await(0));
        assertEquals(1, seen.interruptions().size());
        assertFalse(seen.ended().isPresent());
        assertEquals(0, front.following());
    }

    @Test
    void aDamagedRecordInterruptsInsteadOfGuessing() throws Exception {
        stage.journal()
                .commit(
                        palyra.api.core.journal.Unit.of(
                                new palyra.api.core.journal.Operation.Append(
                                        run.runId,
                                        "turn_started",
                                        1,
                                        "{\"turn\":\"x\"}"
                                                .getBytes(
                                                        java.nio.charset.StandardCharsets.UTF_8))));
        Following following = follow(0);
        assertTrue(following.await(10_000));
        assertEquals(1, seen.interruptions().size());
    }
}
