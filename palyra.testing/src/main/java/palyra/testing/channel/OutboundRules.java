package palyra.testing.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import palyra.api.channel.ConnectorCapabilities.Feature;
import palyra.api.channel.ConnectorStatus.State;
import palyra.api.channel.Conversation;
import palyra.api.channel.Delivery;
import palyra.api.channel.InboundAction;
import palyra.api.channel.OutboundMessage;

/** A message is sent once for each call, and what is said of it is true. */
interface OutboundRules extends ConnectorRules {
    /** What was delivered is there, once, and has an id of its own. */
    @Test
    default void sentMessagesArriveOnce() {
        stage().startReady();
        Conversation anna = stage().meet(ANNA);
        List<String> words = IntStream.range(0, 10).mapToObj(i -> "answer " + i).toList();
        List<String> ids = words.stream().map(one -> stage().deliver(anna, one)).toList();
        assertEquals(words, stage().fixture().posted(anna));
        List<String> given = ids.stream().filter(id -> !id.isEmpty()).toList();
        assertEquals(given.size(), given.stream().distinct().count(), "equal ids: " + ids);
    }

    /** Conversations are sent to side by side, by several threads. */
    @Test
    default void conversationsAreSentToSideBySide() throws Exception {
        stage().startReady();
        List<Conversation> conversations = new ArrayList<>();
        for (String person : List.of("anna", "bert", "cleo", "dora")) {
            conversations.add(stage().meet(person));
        }
        List<Callable<Void>> senders = new ArrayList<>();
        for (Conversation one : conversations) {
            senders.add(
                    () -> {
                        IntStream.range(0, 5).forEach(i -> stage().deliver(one, "answer " + i));
                        return null;
                    });
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (Future<Void> sender : threads.invokeAll(senders, 60, TimeUnit.SECONDS)) {
                sender.get();
            }
        }
        for (Conversation one : conversations) {
            assertEquals(
                    IntStream.range(0, 5).mapToObj(i -> "answer " + i).toList(),
                    stage().fixture().posted(one));
        }
    }

    private Conversation met(SendFault fault) {
        assumeTrue(stage().fixture().faults().contains(fault), fault + " cannot happen there");
        stage().startReady();
        return stage().meet(ANNA);
    }

    private boolean has(Feature feature) {
        return stage().connector().capabilities().has(feature);
    }

    /** When the answer is lost the platform may have it: no retry, and no second message. */
    @Test
    default void lostAnswerIsNeverARetry() {
        Conversation anna = met(SendFault.LOST_ANSWER);
        OutboundMessage message = stage().message(anna, "an answer");
        stage().fixture().fail(SendFault.LOST_ANSWER);
        Delivery delivery = stage().send(message);
        stage().fixture().recover();
        assertTrue(
                delivery instanceof Delivery.Unknown || delivery instanceof Delivery.Delivered,
                "the platform has the message, and the connector says " + delivery);
        assertEquals(1, stage().count(anna, message.text()), "one call of send sends once");
        if (has(Feature.LOOKUP)) {
            stage().nextLife();
            assertInstanceOf(Delivery.Delivered.class, stage().connector().lookup(message));
        }
    }

    /** When the request is lost the platform does not have it, and a look finds that out. */
    @Test
    default void lostRequestIsNeverDelivered() {
        Conversation anna = met(SendFault.LOST_REQUEST);
        OutboundMessage message = stage().message(anna, "an answer");
        stage().fixture().fail(SendFault.LOST_REQUEST);
        Delivery delivery = stage().send(message);
        stage().fixture().recover();
        assertMayComeAgain(delivery, anna, message);
        if (has(Feature.LOOKUP)) {
            assertInstanceOf(Delivery.RetryAfter.class, stage().connector().lookup(message));
        }
        stage().deliver(message);
        assertEquals(1, stage().count(anna, message.text()));
    }

    private void assertMayComeAgain(
            Delivery delivery, Conversation conversation, OutboundMessage message) {
        boolean arrived = delivery instanceof Delivery.Delivered;
        assertFalse(
                delivery instanceof Delivery.Refused, "another attempt may succeed: " + delivery);
        assertEquals(
                arrived ? 1 : 0,
                stage().count(conversation, message.text()),
                "the connector said " + delivery);
    }

