package palyra.transport.grpc.internal.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.transport.grpc.internal.service.Refusals.assertInvalid;
import static palyra.transport.grpc.internal.service.Refusals.assertRefused;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.TapeVerifier;
import palyra.api.core.journal.VerificationReport;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.shared.tape.TapeHash;
import palyra.testing.wait.Await;
import palyra.transport.grpc.internal.wire.gateway.TapeRecord;
import palyra.transport.grpc.internal.wire.gateway.VerifyRunRequest;
import palyra.transport.grpc.internal.wire.gateway.VerifyRunResponse;

class TapeCallsTest {
    @TempDir Path state;
    private TestGateway gateway;
    private Client alice;
    private Client bob;

    @BeforeEach
    void open() {
        gateway = new TestGateway(state);
        alice = gateway.client("user:alice", "integrator");
        bob = gateway.client("user:bob", "integrator");
    }

    @AfterEach
    void close() {
        alice.close();
        bob.close();
        gateway.close();
    }

    private TapeRun run(int messages) {
        TapeRun run = new TapeRun(gateway.journal, "user:alice");
        for (int i = 0; i < messages; i++) {
            run.write(
                    new TapeEvent.Message(TapeEvent.Role.USER, "m" + i, "user:alice", "grpc", ""));
        }
        return run;
    }

    @Test
    void sendsTheWholeTapeAsItIsStored() {
        TapeRun run = run(600).end(RunState.SUCCEEDED);
        List<TapeRecord> records = TapeReading.of(alice, run.runId).awaitCompleted().records();
        List<palyra.api.tape.TapeRecord> stored = gateway.journal.tape(run.runId, 0, 1_000);
        assertEquals(602, records.size());
        for (int i = 0; i < records.size(); i++) {
            TapeRecord got = records.get(i);
            palyra.api.tape.TapeRecord kept = stored.get(i);
            assertEquals(1, got.getV());
            assertEquals(i + 1, got.getSeq());
            assertEquals(run.runId, got.getStreamId());
            assertEquals(kept.type(), got.getType());
            assertEquals(kept.timeMillis(), got.getTimeUnixMs());
            assertEquals(kept.schema(), got.getSchema());
            assertArrayEquals(kept.payload(), got.getPayload().toByteArray());
            assertArrayEquals(kept.hash(), got.getHash().toByteArray());
            assertFalse(got.getWithheld());
        }
    }

    @Test
    void sendsWhatAClientNeedsToVerifyTheChain() {
        TapeRun run = run(3).end(RunState.SUCCEEDED);
        byte[] previous = TapeHash.genesis(run.runId, run.sessionId, "user:alice");
        for (TapeRecord got : TapeReading.of(alice, run.runId).awaitCompleted().records()) {
            byte[] commitment =
                    TapeHash.commitment(
                            got.getSalt().toByteArray(), got.getPayload().toByteArray());
            byte[] hash =
                    TapeHash.hash(
                            previous,
                            got.getStreamId(),
                            got.getSeq(),
                            got.getType(),
                            got.getTimeUnixMs(),
                            got.getSchema(),
                            commitment);
            assertArrayEquals(previous, got.getPrevHash().toByteArray());
            assertArrayEquals(commitment, got.getCommitment().toByteArray());
            assertArrayEquals(hash, got.getHash().toByteArray());
            previous = hash;
        }
    }

    @Test
    void sendsAPart() {
        TapeRun run = run(10);
        assertEquals(List.of(4L, 5L, 6L), seqs(3, 3, run.runId));
        assertEquals(List.of(10L, 11L), seqs(9, 0, run.runId));
        assertEquals(List.of(10L, 11L), seqs(9, 500, run.runId));
        assertEquals(List.of(), seqs(11, 0, run.runId));
        assertEquals(List.of(), seqs(5_000, 7, run.runId));
    }

    private List<Long> seqs(long after, long limit, String runId) {
        return TapeReading.of(alice, TapeReading.request(runId).setAfterSeq(after).setLimit(limit))
                .awaitCompleted()
                .records()
                .stream()
                .map(TapeRecord::getSeq)
                .toList();
    }

