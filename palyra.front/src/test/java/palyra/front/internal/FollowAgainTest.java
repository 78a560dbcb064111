package palyra.front.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.core.journal.Journal;
import palyra.api.run.RunEvent;
import palyra.api.run.RunPosition;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.shared.gate.Gate;
import palyra.testing.run.RecordingObserver;
import palyra.testing.wait.Await;

/** Following again from a position: without a gap and without a repeat, wherever it was cut. */
class FollowAgainTest {
    private static final long PATIENCE_MILLIS = 60_000;

    private static RunFollower follow(MemoryTape tape, RunPosition from, CarefulReader reader) {
        RunFollower follower =
                new RunFollower(
                        tape.journal,
                        tape.feed,
                        new WaitReasons(tape.journal, FakeIntake.absent(), () -> true),
                        MemoryTape.RUN,
                        from,
                        reader,
                        PATIENCE_MILLIS,
                        over -> {});
        follower.start();
        return follower;
    }

    /** Plays a run and reads it, cut off by chance and after {@code first} events. */
    private static CarefulReader read(long seed, int first, int againOutOf) throws Exception {
        Random random = new Random(seed);
        MemoryTape tape = new MemoryTape();
        CarefulReader reader = new CarefulReader(tape);
        PlayedRun run =
                new PlayedRun(
                        tape,
                        new Random(seed),
                        () -> {
                            if (random.nextInt(3) == 0) {
                                reader.linger(1);
                            }
                        });
        Thread engine =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        run.play();
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                });
        int events = first;
        while (!reader.isOver()) {
            RunFollower follower = follow(tape, reader.attach(events), reader);
            assertTrue(follower.await(PATIENCE_MILLIS), "seed " + seed);
            boolean again = againOutOf > 0 && random.nextInt(againOutOf) == 0;
            events = again ? 1 + random.nextInt(6) : -1;
        }
        engine.join();
        reader.requireWhole("seed " + seed + ", cut after " + first);
        return reader;
    }

    @Test
    void cutAfterEveryEventOfARunThatIsGoing() throws Exception {
        for (long seed = 1; seed <= 8; seed++) {
            int all = read(seed, -1, 0).told();
            for (int first = 1; first <= all; first++) {
                read(seed, first, 0);
            }
        }
    }

    @Test
    void cutAgainAndAgain() throws Exception {
        int dropped = 0;
        for (long seed = 1_000; seed < 1_300; seed++) {
            dropped += read(seed, 1 + (int) (seed % 9), 2).dropped();
        }
        assertTrue(dropped > 0, "attempts were lost on the way");
    }

    @Test
    void cutAfterEveryEventOfARunThatHasEnded() throws Exception {
        for (long seed = 500; seed < 520; seed++) {
            MemoryTape tape = new MemoryTape();
            new PlayedRun(tape, new Random(seed), () -> {}).play();
            CarefulReader whole = new CarefulReader(tape);
            assertTrue(follow(tape, whole.attach(-1), whole).await(PATIENCE_MILLIS));
            whole.requireWhole("seed " + seed);
            for (int first = 1; first < whole.told(); first++) {
                CarefulReader reader = new CarefulReader(tape);
                assertTrue(follow(tape, reader.attach(first), reader).await(PATIENCE_MILLIS));
                assertTrue(follow(tape, reader.attach(-1), reader).await(PATIENCE_MILLIS));
                reader.requireWhole("seed " + seed + ", cut after " + first);
            }
        }
    }

    /** Now and then the tape is read without a hint; otherwise what comes is read once. */
    @Test
    void noPageIsReadInVainAfterAHint() {
        MemoryTape tape = new MemoryTape();
        AtomicInteger pages = new AtomicInteger();
        Gate<Journal> counted = new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
        counted.add(counting(tape.journal.call(present -> present), pages), Map.of());
        RecordingObserver seen = new RecordingObserver();
        RunFollower follower =
                new RunFollower(
                        counted,
                        tape.feed,
                        new WaitReasons(tape.journal, FakeIntake.absent(), () -> true),
                        MemoryTape.RUN,
                        RunPosition.START,
                        seen,
                        PATIENCE_MILLIS,
                        over -> {});
        follower.start();
        int records = 60;
        for (int turn = 1; turn <= records; turn++) {
            tape.write(TestRun.started(turn, 1));
            int told = turn;
            Await.until("the record to be told", () -> recorded(seen) == told);
        }
        follower.close();
        assertTrue(pages.get() < records * 3 / 2, pages + " pages for " + records + " records");
    }

    private static long recorded(RecordingObserver seen) {
        return seen.events().stream().filter(RunEvent.Recorded.class::isInstance).count();
    }

    private static Journal counting(Journal real, AtomicInteger pages) {
        return (Journal)
                Proxy.newProxyInstance(
                        Journal.class.getClassLoader(),
                        new Class<?>[] {Journal.class},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("tape")) {
                                pages.incrementAndGet();
                            }
                            return method.invoke(real, arguments);
                        });
    }

    private static RecordingObserver from(MemoryTape tape, RunPosition position) {
        RecordingObserver seen = new RecordingObserver();
        new RunFollower(
                        tape.journal,
                        tape.feed,
                        new WaitReasons(tape.journal, FakeIntake.absent(), () -> true),
                        MemoryTape.RUN,
                        position,
                        seen,
                        PATIENCE_MILLIS,
                        over -> {})
                .start();
        return seen;
    }

    private static long dropped(RecordingObserver seen) {
        return seen.events().stream().filter(RunEvent.Dropped.class::isInstance).count();
    }

    private static MemoryTape inTheMiddle() {
        MemoryTape tape = new MemoryTape();
        tape.write(new TapeEvent.RunStateChanged(RunState.ACCEPTED, null, ""));
        tape.write(TestRun.started(1, 1));
        tape.write(new TapeEvent.ModelThought(1, 1, "hmm "));
        tape.write(TestRun.token(1, 1, "Hello "));
        return tape;
    }

    private static void end(MemoryTape tape) {
        tape.write(TestRun.finished(1, 1, "Hello world"));
        tape.write(new TapeEvent.RunStateChanged(RunState.SUCCEEDED, null, ""));
    }

    @Test
    void textGoesOnWhereItWasWithoutBeingDropped() {
        MemoryTape tape = inTheMiddle();
        // Of the answer more was seen live than is on the tape, of the thoughts less.
        RecordingObserver seen = from(tape, new RunPosition(2, 1, 1, 8, 2));
        seen.awaitEvent("the rest of the thought", RunEvent.Text.class::isInstance);
        tape.live(1, 1, false, 6, "world");
        seen.awaitText("rld");
        end(tape);
        seen.awaitEnded();
        assertEquals("rld", seen.text());
        assertEquals("m ", seen.thoughts());
        assertEquals(0, dropped(seen));
        RunEvent.Text first =
                (RunEvent.Text)
                        seen.awaitEvent(
                                "an answer", e -> e instanceof RunEvent.Text t && !t.thought());
        assertEquals(8, first.offset());
    }

    @Test
    void aPositionThatSaysNothingAboutTheTextGetsItAgain() {
        MemoryTape tape = inTheMiddle();
        RecordingObserver seen = from(tape, RunPosition.after(2));
        end(tape);
        seen.awaitEnded();
        assertEquals("Hello world", seen.text());
        assertEquals("hmm ", seen.thoughts());
        assertEquals(1, dropped(seen));
    }

    @Test
    void aPositionInAnAttemptThatWasLostGetsTheOtherOne() {
        MemoryTape tape = inTheMiddle();
        tape.write(new TapeEvent.TurnRestarted(1, 2, "lost"));
        tape.write(TestRun.started(1, 2));
        for (RunPosition position :
                new RunPosition[] {
                    new RunPosition(2, 1, 1, 3, 0), // the loss comes later on the tape
                    new RunPosition(6, 1, 1, 3, 0) // the loss is known, but the text was kept
                }) {
            RecordingObserver seen = from(tape, position);
            seen.awaitEvent("the drop", RunEvent.Dropped.class::isInstance);
            assertEquals(1, dropped(seen));
        }
        tape.write(TestRun.finished(1, 2, "Hi"));
        tape.write(new TapeEvent.RunStateChanged(RunState.SUCCEEDED, null, ""));
        RecordingObserver late = from(tape, new RunPosition(2, 1, 1, 3, 0));
        late.awaitEnded();
        assertEquals("Hi", late.text());
    }

    @Test
    void whoClaimsMoreTextThanThereIsGetsItAllAgain() {
        for (long[] claimed : new long[][] {{500, 0}, {0, 500}, {500, 500}, {12, 4}}) {
            MemoryTape tape = inTheMiddle();
            RecordingObserver seen = from(tape, new RunPosition(2, 1, 1, claimed[0], claimed[1]));
            end(tape);
            seen.awaitEnded();
            assertEquals("Hello world", seen.text());
            assertEquals("hmm ", seen.thoughts());
            assertEquals(1, dropped(seen));
            assertEquals(2, seen.records().size(), "each record once");
        }
    }

    @Test
    void whoClaimsTextOfATurnThatHasNotBegunGetsItAgain() {
        MemoryTape tape = inTheMiddle();
        end(tape);
        for (RunPosition position :
                new RunPosition[] {
                    new RunPosition(1, 1, 1, 5, 0), new RunPosition(2, 7, 1, 5, 0)
                }) {
            RecordingObserver seen = from(tape, position);
            seen.awaitEnded();
            assertEquals("Hello world", seen.text());
            assertTrue(
                    seen.events()
                            .contains(
                                    new RunEvent.Dropped(
                                            position.turn(), "the turn has not begun there")));
        }
    }

    @Test
    void whoHadTextOfTheTurnBeforeHasNothingToDropOfTheNextOne() {
        MemoryTape tape = inTheMiddle();
        tape.write(TestRun.finished(1, 1, "Hello world"));
        tape.write(TestRun.started(2, 1));
        // Right after turn_started, with the text of the turn before as the last that came.
        RecordingObserver seen = from(tape, new RunPosition(6, 1, 1, 11, 4));
        tape.write(TestRun.token(2, 1, "Good"));
        seen.awaitText("Good");
        tape.write(TestRun.token(2, 1, "bye"));
        // The same place, reached when the turn was already going on.
        RecordingObserver late = from(tape, new RunPosition(6, 1, 1, 11, 4));
        tape.write(TestRun.finished(2, 1, "Goodbye"));
        tape.write(new TapeEvent.RunStateChanged(RunState.SUCCEEDED, null, ""));
        for (RecordingObserver each : new RecordingObserver[] {seen, late}) {
            each.awaitEnded();
            assertEquals("Goodbye", each.text());
            assertEquals(0, dropped(each));
        }
    }

    @Test
    void whatIsSaidOfATurnThatIsOverDoesNotMatter() {
        MemoryTape tape = inTheMiddle();
        end(tape);
        RecordingObserver seen = from(tape, new RunPosition(5, 1, 1, 3, 0));
        seen.awaitEnded();
        assertEquals("", seen.text());
        assertEquals(0, dropped(seen));
    }
}