    /** What the platform puts off is put off, and not lost. */
    @Test
    default void rateLimitIsARetry() {
        Conversation anna = met(SendFault.RATE_LIMITED);
        OutboundMessage message = stage().message(anna, "an answer");
        stage().fixture().fail(SendFault.RATE_LIMITED);
        Delivery delivery = stage().send(message);
        stage().fixture().recover();
        assertInstanceOf(
                Delivery.RetryAfter.class, delivery, "the platform took nothing and said so");
        assertMayComeAgain(delivery, anna, message);
        stage().deliver(message);
        assertEquals(1, stage().count(anna, message.text()));
    }

    /** What the platform will never take is refused, with a reason, and the next one goes. */
    @Test
    default void refusalIsFinal() {
        Conversation anna = met(SendFault.REFUSED);
        stage().fixture().fail(SendFault.REFUSED);
        Delivery delivery = stage().send(stage().message(anna, "an answer"));
        stage().fixture().recover();
        assertInstanceOf(Delivery.Refused.class, delivery);
        stage().deliver(anna, "another answer");
        assertEquals(List.of("another answer"), stage().fixture().posted(anna));
    }

    /** Without a connection nothing is delivered, and nothing is refused for good. */
    @Test
    default void withoutAConnectionNothingIsDelivered() {
        stage().startReady();
        Conversation anna = stage().meet(ANNA);
        OutboundMessage message = stage().message(anna, "an answer");
        stage().fixture().breakConnection();
        Delivery delivery = stage().send(message);
        assertFalse(delivery instanceof Delivery.Delivered, "it was not: " + delivery);
        assertFalse(delivery instanceof Delivery.Refused, "it may go later: " + delivery);
        stage().until("a status", () -> stage().status().state() != State.READY);
        stage().fixture().mendConnection();
        stage().awaitState(State.READY);
        stage().deliver(message);
        assertEquals(1, stage().count(anna, message.text()));
    }

    /** A look at what was never sent says that it is not there. */
    @Test
    default void lookupTellsWhatIsThere() {
        assumeTrue(has(Feature.LOOKUP), "the connector declares no LOOKUP");
        stage().startReady();
        Conversation anna = stage().meet(ANNA);
        OutboundMessage sent = stage().message(anna, "an answer");
        OutboundMessage unsent = stage().message(anna, "an answer");
        stage().deliver(sent);
        stage().nextLife();
        assertInstanceOf(Delivery.RetryAfter.class, stage().connector().lookup(unsent));
        assertInstanceOf(Delivery.Delivered.class, stage().connector().lookup(sent));
    }

    /** What was sent twice under a key is one message, also in the next life. */
    @Test
    default void repetitionsAreDropped() {
        assumeTrue(has(Feature.DEDUPLICATION), "the connector declares no DEDUPLICATION");
        stage().startReady();
        Conversation anna = stage().meet(ANNA);
        OutboundMessage first = stage().message(anna, "an answer");
        OutboundMessage second = stage().message(anna, "an answer");
        stage().deliver(first);
        stage().deliver(first);
        stage().deliver(second);
        stage().nextLife();
        stage().deliver(first);
        assertEquals(List.of("an answer", "an answer"), stage().fixture().posted(anna));
    }

    /** Texts are cut to what the platform takes, lose no word, and arrive. */
    @Test
    default void renderedTextsFit() {
        stage().startReady();
        Conversation anna = stage().meet(ANNA);
        int most = stage().connector().capabilities().maxCharacters();
        for (String markdown : markdown(most)) {
            List<String> parts = stage().connector().render(markdown);
            assertFalse(parts.isEmpty(), "nothing was made of a text");
            for (String part : parts) {
                assertFalse(part.isBlank(), "a part is blank: " + parts);
                assertTrue(whole(part), "a part begins or ends within a character");
                stage().deliver(stage().rendered(anna, part, "", List.of()));
            }
            assertTrue(
                    String.join("\n", parts).contains("last"), "the last word is gone: " + parts);
        }
        for (String read : stage().fixture().posted(anna)) {
            assertTrue(
                    read.length() <= most,
                    "a message has " + read.length() + " characters, of at most " + most);
        }
    }

    private static boolean whole(String part) {
        return !Character.isLowSurrogate(part.charAt(0))
                && !Character.isHighSurrogate(part.charAt(part.length() - 1));
    }

