package palyra.connectors.webhook.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.Acceptance;
import palyra.api.channel.ConnectorStatus.State;
import palyra.api.channel.InboundMessage;
import palyra.testing.wait.Await;

/** What comes in, over a real HTTP server. */
class RequestsTest {
    private static final String HELLO = Stage.message("m1", "hello");

    private final Stage stage = new Stage();

    @AfterEach
    void close() {
        stage.close();
    }

    private static Map<String, String> signed(String body) {
        long now = Stage.now();
        return new HashMap<>(
                Map.of(
                        SignedHead.ID,
                        "msg_a",
                        SignedHead.TIMESTAMP,
                        Long.toString(now),
                        SignedHead.SIGNATURE,
                        Stage.signature(Stage.SECRET, "msg_a", now, body)));
    }

    private static void refused(int status, HttpResponse<String> response) {
        assertEquals(status, response.statusCode(), response.body());
        assertTrue(response.body().startsWith("{\"status\":\"refused\""), response.body());
    }

    private static void later(int status, HttpResponse<String> response) {
        refused(status, response);
        assertTrue(response.headers().firstValueAsLong("Retry-After").orElse(0) > 0);
    }

    private void takesNothing() {
        assertEquals(0, stage.context.offered.get());
    }

    @Test
    void aMessageIsTakenWithAllThatItSays() {
        stage.ready();
        String body =
                "{\"id\":\"m1\",\"conversation\":\"c1\",\"thread\":\"t1\",\"sender\":{\"id\":\"anna\","
                        + "\"name\":\"Anna\"},\"text\":\"grüß 😀\",\"direct\":false,"
                        + "\"mentions_bot\":true,\"reply_to\":\"m0\","
                        + "\"sent_at\":\"2026-03-01T12:00:00+01:00\"}";
        HttpResponse<String> response = stage.post(body);
        assertEquals(202, response.statusCode(), response.body());
        assertEquals("{\"id\":\"01Jm1\",\"status\":\"stored\",\"reason\":\"\"}", response.body());
        assertEquals("application/json", response.headers().firstValue("Content-Type").get());
        InboundMessage message = stage.context.accepted.get(0);
        assertEquals("m1", message.messageId());
        assertEquals("c1", message.conversation().id());
        assertEquals("t1", message.conversation().thread());
        assertFalse(message.conversation().direct());
        assertEquals("anna", message.sender().id());
        assertEquals("Anna", message.sender().name());
        assertTrue(message.sender().verified(), "the holder of the secret vouches");
        assertFalse(message.sender().bot());
        assertEquals("grüß 😀", message.text());
        assertTrue(message.mentionsAccount());
        assertEquals("m0", message.replyTo());
        assertEquals(Instant.parse("2026-03-01T11:00:00Z").toEpochMilli(), message.sentAtMillis());
    }

    @Test
    void whatIsLeftOutHasADefault() {
        stage.ready();
        long now = Stage.now();
        String body =
                "{\"id\":\"m1\",\"conversation\":\"c1\",\"sender\":{\"id\":\"anna\",\"name\":null},"
                        + "\"text\":\"hi\",\"thread\":null}";
        assertEquals(202, stage.post("msg_a", now, body).statusCode());
        InboundMessage message = stage.context.accepted.get(0);
        assertEquals("", message.conversation().thread());
        assertFalse(message.conversation().direct());
        assertFalse(message.mentionsAccount());
        assertEquals(now * 1_000, message.sentAtMillis(), "the time of the signature");
    }

    @Test
    void aLargeMessageFits() {
        stage.ready();
        String text = "ä".repeat(InboundMessage.MAX_TEXT);
        assertEquals(202, stage.post(Stage.message("m1", text)).statusCode());
        assertEquals(text, stage.context.texts().get(0));
    }

