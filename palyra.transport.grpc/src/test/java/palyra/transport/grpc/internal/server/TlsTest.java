package palyra.transport.grpc.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.shared.hash.Digests;
import palyra.testing.wait.Await;

class TlsTest {
    @TempDir Path folder;
    private TestSettings settings;
    private Port port;

    @BeforeEach
    void prepare() {
        settings = new TestSettings(folder).tls("server");
    }

    @AfterEach
    void close() {
        if (port != null) {
            port.close();
        }
    }

    private static String fingerprint(String certificate) throws Exception {
        return Digests.sha256Hex(
                Pem.certificates(TestSettings.resource(certificate + ".pem")).get(0).getEncoded());
    }

    private static Status refused(ManagedChannel channel, String... metadata) {
        return assertThrows(
                        StatusRuntimeException.class,
                        () -> Port.whoAmI(Port.stub(channel, metadata)))
                .getStatus();
    }

    /** Who the server says it is, whatever it says. */
    private String subject() throws Exception {
        SSLContext trusting = SSLContext.getInstance("TLS");
        trusting.init(null, new TrustManager[] {new Anybody()}, null);
        try (SSLSocket socket =
                (SSLSocket)
                        trusting.getSocketFactory()
                                .createSocket("127.0.0.1", port.address().getPort())) {
            socket.setSoTimeout((int) Port.PATIENCE.toMillis());
            socket.startHandshake();
            return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
                    .getSubjectX500Principal()
                    .getName();
        }
    }

    private static final class Anybody implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    @Test
    void takesTokensOverTls() {
        port = Port.open(settings);
        assertTrue(port.uri.get().startsWith("grpcs://127.0.0.1:"), port.uri.get());
        assertEquals("user:alice", Port.whoAmI(Port.as(port.tls(null), "alice")));
    }

    @Test
    void doesNotSpeakInTheClear() {
        port = Port.open(settings);
        Status status = refused(port.plain(), "authorization", "Bearer palyra_alice");
        assertEquals(Status.Code.UNAVAILABLE, status.getCode());
        assertEquals(0, port.access.credentials().size());
    }

    @Test
    void knowsAClientByItsCertificate() throws Exception {
        port = Port.open(settings.clientCa("ca", "wanted"));
        port.access.knows(fingerprint("client"), "service:builder");
        assertEquals("service:builder", Port.whoAmI(Port.stub(port.tls("client"))));
    }

    @Test
    void aCertificateThatIsNotKnownIsNoCredential() {
        port = Port.open(settings.clientCa("ca", "wanted"));
        assertEquals(Status.Code.UNAUTHENTICATED, refused(port.tls("client")).getCode());
    }

    @Test
    void aTokenWinsOverTheCertificate() throws Exception {
        port = Port.open(settings.clientCa("ca", "wanted"));
        port.access.knows(fingerprint("client"), "service:builder");
        ManagedChannel channel = port.tls("client");
        assertEquals("user:alice", Port.whoAmI(Port.as(channel, "alice")));
        assertEquals(
                Status.Code.UNAUTHENTICATED,
                refused(channel, "authorization", "Bearer palyra_nobody").getCode());
    }

    @Test
    void wantedTakesWhoShowsNoCertificateWithAToken() {
        port = Port.open(settings.clientCa("ca", "wanted"));
        ManagedChannel channel = port.tls(null);
        assertEquals("user:alice", Port.whoAmI(Port.as(channel, "alice")));
        assertEquals(Status.Code.UNAUTHENTICATED, refused(channel).getCode());
    }

    @Test
    void requiredTakesNobodyWithoutACertificate() throws Exception {
        port = Port.open(settings.clientCa("ca", "required"));
        port.access.knows(fingerprint("client"), "service:builder");
        assertEquals(
                Status.Code.UNAVAILABLE,
                refused(port.tls(null), "authorization", "Bearer palyra_alice").getCode());
        assertEquals("service:builder", Port.whoAmI(Port.stub(port.tls("client"))));
    }

    @Test
    void aStrangersCertificateIsNotVerified() throws Exception {
        port = Port.open(settings.clientCa("ca", "wanted"));
        port.access.knows(fingerprint("stranger"), "service:stranger");
        port.access.knows(fingerprint("client"), "service:builder");
        refused(port.tls("stranger"));
        assertEquals(0, port.probe.callers.size());
        assertEquals("service:builder", Port.whoAmI(Port.stub(port.tls("client"))));
    }

    @Test
    void noneAsksForNoCertificate() throws Exception {
        port = Port.open(settings.clientCa("ca", "none"));
        port.access.knows(fingerprint("client"), "service:builder");
        ManagedChannel channel = port.tls("client");
        assertEquals(Status.Code.UNAUTHENTICATED, refused(channel).getCode());
        assertEquals("user:alice", Port.whoAmI(Port.as(channel, "alice")));
    }

