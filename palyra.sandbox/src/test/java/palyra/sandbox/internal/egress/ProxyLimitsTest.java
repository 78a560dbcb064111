package palyra.sandbox.internal.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import palyra.api.PalyraException;
import palyra.api.core.egress.EgressProxies.AllowedHost;
import palyra.api.core.egress.EgressProxies.EgressProxy;
import palyra.testing.wait.Await;

/** Bytes, connections and times of the proxy, and how it closes. */
class ProxyLimitsTest extends ProxyFixture {
    private static final Duration LONG = Duration.ofSeconds(30);

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
            int got = ProxyClient.exchange(small, request).length();
            assertTrue(got <= 1_000_000 && got > 500_000, got + " bytes");
            assertTrue(sent.get() < 16_384);
            try (ProxyClient waits = new ProxyClient(small)) {
                assertEquals(403, ProxyClient.status(small, request)); // and it cuts nobody
                waits.send(request);
                assertTrue(waits.rest().startsWith("HTTP/1.1 403 "));
            }
            assertTrue(
                    stage.journal.closed(1).get(0).path("reason").asText().contains("used up"),
                    stage.journal.text());
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
                    ProxyClient.exchange(
                            own, ProxyClient.get("http://allowed.test:" + silent.port() + "/")));
            assertEquals("cut", quick.journal.closed(1).get(0).path("outcome").asText());
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
            assertEquals("cut", stage.journal.closed(1).get(0).path("outcome").asText());
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
        stage.access.allowing(
                request -> {
                    asked.countDown();
                    try {
                        Thread.sleep(60_000);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return false;
                });
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
                    ProxyClient.exchange(
                            other, ProxyClient.get("http://allowed.test:" + broken.port() + "/")));
            assertEquals("failed", stage.journal.closed(1).get(0).path("outcome").asText());
        }
    }

    @Test
    void theConnectionsOfAProxyAreCounted() throws IOException {
        EgressSettings two =
                new EgressSettings(List.of(), List.of(), "", 9, 1L << 20, 2, Stage.PROXY);
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
                    ProxyClient.exchange(
                            other,
                            "GET http://allowed.test:" + chunked.port() + "/ HTTP/1.0\r\n\r\n");
            assertTrue(answer.endsWith("\r\n\r\nabc"), answer);
            assertFalse(answer.contains("chunked"), answer);
        }
    }
}
