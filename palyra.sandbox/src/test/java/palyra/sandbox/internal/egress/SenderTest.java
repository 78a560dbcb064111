package palyra.sandbox.internal.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.egress.EgressRequest;
import palyra.api.core.egress.EgressRequest.EgressLimits;
import palyra.api.core.egress.EgressResponse;

class SenderTest extends SenderFixture {
    @Test
    void anAllowedConnectionIsAskedAboutRecordedMadeAndRecordedAgain() throws IOException {
        try (WebServer server = WebServer.saying("hello")) {
            EgressResponse response =
                    stage.core.send(
                            Stage.get("http://ALLOWED.test.:" + server.port() + "/a?q=s3cret"));
            assertEquals(200, response.status());
            assertEquals("127.0.0.1", response.address());
            assertEquals("hello", text(response));
            AccessRequest asked = stage.access.requests().get(0);
            assertEquals("network.connect", asked.action());
            assertEquals("host:allowed.test", asked.resource());
            assertEquals(PrincipalKind.USER, asked.principal().kind());
            assertEquals(Set.of("viewer"), asked.principal().groups());
            assertEquals(
                    Map.of(
                            "port", server.port() + "",
                            "maxBytes", Stage.get("http://a.test/").limits().maxBytes() + "",
                            "method", "GET",
                            "purpose", "palyra.http.fetch",
                            "agent", "main",
                            "run", "run-1",
                            "call", "call-1"),
                    asked.facts());
            JsonNode closed = stage.journal.closed(1).get(0);
            JsonNode connect = stage.journal.of(ConnectionRecord.CONNECT).get(0);
            assertEquals(
                    connect.path("connectionId").asText(), closed.path("connectionId").asText());
            assertEquals("allow", connect.path("verdict").asText());
            assertEquals("127.0.0.1", connect.path("addresses").path(0).asText());
            assertEquals("ended", closed.path("outcome").asText());
            assertEquals("127.0.0.1", closed.path("address").asText());
            assertEquals("run-1", closed.path("runId").asText());
            assertTrue(closed.path("bytesUp").asInt() > 20);
            assertTrue(closed.path("bytesDown").asInt() > 20);
            assertFalse(stage.journal.text().contains("s3cret"));
            assertTrue(
                    server.heads
                            .get(0)
                            .startsWith("GET /a?q=s3cret HTTP/1.1\r\nHost: allowed.test:"));
        }
    }

    @Test
    void theRecordIsDurableBeforeTheServerHearsAnything() throws IOException {
        AtomicReference<Integer> recorded = new AtomicReference<>();
        try (WebServer server =
                WebServer.start(
                        (head, in, out) -> {
                            recorded.set(stage.journal.of(ConnectionRecord.CONNECT).size());
                            out.write(WebServer.answer(200, "", "x"));
                        })) {
            text(stage.core.send(Stage.get("http://allowed.test:" + server.port() + "/")));
            assertEquals(1, recorded.get());
        }
    }

    @Test
    void withoutPolicyNothingIsConnectedTo() throws IOException {
        try (WebServer server = WebServer.saying("hello")) {
            String url = "http://allowed.test:" + server.port() + "/";
            text(stage.core.send(Stage.get(url)));
            stage.accessGate.remove(stage.accessService);
            assertEquals(ErrorCode.POLICY_UNAVAILABLE, refused(Stage.get(url)).code());
            assertEquals("deny", stage.journal.denied(1).get(0).path("verdict").asText());
            assertEquals(1, server.connections.get());
            assertEquals(1, stage.lookedUp.size());
        }
    }

    @Test
    void whatPolicyDeniesIsNotEvenLookedUp() throws IOException {
        stage.access.allowing(request -> request.resource().equals("host:other.test"));
        PalyraException denied = refused(Stage.get("http://allowed.test/"));
        assertEquals(ErrorCode.DENIED, denied.code());
        assertTrue(denied.getMessage().contains("allowed.test:80"), denied.getMessage());
        assertEquals(List.of(), stage.lookedUp);
        JsonNode event = stage.journal.denied(1).get(0);
        assertEquals("policy", event.path("reasonCode").asText());
    }