    private static List<String> markdown(int most) {
        return List.of(
                "last",
                "# Title\n\n*one* **two** [three](http://example.org/a_b) `four` <five> & last",
                "x".repeat(most) + " last",
                "x".repeat(2 * most + 1) + " last",
                "<&>".repeat(most / 2) + " last",
                "😀".repeat(most) + " last",
                "word ".repeat(most) + "last",
                "line\n".repeat(most) + "last",
                "```java\n" + "int i = 0; // <&>\n".repeat(most / 8) + "```\n\nlast");
    }

    /** A change takes the place of the message, if changes are declared. */
    @Test
    default void editsReplaceTheMessage() {
        assumeTrue(has(Feature.EDITS), "the connector declares no EDITS");
        stage().startReady();
        Conversation anna = stage().meet(ANNA);
        String id = stage().deliver(anna, "an answer");
        assertFalse(id.isEmpty(), "who can change messages knows their ids");
        stage().deliver(anna, "another answer");
        stage().deliver(stage().message(anna, "a better answer", id, List.of()));
        assertEquals(List.of("a better answer", "another answer"), stage().fixture().posted(anna));
    }

    /**
     * A pressed button comes back with its data, if buttons are declared; an edit takes them away.
     */
    @Test
    default void buttonsComeBack() {
        assumeTrue(has(Feature.BUTTONS), "the connector declares no BUTTONS");
        stage().startReady();
        Conversation anna = stage().meet(ANNA);
        List<OutboundMessage.Button> buttons =
                List.of(
                        new OutboundMessage.Button("yes/1", "Yes", true),
                        new OutboundMessage.Button("no/1", "No", false));
        String id = stage().deliver(stage().message(anna, "a question", "", buttons));
        assertEquals(List.of("yes/1", "no/1"), stage().fixture().buttons(anna));
        stage().fixture().press(anna, "no/1");
        stage().until("the button", () -> !stage().context().pressed().isEmpty());
        InboundAction action = stage().context().pressed().get(0);
        assertEquals("no/1", action.data());
        assertEquals(anna.id(), action.conversation().id());
        assertEquals(stage().context().stored().get(0).sender().id(), action.sender().id());
        if (has(Feature.EDITS)) {
            stage().deliver(stage().message(anna, "was answered", id, List.of()));
            assertEquals(List.of(), stage().fixture().buttons(anna));
        }
    }

    /**
     * A reaction is at its message and is no message, if reactions are declared; made twice it is
     * one.
     */
    @Test
    default void reactionMadeTwiceIsOne() {
        assumeTrue(
                stage().connector().capabilities().has(Feature.REACTIONS),
                "the connector declares no REACTIONS");
        stage().startReady();
        Conversation anna = stage().meet(ANNA);
        String message = stage().context().stored().get(0).messageId();
        for (String key : List.of("reaction-1", "reaction-1", "reaction-2")) {
            stage().deliver(OutboundMessage.reaction(key, anna, message, "👍"));
        }
        assertEquals(List.of("👍"), stage().fixture().reactions(anna), "at the message");
        assertEquals(List.of(), stage().fixture().posted(anna), "a reaction is no message");
    }

    /**
     * That the account writes is shown once for each call and is no message, if it is declared; a
     * platform that is away keeps the call for a few seconds at most.
     */
    @Test
    default void typingIsShownOnceForEachCall() {
        assumeTrue(has(Feature.TYPING), "the connector declares no TYPING");
        stage().startReady();
        Conversation anna = stage().meet(ANNA);
        for (int calls = 1; calls <= 2; calls++) {
            long again = stage().connector().typing(anna);
            assertTrue(again >= 1_000 && again <= 60_000, "it is to be shown again after " + again);
            assertEquals(calls, stage().fixture().typing(anna), "how often it was shown");
        }
        assertEquals(List.of(), stage().fixture().posted(anna), "that one writes is no message");
        stage().fixture().breakConnection();
        long begun = System.nanoTime();
        try {
            stage().connector().typing(anna);
        } catch (RuntimeException e) {
            // it was not shown, and this says so
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        assertTrue(millis <= 5_000, "typing() took " + millis + " ms");
        stage().until("a status", () -> stage().status().state() != State.READY);
        stage().fixture().mendConnection();
        stage().awaitState(State.READY);
        stage().deliver(anna, "an answer");
        assertEquals(List.of("an answer"), stage().fixture().posted(anna));
    }
}
