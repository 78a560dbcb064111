package palyra.sandbox.internal.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.core.egress.EgressProxies.EgressProxy;

/** Plain HTTP through a proxy, and everything that a command may try instead. */
class ProxyHttpTest extends ProxyFixture {
    @Test
    void anAllowedHostIsReachedAndRecorded() throws IOException {
        String answer = ProxyClient.exchange(proxy, ProxyClient.get(url("allowed.test") + "a?b"));
        assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
        assertTrue(answer.endsWith("\r\n\r\nhello"), answer);
        assertTrue(answer.contains("Connection: close") && !answer.contains("keep-alive"), answer);
        assertTrue(server.heads.get(0).startsWith("GET /a?b HTTP/1.1\r\n"), server.heads.get(0));
        JsonNode closed = stage.journal.closed(1).get(0);
        assertEquals("allowed.test", closed.path("host").asText());
        assertEquals("GET", closed.path("method").asText());
        assertEquals("call-1", closed.path("callId").asText());
        assertEquals("ended", closed.path("outcome").asText());
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
        assertEquals(List.of(), stage.access.requests());
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
        stage.names.put("allowed.test", List.of("10.0.0.7"));
        String answer = ProxyClient.exchange(proxy, ProxyClient.get(url("allowed.test")));
        assertFalse(answer.contains("10.0.0.7"), answer);
        assertEquals(0, server.connections.get());
        assertEquals("address", stage.journal.denied(5).get(0).path("reasonCode").asText());
    }

    /** What a proxy refused is told to the model, each place once, and no address of the inside. */
    @Test
    void whatWasRefusedIsTold() throws IOException {
        stage.names.put("allowed.test", List.of("10.0.0.7"));
        ProxyClient.exchange(proxy, ProxyClient.get(url("allowed.test")));
        ProxyClient.exchange(proxy, ProxyClient.get(url("allowed.test")));
        ProxyClient.exchange(proxy, ProxyClient.get("http://registry.test:81/x"));
        List<String> refusals = proxy.refusals();
        assertEquals(2, refusals.size(), refusals.toString());
        assertFalse(refusals.toString().contains("10.0.0.7"), refusals.toString());
        assertEquals(
                "registry.test:81 is blocked by the egress policy: it is not among the hosts of"
                        + " this call. Name it in hosts, about which a person may be asked, or ask"
                        + " the operator to add it to allowedHosts of palyra.sandbox.",
                refusals.get(1));
        for (int port = 1_000; port < 1_100; port++) {
            ProxyClient.exchange(proxy, ProxyClient.get("http://registry.test:" + port + "/"));
        }
        assertEquals(16, proxy.refusals().size());
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
                    ProxyClient.exchange(
                            other,
                            ProxyClient.get("http://allowed.test:" + redirecting.port() + "/"));
            assertTrue(answer.startsWith("HTTP/1.1 302"), answer);
            assertEquals(
                    403, ProxyClient.status(other, ProxyClient.get("http://169.254.169.254/")));
        }
    }

    @Test
    void theHostFieldIsThatOfTheUrl() throws IOException {
        ProxyClient.exchange(
                proxy,
                "GET " + url("allowed.test") + " HTTP/1.1\r\nHost: evil.test\r\nX: 1\r\n\r\n");
        String head = server.heads.get(0);
        assertTrue(head.contains("\r\nHost: allowed.test:" + server.port() + "\r\n"), head);
        assertFalse(head.contains("evil.test"), head);
    }

    @Test
    void fieldsOfTheProxyAndOfOneHopStayHere() throws IOException {
        ProxyClient.exchange(
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
                ProxyClient.exchange(proxy, line + host + "Content-Length: 4\r\n\r\nbody")
                        .endsWith("body")); // and a proper one passes
    }

    @Test
    void aSecondRequestBehindTheFirstGoesNowhere() throws IOException {
        String second = ProxyClient.get(url("allowed.test") + "second");
        String answer = ProxyClient.exchange(proxy, ProxyClient.get(url("allowed.test")) + second);
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
                                            new ChunkedBody(new ConnectionInput(in)).readAllBytes(),
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
                    ProxyClient.exchange(
                            other,
                            "POST http://allowed.test:"
                                    + chunked.port()
                                    + "/ HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
                                    + "Transfer-Encoding: chunked\r\n\r\n"
                                    + "4;ext=1\r\nabcd\r\n1\r\ne\r\n0\r\nT: t\r\n\r\n");
            assertTrue(answer.startsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200"), answer);
            assertTrue(answer.endsWith("3\r\n<5>\r\n0\r\n\r\n"), answer);
            String bad =
                    ProxyClient.exchange(
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
        stage.access.allowing(request -> false);
        assertEquals(403, ProxyClient.status(proxy, ProxyClient.get(url("allowed.test"))));
        stage.accessGate.remove(stage.accessService);
        assertEquals(503, ProxyClient.status(proxy, ProxyClient.get(url("allowed.test"))));
        stage.accessGate.add(stage.accessService, Map.of());
        stage.access.allowing(request -> true);
        stage.journal.store.refuseUnits(ErrorCode.DISK_FULL);
        assertEquals(503, ProxyClient.status(proxy, ProxyClient.get(url("allowed.test"))));
        assertEquals(0, server.connections.get());
        stage.journal.store.acceptUnits();
        assertEquals(200, ProxyClient.status(proxy, ProxyClient.get(url("allowed.test"))));
    }

    @Test
    void theGatewaysOwnPortsAreClosed() throws IOException {
        stage.listensOn("https://localhost:" + server.port());
        assertEquals(403, ProxyClient.status(proxy, ProxyClient.get(url("allowed.test"))));
        assertEquals("own_port", stage.journal.denied(1).get(0).path("reasonCode").asText());
        assertEquals(0, server.connections.get());
    }
}