    @Test
    void withoutARecordNothingIsConnectedTo() throws IOException {
        try (WebServer server = WebServer.saying("hello")) {
            stage.journal.store.refuseUnits(ErrorCode.DISK_FULL);
            PalyraException refused =
                    refused(Stage.get("http://allowed.test:" + server.port() + "/"));
            assertEquals(ErrorCode.DISK_FULL, refused.code());
            assertEquals(0, server.connections.get());
            stage.journal.store.acceptUnits();
            stage.journalGate.remove(stage.journal.store);
            assertEquals(
                    ErrorCode.JOURNAL_UNAVAILABLE,
                    refused(Stage.get("http://allowed.test:" + server.port() + "/")).code());
            assertEquals(0, server.connections.get());
            stage.journalGate.add(stage.journal.store, Map.of());
            stage.journal.denied(2); // they waited
        }
    }

    @Test
    void aPolicyThatFailsIsNoPermission() throws IOException {
        try (WebServer server = WebServer.saying("hello")) {
            stage.access.allowing(
                    request -> {
                        throw new IllegalStateException("a defect");
                    });
            assertEquals(
                    ErrorCode.POLICY_UNAVAILABLE,
                    refused(Stage.get("http://allowed.test:" + server.port() + "/")).code());
            assertEquals(0, server.connections.get());
        }
    }

    @Test
    void theNextCheckedAddressIsTriedWhenOneDoesNotAnswer() throws IOException {
        stage.names.put("allowed.test", List.of("127.0.0.2", "127.0.0.1"));
        try (WebServer server = WebServer.saying("hello")) {
            EgressResponse response =
                    stage.core.send(Stage.get("http://allowed.test:" + server.port() + "/"));
            assertEquals("127.0.0.1", response.address());
            assertEquals("hello", text(response));
            assertEquals(
                    2, stage.journal.of(ConnectionRecord.CONNECT).get(0).path("addresses").size());
        }
    }

    @Test
    void oneBadAddressRefusesAll() {
        for (List<String> addresses :
                List.of(
                        List.of("169.254.169.254"),
                        List.of("10.0.0.7"),
                        List.of("8.8.8.8", "192.168.0.1"),
                        List.of("8.8.8.8", "::ffff:10.0.0.1"),
                        List.of("2606:4700::1111", "fd00::1"))) {
            stage.names.put("rebound.test", addresses);
            PalyraException denied = refused(Stage.get("http://rebound.test/"));
            assertEquals(ErrorCode.DENIED, denied.code());
        }
        assertEquals(5, stage.journal.denied(5).size());
        assertEquals("address", stage.journal.denials().get(0).path("reasonCode").asText());
    }

    @Test
    void theCheckedAddressIsConnectedToWithoutASecondLookup() throws IOException {
        try (WebServer server = WebServer.saying("hello")) {
            text(stage.core.send(Stage.get("http://allowed.test:" + server.port() + "/")));
            assertEquals(List.of("allowed.test"), stage.lookedUp);
        }
    }

