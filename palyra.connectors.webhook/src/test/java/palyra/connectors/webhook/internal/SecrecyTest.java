package palyra.connectors.webhook.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorStatus.State;
import palyra.api.channel.Conversation;
import palyra.api.channel.OutboundMessage;
import palyra.sandbox.internal.egress.RealEgress;
import palyra.testing.http.FaultExchange;
import palyra.testing.http.FaultServer;

/** With the product's egress client: secrets, texts and the path of callbacks are in no record. */
class SecrecyTest {
    private static final Path LOG = Path.of("target/log-of-tests.txt"); // simplelogger.properties
    private static final String TEXT = "a-text-that-is-private";
    private static final String TOKEN = "a-token-in-the-address";

    private final StringBuilder shown = new StringBuilder();

    @Test
    void nothingThatIsWrittenHasASecret() throws Exception {
        try (Stage stage = new Stage();
                FaultServer receiver = FaultServer.open();
                RealEgress egress = new RealEgress(receiver.port())) {
            stage.egress.add(egress.client(), Map.of());
            stage.with(Stage.settings(receiver.url() + "/" + TOKEN, Stage.REF)).ready();
            String body = Stage.message("m1", TEXT);
            shown.append(stage.post(body).body());
            shown.append(stage.post("a", Stage.now(), "v1,x", body).body());
            shown.append(stage.post("{\"" + TEXT + "\"").body());
            stage.context.before =
                    message -> {
                        throw new PalyraException(ErrorCode.DISK_FULL, "The disk is full.");
                    };
            shown.append(stage.post(Stage.message("m2", TEXT)).body());
            stage.context.before =
                    message -> {
                        throw new IllegalStateException("a defect");
                    };
            shown.append(stage.post(Stage.message("m3", TEXT)).body());
            receiver.next(FaultExchange::reset)
                    .next(exchange -> exchange.answer(302, "text/plain", "", "Location: /x"))
                    .next(exchange -> exchange.answer(200, "application/json", "{\"id\":"));
            for (int i = 0; i < 4; i++) {
                send(stage);
            }
            egress.allow(false);
            send(stage);
            receiver.goDown();
            send(stage);
            for (String bad : List.of("whsec_" + TOKEN, Stage.SECRET + "!", "")) {
                stage.context.vault.put(Stage.REF, bad);
                stage.awaitState(State.FAILED);
                shown.append(stage.post(body).body());
                send(stage);
            }
            shown.append(egress.recorded()).append(stage.connector.metrics());
        }
        shown.append(Files.readString(LOG));
        String all = shown.toString();
        assertTrue(all.contains("network_connect"), "the records are there");
        assertTrue(all.contains("The disk is full."), "the log is there");
        for (String secret :
                List.of(Stage.SECRET.substring(6), Stage.OTHER_SECRET.substring(6), TOKEN, TEXT)) {
            int at = all.indexOf(secret);
            assertEquals(-1, at, at < 0 ? "" : all.substring(Math.max(0, at - 300), at + 40));
        }
        assertFalse(all.contains("v1,"), "no signature");
    }

    private void send(Stage stage) {
        OutboundMessage message =
                new OutboundMessage("k", Conversation.direct("c1"), "", "", TEXT, List.of());
        shown.append(stage.connector.send(message)).append(stage.connector.status());
    }
}
