package palyra.connectors.discord.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import palyra.api.channel.Conversation;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.InboundMessage.Event;
import palyra.api.channel.Sender;
import palyra.testing.discord.Message;
import palyra.testing.http.FaultyApi.Fault;
import palyra.testing.wait.Await;

/** What comes while the history of its conversation is to be fetched first. */
class DeferredTest {
    private static final String HISTORY = "GET /channels/{channel_id}/messages";
    private static final Fault REFUSED =
            Fault.answering(403, "{\"message\":\"Missing Access\",\"code\":50001}");

    private final Stage stage = new Stage();
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch answer = new CountDownLatch(1);

    @AfterEach
    void close() {
        List<String> broken = stage.discord.violations();
        stage.close();
        assertEquals(List.of(), broken, "Discord's rules");
    }

    /** Loses the session while a message is written, and holds the look for it up. */
    private Message lost(String text, Fault then) throws InterruptedException {
        stage.ready();
        say("a");
        stage.awaitTexts("a");
        stage.discord.cut();
        Message missed = say(text);
        stage.discord.gateway().forget();
        stage.discord.fail(
                HISTORY,
                (exchange, act) -> {
                    var reply = act.run();
                    asked.countDown();
                    answer.await();
                    then.play(exchange, () -> reply);
                });
        stage.discord.comeBack();
        asked.await();
        return missed;
    }

    private Message say(String text) {
        return stage.discord.say(stage.anna, stage.dm, text);
    }

    /** Returns how often a text was handed in. */
    private long count(String text) {
        return stage.context.handedIn().stream().filter(one -> one.text().equals(text)).count();
    }

    /** A conversation of its own waits for nothing, so what came before it is in by then. */
    private void awaitEvents(int texts) {
        var bert = stage.discord.user("bert");
        stage.discord.say(bert, stage.discord.dm(bert), "another");
        Await.until("bert's", () -> stage.texts().size() == texts + 1);
    }

    @Test
    void isHandedInWhenTheHistoryIsRefused() throws Exception {
        lost("b", REFUSED);
        say("c");
        say("d");
        awaitEvents(1);
        answer.countDown();
        stage.awaitTexts("a", "another", "c", "d");
        say("e");
        stage.awaitTexts("a", "another", "c", "d", "e");
    }

    @Test
    void isHandedInWhenTheHistoryIsEmpty() throws Exception {
        lost("b", Fault.answering(200, "[]"));
        say("c");
        awaitEvents(1);
        answer.countDown();
        stage.awaitTexts("a", "another", "c");
    }

    @Test
    void isNotHandedInWhenItWasDeletedMeanwhile() throws Exception {
        lost("b", REFUSED);
        Message gone = say("gone");
        say("d");
        stage.discord.delete(gone);
        awaitEvents(1);
        answer.countDown();
        stage.awaitTexts("a", "another", "d");
    }

    @Test
    void anEditThatIsLaterThanTheHistoryIsToldAfterIt() throws Exception {
        Message missed = lost("b", (exchange, act) -> act.run().send(exchange));
        stage.discord.edit(missed, "b, edited");
        awaitEvents(1);
        answer.countDown();
        stage.awaitTexts("a", "another", "b", "b, edited");
        assertEquals(Event.EDITED, stage.context.stored().getLast().event());
        assertEquals(missed.id(), stage.context.stored().getLast().messageId());
    }

    /** Has a message be deleted while it is handed in, and its deletion be read meanwhile. */
    private void deletedMeanwhile(String text, Message message) {
        var carl = stage.discord.user("carl");
        stage.before =
                one -> {
                    if (one.text().equals(text)) {
                        stage.discord.delete(message);
                        stage.discord.say(carl, stage.discord.dm(carl), "behind it");
                        Await.until("it", () -> stage.texts().contains("behind it"));
                    }
                };
    }

    @Test
    void isTakenBackWhenItIsDeletedWhileItIsHandedIn() throws Exception {
        lost("b", REFUSED);
        Message gone = say("gone");
        say("d");
        awaitEvents(1);
        deletedMeanwhile("gone", gone);
        answer.countDown();
        stage.awaitTexts("a", "another", "behind it", "gone", "", "d");
        assertEquals(Event.DELETED, stage.context.stored().get(4).event());
        assertEquals(gone.id(), stage.context.stored().get(4).messageId());
    }

    @Test
    void anEditOfWhatWasDeletedMeanwhileIsNotTold() throws Exception {
        Message missed = lost("b", (exchange, act) -> act.run().send(exchange));
        stage.discord.edit(missed, "b, edited");
        awaitEvents(1);
        deletedMeanwhile("b", missed);
        answer.countDown();
        stage.awaitTexts("a", "another", "behind it", "b", "");
        say("e");
        stage.awaitTexts("a", "another", "behind it", "b", "", "e");
    }

    @Test
    void comesAgainAfterACrash() throws Exception {
        lost("b", REFUSED);
        say("c");
        awaitEvents(1);
        byte[] position = stage.context.keptPosition().orElseThrow();
        stage.discord.failAll(HISTORY, REFUSED);
        answer.countDown();
        stage.awaitTexts("a", "another", "c");
        stage.crash(position);
        Await.until("c once more", () -> count("c") == 2);
        assertEquals(2, stage.discord.gateway().readies(), "the session went on");
    }

    @Test
    void takesSoManyBytesAtMost() {
        Deferred deferred = new Deferred();
        long at = 0;
        while (deferred.hasRoom(message("x".repeat(4_000)))) {
            at++;
            deferred.add("1", new Deferred.Waiting(at, message("x".repeat(4_000)), () -> {}));
        }
        assertTrue(at * 4_000 * 2 < Deferred.MOST_BYTES, at + " messages");
        assertTrue(at > 400, at + " messages");
        deferred.settle("1", deferred.of("1").getFirst());
        assertTrue(deferred.hasRoom(message("x".repeat(4_000))));
        Deferred.Waiting last = deferred.of("1").getLast();
        deferred.forgetAll();
        assertEquals(List.of(), deferred.of("1"));
        deferred.settle("1", last); // it was forgotten between a look and this
        assertEquals(List.of(), deferred.of("1"));
    }

    @Test
    void whatHasNoRoomIsLeftToTheHistory() {
        Ledger ledger = new Ledger(1);
        ledger.load(Optional.empty());
        Place room = new Place("1234567890123456789", "", false, "");
        ledger.seen(room, 100);
        ledger.forget(0);
        ledger.begun(0, "session", "wss://resume.test", 1, 4_609);
        long id = 101;
        int kept = -1;
        while (kept < ledger.deferred(room.channel()).size()) {
            kept = ledger.deferred(room.channel()).size();
            assertTrue(ledger.defers(room.channel(), id, message("y".repeat(4_000)), 0, id));
            ledger.handled(0, id++);
        }
        assertEquals(100, ledger.durable(0), "a later life is told of them again");
        ledger.deferred(room.channel()).forEach(one -> ledger.settled(room.channel(), one));
        assertEquals(id - 1, ledger.durable(0));
        assertFalse(ledger.defers(room.channel(), 100, message("before"), 0, id));
    }

    private static InboundMessage message(String text) {
        return InboundMessage.written(
                "1",
                new Sender("2", "anna", false, true),
                new Conversation("3", "", true, ""),
                text,
                true,
                1_000);
    }
}
