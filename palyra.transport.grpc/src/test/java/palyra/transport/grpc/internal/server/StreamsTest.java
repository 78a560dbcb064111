package palyra.transport.grpc.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Access;
import palyra.testing.wait.Await;
import palyra.transport.grpc.internal.call.OpenStreams;

class StreamsTest {
    @TempDir Path folder;
    private TestSettings settings;
    private Port port;
    private ManagedChannel channel;

    @BeforeEach
    void open() {
        settings = new TestSettings(folder);
        port = Port.open(settings);
        channel = port.plain();
    }

    @AfterEach
    void close() {
        port.close();
    }

    @Test
    void aRevokedTokenEndsItsStreamsAndNoOthers() {
        OpenedStream alice = OpenedStream.as(channel, "alice").echo("one");
        OpenedStream bob = OpenedStream.as(channel, "bob").echo("two");
        port.access.revoke("palyra_alice");
        OpenedStream.End end = alice.end();
        assertEquals(Status.Code.UNAUTHENTICATED, end.status().getCode());
        assertEquals("UNAUTHENTICATED", end.trailers().get(Statuses.CODE));
        bob.echo("three");
        assertFalse(bob.isOver());
    }

    @Test
    void aStreamForAnotherEndsWithItsCredential() {
        OpenedStream stream =
                new OpenedStream(
                                channel,
                                "authorization",
                                "Bearer palyra_connector",
                                "x-palyra-principal",
                                "user:alice")
                        .echo("one");
        assertEquals("user:alice", port.probe.callers.get(0).principal().id());
        port.access.revoke("palyra_connector");
        assertEquals(Status.Code.UNAUTHENTICATED, stream.end().status().getCode());
    }

    @Test
    void aChangeLooksTheCredentialUpAgain() {
        OpenedStream stream = OpenedStream.as(channel, "alice").echo("one");
        stream.sendChange("two");
        stream.awaitEcho("two");
        port.access.knows("palyra_alice", "user:mallory");
        stream.sendChange("three");
        OpenedStream.End end = stream.end();
        assertEquals(Status.Code.UNAUTHENTICATED, end.status().getCode());
        assertTrue(end.status().getDescription().contains("another principal"), end.toString());
    }

    @Test
    void streamsOutliveASwapOfAccessControl() {
        OpenedStream stream = OpenedStream.as(channel, "alice").echo("one");
        port.seams.access().remove((Access) port.access);
        int before = port.access.credentials().size();
        stream.echo("two");
        port.seams.access().add((Access) port.access, Map.of());
        Await.until(
                "the next sweep", Port.PATIENCE, () -> port.access.credentials().size() > before);
        stream.echo("three");
        assertFalse(stream.isOver());
    }

    @Test
    void streamsOutliveAJournalThatIsAwayForAMoment() {
        OpenedStream stream = OpenedStream.as(channel, "alice").echo("one");
        port.access.failAuthentication(
                new PalyraException(
                        ErrorCode.JOURNAL_UNAVAILABLE,
                        "The test took access control away; try again."));
        int before = port.access.credentials().size();
        Await.until(
                "a sweep without an answer",
                Port.PATIENCE,
                () -> port.access.credentials().size() > before);
        port.access.failAuthentication(null);
        stream.echo("two");
        assertFalse(stream.isOver());
    }

    @Test
    void tellsStreamsToAttachAgainWhenThePortCloses() {
        OpenedStream stream = OpenedStream.as(channel, "alice").echo("one");
        port.transport.close();
        OpenedStream.End end = stream.end();
        assertEquals(Status.Code.UNAVAILABLE, end.status().getCode());
        assertEquals("reattach", end.trailers().get(OpenStreams.HINT));
        assertTrue(port.seams.streams().all().isEmpty());
        assertEquals("", port.uri.get());
    }

    @Test
    void tellsStreamsToAttachAgainWhenThePortRestartsAndTakesThemThen() {
        OpenedStream stream = OpenedStream.as(channel, "alice").echo("one");
        settings.set("maxMessageBytes", 70_000);
        port.apply(settings);
        assertEquals("reattach", stream.end().trailers().get(OpenStreams.HINT));
        Await.until("the port to open", Port.PATIENCE, port::isListening);
        OpenedStream.as(port.plain(), "alice").echo("two").halfClose();
    }

    @Test
    void aStreamThatEndsIsForgotten() {
        OpenedStream stream = OpenedStream.as(channel, "alice").echo("one");
        assertEquals(1, port.seams.streams().all().size());
        assertEquals(1, port.metric("palyra_grpc_streams"));
        stream.halfClose();
        assertEquals(Status.Code.OK, stream.end().status().getCode());
        Await.until(
                "the stream to be forgotten",
                Port.PATIENCE,
                () ->
                        port.seams.streams().all().isEmpty()
                                && port.metric("palyra_grpc_streams") == 0);
    }

    @Test
    void aClientThatVanishesIsForgotten() {
        OpenedStream.as(channel, "alice").echo("one");
        channel.shutdownNow();
        Await.until(
                "the stream to be forgotten",
                Port.PATIENCE,
                () -> port.seams.streams().all().isEmpty());
    }

    @Test
    void countsCallsAndMessages() {
        Port.whoAmI(Port.as(channel, "alice"));
        OpenedStream stream = OpenedStream.as(channel, "alice").echo("one").echo("two");
        stream.halfClose();
        stream.end();
        Await.until(
                "both calls to be counted",
                Port.PATIENCE,
                () -> port.metric("palyra_grpc_calls_total") == 2);
        assertEquals(3, port.metric("palyra_grpc_messages_received_total"));
        assertEquals(3, port.metric("palyra_grpc_messages_sent_total"));
        assertEquals(1, port.metric("palyra_grpc_connections"));
        Map<String, String> labels =
                port.transport.metrics().stream()
                        .filter(metric -> metric.name().equals("palyra_grpc_calls_total"))
                        .map(palyra.api.core.ops.Metric::labels)
                        .filter(of -> of.get("method").endsWith("GetRun"))
                        .findFirst()
                        .orElseThrow();
        assertEquals("OK", labels.get("status"));
    }
}
