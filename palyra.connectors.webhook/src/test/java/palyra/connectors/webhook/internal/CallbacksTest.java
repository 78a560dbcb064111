package palyra.connectors.webhook.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.channel.ConnectorCapabilities.Feature;
import palyra.api.channel.ConnectorStatus.State;
import palyra.api.channel.Conversation;
import palyra.api.channel.Delivery;
import palyra.api.channel.OutboundMessage;
import palyra.api.core.access.AccessRequest;
import palyra.sandbox.internal.egress.RealEgress;
import palyra.testing.http.FaultExchange;
import palyra.testing.http.FaultServer;
import palyra.testing.http.FaultServer.Heard;

/** What goes out, by the product's egress client to a server that fails as told. */
class CallbacksTest {
    private static final String KEY = "01K5ZZZZZZZZZZZZZZZZZZZZZ";

    private final Stage stage = new Stage();
    private final FaultServer receiver =
            FaultServer.open().otherwise(exchange -> json(exchange, 200, "{\"id\":\"r1\"}"));
    private RealEgress egress;

    @BeforeEach
    void open() throws IOException {
        egress = new RealEgress(receiver.port());
        stage.egress.add(egress.client(), Map.of());
        stage.with(Stage.settings(receiver.url() + "/answers?for=main", Stage.REF)).ready();
    }

    @AfterEach
    void close() {
        stage.close();
        egress.close();
        receiver.close();
    }

    private static void json(FaultExchange exchange, int status, String body, String... headers)
            throws IOException {
        exchange.answer(status, "application/json", body, headers);
    }

    private static OutboundMessage message(String text) {
        return new OutboundMessage(
                KEY, new Conversation("c1", "t1", false, ""), "m1", "", text, List.of());
    }

    private Delivery send() {
        return stage.connector.send(message("hello"));
    }

    private static void verified(Heard heard, String... secrets) {
        String id = heard.headers().get(SignedHead.ID);
        long seconds = Long.parseLong(heard.headers().get(SignedHead.TIMESTAMP));
        assertTrue(Math.abs(Stage.now() - seconds) < 60);
        for (String secret : secrets) {
            assertTrue(
                    Signatures.matches(
                            heard.headers().get(SignedHead.SIGNATURE),
                            Stage.signature(secret, id, seconds, heard.body())),
                    secret);
        }
    }

    @Test
    void aMessageIsPostedAndSigned() throws IOException {
        Delivery delivery = stage.connector.send(message("grüß 😀 \ud800."));
        assertEquals(new Delivery.Delivered("r1"), delivery);
        Heard heard = receiver.heard().get(0);
        assertEquals("POST /answers?for=main HTTP/1.1", heard.line());
        assertEquals("application/json", heard.headers().get("content-type"));
        assertEquals(KEY, heard.headers().get(SignedHead.ID));
        verified(heard, Stage.SECRET);
        assertEquals(
                new ObjectMapper()
                        .readTree(
                                "{\"id\":\""
                                        + KEY
                                        + "\",\"conversation\":\"c1\",\"thread\":\"t1\","
                                        + "\"reply_to\":\"m1\",\"text\":\"grüß 😀 \ufffd.\"}"),
                new ObjectMapper().readTree(heard.body()));
        AccessRequest asked = egress.asked().get(0);
        assertEquals(FakeContext.PRINCIPAL, asked.principal().id());
        assertEquals("connector", asked.facts().get("purpose"));
    }

    @Test
    void whatIsEmptyIsLeftOut() {
        stage.connector.send(
                new OutboundMessage("k", Conversation.direct("c1"), "", "", "x", List.of()));
        assertEquals(
                "{\"id\":\"k\",\"conversation\":\"c1\",\"text\":\"x\"}",
                receiver.heard().get(0).body());
    }

    @Test
    void aReactionIsAnEventWithoutAText() {
        Conversation thread = new Conversation("c1", "t1", false, "");
        stage.connector.send(OutboundMessage.reaction("k", thread, "m1", "👍"));
        assertEquals(
                "{\"id\":\"k\",\"conversation\":\"c1\",\"thread\":\"t1\","
                        + "\"event\":\"reaction\",\"message\":\"m1\",\"reaction\":\"👍\"}",
                receiver.heard().get(0).body());
    }

    @Test
    void whileTheSecretIsRotatedBothSign() {
        stage.context.vault.put(Stage.NEXT_REF, Stage.OTHER_SECRET);
        stage.with(Stage.settings(receiver.url(), Stage.NEXT_REF, Stage.REF)).ready();
        send();
        verified(receiver.heard().get(0), Stage.SECRET, Stage.OTHER_SECRET);
    }

