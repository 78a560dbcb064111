package palyra.sandbox.internal.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.egress.EgressConnection;
import palyra.api.core.egress.EgressContext;
import palyra.api.core.egress.EgressTunnelRequest;
import palyra.api.core.egress.EgressTunnelRequest.Security;
import palyra.api.core.egress.EgressTunnelRequest.TunnelLimits;
import palyra.testing.wait.Await;

/** Tunnels of the gateway: each guard, and who tries to get past it. */
class EgressTunnelTest extends TlsFixture {
    private static final byte[] HEAD = "hello\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final EgressContext CONNECTOR =
            new EgressContext("connector:a", java.util.Set.of(), "", "", "", "connector");

    private EgressConnection connect(EgressTunnelRequest request) {
        return stage.core.tunnelsOf("org.example").connect(request);
    }

    private PalyraException refused(EgressTunnelRequest request) {
        return assertThrows(PalyraException.class, () -> connect(request));
    }

    private static EgressTunnelRequest tls(String host, int port) {
        return EgressTunnelRequest.tls(CONNECTOR, host, port);
    }

    private static EgressTunnelRequest plain(int port, TunnelLimits limits) {
        return new EgressTunnelRequest(
                CONNECTOR, "allowed.test", port, Security.PLAIN, List.of(), limits);
    }

    private static EgressTunnelRequest plain(int port) {
        return plain(port, TunnelLimits.DEFAULT);
    }

    private static EgressTunnelRequest plain(String host, int port) {
        return new EgressTunnelRequest(
                CONNECTOR, host, port, Security.PLAIN, List.of(), TunnelLimits.DEFAULT);
    }

    private static WebServer echo() throws IOException {
        return WebServer.start((head, in, out) -> in.transferTo(out));
    }

    private static String why(Throwable thrown) {
        return String.valueOf(thrown.getMessage());
    }

    @Test
    void anAllowedTunnelIsAskedAboutRecordedMadeAndRecordedAgain() throws IOException {
        AtomicReference<Integer> recorded = new AtomicReference<>();
        try (WebServer secured =
                certificates.serve(
                        (head, in, out) -> {
                            recorded.set(stage.journal.of(ConnectionRecord.CONNECT).size());
                            out.write("welcome".getBytes(StandardCharsets.US_ASCII));
                        })) {
            EgressConnection connection = connect(tls("ALLOWED.test.", secured.port()));
            assertTrue(connection.closed().isEmpty());
            assertEquals("127.0.0.1", connection.address());
            assertEquals("", connection.applicationProtocol());
            connection.out().write(HEAD);
            assertEquals(
                    "welcome",
                    new String(connection.in().readAllBytes(), StandardCharsets.US_ASCII));
            connection.close();
            connection.close();
            assertEquals("it was closed", connection.closed().orElseThrow());
            AccessRequest asked = stage.access.requests().get(0);
            assertEquals("network.connect", asked.action());
            assertEquals("host:allowed.test", asked.resource());
            assertEquals(
                    Map.of(
                            "port",
                            secured.port() + "",
                            "maxBytes",
                            (1L << 30) + "",
                            "method",
                            "CONNECT",
                            "purpose",
                            "connector"),
                    asked.facts());
            assertEquals(1, recorded.get(), "the record was durable before the server heard it");
            JsonNode closed = stage.journal.closed(1).get(0);
            assertEquals("ended", closed.path("outcome").asText());
            assertEquals("CONNECT", closed.path("method").asText());
            assertEquals(HEAD.length, closed.path("bytesUp").asInt());
            assertEquals(7, closed.path("bytesDown").asInt());
            assertTrue(
                    assertThrows(IOException.class, () -> connection.in().read())
                            .getMessage()
                            .contains("it was closed"));
        }
    }

