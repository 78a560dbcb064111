package palyra.transport.grpc.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.testing.wait.Await;

class BoundsTest {
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    @TempDir Path folder;
    private TestSettings settings;
    private Port port;

    @BeforeEach
    void prepare() {
        settings = new TestSettings(folder);
    }

    @AfterEach
    void close() {
        port.close();
    }

    private Socket connected() throws IOException {
        Socket socket = new Socket(port.address().getAddress(), port.address().getPort());
        socket.setSoTimeout((int) Port.PATIENCE.toMillis());
        return socket;
    }

    /** Reads to the end; fails when there is none in time. */
    private static void assertCloses(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        byte[] buffer = new byte[1_024];
        try {
            while (in.read(buffer) >= 0) {
                // What it says before it closes is of no interest.
            }
        } catch (SocketException e) {
            // Closed hard: as good an end as any.
        }
    }

    private Socket speaking() throws IOException {
        Socket socket = connected();
        socket.getOutputStream().write(PREFACE.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().write(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0}); // its settings
        socket.getOutputStream().flush();
        return socket;
    }

    private void awaitConnections(int count) {
        Await.until(
                count + " connections",
                Port.PATIENCE,
                () -> port.metric("palyra_grpc_connections") == count);
    }

    /** The connections of the report: HTTP/2, idle, and nobody's. */
    @Test
    void idleConnectionsOfStrangersKeepNoAuthorisedClientOut() throws Exception {
        port =
                Port.open(
                        settings.set("maxConnections", 64)
                                .set("maxConnectionsPerAddress", 10_000)
                                .set("unauthenticatedSeconds", 3_600));
        List<Socket> strangers = new ArrayList<>();
        try {
            for (int i = 0; i < 512; i++) {
                strangers.add(speaking());
            }
            ManagedChannel alice = port.plain();
            assertEquals("user:alice", Port.whoAmI(Port.as(alice, "alice")));
            for (int i = 0; i < 100; i++) {
                strangers.add(speaking());
            }
            assertEquals("user:alice", Port.whoAmI(Port.as(alice, "alice")));
            assertEquals("user:bob", Port.whoAmI(Port.as(port.plain(), "bob")));
            awaitConnections(64);
            assertTrue(port.metric("palyra_grpc_connections_refused_total") >= 540);
        } finally {
            for (Socket stranger : strangers) {
                stranger.close();
            }
        }
    }

    @Test
    void strangersTakeOnlyTheFewPlacesBesideAuthorisedConnections() throws Exception {
        port = Port.open(settings.set("maxConnections", 2));
        ManagedChannel one = port.plain();
        ManagedChannel two = port.plain();
        assertEquals("user:alice", Port.whoAmI(Port.as(one, "alice")));
        assertEquals("user:bob", Port.whoAmI(Port.as(two, "bob")));
        try (Socket third = connected();
                Socket fourth = connected()) {
            assertCloses(third);
            assertEquals(3, port.metric("palyra_grpc_connections"));
            assertEquals(1, port.metric("palyra_grpc_connections_refused_total"));
            assertTrue(fourth.isConnected());
        }
        awaitConnections(2);
    }

    @Test
    void anIdleAuthorisedConnectionGivesWayToAnother() throws Exception {
        port = Port.open(settings.set("maxConnections", 1));
        ManagedChannel idle = port.plain();
        assertEquals("user:alice", Port.whoAmI(Port.as(idle, "alice")));
        assertEquals("user:bob", Port.whoAmI(Port.as(port.plain(), "bob")));
        awaitConnections(1);
        assertEquals("user:alice", Port.whoAmI(Port.as(idle, "alice"))); // it connects again
    }

    @Test
    void busyConnectionsGiveNoWay() throws Exception {
        port = Port.open(settings.set("maxConnections", 1));
        OpenedStream busy = OpenedStream.as(port.plain(), "alice").echo("hello");
        StatusRuntimeException refusal =
                assertThrows(
                        StatusRuntimeException.class,
                        () -> Port.whoAmI(Port.as(port.plain(), "bob")));
        assertEquals(Status.Code.RESOURCE_EXHAUSTED, refusal.getStatus().getCode());
        busy.echo("still there");
        port.apply(settings.set("maxConnections", 2)); // while it runs
        assertEquals("user:bob", Port.whoAmI(Port.as(port.plain(), "bob")));
    }

    @Test
    void oneCredentialHasNoMoreConnectionsThanItsBound() throws Exception {
        port = Port.open(settings.set("maxConnectionsPerCredential", 2));
        OpenedStream first = OpenedStream.as(port.plain(), "alice").echo("one");
        OpenedStream second = OpenedStream.as(port.plain(), "alice").echo("two");
        StatusRuntimeException refusal =
                assertThrows(
                        StatusRuntimeException.class,
                        () -> Port.whoAmI(Port.as(port.plain(), "alice")));
        assertEquals(Status.Code.RESOURCE_EXHAUSTED, refusal.getStatus().getCode());
        assertEquals("user:bob", Port.whoAmI(Port.as(port.plain(), "bob")));
        second.halfClose();
        Await.until(
                "its idle connection to give way",
                Port.PATIENCE,
                () -> {
                    try {
                        return Port.whoAmI(Port.as(port.plain(), "alice")).equals("user:alice");
                    } catch (StatusRuntimeException refused) {
                        return false;
                    }
                });
        first.echo("still there");
    }