    @Test
    void loopbackIsClosedByTheRealRuleUnlessItIsListed() throws IOException {
        try (WebServer server = WebServer.saying("model")) {
            String place = "127.0.0.1:" + server.port();
            try (Stage closed = new Stage(new PublicAddresses(), Stage.settings("", Stage.PROXY))) {
                for (String host :
                        List.of("127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "allowed.test")) {
                    assertEquals(
                            ErrorCode.DENIED,
                            assertThrows(
                                            PalyraException.class,
                                            () ->
                                                    closed.core.send(
                                                            Stage.get(
                                                                    "http://"
                                                                            + host
                                                                            + ":"
                                                                            + server.port()
                                                                            + "/")))
                                    .code());
                }
            }
            assertEquals(0, server.connections.get());
            try (Stage listed =
                    new Stage(new PublicAddresses(), Stage.settings("", Stage.PROXY, place))) {
                assertEquals("model", text(listed.core.send(Stage.get("http://" + place + "/"))));
                assertThrows(
                        PalyraException.class,
                        () ->
                                listed.core.send(
                                        Stage.get("http://allowed.test:" + server.port() + "/")));
                listed.listensOn("http://127.0.0.1:" + server.port());
                PalyraException own =
                        assertThrows(
                                PalyraException.class,
                                () -> listed.core.send(Stage.ofModel("http://" + place + "/")));
                assertTrue(own.getMessage().contains("this gateway"), own.getMessage());
            }
            assertEquals(1, server.connections.get());
        }
    }

    @Test
    void thePortsOfARequestAreChecked() {
        EgressLimits limits =
                new EgressLimits(1_000, 1_000, 1_000, 1_000, 10, 0, Set.of(443, 8443));
        assertEquals(
                ErrorCode.DENIED, refused(Stage.get("http://allowed.test:22/", limits)).code());
        assertEquals(List.of(), stage.access.requests());
    }

    private EgressRequest withSecrets(String url, String method, String body) {
        return new EgressRequest(
                Stage.ANNA,
                method,
                url,
                Map.of(
                        "Authorization", "Bearer open",
                        "Cookie", "c=1",
                        "X-Plain", "plain",
                        "X-Api-Key", "named"),
                Map.of("X-Vault", "from-the-vault"),
                body.getBytes(StandardCharsets.UTF_8),
                EgressLimits.DEFAULT);
    }

    @Test
    void credentialsGoToTheFirstOriginAloneAndNeverComeBack() throws IOException {
        AtomicReference<String> next = new AtomicReference<>("");
        try (WebServer second =
                        WebServer.start(
                                (head, in, out) ->
                                        out.write(
                                                WebServer.answer(
                                                        302, "Location: " + next.get(), "")));
                WebServer first =
                        WebServer.start(
                                (head, in, out) ->
                                        out.write(
                                                head.startsWith("GET /start")
                                                        ? WebServer.answer(
                                                                302, "Location: /same", "")
                                                        : head.startsWith("GET /same")
                                                                ? WebServer.answer(
                                                                        302,
                                                                        "Location: http://other.test:"
                                                                                + second.port()
                                                                                + "/x",
                                                                        "")
                                                                : WebServer.answer(
                                                                        200, "", "end")))) {
            next.set("http://allowed.test:" + first.port() + "/back");
            EgressResponse response =
                    stage.core.send(
                            withSecrets(
                                    "http://allowed.test:" + first.port() + "/start", "GET", ""));
            assertEquals("end", text(response));
            assertEquals("http://allowed.test:" + first.port() + "/back", response.url());
            for (String head : first.heads.subList(0, 2)) {
                assertTrue(head.contains("from-the-vault") && head.contains("Bearer open"), head);
            }
            for (String head : List.of(second.heads.get(0), first.heads.get(2))) {
                assertFalse(
                        head.contains("from-the-vault")
                                || head.contains("Bearer")
                                || head.contains("c=1")
                                || head.contains("named"),
                        head);
                assertTrue(head.contains("X-Plain: plain"), head);
            }
            assertEquals(4, stage.access.requests().size());
            assertEquals(4, stage.journal.closed(4).size());
            assertFalse(stage.journal.text().contains("from-the-vault"));
        }
    }

    @Test
    void aRedirectIsDecidedOnAgain() throws IOException {
        AtomicReference<String> location = new AtomicReference<>();
        try (WebServer server =
                WebServer.start(
                        (head, in, out) ->
                                out.write(
                                        WebServer.answer(
                                                302, "Location: " + location.get(), "")))) {
            String url = "http://allowed.test:" + server.port() + "/";
            for (String bad :
                    List.of(
                            "http://169.254.169.254/latest/meta-data/",
                            "http://[::ffff:169.254.169.254]/",
                            "http://2852039166/",
                            "http://10.0.0.7/",
                            "http://u:p@other.test/",
                            "file:///etc/passwd",
                            "//metadata.test/")) {
                stage.names.put("metadata.test", List.of("169.254.169.254"));
                location.set(bad);
                ErrorCode code = refused(Stage.get(url)).code();
                assertTrue(code == ErrorCode.DENIED || code == ErrorCode.INVALID_ARGUMENT, bad);
            }
            location.set("http://refused.test/");
            stage.access.allowing(request -> !request.resource().equals("host:refused.test"));
            assertEquals(ErrorCode.DENIED, refused(Stage.get(url)).code());
            location.set("/again");
            assertEquals(ErrorCode.RESOURCE_EXHAUSTED, refused(Stage.get(url)).code());
            EgressResponse shown =
                    stage.core.send(Stage.get(url, Stage.limits(5_000, 5_000, 5_000, 99, 0)));
            assertEquals(302, shown.status());
            shown.close();
        }
    }

    @Test
    void aBodyGoesToNoOtherOriginAndAPostBecomesAGet() throws IOException {
        AtomicReference<String> answer = new AtomicReference<>();
        try (WebServer server =
                WebServer.start(
                        (head, in, out) -> {
                            if (head.contains("Content-Length: 4")) {
                                in.readNBytes(4);
                            }
                            out.write(
                                    head.contains("/end")
                                            ? WebServer.answer(200, "", "end")
                                            : answer.get().getBytes(StandardCharsets.UTF_8));
                        })) {
            String url = "http://allowed.test:" + server.port() + "/";
            answer.set(
                    "HTTP/1.1 307 X\r\nLocation: http://other.test:"
                            + server.port()
                            + "/end\r\nContent-Length: 0\r\n\r\n");
            assertEquals(ErrorCode.DENIED, refused(withSecrets(url, "POST", "body")).code());
            answer.set("HTTP/1.1 307 X\r\nLocation: /end\r\nContent-Length: 0\r\n\r\n");
            text(stage.core.send(withSecrets(url, "POST", "body")));
            assertTrue(server.heads.get(2).startsWith("POST /end"), server.heads.get(2));
            answer.set("HTTP/1.1 303 X\r\nLocation: /end\r\nContent-Length: 0\r\n\r\n");
            text(stage.core.send(withSecrets(url, "POST", "body")));
            assertTrue(server.heads.get(4).startsWith("GET /end"), server.heads.get(4));
            assertFalse(server.heads.get(4).contains("Content-Length"), server.heads.get(4));
        }
    }

    @Test
    void headersThatSmuggleAreRefused() {
        for (Map<String, String> bad :
                List.of(
                        Map.of("Host", "evil.test"),
                        Map.of("content-length", "3"),
                        Map.of("Transfer-Encoding", "chunked"),
                        Map.of("Proxy-Authorization", "x"),
                        Map.of("A", "b\r\nC: d"),
                        Map.of("A", "b\nC: d"),
                        Map.of("A", "b\u0000"),
                        Map.of("A\r\nB", "c"),
                        Map.of("A:", "c"),
                        Map.of("", "c"),
                        Map.of("A", "\u0100"),
                        Map.of("a", "1", "A", "2"))) {
            EgressRequest request =
                    new EgressRequest(
                            Stage.ANNA,
                            "GET",
                            "http://allowed.test/",
                            bad,
                            Map.of(),
                            new byte[0],
                            EgressLimits.DEFAULT);
            assertEquals(ErrorCode.INVALID_ARGUMENT, refused(request).code(), bad.toString());
        }
        assertEquals(List.of(), stage.access.requests());
    }

    @Test
    void tellsAModelNoInternalAddressAndTheOperatorAll() {
        stage.names.put("inside.test", List.of("10.1.2.3"));
        PalyraException told = refused(Stage.get("http://inside.test/"));
        assertEquals(ErrorCode.DENIED, told.code());
        assertFalse(told.getMessage().contains("10.1.2.3"), told.getMessage());
        assertFalse(told.getMessage().contains("private"), told.getMessage());
        assertNull(told.getCause());
        assertTrue(stage.journal.denied(1).get(0).toString().contains("10.1.2.3"));
        String operators = refused(Stage.ofModel("http://inside.test/")).getMessage();
        assertTrue(operators.contains("10.1.2.3") && operators.contains("allowPrivate"), operators);
    }

    @Test
    void tellsAModelNoAddressOfAHostThatCannotBeReached() throws IOException {
        int free;
        try (ServerSocket closed = new ServerSocket(0)) {
            free = closed.getLocalPort();
        }
        String url = "http://allowed.test:" + free + "/";
        PalyraException told = refused(Stage.get(url));
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, told.code());
        assertFalse(told.getMessage().contains("127.0.0.1"), told.getMessage());
        assertTrue(refused(Stage.ofModel(url)).getMessage().contains("127.0.0.1"));
    }
}
