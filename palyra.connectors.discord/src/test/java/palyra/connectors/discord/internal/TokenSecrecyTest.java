package palyra.connectors.discord.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import palyra.api.channel.ConnectorStatus.State;
import palyra.api.channel.Delivery;
import palyra.api.core.access.AccessRequest;
import palyra.sandbox.internal.egress.RealEgress;
import palyra.testing.discord.FakeDiscord;
import palyra.testing.discord.Interaction;
import palyra.testing.http.FaultyApi.Fault;
import palyra.testing.wait.Await;

/** With the product's way out: it works, and the token is in nothing that is written. */
class TokenSecrecyTest {
    private static final Path LOG = Path.of("target/log-of-tests.txt"); // simplelogger.properties

    private final Stage stage = new Stage();
    private final StringBuilder shown = new StringBuilder();

    @AfterEach
    void close() {
        stage.close();
    }

    private static String echo(String token) {
        return "{\"code\":0,\"message\":\"bad header Bot " + token + "\"}";
    }

    @Test
    void nothingThatIsWrittenHasTheTokenOrThatOfAnInteraction() throws IOException {
        String token = stage.discord.token();
        stage.egress.remove(stage.loopback);
        stage.sockets.remove(stage.tunnels);
        try (RealEgress egress = new RealEgress(stage.discord.port())) {
            stage.egress.add(egress.client(), Map.of());
            stage.sockets.add(egress.tunnels(), Map.of());
            stage.ready();
            stage.discord.say(stage.anna, stage.dm, "hi");
            stage.awaitTexts("hi");
            assertInstanceOf(Delivery.Delivered.class, stage.send("hello"));
            AccessRequest asked = egress.asked().get(0);
            assertEquals(Stage.PRINCIPAL, asked.principal().id());
            assertEquals("connector", asked.facts().get("purpose"));
            Interaction interaction =
                    stage.discord.slash(stage.anna, stage.dm, "ask", Map.of("text", "more"));
            stage.awaitTexts("hi", "more");
            stage.discord.awaitAnswer(interaction, one -> one.original().isPresent());
            stage.discord.fail(
                    FakeDiscord.CALLBACK,
                    (exchange, act) ->
                            exchange.answer(
                                    404, "application/json", echo(exchange.request().line())));
            Interaction refused =
                    stage.discord.slash(stage.anna, stage.dm, "ask", Map.of("text", "again"));
            stage.awaitTexts("hi", "more", "again");
            stage.discord.fail(
                    FakeDiscord.POST,
                    Fault.answering(400, echo(token)),
                    Fault.answering(302, "", "Location: /x/" + token + "/a b"),
                    Fault.answering(200, echo(token)),
                    Fault.droppedAfter(),
                    Fault.truncated(),
                    Fault.garbled());
            for (int i = 0; i < 6; i++) {
                shown.append(stage.send("text " + i)).append('\n');
            }
            egress.allow(false);
            Await.until("the end", () -> stage.connector.status().state() != State.READY);
            shown.append(stage.connector.status());
            Await.until(
                    "a denial", () -> stage.connector.status().reason().contains("not allowed"));
            shown.append(stage.send("denied"));
            egress.allow(true);
            stage.awaitState(State.READY);
            stage.connector.stop();
            int code = stage.discord.gateway().connections().getLast().clientCode();
            assertTrue(code == 0 || code == 4000, "closed with " + code);
            stage.swap();
            stage.discord.say(stage.anna, stage.dm, "after the swap");
            stage.awaitTexts("hi", "more", "again", "after the swap");
            assertEquals(1, stage.discord.gateway().readies());
            stage.discord.resetToken();
            stage.discord.gateway().close(4004, "Authentication failed.");
            stage.awaitState(State.FAILED);
            shown.append(stage.connector.status());
            stage.connector.stop();
            shown.append(
                    new String(stage.context.keptPosition().orElseThrow(), StandardCharsets.UTF_8));
            shown.append(egress.recorded());
            shown.append(Files.readString(LOG));
            String all = shown.toString();
            assertTrue(all.contains("network_connect"), "the records are there");
            assertTrue(all.contains("[token]"), "what a server echoes is shown without it");
            assertFalse(all.contains(token), all);
            assertFalse(all.contains(interaction.token()), all);
            assertFalse(all.contains(refused.token()), all);
        }
    }
}