    @Test
    void takesChangedFilesUpForNewConnectionsAndKeepsTheOldOnes() throws Exception {
        port = Port.open(settings);
        ManagedChannel before = port.tls(null);
        assertEquals("user:alice", Port.whoAmI(Port.as(before, "alice")));
        settings.tls("renewed");
        Await.until("the renewed certificate", Port.PATIENCE, () -> renewed());
        assertEquals("user:alice", Port.whoAmI(Port.as(before, "alice")));
        assertEquals("user:bob", Port.whoAmI(Port.as(port.tls(null), "bob")));
        assertTrue(port.transport.findings().isEmpty());
    }

    private void awaitNoConnections() {
        Await.until(
                "the connections to end",
                Port.PATIENCE,
                () -> port.metric("palyra_grpc_connections") == 0);
    }

    @Test
    void endsOpenConnectionsOfAnExpiredClientCertificate() throws Exception {
        port = Port.open(settings.clientCa("ca", "wanted"));
        port.access.knows(fingerprint("client"), "service:builder");
        OpenedStream stream = new OpenedStream(port.tls("client")).echo("hello");
        OpenedStream other = OpenedStream.as(port.tls("client"), "alice").echo("hello");
        X509Certificate own = Pem.certificates(TestSettings.resource("client.pem")).get(0);
        port.ahead.set(Duration.between(Instant.now(), own.getNotAfter().toInstant()));
        assertEquals(Status.Code.UNAUTHENTICATED, stream.end().status().getCode());
        other.end().status(); // by a token, over a connection that has expired
        awaitNoConnections();
        port.ahead.set(Duration.ZERO);
        assertEquals("service:builder", Port.whoAmI(Port.stub(port.tls("client"))));
    }

    @Test
    void endsOpenConnectionsOfARevokedClientCertificate() throws Exception {
        port = Port.open(settings.clientCa("ca", "wanted"));
        port.access.knows(fingerprint("client"), "service:builder");
        OpenedStream stream = new OpenedStream(port.tls("client")).echo("hello");
        assertEquals("service:builder", Port.whoAmI(Port.stub(port.tls("client"))));
        port.access.revoke(fingerprint("client"));
        assertEquals(Status.Code.UNAUTHENTICATED, stream.end().status().getCode());
        awaitNoConnections();
    }

    @Test
    void endsOpenConnectionsWhoseAuthorityIsTrustedNoLonger() throws Exception {
        port = Port.open(settings.clientCa("ca", "wanted"));
        port.access.knows(fingerprint("client"), "service:builder");
        ManagedChannel plain = port.tls(null);
        assertEquals("user:alice", Port.whoAmI(Port.as(plain, "alice")));
        assertEquals("service:builder", Port.whoAmI(Port.stub(port.tls("client"))));
        settings.copy("other-ca.pem", "clients.pem");
        Await.until(
                "its connection to end",
                Port.PATIENCE,
                () -> port.metric("palyra_grpc_connections") == 1);
        assertEquals("user:alice", Port.whoAmI(Port.as(plain, "alice")));
    }

    private boolean renewed() {
        try {
            return subject().contains("renewed");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void keepsTheLastGoodFilesWhenTheNewOnesAreBad() throws Exception {
        port = Port.open(settings);
        settings.copy("renewed.pem", "server.pem"); // without its key
        String found = port.finding();
        assertTrue(found.contains("does not belong to the first certificate"), found);
        assertFalse(renewed());
        assertEquals("user:alice", Port.whoAmI(Port.as(port.tls(null), "alice")));
        settings.copy("renewed.key", "server.key");
        Await.until("the renewed certificate", Port.PATIENCE, () -> renewed());
        Await.until("the finding to go", Port.PATIENCE, () -> port.transport.findings().isEmpty());
    }

    @Test
    void aChangedAuthorityCountsForNewConnections() throws Exception {
        port = Port.open(settings.clientCa("ca", "required"));
        port.access.knows(fingerprint("client"), "service:builder");
        port.access.knows(fingerprint("stranger"), "service:stranger");
        assertEquals("service:builder", Port.whoAmI(Port.stub(port.tls("client"))));
        settings.copy("other-ca.pem", "clients.pem");
        Await.until(
                "the other authority to count",
                Port.PATIENCE,
                () -> {
                    try {
                        return Port.whoAmI(Port.stub(port.tls("stranger")))
                                .equals("service:stranger");
                    } catch (StatusRuntimeException e) {
                        return false;
                    }
                });
        assertEquals(Status.Code.UNAVAILABLE, refused(port.tls("client")).getCode());
    }
}
