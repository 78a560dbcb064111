package palyra.connectors.telegram.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorStatus;
import palyra.api.channel.ConnectorStatus.State;
import palyra.api.channel.InboundMessage;
import palyra.testing.http.FaultyApi.Fault;
import palyra.testing.telegram.FakeTelegram;
import palyra.testing.wait.Await;

class PollingTest {
    private final Stage stage = new Stage();

    @AfterEach
    void close() {
        stage.close();
        assertEquals(List.of(), Stage.threads());
    }

    @Test
    void messagesComeInOrderAndAreConfirmed() {
        stage.telegram.say(Stage.ANNA, "one");
        stage.telegram.say(Stage.ANNA, "two");
        stage.ready();
        stage.telegram.say(Stage.ANNA, "three");
        stage.awaitTexts("one", "two", "three");
        stage.awaitConfirmed();
        InboundMessage one = stage.context.accepted.get(0);
        assertEquals(Stage.ANNA + "/101", one.messageId());
        assertEquals(Stage.ANNA + "", one.sender().id());
        assertEquals("User " + Stage.ANNA, one.sender().name());
        assertTrue(one.conversation().direct());
        assertTrue(stage.connector.status().lastEventAtMillis() > 0);
    }

    @Test
    void nothingIsConfirmedBeforeTheGatewayHasIt() {
        CountDownLatch commit = new CountDownLatch(1);
        stage.context.before = message -> await(commit);
        long id = stage.telegram.say(Stage.ANNA, "one");
        stage.start();
        Await.until("the message to be offered", () -> stage.context.offered.size() == 1);
        assertEquals(List.of(id), stage.telegram.unconfirmed());
        commit.countDown();
        stage.awaitConfirmed();
        stage.awaitTexts("one");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PalyraException(ErrorCode.JOURNAL_UNAVAILABLE, "interrupted", e);
        }
    }

    @Test
    void whatWasTakenInButNotConfirmedComesAgainAfterACrash() {
        CountDownLatch never = new CountDownLatch(1);
        stage.context.before =
                message -> {
                    if (message.text().equals("two")) {
                        await(never);
                    }
                };
        stage.telegram.say(Stage.ANNA, "one");
        stage.telegram.say(Stage.ANNA, "two");
        stage.start();
        Await.until("both to be offered", () -> stage.context.offered.size() == 2);
        stage.connector.stop();
        assertEquals(2, stage.telegram.unconfirmed().size());
        stage.context.before = message -> {};
        stage.connector.start(stage.context);
        stage.awaitTexts("one", "two");
        stage.awaitConfirmed();
        assertEquals(
                List.of("one", "two", "one", "two"),
                stage.context.offered.stream().map(InboundMessage::text).toList());
    }

    @Test
    void aMessageThatIsNotTakenIsOfferedAgainAndHoldsBackTheNext() {
        AtomicInteger refusals = new AtomicInteger();
        stage.context.before =
                message -> {
                    if (message.text().equals("one") && refusals.incrementAndGet() <= 3) {
                        throw new PalyraException(ErrorCode.DISK_FULL, "The disk is full.");
                    }
                };
        stage.telegram.say(Stage.ANNA, "one");
        stage.telegram.say(Stage.ANNA, "two");
        stage.start();
        stage.awaitTexts("one", "two");
        stage.awaitConfirmed();
        assertEquals(4, refusals.get());
    }

    @Test
    void aMessageThatIsNotTakenIsInTheStatus() {
        stage.context.before =
                message -> {
                    throw new PalyraException(ErrorCode.DISK_FULL, "The disk is full.");
                };
        long id = stage.telegram.say(Stage.ANNA, "one");
        stage.start();
        stage.awaitState(State.DEGRADED);
        ConnectorStatus status = stage.connector.status();
        assertTrue(status.reason().contains("The disk is full."), status.reason());
        assertTrue(status.nextAttemptAtMillis() > 0);
        assertEquals(List.of(id), stage.telegram.unconfirmed());
    }

    @Test
    void whatCanNeverBeReadIsSkippedCountedAndHoldsNothingUp() {
        ObjectNode broken = stage.telegram.message(Stage.ANNA, "private", Stage.ANNA, "broken");
        broken.put("message_id", "not a number");
        stage.telegram.deliver("message", broken);
        stage.telegram.deliver("message", JsonNodeFactory.instance.textNode("no message"));
        ObjectNode unforeseen = stage.telegram.message(Stage.ANNA, "private", Stage.ANNA, "photo");
        unforeseen.putObject("photo").put("a", 1);
        stage.telegram.deliver("message", unforeseen);
        stage.telegram.deliver("unheard_of", JsonNodeFactory.instance.objectNode());
        stage.telegram.say(Stage.ANNA, "fine");
        stage.start();
        stage.awaitTexts("fine");
        stage.awaitConfirmed();
        assertEquals(3, count("unreadable"));
        assertEquals(1, count("taken"));
    }

    private int count(String result) {
        return stage.connector.metrics().stream()
                .filter(metric -> metric.labels().get("result").equals(result))
                .mapToInt(metric -> (int) metric.value())
                .sum();
    }

    @Test
    void aLostAnswerIsAskedForAgain() {
        stage.telegram.say(Stage.ANNA, "one");
        stage.telegram.fail(
                "getUpdates",
                Fault.droppedAfter(),
                Fault.truncated(),
                Fault.garbled(),
                Fault.answering(502, "<html>Bad Gateway"),
                Fault.answering(500, "{\"ok\":false,\"error_code\":500,\"description\":\"x\"}"));
        stage.start();
        stage.awaitTexts("one");
        stage.awaitConfirmed();
        assertEquals(1, stage.context.offered.size());
    }

    @Test
    void theIdsOfUpdatesMayBeginElsewhereAfterAQuietWeek() {
        stage.telegram.say(Stage.ANNA, "one");
        stage.ready();
        stage.awaitConfirmed();
        ObjectNode update = JsonNodeFactory.instance.objectNode();
        update.set("message", stage.telegram.message(Stage.ANNA, "private", Stage.ANNA, "two"));
        stage.telegram.put(17, update);
        stage.awaitTexts("one", "two");
        stage.awaitConfirmed();
    }

    @Test
    void anOutageIsInTheStatusAndEnds() {
        stage.ready();
        stage.awaitPoll();
        stage.telegram.goDown();
        stage.telegram.pollElsewhere(); // ends the request that is open
        stage.awaitState(State.RECONNECTING);
        assertTrue(stage.connector.status().nextAttemptAtMillis() > 0);
        assertFalse(stage.connector.status().reason().isEmpty());
        stage.telegram.say(Stage.ANNA, "meanwhile");
        stage.telegram.comeBack();
        stage.awaitTexts("meanwhile");
        stage.awaitState(State.READY);
        assertEquals("", stage.connector.status().reason());
    }

    @Test
    void aConnectorThatNeverReachedTelegramIsConnecting() {
        stage.telegram.goDown();
        stage.start();
        Await.until("a reason", () -> !stage.connector.status().reason().isEmpty());
        assertEquals(State.CONNECTING, stage.connector.status().state());
        stage.telegram.comeBack();
        stage.awaitState(State.READY);
    }

    @Test
    void anUnknownTokenFailsUntilTheVaultHasAnother() {
        stage.telegram.token("1:another_token_0123456789");
        stage.start();
        stage.awaitState(State.FAILED);
        ConnectorStatus status = stage.connector.status();
        assertTrue(
                status.reason().contains("palyra vault put global/telegram_main"), status.reason());
        assertTrue(status.reason().contains("@BotFather"), status.reason());
        int asked = stage.telegram.calls("getMe").size();
        int looked = stage.context.secrets.size();
        Await.until("further looks", () -> stage.context.secrets.size() > looked + 3);
        assertEquals(asked, stage.telegram.calls("getMe").size());
        stage.context.token = "1:another_token_0123456789";
        stage.awaitState(State.READY);
    }

    @Test
    void aTokenThatIsMissingOrNoneFailsWithoutACall() {
        stage.context.token = null;
        stage.start();
        stage.awaitState(State.FAILED);
        stage.context.token = "https://t.me/palyra_test_bot";
        Await.until(
                "the reason to change",
                () -> stage.connector.status().reason().contains("has no token of Telegram"));
        assertFalse(stage.connector.status().reason().contains("t.me"));
        assertEquals(List.of(), stage.telegram.calls("getMe"));
        stage.context.token = FakeTelegram.TOKEN;
        stage.awaitState(State.READY);
    }

    @Test
    void aWebhookAndASecondPollerAreExplained() {
        stage.telegram.webhook("https://example.org");
        stage.start();
        stage.awaitState(State.DEGRADED);
        assertTrue(stage.connector.status().reason().contains("deleteWebhook"));
        stage.telegram.webhook("");
        stage.awaitState(State.READY);
        stage.awaitPoll();
        CountDownLatch end = new CountDownLatch(1);
        stage.telegram.fail("getUpdates", (exchange, act) -> await(end));
        stage.endPoll();
        stage.awaitState(State.DEGRADED);
        assertTrue(stage.connector.status().reason().contains("Another program"));
        end.countDown();
        stage.awaitState(State.READY);
    }

    @Test
    void aPressedButtonIsPassedOnAndAnswered() {
        stage.ready();
        stage.telegram.say(Stage.ANNA, "hello");
        stage.awaitTexts("hello");
        stage.connector.send(Stage.text("May I?"));
        FakeTelegram.Sent card = stage.telegram.sent().get(0);
        stage.telegram.press("q1", Stage.ANNA, card, "approve:01J");
        Await.until("the press", () -> stage.telegram.answeredQueries().size() == 1);
        assertEquals("approve:01J", stage.context.pressed.get(0).data());
        assertEquals(Stage.ANNA + "", stage.context.pressed.get(0).sender().id());
        assertEquals(Stage.WITH_ANNA, stage.context.pressed.get(0).conversation());
        assertEquals(
                "Approved by User " + Stage.ANNA,
                stage.telegram.answeredQueries().get(0).path("text").asText());
        stage.awaitConfirmed();
    }

    @Test
    void aPressThatFailsOrCannotBeAnsweredHoldsNothingUp() {
        stage.ready();
        stage.telegram.chat(Stage.ANNA, "private");
        stage.connector.send(Stage.text("May I?"));
        FakeTelegram.Sent card = stage.telegram.sent().get(0);
        stage.context.pressing =
                action -> {
                    throw new PalyraException(ErrorCode.NOT_FOUND, "secret detail");
                };
        stage.telegram.press("q1", Stage.ANNA, card, "a");
        Await.until("an answer", () -> stage.telegram.answeredQueries().size() == 1);
        assertFalse(stage.telegram.answeredQueries().toString().contains("secret detail"));
        stage.telegram.fail(
                "answerCallbackQuery",
                Fault.answering(
                        400,
                        "{\"ok\":false,\"error_code\":400,\"description\":\"query is too old\"}"));
        stage.telegram.press("q2", Stage.ANNA, card, "b");
        stage.telegram.say(Stage.ANNA, "after");
        stage.awaitTexts("after");
        stage.awaitConfirmed();
    }

    @Test
    void aServerThatDoesNotHoldRequestsIsNotFlooded() {
        String none = "{\"ok\":true,\"result\":[]}";
        for (int i = 0; i < 20; i++) {
            stage.telegram.fail("getUpdates", Fault.answering(200, none));
        }
        TelegramConnector slow =
                new TelegramConnector(
                        Stage.settings(stage.telegram.url()),
                        stage.egress,
                        new Poller.Waits(2, 20, 3_600_000, 5));
        slow.start(stage.context);
        Await.until("it to wait", () -> stage.telegram.calls("getUpdates").size() == 2);
        slow.stop();
        assertEquals(2, stage.telegram.calls("getUpdates").size());
    }

    @Test
    void aStopCutsTheOpenRequestAndTheContextHearsNothingMore() {
        stage.ready();
        long begun = System.nanoTime();
        stage.connector.stop();
        assertTrue(System.nanoTime() - begun < 5_000_000_000L);
        stage.context.closed = true;
        assertEquals(List.of(), Stage.threads());
        assertEquals(State.STOPPED, stage.connector.status().state());
        stage.telegram.say(Stage.ANNA, "late");
        assertEquals(1, stage.telegram.unconfirmed().size());
        assertEquals(List.of(), stage.context.offered);
    }

    @Test
    void aHundredStartsLeaveNothingBehindAndLoseNothing() {
        for (int i = 0; i < 100; i++) {
            stage.connector.start(stage.context);
            stage.telegram.say(Stage.ANNA, "m" + i);
            if (i % 2 == 0) {
                int wanted = i + 1;
                Await.until("message " + i, () -> stage.context.accepted.size() == wanted);
            }
            stage.connector.stop();
            assertEquals(List.of(), Stage.threads());
        }
        stage.connector.start(stage.context);
        stage.awaitConfirmed();
        assertEquals(100, stage.context.accepted.size());
        for (int i = 0; i < 100; i++) {
            assertEquals("m" + i, stage.context.texts().get(i));
        }
    }

    @Test
    void aChangedConfigurationGoesToAnotherServerAtOnce() {
        stage.ready();
        try (FakeTelegram other = new FakeTelegram()) {
            other.say(Stage.ANNA, "over here");
            stage.connector.use(Stage.settings(other.url()));
            stage.awaitTexts("over here");
            assertEquals(1, Stage.threads().size());
        }
    }

    @Test
    void theContextIsAskedForTheTokenAtEachCall() {
        stage.ready();
        assertEquals(3, stage.context.secrets.size());
        assertEquals("vault:global/telegram_main", stage.context.secrets.get(0));
    }
}