    @Test
    void marksWhatWasErased() {
        TapeRun run = run(1);
        run.commit(List.of(new Operation.ErasePayload(run.runId, 2)));
        TapeRecord erased = TapeReading.of(alice, run.runId).awaitCompleted().records().get(1);
        assertTrue(erased.getWithheld());
        assertTrue(erased.getPayload().isEmpty() && erased.getSalt().isEmpty());
        assertEquals(32, erased.getCommitment().size());
    }

    @Test
    void showsNobodyTheTapeOfSomebodyElse() {
        TapeRun run = run(1);
        assertEquals(
                Status.Code.NOT_FOUND,
                TapeReading.of(bob, run.runId).awaitFailed().getStatus().getCode());
        assertEquals(
                Status.Code.NOT_FOUND,
                TapeReading.of(bob, Ids.next()).awaitFailed().getStatus().getCode());
    }

    @Test
    void stopsReadingWhenTheClientGoes() {
        TapeRun run = run(1);
        for (int i = 0; i < 40; i++) {
            run.write(TapeRun.token(1, 1, "x".repeat(16_000)));
        }
        TapeReading slow = TapeReading.slow(alice, run.runId);
        Await.until("a record", Patience.LONG, () -> slow.records().size() == 1);
        Await.until(
                "the stream to be listed",
                Patience.LONG,
                () -> !gateway.seams.streams().all().isEmpty());
        slow.cancel();
        Await.until(
                "the stream to be over",
                Patience.LONG,
                () -> gateway.seams.streams().all().isEmpty());
    }

    @Test
    void refusesReadingThatCannotBeUnderstood() {
        String id = run(1).runId;
        assertReadingInvalid("v is 0", TapeReading.request(id).setV(0));
        assertReadingInvalid("run_id is missing", TapeReading.request(id).clearRunId());
        assertReadingInvalid("after_seq", TapeReading.request(id).setAfterSeq(-5));
        assertReadingInvalid("limit", TapeReading.request(id).setLimit(-5));
    }

    private void assertReadingInvalid(
            String names,
            palyra.transport.grpc.internal.wire.gateway.ReadTapeRequest.Builder request) {
        StatusRuntimeException e = TapeReading.of(alice, request).awaitFailed();
        assertEquals(Status.Code.INVALID_ARGUMENT, e.getStatus().getCode());
        assertTrue(e.getStatus().getDescription().contains(names));
    }

    private static VerifyRunRequest.Builder verify(String runId) {
        return VerifyRunRequest.newBuilder().setV(1).setRunId(ApiMapper.id(runId));
    }

    @Test
    void verifiesARunWithItsSeal() {
        TapeRun run = run(4).end(RunState.FAILED);
        VerifyRunResponse whole = alice.call().verifyRun(verify(run.runId).build());
        assertTrue(whole.getIntact());
        assertEquals(6, whole.getRecords());
        assertEquals(1, whole.getSeals());
        assertEquals("", whole.getFaultKind());
        VerifyRunResponse part =
                alice.call().verifyRun(verify(run.runId).setFromSeq(2).setToSeq(4).build());
        assertTrue(part.getIntact());
        assertEquals(3, part.getRecords());
    }

    @Test
    void tellsTheFirstFault() {
        TapeRun run = run(1);
        gateway.verifier(
                (stream, cancelled) ->
                        new VerificationReport(
                                1,
                                1,
                                0,
                                0,
                                true,
                                java.util.Optional.of(
                                        new VerificationReport.Fault(
                                                stream,
                                                2,
                                                VerificationReport.Kind.HASH,
                                                "It was changed."))));
        VerifyRunResponse response = alice.call().verifyRun(verify(run.runId).build());
        assertFalse(response.getIntact());
        assertEquals(2, response.getFaultSeq());
        assertEquals("HASH", response.getFaultKind());
        assertEquals("It was changed.", response.getFaultDetail());
    }

