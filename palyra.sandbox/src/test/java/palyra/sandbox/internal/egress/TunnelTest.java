package palyra.sandbox.internal.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import palyra.api.core.egress.EgressProxies.AllowedHost;
import palyra.api.core.egress.EgressProxies.EgressProxy;
import palyra.testing.wait.Await;

/** Tunnels through the proxy: TLS to the named host or nothing. */
class TunnelTest extends TlsFixture {
    /** Counts bytes that a server gets. */
    private static WebServer listening(AtomicInteger bytes) throws IOException {
        return WebServer.start(
                (head, in, out) -> {
                    bytes.addAndGet(head.length());
                    for (int next = in.read(); next >= 0; next = in.read()) {
                        bytes.incrementAndGet();
                    }
                });
    }

    @Test
    void noByteReachesTheServerUnlessTlsIsForTheHostOfTheTunnel() throws Exception {
        AtomicInteger bytes = new AtomicInteger();
        byte[] name = Hellos.serverName("allowed.test");
        List<byte[]> bad =
                List.of(
                        Hellos.real("evil.test"),
                        Hellos.fragmented(Hellos.real("evil.test"), 3),
                        Hellos.real(null),
                        Hellos.with(name, Hellos.extension(0xfe0d, (byte) 0)),
                        Hellos.with(Hellos.serverName("allowed.test.")),
                        Hellos.with(Hellos.serverName("allowed.test\0evil.test")),
                        Hellos.with(Hellos.serverName("127.0.0.1")),
                        "SSH-2.0-OpenSSH_9.2\r\n".getBytes(StandardCharsets.US_ASCII),
                        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
                        "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        try (WebServer ear = listening(bytes)) {
            EgressProxy own =
                    stage.core.open(
                            Stage.ANNA,
                            List.of(new AllowedHost("allowed.test", ear.port())),
                            1L << 30);
            for (byte[] each : bad) {
                try (ProxyClient client = new ProxyClient(own)) {
                    String head = client.connect("allowed.test:" + ear.port());
                    assertTrue(head.startsWith("HTTP/1.1 200"), head);
                    try {
                        client.send(each);
                    } catch (IOException e) {
                        // cut in the middle
                    }
                    assertEquals("", client.rest());
                }
            }
            List<JsonNode> closed = stage.journal.closed(bad.size());
            closed.forEach(event -> assertEquals("cut", event.path("outcome").asText()));
            assertTrue(
                    closed.get(0).path("reason").asText().contains("evil.test"), closed.toString());
            Await.until("the server saw the ends", LONG, () -> ear.now.get() == 0);
            assertEquals(0, bytes.get());
            try (ProxyClient client = new ProxyClient(own)) { // a proper hello passes, cut or not
                client.connect("allowed.test:" + ear.port());
                byte[] hello = Hellos.fragmented(Hellos.real("ALLOWED.test"), 50);
                client.send(Arrays.copyOf(hello, 120));
                client.send(Arrays.copyOfRange(hello, 120, hello.length));
                client.channel.shutdownOutput();
                Await.until("the hello", LONG, () -> bytes.get() == hello.length);
            }
        }
    }

    @Test
    void tunnelsToOtherPlacesAreRefused() throws IOException {
        for (String bad :
                List.of(
                        place("evil.test"),
                        "allowed.test:22",
                        "allowed.test:443",
                        place("127.0.0.1"),
                        place("[::1]"),
                        place("2130706433"),
                        "allowed.test",
                        "allowed.test:",
                        "allowed.test:99999",
                        place("x@allowed.test"),
                        "https://" + place("allowed.test") + "/")) {
            try (ProxyClient client = new ProxyClient(proxy)) {
                String head = client.connect(bad);
                assertTrue(head.startsWith("HTTP/1.1 40"), bad + ": " + head);
            }
        }
        assertEquals(0, server.connections.get());
        try (ProxyClient client = new ProxyClient(proxy)) {
            client.send(
                    "CONNECT "
                            + place("allowed.test")
                            + " HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody");
            assertTrue(client.rest().startsWith("HTTP/1.1 400"));
        }
    }

    @Test
    void aWithdrawnPolicyCutsATunnel() throws Exception {
        try (WebServer ear = listening(new AtomicInteger())) {
            EgressProxy own =
                    stage.core.open(
                            Stage.ANNA,
                            List.of(new AllowedHost("allowed.test", ear.port())),
                            1L << 30);
            try (ProxyClient client = new ProxyClient(own)) {
                client.connect("allowed.test:" + ear.port());
                client.send(Hellos.real("allowed.test"));
                stage.access.allowing(request -> false);
                assertEquals("", client.rest());
                assertTrue(
                        stage.journal
                                .closed(1)
                                .get(0)
                                .path("reason")
                                .asText()
                                .startsWith("it is allowed no more: "));
            }
        }
    }

    @Test
    void aTunnelWithoutAHelloIsCut() throws IOException {
        try (Stage quick =
                new Stage(
                        Stage.LOOPBACK_IS_PUBLIC,
                        Stage.settings("", new ProxyLimits(4, 1_500, 10_000, 60_000)))) {
            EgressProxy own =
                    quick.core.open(
                            Stage.ANNA,
                            List.of(new AllowedHost("allowed.test", server.port())),
                            1L << 20);
            try (ProxyClient client = new ProxyClient(own)) {
                client.connect(place("allowed.test"));
                client.send(new byte[] {22, 3});
                assertEquals("", client.rest());
            }
        }
    }

    @Test
    void aTunnelCountsAgainstTheQuota() throws Exception {
        EgressProxy small =
                stage.core.open(
                        Stage.ANNA, List.of(new AllowedHost("allowed.test", server.port())), 100);
        try (ProxyClient client = new ProxyClient(small)) {
            client.connect(place("allowed.test"));
            client.send(Hellos.real("allowed.test"));
            assertEquals("", client.rest());
        }
        assertEquals("0", stage.journal.closed(1).get(0).path("bytesUp").asText());
    }