    @Test
    void aRepetitionHasTheSameIdAndBody() {
        receiver.next(exchange -> json(exchange, 500, "{}"));
        assertInstanceOf(Delivery.RetryAfter.class, send());
        assertInstanceOf(Delivery.Delivered.class, send());
        Heard first = receiver.heard().get(0);
        Heard second = receiver.heard().get(1);
        assertEquals(first.headers().get(SignedHead.ID), second.headers().get(SignedHead.ID));
        assertEquals(first.body(), second.body());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "OK",
                "{\"id\":",
                "[]",
                "{\"id\":null}",
                "{\"id\":{}}",
                "{\"status\":\"fine\"}"
            })
    void anAnswerWithoutAnIdIsFine(String body) {
        receiver.next(exchange -> json(exchange, 202, body));
        assertEquals(new Delivery.Delivered(""), send());
    }

    @Test
    void anAnswerOfAnySizeOrHalfOfOneIsFine() {
        receiver.next(exchange -> json(exchange, 200, "{\"id\":7}"));
        assertEquals(new Delivery.Delivered("7"), send());
        receiver.next(exchange -> exchange.answer(200, "text/html", "x".repeat(12 << 20)));
        assertEquals(new Delivery.Delivered(""), send());
        receiver.next(
                exchange -> {
                    exchange.raw(
                            "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"id\":".getBytes());
                    exchange.truncate();
                });
        assertEquals(new Delivery.Delivered(""), send());
        receiver.next(exchange -> json(exchange, 200, "{\"id\":\"" + "x".repeat(300) + "\"}"));
        assertEquals(new Delivery.Delivered(""), send());
        receiver.next(exchange -> exchange.answer(204, "text/plain", ""));
        assertEquals(new Delivery.Delivered(""), send());
    }

    @ParameterizedTest
    @CsvSource({"400", "404", "405", "410", "413", "422", "302"})
    void whatTheReceiverWillNeverTakeIsRefused(int status) {
        receiver.next(exchange -> json(exchange, status, "{}", "Location: /elsewhere"));
        Delivery.Refused refused = assertInstanceOf(Delivery.Refused.class, send());
        assertTrue(refused.reason().contains("answered " + status), refused.reason());
        assertEquals(status == 302, refused.reason().contains("callbackUrl"));
        assertEquals(1, receiver.heard().size(), "no redirect is followed");
    }

    @ParameterizedTest
    @CsvSource({
        "429, 7, 7000, false",
        "503, 120, 120000, false",
        "503, , 0, false",
        "429, soon, 0, false",
        "503, 99999999, 0, false",
        "503, 900000, 86400000, false",
        "408, , 0, false",
        "425, , 0, false",
        "401, , 0, false",
        "403, , 0, false",
        "500, 5, 0, true",
        "501, , 0, true"
    })
    void whatMayPassIsTriedAgain(
            int status, String retryAfter, long millis, boolean conversationOnly) {
        receiver.next(
                exchange ->
                        json(
                                exchange,
                                status,
                                "{}",
                                "Retry-After: " + (retryAfter == null ? "" : retryAfter)));
        Delivery.RetryAfter later = assertInstanceOf(Delivery.RetryAfter.class, send());
        assertEquals(millis, later.millis());
        assertEquals(conversationOnly, later.conversationOnly());
    }

    @Test
    void whatMayHaveArrivedIsUnknown() {
        receiver.next(exchange -> json(exchange, 504, "{}"));
        assertInstanceOf(Delivery.Unknown.class, send());
        receiver.next(exchange -> json(exchange, 502, "{}"));
        assertInstanceOf(Delivery.Unknown.class, send());
        receiver.next(FaultExchange::reset);
        assertInstanceOf(Delivery.Unknown.class, send());
        receiver.next(FaultExchange::truncate);
        assertInstanceOf(Delivery.Unknown.class, send());
        assertFalse(stage.connector.capabilities().has(Feature.DEDUPLICATION));
    }

    @Test
    void aReceiverThatDropsRepetitionsGetsItAgain() {
        stage.with(Stage.settings(receiver.url(), 100, true, Stage.REF)).ready();
        assertTrue(stage.connector.capabilities().has(Feature.DEDUPLICATION));
        receiver.next(FaultExchange::reset);
        assertInstanceOf(Delivery.Unknown.class, send());
        assertInstanceOf(Delivery.Delivered.class, send());
    }

    @Test
    void whatSurelyDidNotArriveIsTriedAgain() {
        receiver.goDown();
        assertInstanceOf(Delivery.RetryAfter.class, send());
        receiver.comeBack();
        egress.allow(false);
        Delivery.RetryAfter denied = assertInstanceOf(Delivery.RetryAfter.class, send());
        assertFalse(denied.conversationOnly());
        egress.allow(true);
        stage.egress.remove(egress.client());
        assertInstanceOf(Delivery.RetryAfter.class, send());
        stage.egress.add(egress.client(), Map.of());
        assertInstanceOf(Delivery.Delivered.class, send());
        assertEquals(1, receiver.heard().size());
    }

    @Test
    void withoutASecretNothingIsSent() {
        stage.context.vault.clear();
        Delivery.RetryAfter later = assertInstanceOf(Delivery.RetryAfter.class, send());
        assertTrue(later.reason().contains(Stage.REF), later.reason());
        assertEquals(State.FAILED, stage.connector.status().state());
        stage.context.vaultAway = true;
        assertInstanceOf(Delivery.RetryAfter.class, send());
        assertEquals(List.of(), receiver.heard());
        stage.connector.stop();
        assertInstanceOf(Delivery.RetryAfter.class, send());
    }

    @Test
    void answersAreCutToWhatIsAllowed() {
        List<String> parts = stage.connector.render("word ".repeat(10_000));
        assertTrue(parts.size() > 2);
        assertTrue(parts.stream().allMatch(part -> part.length() <= 16_384));
    }
}
