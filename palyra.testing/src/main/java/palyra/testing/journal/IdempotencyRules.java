package palyra.testing.journal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.IdempotencyKey;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.api.tape.TapeRecord;

/** A key makes a unit happen once. */
interface IdempotencyRules extends Rules {
    private static Unit once(String key, String digest, String answer, Operation... operations) {
        return Unit.builder()
                .once(
                        new IdempotencyKey("scope", key, digest),
                        answer.getBytes(StandardCharsets.UTF_8))
                .addAll(List.of(operations))
                .build();
    }

    @Test
    default void secondUseOfAKeyReturnsTheFirstAnswer() {
        Operation append = Rules.append(TapeRecord.JOURNAL_STREAM, "x");
        Committed first = journal().commit(once("k", "d1", "first", append));
        Committed second = journal().commit(once("k", "d1", "second", append));
        assertFalse(first.replayed());
        assertTrue(second.replayed());
        assertArrayEquals("first".getBytes(StandardCharsets.UTF_8), second.result());
        assertEquals(List.of(), second.appended());
        assertEquals(1, journal().headSeq(TapeRecord.JOURNAL_STREAM));
    }

    @Test
    default void keyIsRememberedOverRestarts() {
        journal().commit(once("k", "d", "answer"));
        reopen("boot-2");
        assertTrue(journal().commit(once("k", "d", "other")).replayed());
        Optional<byte[]> stored = journal().stored(new IdempotencyKey("scope", "k", "d"));
        assertArrayEquals("answer".getBytes(StandardCharsets.UTF_8), stored.orElseThrow());
    }

    @Test
    default void keyForAnotherRequestIsRefused() {
        journal().commit(once("k", "d1", "answer"));
        Rules.refused(
                ErrorCode.IDEMPOTENCY_MISMATCH, () -> journal().commit(once("k", "d2", "answer")));
        Rules.refused(
                ErrorCode.IDEMPOTENCY_MISMATCH,
                () -> journal().stored(new IdempotencyKey("scope", "k", "d2")));
    }

    @Test
    default void refusedUnitDoesNotUseUpItsKey() {
        Operation impossible = Rules.append("no-such-run", "x");
        Rules.refused(ErrorCode.NOT_FOUND, () -> journal().commit(once("k", "d", "a", impossible)));
        assertTrue(journal().stored(new IdempotencyKey("scope", "k", "d")).isEmpty());
        assertFalse(journal().commit(once("k", "d", "a")).replayed());
    }

    private static Unit step(String streamId, String key, Operation... operations) {
        return Unit.builder().step(streamId, key).addAll(List.of(operations)).build();
    }

    @Test
    default void stepOfAStreamHappensOnce() {
        String runId = newRun(RunState.RUNNING);
        Unit first = step(runId, "a/1", Rules.append(runId, "one"));
        assertFalse(journal().commit(first).replayed());
        Committed again = journal().commit(first);
        assertTrue(again.replayed());
        assertEquals(List.of(), again.appended());
        commit(Rules.append(runId, "of another writer"));
        assertTrue(journal().commit(first).replayed());
        assertFalse(journal().commit(step(runId, "a/2", Rules.append(runId, "two"))).replayed());
        assertEquals(
                List.of(
                        "{\"text\":\"one\"}",
                        "{\"text\":\"of another writer\"}",
                        "{\"text\":\"two\"}"),
                texts(runId));
        assertTrue(verifier().verifyStream(runId, () -> false).intact());
    }

    @Test
    default void stepIsRememberedOverRestarts() {
        String runId = newRun(RunState.RUNNING);
        Unit unit = step(runId, "a/1", Rules.append(runId, "one"));
        journal().commit(unit);
        reopen("boot-2");
        assertTrue(journal().commit(unit).replayed());
        assertEquals(1, journal().headSeq(runId));
    }

    @Test
    default void stepThatEndsARunIsReplayedThoughTheRunHasEnded() {
        String runId = newRun(RunState.RUNNING);
        commit(new Operation.ClaimRun(runId, 1));
        Unit end =
                Unit.builder()
                        .step(runId, "a/9")
                        .require(new Precondition.Epoch(runId, 1))
                        .add(Rules.append(runId, "end"))
                        .add(Rules.move(runId, RunState.SUCCEEDED))
                        .build();
        assertFalse(journal().commit(end).replayed());
        assertTrue(journal().commit(end).replayed());
        assertEquals(1, journal().headSeq(runId));
    }

    @Test
    default void stepThatWasRefusedWasNotTaken() {
        String runId = newRun(RunState.RUNNING);
        Unit refused =
                step(runId, "a/1", Rules.append(runId, "x"), Rules.append("no-such-run", "x"));
        Rules.refused(ErrorCode.NOT_FOUND, () -> journal().commit(refused));
        assertFalse(journal().commit(step(runId, "a/1", Rules.append(runId, "x"))).replayed());
        Rules.refused(
                ErrorCode.NOT_FOUND,
                () -> journal().commit(step("no-such-run", "a", Rules.append(runId, "x"))));
        assertEquals(1, journal().headSeq(runId));
    }

    @Test
    default void streamMayBeginWithAStep() {
        String sessionId = newSession();
        String runId = IDS.next();
        Unit unit =
                step(
                        runId,
                        "begin",
                        Rules.insertRun(runId, sessionId, RunState.ACCEPTED),
                        Rules.append(runId, "x"));
        assertFalse(journal().commit(unit).replayed());
        assertTrue(journal().commit(unit).replayed());
        assertEquals(1, journal().headSeq(runId));
    }

    @Test
    default void emptyAnswersAreAnswersToo() {
        journal().commit(once("k", "d", ""));
        assertArrayEquals(
                new byte[0], journal().stored(new IdempotencyKey("scope", "k", "d")).orElseThrow());
        assertTrue(journal().commit(once("k", "d", "")).replayed());
    }

    @Test
    default void racedKeyHappensOnce() throws Exception {
        int racers = 16;
        try (ExecutorService threads = Executors.newFixedThreadPool(racers)) {
            for (int round = 0; round < 20; round++) {
                String key = "raced-" + round;
                List<Callable<Committed>> race =
                        IntStream.range(0, racers)
                                .<Callable<Committed>>mapToObj(
                                        i ->
                                                () ->
                                                        journal()
                                                                .commit(
                                                                        once(
                                                                                key,
                                                                                "d",
                                                                                "racer " + i,
                                                                                Rules.append(
                                                                                        TapeRecord
                                                                                                .JOURNAL_STREAM,
                                                                                        key))))
                                .toList();
                List<Future<Committed>> results = threads.invokeAll(race, 20, TimeUnit.SECONDS);
                long applied = 0;
                byte[] answer = results.getFirst().get().result();
                for (Future<Committed> result : results) {
                    applied += result.get().replayed() ? 0 : 1;
                    assertArrayEquals(answer, result.get().result());
                }
                assertEquals(1, applied);
            }
        }
        assertEquals(20, journal().headSeq(TapeRecord.JOURNAL_STREAM));
    }
}