    @Test
    void oneCredentialHasNoMoreCallsThanItsBound() {
        port = Port.open(settings.set("maxCallsPerCredential", 2));
        ManagedChannel channel = port.plain();
        OpenedStream first = OpenedStream.as(channel, "alice").echo("one");
        OpenedStream second = OpenedStream.as(channel, "alice").echo("two");
        StatusRuntimeException refusal =
                assertThrows(
                        StatusRuntimeException.class, () -> Port.whoAmI(Port.as(channel, "alice")));
        assertEquals(Status.Code.RESOURCE_EXHAUSTED, refusal.getStatus().getCode());
        assertEquals("user:bob", Port.whoAmI(Port.as(channel, "bob")));
        first.halfClose();
        Await.until(
                "its place to be given back",
                Port.PATIENCE,
                () -> {
                    try {
                        return Port.whoAmI(Port.as(channel, "alice")).equals("user:alice");
                    } catch (StatusRuntimeException refused) {
                        return false;
                    }
                });
        second.echo("still there");
    }

    @Test
    void oneAddressHasNoMoreConnectionsOfStrangersThanItsBound() throws Exception {
        port = Port.open(settings.set("maxConnectionsPerAddress", 1));
        assertEquals("user:alice", Port.whoAmI(Port.as(port.plain(), "alice")));
        assertEquals("user:bob", Port.whoAmI(Port.as(port.plain(), "bob")));
        try (Socket first = speaking();
                Socket second = speaking()) {
            assertCloses(first);
            assertTrue(second.isConnected());
            assertEquals(3, port.metric("palyra_grpc_connections"));
        }
    }

    @Test
    void closesAStrangersConnectionWithoutCalls() throws Exception {
        port = Port.open(settings.set("unauthenticatedSeconds", 1));
        ManagedChannel channel = port.plain();
        assertEquals("user:alice", Port.whoAmI(Port.as(channel, "alice")));
        try (Socket silent = speaking()) {
            assertCloses(silent);
        }
        assertEquals(1, port.metric("palyra_grpc_connections"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "PRI", PREFACE})
    void closesWhoDoesNotBeginToSpeak(String beginning) throws Exception {
        port = Port.open(settings.set("handshakeSeconds", 1));
        try (Socket silent = connected()) {
            silent.getOutputStream().write(beginning.getBytes(StandardCharsets.US_ASCII));
            assertCloses(silent);
        }
        serves(() -> Port.whoAmI(Port.as(port.plain(), "alice")));
    }

    /** A client of ours may itself be too slow for a port with short limits, so it tries again. */
    private static void serves(Supplier<String> whoAmI) {
        Await.until(
                "the port to serve",
                Port.PATIENCE,
                () -> {
                    try {
                        return whoAmI.get().equals("user:alice");
                    } catch (StatusRuntimeException closed) {
                        return false;
                    }
                });
    }

    /** The head of a TLS record of 512 bytes, and not all of it. */
    @ParameterizedTest
    @ValueSource(ints = {0, 3, 100})
    void closesWhoDoesNotFinishTls(int bytes) throws Exception {
        port = Port.open(settings.tls("server").set("handshakeSeconds", 1));
        byte[] hello = new byte[bytes];
        byte[] head = {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3};
        System.arraycopy(head, 0, hello, 0, Math.min(bytes, head.length));
        try (Socket silent = connected()) {
            silent.getOutputStream().write(hello);
            assertCloses(silent);
        }
        serves(() -> Port.whoAmI(Port.as(port.tls(null), "alice")));
    }

    @Test
    void closesWhoFinishesTlsAndThenSaysNothing() throws Exception {
        port = Port.open(settings.tls("server").set("handshakeSeconds", 5).set("idleSeconds", 10));
        try (SSLSocket silent =
                (SSLSocket)
                        trusting()
                                .getSocketFactory()
                                .createSocket(
                                        port.address().getAddress(), port.address().getPort())) {
            silent.setSoTimeout((int) Port.PATIENCE.toMillis());
            SSLParameters parameters = silent.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2"});
            silent.setSSLParameters(parameters);
            silent.startHandshake();
            assertEquals("h2", silent.getApplicationProtocol());
            assertCloses(silent);
        }
    }

    private static SSLContext trusting() throws Exception {
        java.security.KeyStore authorities = java.security.KeyStore.getInstance("PKCS12");
        authorities.load(null, null);
        authorities.setCertificateEntry(
                "ca", Pem.certificates(TestSettings.resource("ca.pem")).get(0));
        TrustManagerFactory trust =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(authorities);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), new SecureRandom());
        return context;
    }

    @Test
    void aConnectionHasNoMoreStreamsThanTheBound() {
        port = Port.open(settings.set("maxStreamsPerConnection", 2));
        ManagedChannel channel = port.plain();
        List<OpenedStream> open = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            open.add(OpenedStream.as(channel, "alice").echo("stream " + i));
        }
        OpenedStream third = OpenedStream.as(channel, "alice");
        third.send("third"); // waits in the client
        open.get(0).echo("still there");
        assertEquals(2, port.probe.callers.size());
        open.get(1).halfClose();
        third.awaitEcho("third");
    }

    @Test
    void refusesMetadataThatIsTooLong() {
        port = Port.open(settings);
        ManagedChannel channel = port.plain();
        String[] pairs = {"authorization", "Bearer palyra_alice", "x-other", "o".repeat(8_000)};
        assertEquals("user:alice", Port.whoAmI(Port.stub(channel, pairs)));
        pairs[3] = "o".repeat(GrpcServer.MAX_METADATA_BYTES);
        assertThrows(StatusRuntimeException.class, () -> Port.whoAmI(Port.stub(channel, pairs)));
        assertEquals(1, port.probe.callers.size());
        assertEquals("user:alice", Port.whoAmI(Port.as(channel, "alice")));
    }
}