    /** Each fault of a signature: what of a good request it changes. */
    static Stream<Arguments> faults() {
        long now = Stage.now();
        return Stream.of(
                Arguments.of("no id", Map.of(SignedHead.ID, "")),
                Arguments.of("no timestamp", Map.of(SignedHead.TIMESTAMP, "")),
                Arguments.of("no signature", Map.of(SignedHead.SIGNATURE, "")),
                Arguments.of("an id with a full stop", at("msg.a", now, HELLO)),
                Arguments.of("a timestamp that is no number", Map.of(SignedHead.TIMESTAMP, "now")),
                Arguments.of("a negative timestamp", at("msg_a", -now, HELLO)),
                Arguments.of("a stale timestamp", at("msg_a", now - 302, HELLO)),
                Arguments.of("a timestamp of the future", at("msg_a", now + 330, HELLO)),
                Arguments.of("another timestamp", Map.of(SignedHead.TIMESTAMP, "" + (now - 7))),
                Arguments.of("another id", Map.of(SignedHead.ID, "msg_b")),
                Arguments.of("an altered body", at("msg_a", now, HELLO.replace("hello", "bye"))),
                Arguments.of(
                        "a wrong secret",
                        Map.of(
                                SignedHead.SIGNATURE,
                                Stage.signature(Stage.OTHER_SECRET, "msg_a", now, HELLO))),
                Arguments.of("half a signature", Map.of(SignedHead.SIGNATURE, "v1,g0hM9SsE")),
                Arguments.of("no v1", Map.of(SignedHead.SIGNATURE, "v0,g0hM9SsE")),
                Arguments.of("garbage", Map.of(SignedHead.SIGNATURE, "v1 ,,, =")));
    }

