package palyra.transport.grpc.internal.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.run.RunState;
import palyra.testing.wait.Await;
import palyra.transport.grpc.internal.wire.common.RunStreamRequest;

/** Clients that do not read. */
class SlowReaderTest {
    private static final int PIECE = 16_384;
    private static final int PIECES = 150;

    /** What may be on its way to a client: its window, what gRPC buffers, and one event. */
    private static final int ON_THE_WAY = (Client.WINDOW_BYTES + 32_768) / PIECE + 6;

    @TempDir Path state;
    private TestGateway gateway;
    private Client alice;
    private Client slow;

    @BeforeEach
    void open() {
        gateway = new TestGateway(state);
        String token = gateway.token("user:alice", "integrator");
        alice = gateway.client(token);
        slow = gateway.client(token);
    }

    @AfterEach
    void close() {
        slow.close();
        alice.close();
        gateway.close();
    }

    private TapeRun longRun() {
        TapeRun run = new TapeRun(gateway.journal, "user:alice");
        run.write(TapeRun.started(1, 1));
        for (int i = 0; i < PIECES; i++) {
            run.write(TapeRun.token(1, 1, Integer.toString(i % 10).repeat(PIECE)));
        }
        return run;
    }

    private static RunStreamRequest.Builder attach(TapeRun run) {
        return StreamClient.request().setRunId(ApiMapper.id(run.runId));
    }

    @Test
    void holdsBackItsOwnStreamOnlyAndKeepsLittleOfIt() {
        TapeRun run = longRun();
        gateway.countEvents();
        StreamClient blocked = slow.streamReading(1).send(attach(run));
        Await.until("one message", Patience.LONG, () -> blocked.count() == 1);
        run.write(TapeRun.finished(1, 1, "")).end(RunState.SUCCEEDED);
        Await.until(
                "the slow stream to stall",
                Patience.LONG,
                () -> gateway.eventsTaken() > Client.WINDOW_BYTES / PIECE);
        long before = gateway.eventsTaken();
        StreamClient fast = alice.stream().send(attach(run)).awaitCompleted();
        assertTrue(fast.count() > PIECES, "the fast one read " + fast.count());
        long taken = gateway.eventsTaken() - fast.count();
        assertTrue(
                taken <= ON_THE_WAY,
                "the gateway took "
                        + taken
                        + " events for a client that read one; before: "
                        + before);
        assertEquals(1, blocked.count());
        blocked.read(1_000);
        blocked.awaitCompleted();
        assertEquals(StreamClient.seqs(fast.events()), StreamClient.seqs(blocked.events()));
        assertEquals(fast.text(), blocked.text());
    }

    @Test
    void outlivesASwapOfTheFrontWhileItDoesNotRead() {
        TapeRun run = longRun();
        StreamClient blocked = slow.streamReading(1).send(attach(run));
        Await.until("one message", Patience.LONG, () -> blocked.count() == 1);
        gateway.frontGoes();
        gateway.frontComes();
        gateway.frontGoes();
        gateway.frontComes();
        run.write(TapeRun.finished(1, 1, "")).end(RunState.SUCCEEDED);
        blocked.read(10_000);
        blocked.awaitCompleted();
        StreamClient fast = alice.stream().send(attach(run)).awaitCompleted();
        assertEquals(fast.text(), blocked.text());
        assertEquals(StreamClient.seqs(fast.events()), StreamClient.seqs(blocked.events()));
    }

    @Test
    void isNotFollowedForAnyMoreWhenItGoes() {
        TapeRun run = longRun();
        StreamClient blocked = slow.streamReading(1).send(attach(run));
        Await.until("one message", Patience.LONG, () -> blocked.count() == 1);
        blocked.cancel();
        Await.until("nobody to follow", Patience.LONG, () -> gateway.following() == 0);
    }

    @Test
    void isNotFollowedForAnyMoreWhenItsTokenIsRevoked() {
        TapeRun run = longRun();
        StreamClient blocked = slow.streamReading(1).send(attach(run));
        Await.until("one message", Patience.LONG, () -> blocked.count() == 1);
        assertEquals(1, gateway.following());
        gateway.seams
                .streams()
                .all()
                .forEach(stream -> stream.end(Status.UNAUTHENTICATED, new io.grpc.Metadata()));
        Await.until("nobody to follow", Patience.LONG, () -> gateway.following() == 0);
    }

    @Test
    void holdsBackNoTapeThatSomebodyElseReads() {
        TapeRun run = longRun();
        run.end(RunState.FAILED);
        assertEquals(
                PIECES + 3, TapeReading.of(alice, run.runId).awaitCompleted().records().size());
        TapeReading blocked = TapeReading.slow(slow, run.runId);
        Await.until("one record", Patience.LONG, () -> blocked.records().size() == 1);
        assertEquals(
                PIECES + 3, TapeReading.of(alice, run.runId).awaitCompleted().records().size());
        blocked.read(1_000);
        assertEquals(PIECES + 3, blocked.awaitCompleted().records().size());
    }
}