    @Test
    void tellsAnIllegalRecord() {
        TapeRun run = run(1);
        gateway.verifier(
                (stream, cancelled) ->
                        new VerificationReport(
                                1,
                                2,
                                0,
                                0,
                                true,
                                java.util.Optional.empty(),
                                new VerificationReport.Judgement(
                                        List.of(
                                                new VerificationReport.Finding(
                                                        stream,
                                                        2,
                                                        "turn_finished",
                                                        "No turn is under way.")),
                                        0,
                                        java.util.Optional.empty())));
        VerifyRunResponse response = alice.call().verifyRun(verify(run.runId).build());
        assertFalse(response.getIntact());
        assertEquals(2, response.getFaultSeq());
        assertEquals("ILLEGAL", response.getFaultKind());
        assertEquals("turn_finished: No turn is under way.", response.getFaultDetail());
    }

    @Test
    void verifiesAgainWhenTheVerifierIsReplacedMeanwhile() throws InterruptedException {
        TapeRun run = run(1);
        CountDownLatch begun = new CountDownLatch(1);
        TapeVerifier leaving = gateway.verifier((stream, stop) -> untilStopped(begun, stop));
        VerifyRunResponse[] response = new VerifyRunResponse[1];
        Thread call =
                Thread.ofPlatform()
                        .start(
                                () ->
                                        response[0] =
                                                alice.call().verifyRun(verify(run.runId).build()));
        assertTrue(begun.await(Patience.LONG.toSeconds(), TimeUnit.SECONDS));
        gateway.seams.verifier().remove(leaving);
        gateway.seams.verifier().add(Elsewhere.of(TapeVerifier.class, gateway.journal), Map.of());
        call.join();
        assertEquals(2, response[0].getRecords());
    }

    private static VerificationReport untilStopped(CountDownLatch begun, BooleanSupplier stop) {
        begun.countDown();
        Await.until("the verifier to be stopped", Patience.LONG, stop);
        return new VerificationReport(1, 0, 0, 0, false, java.util.Optional.empty());
    }

    @Test
    void stopsVerifyingWhenTheClientGoes() throws InterruptedException {
        TapeRun run = run(1);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        gateway.verifier(
                (stream, stop) -> {
                    VerificationReport report = untilStopped(begun, stop);
                    stopped.countDown();
                    return report;
                });
        Thread.ofVirtual()
                .start(
                        () ->
                                assertRefused(
                                        Status.Code.UNAVAILABLE,
                                        () ->
                                                alice.callWithoutDeadline()
                                                        .verifyRun(verify(run.runId).build())));
        assertTrue(begun.await(Patience.LONG.toSeconds(), TimeUnit.SECONDS));
        alice.close();
        assertTrue(stopped.await(Patience.LONG.toSeconds(), TimeUnit.SECONDS));
    }

    @Test
    void refusesVerifyingWhatCannotBe() {
        String id = run(1).runId;
        assertInvalid("v is 0", () -> alice.call().verifyRun(verify(id).setV(0).build()));
        assertInvalid(
                "run_id is missing", () -> alice.call().verifyRun(verify(id).clearRunId().build()));
        assertInvalid("range", () -> alice.call().verifyRun(verify(id).setToSeq(2).build()));
        assertInvalid(
                "range",
                () -> alice.call().verifyRun(verify(id).setFromSeq(2).setToSeq(1).build()));
        assertInvalid(
                "to_seq is 3",
                () -> alice.call().verifyRun(verify(id).setFromSeq(1).setToSeq(3).build()));
        assertRefused(Status.Code.NOT_FOUND, () -> bob.call().verifyRun(verify(id).build()));
        try (Client scoped =
                gateway.client(
                        gateway.token("user:alice", java.util.Set.of("run.read"), "integrator"))) {
            assertRefused(
                    Status.Code.PERMISSION_DENIED,
                    () -> scoped.call().verifyRun(verify(id).build()));
        }
    }
}