    private static Map<String, String> at(String id, long seconds, String body) {
        return Map.of(
                SignedHead.ID,
                id,
                SignedHead.TIMESTAMP,
                Long.toString(seconds),
                SignedHead.SIGNATURE,
                Stage.signature(Stage.SECRET, id, seconds, body));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void everyFaultOfASignatureHasTheSameAnswer(String name, Map<String, String> changes) {
        stage.ready();
        Map<String, String> headers = signed(HELLO);
        headers.putAll(changes);
        headers.values().removeIf(String::isEmpty);
        HttpResponse<String> response = stage.send(headers, "POST", HELLO);
        refused(401, response);
        assertEquals(
                new String(Answer.unauthenticated("").body(), StandardCharsets.UTF_8),
                response.body());
        takesNothing();
        assertEquals(
                202, stage.send(signed(HELLO), "POST", HELLO).statusCode(), "all else is fine");
    }

    @Test
    void timestampsWithinTheWindowAreFine() {
        stage.ready();
        assertEquals(202, stage.post("a", Stage.now() - 290, HELLO).statusCode());
        assertEquals(202, stage.post("b", Stage.now() + 290, HELLO).statusCode());
    }

    @Test
    void aBadHeadCostsNoLookAtTheSecret() {
        WebhookConnector.Waits once = new WebhookConnector.Waits(60_000, 60_000);
        stage.connector = stage.connector(Stage.settings("https://example.test/", Stage.REF), once);
        stage.ready();
        int lent = stage.context.lent.get();
        Map<String, String> headers = signed(HELLO);
        headers.remove(SignedHead.SIGNATURE);
        refused(401, stage.send(headers, "POST", HELLO));
        refused(401, stage.post("a", Stage.now() - 1_000, HELLO));
        assertEquals(lent, stage.context.lent.get());
        refused(401, stage.post("a", Stage.now(), "v1,x", HELLO));
        assertEquals(lent + 1, stage.context.lent.get(), "this one had to be compared");
    }

    @Test
    void bothSecretsOfARotationCount() {
        stage.context.vault.put(Stage.NEXT_REF, Stage.OTHER_SECRET);
        stage.with(Stage.settings("https://example.test/", Stage.NEXT_REF, Stage.REF)).ready();
        long now = Stage.now();
        String one = Stage.message("m1", "one");
        String two = Stage.message("m2", "two");
        String three = Stage.message("m3", "three");
        assertEquals(202, stage.post("a", now, one).statusCode());
        assertEquals(
                202,
                stage.post("b", now, Stage.signature(Stage.OTHER_SECRET, "b", now, two), two)
                        .statusCode());
        String both =
                Stage.signature("whsec_" + "A".repeat(32), "c", now, three)
                        + " v1a,b3RoZXI= "
                        + Stage.signature(Stage.SECRET, "c", now, three);
        assertEquals(202, stage.post("c", now, both, three).statusCode());

        stage.with(Stage.settings("https://example.test/", Stage.NEXT_REF)).ready();
        refused(401, stage.post("d", now, Stage.message("m4", "four")));
        assertEquals(List.of("one", "two", "three"), stage.context.texts());
    }

    @Test
    void aSecretThatWasReplacedInTheVaultCountsAtOnce() {
        stage.ready();
        stage.context.vault.put(Stage.REF, Stage.OTHER_SECRET);
        refused(401, stage.post(HELLO));
        long now = Stage.now();
        String signature = Stage.signature(Stage.OTHER_SECRET, "x", now, HELLO);
        assertEquals(202, stage.post("x", now, signature, HELLO).statusCode());
    }

    @Test
    void aRepetitionIsAnsweredAsTheFirstTimeWithoutWork() {
        stage.ready();
        HttpResponse<String> first = stage.post("a", Stage.now(), HELLO);
        HttpResponse<String> replayed = stage.post("a", Stage.now(), HELLO);
        HttpResponse<String> again = stage.post("a", Stage.now() - 5, HELLO);
        assertEquals(202, first.statusCode());
        assertEquals(first.body(), replayed.body());
        assertEquals(first.body(), again.body());
        assertEquals(1, stage.context.offered.get());
    }

    @Test
    void whatTheCacheForgotIsKnownToTheInbox() {
        stage.ready();
        HttpResponse<String> first = stage.post("a", Stage.now(), HELLO);
        stage.with(Stage.settings("https://example.test/", Stage.REF)).ready();
        HttpResponse<String> again = stage.post("a", Stage.now(), HELLO);
        assertEquals("{\"id\":\"01Jm1\",\"status\":\"known\",\"reason\":\"\"}", again.body());
        assertEquals(202, first.statusCode());
        assertEquals(202, again.statusCode());
        assertEquals(List.of("hello"), stage.context.texts());
    }

    @Test
    void ofTwoMessagesUnderOneIdNeitherIsLost() {
        stage.ready();
        assertEquals(202, stage.post("a", Stage.now(), HELLO).statusCode());
        assertEquals(202, stage.post("a", Stage.now(), Stage.message("m2", "bye")).statusCode());
        assertEquals(List.of("hello", "bye"), stage.context.texts());
    }

    @Test
    void whatTheRulesIgnoreIsToldWithTheReason() {
        stage.ready();
        stage.context.ignoring = new Acceptance(Acceptance.Outcome.IGNORED, "01J", "sender_denied");
        HttpResponse<String> response = stage.post(HELLO);
        assertEquals(202, response.statusCode());
        assertEquals(
                "{\"id\":\"01J\",\"status\":\"ignored\",\"reason\":\"sender_denied\"}",
                response.body());
    }

    @Test
    void aRefusedMessageComesAgainAndIsTakenOnce() {
        stage.ready();
        for (ErrorCode code :
                List.of(
                        ErrorCode.RESOURCE_EXHAUSTED,
                        ErrorCode.JOURNAL_UNAVAILABLE,
                        ErrorCode.DISK_FULL,
                        ErrorCode.GATEWAY_UNAVAILABLE)) {
            stage.context.before =
                    message -> {
                        throw new PalyraException(code, "Not now.");
                    };
            later(503, stage.post("a", Stage.now(), HELLO));
        }
        stage.context.before =
                message -> {
                    throw new IllegalStateException("a defect");
                };
        later(503, stage.post("a", Stage.now(), HELLO));
        stage.context.before = message -> {};
        assertTrue(stage.post("a", Stage.now(), HELLO).body().contains("stored"));
        assertEquals(List.of("hello"), stage.context.texts());
    }

    /** Bodies with a good signature that are no message, and what the answer names. */
    static Stream<Arguments> malformed() {
        String sender = "\"sender\":{\"id\":\"anna\"}";
        String rest = "\"id\":\"m1\",\"conversation\":\"c1\",\"text\":\"x\"," + sender;
        return Stream.of(
                Arguments.of("", "empty"),
                Arguments.of("{", "not acceptable JSON"),
                Arguments.of("[]", "an object"),
                Arguments.of("\"x\"", "an object"),
                Arguments.of("{" + rest + "} {}", "not acceptable JSON"),
                Arguments.of("{" + rest + ",\"text\":\"y\"}", "text"),
                Arguments.of("{\"\\u0069d\":\"m2\"," + rest + "}", "id"),
                Arguments.of("{" + rest + ",\"channel\":\"x\"}", "'channel' is not known"),
                Arguments.of(
                        "{" + rest.replace("}", ",\"admin\":true}") + "}",
                        "'sender.admin' is not known"),
                Arguments.of("{" + rest.replace("\"id\":\"m1\",", "") + "}", "'id' is missing"),
                Arguments.of("{" + rest.replace("m1", "m 1") + "}", "m 1"),
                Arguments.of("{" + rest.replace("\"m1\"", "1") + "}", "'id' is not usable"),
                Arguments.of("{" + rest.replace("c1", "c\\n1") + "}", "conversation"),
                Arguments.of("{" + rest.replace("anna", "an na") + "}", "sender"),
                Arguments.of("{" + rest.replace(sender, "\"sender\":\"anna\"") + "}", "'sender'"),
                Arguments.of("{" + rest.replace("," + sender, "") + "}", "'sender' is missing"),
                Arguments.of("{" + rest.replace("\"x\"", "\" \"") + "}", "blank"),
                Arguments.of("{" + rest.replace("\"x\"", "\"\\ud800\"") + "}", "surrogate"),
                Arguments.of(
                        "{" + rest.replace("\"x\"", "\"" + "x".repeat(65_537) + "\"") + "}",
                        "65537"),
                Arguments.of("{" + rest + ",\"direct\":\"yes\"}", "'direct'"),
                Arguments.of("{" + rest + ",\"mentions_bot\":1}", "'mentions_bot'"),
                Arguments.of("{" + rest + ",\"sent_at\":\"yesterday\"}", "'sent_at'"),
                Arguments.of("{" + rest + ",\"reply_to\":\"" + "x".repeat(97) + "\"}", "answered"),
                Arguments.of("{" + rest + ",\"thread\":\"t 1\"}", "thread"));
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void aMalformedMessageIsRefusedByName(String body, String named) {
        stage.ready();
        HttpResponse<String> response = stage.post(body);
        refused(400, response);
        assertTrue(response.body().contains(named), response.body());
        takesNothing();
    }

    @Test
    void aBodyThatIsNoUtf8IsRefused() throws IOException {
        stage.ready();
        byte[] body = {'{', '"', (byte) 0xff, '"', ':', '1', '}'};
        long now = Stage.now();
        String signature =
                Signatures.sign(Signatures.key(Stage.SECRET).orElseThrow(), "a", now, body);
        try (Socket socket = open(head("a", now, signature, "Content-Length: 7"))) {
            socket.getOutputStream().write(body);
            assertTrue(answer(socket).startsWith("HTTP/1.1 400 "));
        }
        takesNothing();
    }

    private String head(String id, long seconds, String signature, String framing) {
        return "POST /hooks/main HTTP/1.1\r\nHost: x\r\nConnection: close\r\nwebhook-id: "
                + id
                + "\r\nwebhook-timestamp: "
                + seconds
                + "\r\nwebhook-signature: "
                + signature
                + "\r\n"
                + framing
                + "\r\n\r\n";
    }

    private Socket open(String head) throws IOException {
        Socket socket = new Socket("127.0.0.1", stage.port());
        socket.setSoTimeout(30_000);
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String answer(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void aHugeBodyIsRefusedByWhatItSaysOfItself() throws IOException {
        stage.ready();
        try (Socket socket = open(head("a", Stage.now(), "v1,x", "Content-Length: 262145"))) {
            assertTrue(answer(socket).startsWith("HTTP/1.1 413 "), "before a byte of it came");
        }
        try (Socket socket = open(head("a", Stage.now(), "v1,x", "Content-Length: 1000000000"))) {
            assertTrue(answer(socket).startsWith("HTTP/1.1 413 "), "by the server itself");
        }
        takesNothing();
    }

    @Test
    void aHugeBodyThatDoesNotSayItsSizeIsRefused() throws IOException {
        stage.ready();
        try (Socket socket = open(head("a", Stage.now(), "v1,x", "Transfer-Encoding: chunked"))) {
            OutputStream out = socket.getOutputStream();
            String chunk = "2000\r\n" + "x".repeat(8_192) + "\r\n";
            for (int i = 0; i < 33; i++) { // 264 KiB
                out.write(chunk.getBytes(StandardCharsets.US_ASCII));
            }
            out.flush();
            assertTrue(answer(socket).startsWith("HTTP/1.1 413 "));
        }
        takesNothing();
    }

    @Test
    void theLargestBodyFits() {
        stage.ready();
        String text = HELLO + " ".repeat(262_144 - HELLO.length());
        assertEquals(202, stage.post(text).statusCode());
        refused(413, stage.post(text + " "));
    }

    @Test
    void aSlowBodyIsCutOff() throws IOException {
        stage.ready();
        try (Socket socket = open(head("a", Stage.now(), "v1,x", "Content-Length: 100000"))) {
            Thread drip =
                    Thread.ofPlatform()
                            .daemon()
                            .start(
                                    () -> {
                                        try {
                                            while (true) {
                                                socket.getOutputStream().write('x');
                                                Thread.sleep(5);
                                            }
                                        } catch (IOException | InterruptedException e) {
                                            // it was cut off
                                        }
                                    });
            assertTrue(answer(socket).startsWith("HTTP/1.1 408 "));
            drip.interrupt();
        }
        takesNothing();
    }

    @Test
    void aBodyThatDoesNotComeIsCutOff() throws IOException {
        stage.ready();
        try (Socket socket = open(head("a", Stage.now(), "v1,x", "Content-Length: 10"))) {
            assertTrue(answer(socket).startsWith("HTTP/1.1 408 "));
        }
        takesNothing();
    }

    @Test
    void onlySoManyAreReadAtOnce() throws Exception {
        stage.ready();
        Await.until("a refusal", () -> refusedBesideSlowOnes());
        Await.until("places", () -> stage.post(HELLO).statusCode() == 202);
    }

    /** They are given up after a moment, so each look has some of its own. */
    private boolean refusedBesideSlowOnes() {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < Stage.LIMITS.atOnce(); i++) {
                slow.add(open(head("a", Stage.now(), "v1,x", "Content-Length: 10")));
            }
            boolean refused = stage.post(HELLO).statusCode() == 503;
            for (Socket each : slow) {
                each.close();
            }
            return refused;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void moreThanTheRateAllowsIsPutOff() {
        stage.with(Stage.settings("https://example.test/", 3, false, Stage.REF)).ready();
        for (int i = 0; i < 3; i++) {
            assertEquals(202, stage.post(Stage.message("m" + i, "x")).statusCode());
        }
        later(429, stage.post(HELLO));
        assertEquals(3, stage.context.offered.get());
    }

    @Test
    void onlyPostIsTaken() {
        stage.ready();
        for (String method : List.of("GET", "PUT", "DELETE", "PATCH")) {
            HttpResponse<String> response = stage.send(signed(HELLO), method, HELLO);
            refused(405, response);
            assertEquals("POST", response.headers().firstValue("Allow").get());
        }
        takesNothing();
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.7, 10.0.0.1, false, 403",
        "10.0.0.7, 127.0.0.1, false, 403",
        "127.0.0.1, 10.0.0.1, false, 403",
        "10.0.0.7, 10.0.0.1, true, 401",
        "127.0.0.1, 127.0.0.1, false, 401",
        "::1, ::1, false, 401"
    })
    void fromOtherMachinesOnlyTlsIsTaken(String remote, String local, boolean secure, int status)
            throws Exception {
        stage.ready();
        Map<String, Object> says =
                Map.of(
                        "getMethod", "POST",
                        "getRemoteAddr", remote,
                        "getLocalAddr", local,
                        "isSecure", secure);
        AtomicInteger answered = new AtomicInteger();
        stage.servlets
                .get(Stage.PATH)
                .service(
                        fake(HttpServletRequest.class, says),
                        fake(HttpServletResponse.class, Map.of("setStatus", answered)));
        assertEquals(status, answered.get());
    }

    /** Returns values by the name of the method, keeps what is set, and swallows a body. */
    private static <T> T fake(Class<T> type, Map<String, Object> says) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> {
                            if (says.get(method.getName()) instanceof AtomicInteger kept) {
                                kept.set((Integer) arguments[0]);
                                return null;
                            }
                            return method.getReturnType() == ServletOutputStream.class
                                    ? new Swallowing()
                                    : says.get(method.getName());
                        }));
    }

