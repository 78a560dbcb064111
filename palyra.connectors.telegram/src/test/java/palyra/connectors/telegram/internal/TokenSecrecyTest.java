package palyra.connectors.telegram.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import palyra.api.channel.ConnectorStatus.State;
import palyra.api.channel.Delivery;
import palyra.api.core.access.AccessRequest;
import palyra.sandbox.internal.egress.RealEgress;
import palyra.testing.http.FaultyApi.Fault;
import palyra.testing.telegram.FakeTelegram;
import palyra.testing.wait.Await;

/** With the product's egress client: it works, and the token is in nothing that is written. */
class TokenSecrecyTest {
    private static final String SECRET = FakeTelegram.TOKEN.split(":")[1];
    private static final Path LOG = Path.of("target/log-of-tests.txt"); // simplelogger.properties

    private final Stage stage = new Stage();
    private final StringBuilder shown = new StringBuilder();

    private void status() {
        shown.append(stage.connector.status()).append('\n');
    }

    private void send() {
        shown.append(stage.connector.send(Stage.text("hello"))).append('\n');
    }

    private static String echo(int code) {
        String url = "/bot" + FakeTelegram.TOKEN + "/x";
        return "{\"ok\":false,\"error_code\":"
                + code
                + ",\"description\":\"Cannot POST "
                + url
                + "\"}";
    }

    @Test
    void nothingThatIsWrittenHasTheToken() throws IOException {
        stage.egress.remove(stage.loopback);
        try (RealEgress egress = new RealEgress(stage.telegram.port())) {
            stage.egress.add(egress.client(), Map.of());
            stage.telegram.say(Stage.ANNA, "hi");
            stage.ready();
            stage.awaitTexts("hi");
            assertInstanceOf(Delivery.Delivered.class, stage.connector.send(Stage.text("hello")));
            assertTrue(
                    stage.telegram.calls("sendMessage").get(0).request().line().contains(SECRET));
            AccessRequest asked = egress.asked().get(0);
            assertEquals(FakeContext.PRINCIPAL, asked.principal().id());
            assertEquals("connector", asked.facts().get("purpose"));

            stage.telegram.fail(
                    "sendMessage",
                    Fault.answering(400, echo(400)),
                    Fault.answering(404, echo(404)),
                    Fault.answering(302, "", "Location: /bot" + FakeTelegram.TOKEN + "/a b"),
                    Fault.answering(200, echo(200)),
                    Fault.droppedAfter(),
                    Fault.truncated(),
                    Fault.garbled());
            for (int i = 0; i < 7; i++) {
                send();
            }
            stage.telegram.fail(
                    "getUpdates", Fault.answering(418, echo(418)), Fault.droppedBefore());
            stage.telegram.pollElsewhere();
            stage.telegram.say(Stage.ANNA, "later");
            stage.awaitTexts("hi", "later");
            status();

            Await.until("an open poll", stage.telegram::isPolled);
            egress.allow(false);
            send();
            stage.telegram.pollElsewhere();
            Await.until(
                    "a denial", () -> stage.connector.status().reason().contains("not allowed"));
            status();
            egress.allow(true);
            stage.awaitState(State.READY);
            stage.telegram.goDown();
            send();
            stage.telegram.comeBack();
            stage.telegram.token("1:another_token_0123456789");
            stage.telegram.pollElsewhere();
            stage.awaitState(State.FAILED);
            status();
            stage.connector.stop();
            shown.append(egress.recorded());
        }
        shown.append(Files.readString(LOG));
        String all = shown.toString();
        assertTrue(all.contains("@" + FakeTelegram.USERNAME + " at Telegram"), "the log is there");
        assertTrue(all.contains("network_connect"), "the records are there");
        assertTrue(all.contains("[token]"), "what a server echoes is shown without it");
        assertFalse(all.contains(SECRET), all);
        stage.close();
    }

    @Test
    void anAddressThatTheWayOutRefusesIsToldWithoutTheToken() throws IOException {
        try (RealEgress egress = new RealEgress(stage.telegram.port())) {
            stage.egress.remove(stage.loopback);
            stage.egress.add(egress.client(), Map.of());
            for (String url :
                    new String[] {"http://127.1", "https://a.test:99999", "ftp://x", "no"}) {
                TelegramConnector connector =
                        new TelegramConnector(Stage.settings(url), stage.egress, Stage.QUICK);
                connector.start(stage.context);
                Await.until("a reason", () -> !connector.status().reason().isEmpty());
                String told = connector.status() + " " + connector.send(Stage.text("x"));
                connector.stop();
                assertFalse(told.contains(SECRET), told);
            }
        }
        stage.close();
    }
}