    @Test
    void withoutEachGuardNothingIsConnectedTo() throws IOException {
        try (WebServer peer = echo()) {
            EgressTunnelRequest request = plain(peer.port());
            stage.access.allowing(asked -> false);
            assertEquals(ErrorCode.DENIED, refused(request).code());
            assertEquals(List.of(), stage.lookedUp, "what policy denies is not even looked up");
            stage.access.allowing(
                    asked -> {
                        throw new IllegalStateException("a defect");
                    });
            assertEquals(ErrorCode.POLICY_UNAVAILABLE, refused(request).code());
            stage.access.allowing(asked -> true);
            stage.accessGate.remove(stage.accessService);
            assertEquals(ErrorCode.POLICY_UNAVAILABLE, refused(request).code());
            stage.accessGate.add(stage.accessService, Map.of());
            stage.journal.store.refuseUnits(ErrorCode.DISK_FULL);
            assertEquals(ErrorCode.DISK_FULL, refused(request).code());
            stage.journal.store.acceptUnits();
            stage.journalGate.remove(stage.journal.store);
            assertEquals(ErrorCode.JOURNAL_UNAVAILABLE, refused(request).code());
            stage.journalGate.add(stage.journal.store, Map.of());
            stage.names.remove("allowed.test");
            assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused(request).code());
            assertEquals(0, peer.connections.get());
            assertEquals(6, stage.journal.denied(6).size());
            stage.names.put("allowed.test", List.of("127.0.0.1"));
            connect(request).close();
            assertEquals(1, stage.journal.closed(1).size(), "with all of them it is made");
        }
    }

    @Test
    void aNameThatLeadsElsewhereTheSecondTimeGainsNothing() throws Exception {
        try (WebServer peer = echo()) {
            EgressConnection connection = connect(plain(peer.port()));
            stage.names.put("allowed.test", List.of("10.0.0.1"));
            Await.until("it was decided on again", LONG, () -> stage.access.requests().size() >= 2);
            assertTrue(connection.closed().isEmpty());
            assertEquals("127.0.0.1", connection.address());
            assertEquals(List.of("allowed.test"), stage.lookedUp, "the name is asked for once");
            assertEquals(ErrorCode.DENIED, refused(plain(peer.port())).code());
            stage.names.put("allowed.test", List.of("127.0.0.1", "10.0.0.1"));
            assertEquals(ErrorCode.DENIED, refused(plain(peer.port())).code());
            assertEquals(1, peer.connections.get());
        }
    }

    @Test
    void privateAddressesAreRefusedHoweverTheyAreWritten() throws IOException {
        stage.names.put("mapped.test", List.of("::ffff:10.0.0.1"));
        stage.names.put("metadata.test", List.of("169.254.169.254"));
        stage.names.put("translated.test", List.of("64:ff9b::a00:1"));
        for (String bad :
                List.of(
                        "mapped.test",
                        "metadata.test",
                        "translated.test",
                        "10.0.0.1",
                        "[::ffff:10.0.0.1]",
                        "[64:ff9b::a00:1]",
                        "[fe80::1]",
                        "0.0.0.0",
                        "2130706433",
                        "127.1",
                        "0x7f.1")) {
            assertEquals(ErrorCode.DENIED, refused(tls(bad, 443)).code(), bad);
        }
        for (String bad : List.of("a b", "a@b", "a/b", "-", "a..b", "[1.2.3.4]", "::1")) {
            assertEquals(ErrorCode.INVALID_ARGUMENT, refused(tls(bad, 443)).code(), bad);
        }
        try (WebServer peer = echo()) {
            stage.listensOn("http://127.0.0.1:" + peer.port());
            assertEquals(ErrorCode.DENIED, refused(plain(peer.port())).code(), "an own port");
            assertEquals(0, peer.connections.get());
        }
    }

    @Test
    void whatAModelMayReadNamesNoAddress() {
        stage.names.put("inside.test", List.of("10.1.2.3"));
        PalyraException shown = refused(EgressTunnelRequest.tls(Stage.ANNA, "inside.test", 443));
        assertTrue(!why(shown).contains("10.1.2.3") && shown.getCause() == null, why(shown));
        assertTrue(why(refused(tls("inside.test", 443))).contains("10.1.2.3"));
    }

    @Test
    void aConnectionInClearLeadsToThisMachineAlone() throws IOException {
        stage.names.put("far.test", List.of("93.184.216.34"));
        PalyraException refused =
                refused(
                        new EgressTunnelRequest(
                                CONNECTOR,
                                "far.test",
                                80,
                                Security.PLAIN,
                                List.of(),
                                TunnelLimits.DEFAULT));
        assertEquals(ErrorCode.DENIED, refused.code());
        assertTrue(why(refused).contains("only TLS leads elsewhere"), why(refused));
        assertEquals(List.of(), stage.journal.of(ConnectionRecord.CLOSED));
    }

    @Test
    void theServerMustProveThatItIsTheHost(@TempDir Path other) throws Exception {
        PalyraException mismatch = refused(tls("other.test", server.port()));
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, mismatch.code());
        assertTrue(why(mismatch).contains("TLS"), why(mismatch));

        Certificates expired = Certificates.expired(other, "allowed.test");
        stage.core.use(Stage.settings(expired.pem.toString(), Stage.PROXY));
        try (WebServer old = expired.serve((head, in, out) -> out.write(1))) {
            PalyraException late = refused(tls("allowed.test", old.port()));
            assertTrue(why(late).contains("TLS") && why(late).contains("alidity"), why(late));
            assertEquals(List.of(), old.heads.stream().filter(head -> !head.isEmpty()).toList());
        }
        assertTrue(why(refused(tls("allowed.test", server.port()))).contains("TLS"), "untrusted");
        try (WebServer clear = WebServer.saying("no TLS here")) {
            EgressTunnelRequest quick =
                    new EgressTunnelRequest(
                            CONNECTOR,
                            "allowed.test",
                            clear.port(),
                            Security.TLS,
                            List.of(),
                            new TunnelLimits(1_000, 1_000, 99, 99));
            assertTrue(
                    List.of(ErrorCode.TOOL_UNAVAILABLE, ErrorCode.TIMED_OUT)
                            .contains(refused(quick).code()));
        }
        assertEquals(List.of(), server.heads.stream().filter(head -> !head.isEmpty()).toList());
    }

    @Test
    void theServerChoosesAnApplicationProtocol() throws Exception {
        var listening = certificates.serverSocket();
        var parameters = listening.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"imap"});
        listening.setSSLParameters(parameters);
        try (WebServer imap = new WebServer(listening, (head, in, out) -> {})) {
            EgressTunnelRequest request =
                    new EgressTunnelRequest(
                            CONNECTOR,
                            "allowed.test",
                            imap.port(),
                            Security.TLS,
                            List.of("imap"),
                            TunnelLimits.DEFAULT);
            EgressConnection connection = connect(request);
            assertEquals("imap", connection.applicationProtocol());
            connection.close();
        }
    }

    @Test
    void bytesAreLimitedInEachDirection() throws IOException {
        try (WebServer peer = echo()) {
            EgressConnection exact = connect(plain(peer.port(), limits(1_000, 60_000, 4, 13)));
            exact.out().write(HEAD);
            exact.out().write("1234".getBytes(StandardCharsets.US_ASCII));
            assertEquals(4, exact.in().readNBytes(4).length);
            String most = why(assertThrows(IOException.class, () -> exact.out().write(1)));
            assertTrue(most.contains("more than the 13 bytes that may be sent"), most);
            EgressConnection small = connect(plain(peer.port(), limits(1_000, 60_000, 4, 99)));
            small.out().write(HEAD);
            small.out().write("12345".getBytes(StandardCharsets.US_ASCII));
            most = why(assertThrows(IOException.class, () -> small.in().readNBytes(5)));
            assertTrue(most.contains("more than the 4 bytes that may be received"), most);
            List<JsonNode> closed = stage.journal.closed(2);
            assertEquals("cut", closed.get(0).path("outcome").asText());
            assertTrue(closed.get(1).path("reason").asText().contains("4 bytes"));
        }
    }

    private static TunnelLimits limits(int connect, int idle, long in, long out) {
        return new TunnelLimits(connect, idle, in, out);
    }

    @Test
    void silenceOfTheServerCutsEvenWhileMuchIsSent() throws Exception {
        try (WebServer mute =
                WebServer.start(
                        (head, in, out) ->
                                in.transferTo(java.io.OutputStream.nullOutputStream()))) {
            EgressConnection connection =
                    connect(plain(mute.port(), limits(5_000, 700, 99, 1L << 30)));
            connection.out().write(HEAD);
            AtomicBoolean sending = new AtomicBoolean(true);
            Thread writer =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            while (sending.get()) {
                                                connection.out().write(1);
                                                Thread.onSpinWait();
                                            }
                                        } catch (IOException e) {
                                            // it was cut
                                        }
                                    });
            String why = why(assertThrows(IOException.class, () -> connection.in().read()));
            sending.set(false);
            assertTrue(why.contains("silent for too long"), why);
            writer.join();
            assertTrue(stage.journal.closed(1).get(0).path("reason").asText().contains("silent"));
        }
    }

    @Test
    void anotherThreadClosesItWhileAVirtualOneReads() throws Exception {
        try (WebServer peer = echo();
                WebServer secured = certificates.serve((head, in, out) -> in.transferTo(out))) {
            for (EgressTunnelRequest request :
                    List.of(plain(peer.port()), tls("allowed.test", secured.port()))) {
                EgressConnection connection = connect(request);
                CompletableFuture<String> ended = new CompletableFuture<>();
                Thread reader =
                        Thread.ofVirtual()
                                .start(
                                        () ->
                                                ended.complete(
                                                        why(
                                                                assertThrows(
                                                                        IOException.class,
                                                                        connection.in()::read))));
                Await.until("it reads", LONG, () -> reader.getState() == Thread.State.WAITING);
                connection.close();
                assertTrue(ended.get(30, TimeUnit.SECONDS).contains("it was closed"));
            }
        }
    }

    @Test
    void anInterruptionCutsIt() throws Exception {
        try (WebServer peer = echo()) {
            EgressConnection connection = connect(plain(peer.port()));
            CompletableFuture<Throwable> ended = new CompletableFuture<>();
            Thread reader =
                    Thread.ofVirtual()
                            .start(
                                    () ->
                                            ended.complete(
                                                    assertThrows(
                                                            IOException.class,
                                                            connection.in()::read)));
            Await.until("it reads", LONG, () -> reader.getState() == Thread.State.WAITING);
            reader.interrupt();
            assertTrue(ended.get(30, TimeUnit.SECONDS) instanceof java.io.InterruptedIOException);
            assertTrue(
                    stage.journal.closed(1).get(0).path("reason").asText().contains("interrupted"));
        }
    }

    @Test
    void eachEndMayFinishByItself() throws IOException {
        try (WebServer peer =
                        WebServer.start(
                                (head, in, out) ->
                                        out.write(
                                                (in.readAllBytes().length + "")
                                                        .getBytes(StandardCharsets.US_ASCII)));
                WebServer secured =
                        certificates.serve(
                                (head, in, out) ->
                                        out.write(
                                                (in.readAllBytes().length + "")
                                                        .getBytes(StandardCharsets.US_ASCII)))) {
            for (EgressTunnelRequest request :
                    List.of(plain(peer.port()), tls("allowed.test", secured.port()))) {
                EgressConnection connection = connect(request);
                connection.out().write(HEAD);
                connection.out().write(new byte[42]);
                connection.out().close();
                assertEquals(
                        "42",
                        new String(connection.in().readAllBytes(), StandardCharsets.US_ASCII));
                assertTrue(connection.closed().isEmpty());
                connection.in().close();
                assertTrue(connection.closed().isPresent());
            }
        }
    }

    @Test
    void aWithdrawnPolicyCutsItAndTheRecordSaysSo() throws IOException {
        try (WebServer peer = echo()) {
            EgressConnection connection = connect(plain(peer.port()));
            EgressConnection other = connect(plain("other.test", peer.port()));
            EgressConnection third = connect(plain("third.test", peer.port()));
            stage.access.allowing(request -> !request.resource().equals("host:allowed.test"));
            String why = why(assertThrows(IOException.class, () -> connection.in().read()));
            assertTrue(why.contains("it is allowed no more"), why);
            JsonNode closed = stage.journal.closed(1).get(0);
            assertEquals("cut", closed.path("outcome").asText());
            assertTrue(
                    closed.path("reason").asText().startsWith("it is allowed no more: "),
                    closed.toString());
            assertTrue(other.closed().isEmpty(), "what is allowed goes on");

            stage.accessGate.remove(stage.accessService);
            String absent = " is not allowed: Access control is not available";
            why = why(assertThrows(IOException.class, () -> other.in().read()));
            assertTrue(why.contains("other.test:" + peer.port() + absent), why);
            why = why(assertThrows(IOException.class, () -> third.in().read()));
            assertTrue(why.contains("third.test:" + peer.port() + absent), why);
        }
    }

    @Test
    void aPolicyThatFailsOrSettingsThatChangeCutItToo() throws IOException {
        try (WebServer peer = echo();
                Stage real =
                        new Stage(
                                new PublicAddresses(),
                                Stage.settings(
                                        "", Stage.PROXY, "allowed.test:" + peerPort(peer)))) {
            EgressConnection excepted =
                    real.core.tunnelsOf("org.example").connect(plain(peer.port()));
            real.core.use(Stage.settings("", Stage.PROXY));
            String why = why(assertThrows(IOException.class, () -> excepted.in().read()));
            assertTrue(why.contains("it is allowed no more"), why);

            EgressConnection connection = connect(plain(peer.port()));
            stage.access.allowing(
                    request -> {
                        throw new IllegalStateException("a defect");
                    });
            assertThrows(IOException.class, () -> connection.in().read());
            assertTrue(connection.closed().orElseThrow().contains("policy request failed"));
        }
    }

    private static int peerPort(WebServer peer) {
        return peer.port();
    }

    @Test
    void tooManyAreRefused() throws IOException {
        try (WebServer peer = echo()) {
            EgressSettings one =
                    new EgressSettings(List.of(), List.of(), "", 1, 1L << 30, 1_000, Stage.PROXY);
            stage.core.use(one);
            EgressConnection first = connect(plain(peer.port()));
            assertEquals(ErrorCode.RESOURCE_EXHAUSTED, refused(plain(peer.port())).code());
            first.close();
            connect(plain(peer.port())).close();
        }
    }
}