    private static final class Swallowing extends ServletOutputStream {
        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {}

        @Override
        public void write(int b) {}
    }

    @Test
    void eachResultIsCounted() {
        stage.with(Stage.settings("https://example.test/", 4, false, Stage.REF)).ready();
        long now = Stage.now();
        stage.post("a", now, HELLO);
        stage.post("a", now, HELLO);
        stage.post("{}");
        stage.post("b", now, "v1,x", HELLO);
        stage.post("c", now - 1_000, HELLO);
        stage.send(Map.of(), "POST", HELLO);
        stage.post(HELLO);
        Set<String> results = new TreeSet<>();
        stage.connector.metrics().forEach(metric -> results.add(metric.labels().get("result")));
        assertEquals(
                new TreeSet<>(
                        Set.of(
                                "stored",
                                "repeated",
                                "malformed",
                                "wrong_signature",
                                "stale",
                                "unsigned",
                                "limited")),
                results);
        assertEquals(1.0, stage.connector.metrics().get(0).value());
    }

    @Test
    void theStatusSaysWhatToDoAboutASecret() {
        stage.context.vault.remove(Stage.REF);
        stage.connector.start(stage.context);
        stage.awaitState(State.FAILED);
        assertTrue(stage.connector.status().reason().contains(Stage.REF));
        later(503, stage.post(HELLO));
        stage.context.vault.put(Stage.REF, "not a secret");
        Await.until(
                "another reason",
                () ->
                        stage.connector
                                .status()
                                .reason()
                                .contains("palyra vault put channel:webhook:main/secret"));
        later(503, stage.post(HELLO));
        stage.context.vault.put(Stage.REF, Stage.SECRET + "\n");
        stage.awaitState(State.READY);
        assertEquals(202, stage.post(HELLO).statusCode());
        stage.context.vaultAway = true;
        later(503, stage.post(HELLO));
        assertEquals(State.RECONNECTING, stage.connector.status().state());
        stage.context.vaultAway = false;
        stage.awaitState(State.READY);
        assertEquals("", stage.connector.status().reason());
    }

    @Test
    void theStatusSaysThatTheServerDoesNotPassRequestsOn() {
        stage.connector =
                new WebhookConnector(
                        Stage.settings("https://example.test/", Stage.REF),
                        stage.egress,
                        (path, servlet) -> () -> {},
                        Stage.LIMITS,
                        Stage.WAITS);
        stage.connector.start(stage.context);
        stage.awaitState(State.FAILED);
        assertTrue(stage.connector.status().reason().contains("/hooks/main"));
    }

    @Test
    void theTimeOfTheLastRequestIsKept() {
        stage.ready();
        assertEquals(0, stage.connector.status().lastEventAtMillis());
        stage.post(HELLO);
        assertTrue(stage.connector.status().lastEventAtMillis() > 0);
    }
}
