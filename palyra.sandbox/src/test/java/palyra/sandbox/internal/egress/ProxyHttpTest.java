package palyra.sandbox.internal.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import palyra.api.PalyraException;
import palyra.api.core.egress.EgressProxies.AllowedHost;
import palyra.api.core.egress.EgressProxies.EgressProxy;
import palyra.testing.wait.Await;

/** Plain HTTP through a proxy, and everything that a command may try instead. */
class ProxyHttpTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private Stage stage;
    private WebServer server;
    private EgressProxy proxy;

    @BeforeEach
    void set() throws IOException {
        stage = new Stage();
        server =
                WebServer.start(
                        (head, in, out) -> {
                            String body =
                                    head.contains("Content-Length: 4")
                                            ? new String(
                                                    in.readNBytes(4), StandardCharsets.US_ASCII)
                                            : "hello";
                            out.write(WebServer.answer(200, "Connection: keep-alive", body));
                        });
        proxy = open("allowed.test:" + server.port());
    }

    @AfterEach
    void strike() throws IOException {
        stage.close();
        server.close();
        Stage.awaitNoThreads();
    }

    private EgressProxy open(String... allowed) {
        return open(1L << 30, allowed);
    }

    private EgressProxy open(long maxBytes, String... allowed) {
        List<AllowedHost> hosts = List.of(allowed).stream().map(AllowedHost::parse).toList();
        return stage.core.open(Stage.ANNA, hosts, maxBytes);
    }

    private String url(String host) {
        return "http://" + host + ":" + server.port() + "/";
    }

    @Test
    void anAllowedHostIsReachedAndRecorded() throws IOException {
        String answer = ProxyClient.ask(proxy, ProxyClient.get(url("allowed.test") + "a?b"));
        assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
        assertTrue(answer.endsWith("\r\n\r\nhello"), answer);
        assertTrue(answer.contains("Connection: close") && !answer.contains("keep-alive"), answer);
        assertTrue(server.heads.get(0).startsWith("GET /a?b HTTP/1.1\r\n"), server.heads.get(0));
        FakeJournal.Event closed = stage.journal.closed(1).get(0);
        assertEquals("allowed.test", closed.text("host"));
        assertEquals("GET", closed.text("method"));
        assertEquals("call-1", closed.text("callId"));
        assertEquals("ended", closed.text("outcome"));
    }

    @Test
    void theFolderIsItsOwnersAloneAndItsPathIsShort() throws IOException {
        Path folder = Path.of(proxy.folder());
        assertEquals(
                "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)));
        assertTrue(folder.resolve("e.sock").toString().length() <= 103);
        assertTrue(folder.startsWith(stage.state.resolve("run").resolve("e")));
        assertTrue(Files.exists(folder.resolve("e.sock")));
    }

    @Test
    void otherHostsAndPortsAreRefusedBeforeTheyAreLookedUp() throws IOException {
        for (String bad :
                List.of(
                        url("other.test"),
                        url("allowed.test.evil.test"),
                        url("evilallowed.test"),
                        "http://allowed.test:22/",
                        "http://allowed.test/",
                        url("127.0.0.1"),
                        url("2130706433"),
                        url("0x7f.1"),
                        url("127.1"),
                        url("[::1]"),
                        url("[::ffff:127.0.0.1]"),
                        "http://169.254.169.254/latest/",
                        "http://allowed.test@evil.test:" + server.port() + "/",
                        "http://a:b@allowed.test:" + server.port() + "/")) {
            int status = ProxyClient.status(proxy, ProxyClient.get(bad));
            assertTrue(status == 403 || status == 400, bad + " " + status);
        }
        assertEquals(List.of(), stage.lookedUp);
        assertEquals(0, server.connections.get());
        assertEquals(List.of(), stage.access.asked);
        double refused =
                stage.core.metrics().stream()
                        .filter(metric -> metric.name().equals("palyra_egress_refused_total"))
                        .mapToDouble(palyra.api.core.ops.Metric::value)
                        .sum();
        assertEquals(14, refused);
    }

    @Test
    void anotherSpellingOfAnAllowedHostIsAllowed() throws IOException {
        assertEquals(200, ProxyClient.status(proxy, ProxyClient.get(url("ALLOWED.test."))));
    }

    @Test
    void aNameThatLeadsInwardsIsRefused() throws IOException {
        for (List<String> addresses :
                List.of(
                        List.of("169.254.169.254"),
                        List.of("10.0.0.7"),
                        List.of("127.0.0.1", "10.0.0.7"), // one good, one bad
                        List.of("8.8.8.8", "fd00::1"))) {
            stage.names.put("allowed.test", addresses);
            assertEquals(403, ProxyClient.status(proxy, ProxyClient.get(url("allowed.test"))));
        }
        assertEquals(0, server.connections.get());
        assertEquals("address", stage.journal.denied(4).get(0).text("reasonCode"));
    }

    @Test
    void aRedirectIsAnotherRequestAndDecidedOnAsSuch() throws IOException {
        try (WebServer redirecting =
                WebServer.start(
                        (head, in, out) ->
                                out.write(
                                        WebServer.answer(
                                                302, "Location: http://169.254.169.254/", "")))) {
            EgressProxy other = open("allowed.test:" + redirecting.port());
            String answer =
                    ProxyClient.ask(
                            other,
                            ProxyClient.get("http://allowed.test:" + redirecting.port() + "/"));
            assertTrue(answer.startsWith("HTTP/1.1 302"), answer);
            assertEquals(
                    403, ProxyClient.status(other, ProxyClient.get("http://169.254.169.254/")));
        }
    }

    @Test
    void theHostFieldIsThatOfTheUrl() throws IOException {
        ProxyClient.ask(
                proxy,
                "GET " + url("allowed.test") + " HTTP/1.1\r\nHost: evil.test\r\nX: 1\r\n\r\n");
        String head = server.heads.get(0);
        assertTrue(head.contains("\r\nHost: allowed.test:" + server.port() + "\r\n"), head);
        assertFalse(head.contains("evil.test"), head);
    }

    @Test
    void fieldsOfTheProxyAndOfOneHopStayHere() throws IOException {
        ProxyClient.ask(
                proxy,
                "GET "
                        + url("allowed.test")
                        + " HTTP/1.1\r\nHost: allowed.test\r\nProxy-Authorization: s3cret\r\n"
                        + "Proxy-Connection: keep-alive\r\nUpgrade: h2c\r\nHTTP2-Settings: AAA\r\n"
                        + "Connection: Upgrade, X-Mine\r\nX-Mine: 1\r\nX-Stays: 1\r\n\r\n");
        String head = server.heads.get(0);
        assertTrue(head.contains("X-Stays: 1") && head.contains("Connection: close"), head);
        for (String gone : List.of("s3cret", "Proxy-", "Upgrade", "HTTP2", "X-Mine")) {
            assertFalse(head.contains(gone), head);
        }
    }

    @Test
    void requestsThatReadersSeeDifferentlyAreRefused() throws IOException {
        String line = "POST " + url("allowed.test") + " HTTP/1.1\r\n";
        String host = "Host: allowed.test\r\n";
        for (String bad :
                List.of(
                        line + host + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n",
                        line + host + "Content-Length: 4\r\nContent-Length: 4\r\n\r\nbody",
                        line + host + "Content-Length: 4, 4\r\n\r\nbody",
                        line + host + "Transfer-Encoding: gzip, chunked\r\n\r\n",
                        line + host + "Transfer-Encoding : chunked\r\n\r\n",
                        line + host + "A: b\r\n c\r\n\r\n",
                        line + host + "A: b\nC: d\r\n\r\n",
                        line + host + "A: b\rC: d\r\n\r\n",
                        line + host + "A: \u0000\r\n\r\n",
                        line + host + host + "\r\n",
                        line + "Host: allowed.test\r\nhOST: other.test\r\n\r\n",
                        line + "\r\n", // no Host
                        "POST  " + url("allowed.test") + " HTTP/1.1\r\n" + host + "\r\n",
                        "POST " + url("allowed.test") + "\tHTTP/1.1\r\n" + host + "\r\n",
                        "POST " + url("allowed.test") + " HTTP/2.0\r\n" + host + "\r\n",
                        "POST " + url("allowed.test") + " HTTP/1.1 x\r\n" + host + "\r\n",
                        "POST / HTTP/1.1\r\n" + host + "\r\n",
                        "POST ftp://allowed.test/ HTTP/1.1\r\n" + host + "\r\n",
                        "POST https://allowed.test/ HTTP/1.1\r\n" + host + "\r\n",
                        "\r\n\r\n",
                        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                        "\u0016\u0003\u0001\u0000\u0005hello\r\n\r\n")) {
            assertEquals(400, ProxyClient.status(proxy, bad), bad);
        }
        assertEquals(0, server.connections.get());
        assertTrue(
                ProxyClient.ask(proxy, line + host + "Content-Length: 4\r\n\r\nbody")
                        .endsWith("body")); // and a proper one passes
    }

    @Test
    void aSecondRequestBehindTheFirstGoesNowhere() throws IOException {
        String second = ProxyClient.get(url("allowed.test") + "second");
        String answer = ProxyClient.ask(proxy, ProxyClient.get(url("allowed.test")) + second);
        assertEquals(1, answer.split("HTTP/1.1 200", -1).length - 1, answer);
        stage.journal.closed(1);
        assertEquals(1, server.connections.get());
        assertFalse(server.heads.get(0).contains("second"));
    }

    @Test
    void aChunkedBodyIsReadAndWrittenAnew() throws IOException {
        try (WebServer chunked =
                WebServer.start(
                        (head, in, out) -> {
                            String body =
                                    new String(
                                            new ChunkedBody(new Source(in)).readAllBytes(),
                                            StandardCharsets.US_ASCII);
                            out.write(
                                    ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"
                                                    + "Transfer-Encoding: chunked\r\n\r\n3\r\n<"
                                                    + body.length()
                                                    + ">\r\n0\r\n\r\n")
                                            .getBytes(StandardCharsets.US_ASCII));
                        })) {
            EgressProxy other = open("allowed.test:" + chunked.port());
            String answer =
                    ProxyClient.ask(
                            other,
                            "POST http://allowed.test:"
                                    + chunked.port()
                                    + "/ HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
                                    + "Transfer-Encoding: chunked\r\n\r\n"
                                    + "4;ext=1\r\nabcd\r\n1\r\ne\r\n0\r\nT: t\r\n\r\n");
            assertTrue(answer.startsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200"), answer);
            assertTrue(answer.endsWith("3\r\n<5>\r\n0\r\n\r\n"), answer);
            String bad =
                    ProxyClient.ask(
                            other,
                            "POST http://allowed.test:"
                                    + chunked.port()
                                    + "/ HTTP/1.1\r\nHost: a\r\n"
                                    + "Transfer-Encoding: chunked\r\n\r\n4\nabcd");
            assertTrue(bad.startsWith("HTTP/1.1 400"), bad);
        }
    }

    @Test
    void policyDecidesOnEachConnectionAndWithoutItThereIsNone() throws IOException {
        stage.access.allows = request -> false;
        assertEquals(403, ProxyClient.status(proxy, ProxyClient.get(url("allowed.test"))));
        stage.accessGate.remove(stage.accessService);
        assertEquals(503, ProxyClient.status(proxy, ProxyClient.get(url("allowed.test"))));
        stage.accessGate.add(stage.accessService, Map.of());
        stage.access.allows = request -> true;
        stage.journal.full = true;
        assertEquals(503, ProxyClient.status(proxy, ProxyClient.get(url("allowed.test"))));
        assertEquals(0, server.connections.get());
        stage.journal.full = false;
        assertEquals(200, ProxyClient.status(proxy, ProxyClient.get(url("allowed.test"))));
    }

    @Test
    void theGatewaysOwnPortsAreClosed() throws IOException {
        stage.listensOn("https://localhost:" + server.port());
        assertEquals(403, ProxyClient.status(proxy, ProxyClient.get(url("allowed.test"))));
        assertEquals("own_port", stage.journal.denied(1).get(0).text("reasonCode"));
        assertEquals(0, server.connections.get());
    }

    @Test
    void theByteQuotaStopsADownload() throws IOException {
        byte[] block = new byte[65_536];
        AtomicInteger sent = new AtomicInteger();
        try (WebServer large =
                WebServer.start(
                        (head, in, out) -> {
                            out.write(
                                    "HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n"
                                            .getBytes(StandardCharsets.US_ASCII));
                            for (int i = 0; i < 16_384; i++) {
                                out.write(block);
                                sent.incrementAndGet();
                            }
                        })) {
            EgressProxy small = open(1_000_000, "allowed.test:" + large.port());
            String request = ProxyClient.get("http://allowed.test:" + large.port() + "/");
            int got = ProxyClient.ask(small, request).length();
            assertTrue(got <= 1_000_000 && got > 500_000, got + " bytes");
            assertTrue(sent.get() < 16_384);
            assertEquals(403, ProxyClient.status(small, request));
            assertTrue(
                    stage.journal.closed(1).get(0).text("reason").contains("used up"),
                    stage.journal.events.toString());
        }
    }

    @Test
    void manyConnectionsAreBoundedAndAllServed() throws Exception {
        Stage narrow =
                new Stage(
                        Stage.LOOPBACK_IS_PUBLIC,
                        Stage.settings("", new ProxyLimits(4, 30_000, 30_000, 60_000)));
        CountDownLatch go = new CountDownLatch(1);
        try (narrow;
                WebServer slow =
                        WebServer.start(
                                (head, in, out) -> {
                                    try {
                                        go.await(30, TimeUnit.SECONDS);
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                    out.write(WebServer.answer(200, "", "x"));
                                })) {
            EgressProxy four =
                    narrow.core.open(
                            Stage.ANNA,
                            List.of(new AllowedHost("allowed.test", slow.port())),
                            1L << 20);
            AtomicInteger good = new AtomicInteger();
            List<Thread> clients = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                clients.add(
                        Thread.ofPlatform()
                                .start(
                                        () -> {
                                            try {
                                                if (ProxyClient.status(
                                                                four,
                                                                ProxyClient.get(
                                                                        "http://allowed.test:"
                                                                                + slow.port()
                                                                                + "/"))
                                                        == 200) {
                                                    good.incrementAndGet();
                                                }
                                            } catch (IOException e) {
                                                throw new IllegalStateException(e);
                                            }
                                        }));
            }
            Await.until("four at a time", LONG, () -> slow.now.get() == 4);
            go.countDown();
            for (Thread client : clients) {
                client.join(Duration.ofSeconds(60));
            }
            assertEquals(100, good.get());
            assertTrue(slow.most.get() <= 4, slow.most + " at a time");
        }
    }

    @Test
    void aSlowHeadAndSilenceAreCut() throws IOException {
        Stage quick =
                new Stage(
                        Stage.LOOPBACK_IS_PUBLIC,
                        Stage.settings("", new ProxyLimits(4, 1_500, 10_000, 1_500)));
        CountDownLatch end = new CountDownLatch(1);
        try (quick;
                WebServer silent =
                        WebServer.start(
                                (head, in, out) -> {
                                    try {
                                        end.await(60, TimeUnit.SECONDS);
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                })) {
            EgressProxy own =
                    quick.core.open(
                            Stage.ANNA,
                            List.of(new AllowedHost("allowed.test", silent.port())),
                            1L << 20);
            try (ProxyClient loris = new ProxyClient(own)) {
                loris.send("GET http://allow"); // and never more
                assertEquals("", loris.rest());
            }
            try (ProxyClient drip = new ProxyClient(own)) {
                assertThrows(
                        IOException.class,
                        () -> {
                            for (int i = 0; i < 1_200; i++) { // a byte now and then does not help
                                drip.send("G");
                                java.util.concurrent.locks.LockSupport.parkNanos(50_000_000);
                            }
                        });
            }
            assertEquals(
                    "",
                    ProxyClient.ask(
                            own, ProxyClient.get("http://allowed.test:" + silent.port() + "/")));
            assertEquals("cut", quick.journal.closed(1).get(0).text("outcome"));
        } finally {
            end.countDown();
        }
    }

    @Test
    void closingCutsEverythingAndLeavesNothing() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (WebServer silent =
                WebServer.start(
                        (head, in, out) -> {
                            try {
                                end.await(60, TimeUnit.SECONDS);
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        })) {
            EgressProxy own = open("allowed.test:" + silent.port());
            Path folder = Path.of(own.folder());
            try (ProxyClient waits = new ProxyClient(own);
                    ProxyClient idle = new ProxyClient(own)) {
                waits.send(ProxyClient.get("http://allowed.test:" + silent.port() + "/"));
                Await.until("the request", LONG, () -> !silent.heads.isEmpty());
                assertTrue(own.alive());
                own.close();
                own.close(); // again
                assertEquals("", waits.rest());
                assertEquals("", idle.rest());
            }
            assertFalse(own.alive());
            assertFalse(Files.exists(folder));
            assertThrows(IOException.class, () -> new ProxyClient(own));
            assertEquals("cut", stage.journal.closed(1).get(0).text("outcome"));
            String name = folder.getFileName().toString();
            assertFalse(Stage.threads().toString().contains(name), Stage.threads().toString());
            assertTrue(proxy.alive()); // another run's proxy goes on
        } finally {
            end.countDown();
        }
    }

    @Test
    void closingDoesNotWaitForALookUpOrAServerThatDoesNotAnswer() throws Exception {
        stage.names.remove("allowed.test");
        CountDownLatch asked = new CountDownLatch(1);
        stage.access.allows =
                request -> {
                    asked.countDown();
                    try {
                        Thread.sleep(60_000);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return false;
                };
        try (ProxyClient client = new ProxyClient(proxy)) {
            client.send(ProxyClient.get(url("allowed.test")));
            assertTrue(asked.await(30, TimeUnit.SECONDS));
            proxy.close();
            Await.until(
                    "the threads",
                    LONG,
                    () ->
                            Stage.threads().stream()
                                    .noneMatch(
                                            name ->
                                                    name.contains(
                                                            Path.of(proxy.folder())
                                                                    .getFileName()
                                                                    .toString())));
        }
    }

    @Test
    void eachProxyHasItsOwnSocketListAndQuota() throws IOException {
        EgressProxy other = open("other.test:" + server.port());
        assertFalse(other.folder().equals(proxy.folder()));
        assertEquals(403, ProxyClient.status(other, ProxyClient.get(url("allowed.test"))));
        assertEquals(200, ProxyClient.status(other, ProxyClient.get(url("other.test"))));
        assertEquals(403, ProxyClient.status(proxy, ProxyClient.get(url("other.test"))));
    }

    @Test
    void leftoversOfAnEarlierGatewayAreRemoved() throws IOException {
        Path left = stage.state.resolve("run/e/old");
        Files.createDirectories(left);
        Files.createSymbolicLink(left.resolve("link"), stage.state);
        new SocketFolders(stage.state).sweep();
        assertFalse(Files.exists(left));
        assertTrue(Files.exists(stage.state));
    }

    @Test
    void unusableOrdersAreRefused() {
        assertThrows(PalyraException.class, () -> open("*:443"));
        assertThrows(PalyraException.class, () -> open(0, "allowed.test:443"));
        SocketFolders deep = new SocketFolders(Path.of("/" + "d".repeat(100)));
        assertFalse(deep.fits());
        assertThrows(PalyraException.class, deep::make);
    }

    @Test
    void aBrokenAnswerBreaksTheConnection() throws IOException {
        try (WebServer broken =
                WebServer.start(
                        (head, in, out) ->
                                out.write(
                                        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Length: 1\r\n\r\nx"
                                                .getBytes(StandardCharsets.US_ASCII)))) {
            EgressProxy other = open("allowed.test:" + broken.port());
            assertEquals(
                    "",
                    ProxyClient.ask(
                            other, ProxyClient.get("http://allowed.test:" + broken.port() + "/")));
            assertEquals("failed", stage.journal.closed(1).get(0).text("outcome"));
        }
    }

    @Test
    void theConnectionsOfAProxyAreCounted() throws IOException {
        EgressSettings two = new EgressSettings(List.of(), "", 9, 1L << 20, 2, Stage.PROXY);
        try (Stage counted = new Stage(Stage.LOOPBACK_IS_PUBLIC, two)) {
            EgressProxy own =
                    counted.core.open(
                            Stage.ANNA,
                            List.of(new AllowedHost("allowed.test", server.port())),
                            1L << 20);
            String request = ProxyClient.get(url("allowed.test"));
            assertEquals(200, ProxyClient.status(own, request));
            assertEquals(200, ProxyClient.status(own, request));
            assertEquals(403, ProxyClient.status(own, request));
        }
    }

    @Test
    void anOldClientGetsNoChunks() throws IOException {
        try (WebServer chunked =
                WebServer.start(
                        (head, in, out) ->
                                out.write(
                                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
                                                .getBytes(StandardCharsets.US_ASCII)))) {
            EgressProxy other = open("allowed.test:" + chunked.port());
            String answer =
                    ProxyClient.ask(
                            other,
                            "GET http://allowed.test:" + chunked.port() + "/ HTTP/1.0\r\n\r\n");
            assertTrue(answer.endsWith("\r\n\r\nabc"), answer);
            assertFalse(answer.contains("chunked"), answer);
        }
    }
}