    private static final class Curl implements AutoCloseable {
        private final Process bridge;
        private final int port;

        Curl(EgressProxy proxy) throws IOException, InterruptedException {
            try (java.net.ServerSocket free = new java.net.ServerSocket(0)) {
                port = free.getLocalPort();
            }
            bridge =
                    start(
                            "socat",
                            "TCP-LISTEN:" + port + ",bind=127.0.0.1,fork,reuseaddr",
                            "UNIX-CONNECT:" + proxy.folder() + "/e.sock");
            Await.until("socat listens", LONG, this::listens);
        }

        private boolean listens() {
            try (java.net.Socket socket = new java.net.Socket("127.0.0.1", port)) {
                return socket.isConnected();
            } catch (IOException e) {
                return false;
            }
        }

        private static Process start(String... command) {
            try {
                return new ProcessBuilder(command).redirectErrorStream(true).start();
            } catch (IOException e) {
                throw new AssertionError(
                        command[0] + " is missing; install it: apt-get install curl socat", e);
            }
        }

        /** Runs curl and returns its exit code and output. */
        String run(String... arguments) throws IOException, InterruptedException {
            List<String> command =
                    new ArrayList<>(
                            List.of(
                                    "curl",
                                    "-sS",
                                    "--max-time",
                                    "30",
                                    "--noproxy",
                                    "",
                                    "-x",
                                    "http://127.0.0.1:" + port));
            command.addAll(List.of(arguments));
            Process curl = start(command.toArray(String[]::new));
            String output =
                    new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(curl.waitFor(60, TimeUnit.SECONDS));
            return curl.exitValue() + " " + output;
        }

        @Override
        public void close() {
            bridge.toHandle().destroyForcibly();
        }
    }

    @Test
    void curlMovesLargeBodiesBothWaysUnharmed() throws Exception {
        byte[] large = new byte[5_000_000];
        new java.util.Random(3).nextBytes(large);
        Path file = Files.write(folder.resolve("large"), large);
        Path got = folder.resolve("got");
        WebServer.Script echo =
                (head, in, out) -> {
                    if (head.contains("100-continue")) {
                        out.write(
                                "HTTP/1.1 100 Continue\r\n\r\n"
                                        .getBytes(StandardCharsets.US_ASCII));
                        out.flush();
                    }
                    out.write(WebServer.answer(200, "", in.readNBytes(large.length)));
                    out.flush();
                };
        try (WebServer plain = WebServer.start(echo);
                WebServer secured = certificates.serve(echo);
                Curl curl =
                        new Curl(
                                stage.core.open(
                                        Stage.ANNA,
                                        List.of(
                                                new AllowedHost("allowed.test", secured.port()),
                                                new AllowedHost("allowed.test", plain.port())),
                                        1L << 30))) {
            for (String url :
                    List.of(
                            "http://allowed.test:" + plain.port() + "/",
                            "https://allowed.test:" + secured.port() + "/")) {
                Files.deleteIfExists(got);
                String ran =
                        curl.run(
                                "--cacert",
                                certificates.pem.toString(),
                                "--http1.1",
                                "--data-binary",
                                "@" + file,
                                "-o",
                                got.toString(),
                                url);
                assertTrue(ran.startsWith("0 "), ran);
                assertEquals(-1, Files.mismatch(file, got));
            }
        }
    }

    @Test
    void curlReachesAnAllowedHostOverSocatAndNothingElse() throws Exception {
        String ca = certificates.pem.toString();
        try (WebServer plain = WebServer.saying("plain");
                Curl curl =
                        new Curl(
                                proxy =
                                        stage.core.open(
                                                Stage.ANNA,
                                                List.of(
                                                        new AllowedHost(
                                                                "allowed.test", server.port()),
                                                        new AllowedHost(
                                                                "allowed.test", plain.port())),
                                                1L << 30))) {
            String https = "https://" + place("allowed.test") + "/";
            assertEquals("0 secured", curl.run("--cacert", ca, https));
            assertEquals("0 plain", curl.run("http://allowed.test:" + plain.port() + "/"));
            assertEquals(
                    "0 plain",
                    curl.run("-d", "x".repeat(100), "http://ALLOWED.test.:" + plain.port() + "/"));
            assertTrue(
                    curl.run("--cacert", ca, "https://" + place("evil.test") + "/")
                            .contains("403"));
            assertTrue(curl.run("http://other.test:" + plain.port() + "/").contains("not among"));
            for (String bad :
                    List.of("169.254.169.254", "2130706433", "0x7f.1", "127.1", "[::1]")) {
                String answer = curl.run("-w", "%{http_code}", "http://" + bad + "/");
                assertTrue(answer.endsWith("403"), bad + ": " + answer);
            }
            String fronted = // TLS for another name than the tunnel's
                    curl.run(
                            "--cacert",
                            ca,
                            "--connect-to",
                            place("evil.test") + ":" + place("allowed.test"),
                            "https://" + place("evil.test") + "/");
            assertFalse(fronted.contains("secured"), fronted);
            assertFalse(fronted.startsWith("0 "), fronted);
            String direct = curl.run("-x", "", "--connect-timeout", "5", https);
            assertFalse(direct.contains("secured"), direct); // the name leads nowhere by itself
        }
        try (Curl curl = new Curl(proxy)) { // and with a dead proxy nothing works
            proxy.close();
            assertFalse(
                    curl.run("--cacert", ca, "https://" + place("allowed.test") + "/")
                            .startsWith("0 "));
        }
        assertNotNull(Files.readString(certificates.pem));
    }
}
