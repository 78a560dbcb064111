package palyra.testing.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import palyra.api.channel.Conversation;
import palyra.api.channel.Delivery;
import palyra.api.channel.OutboundMessage;
import palyra.testing.wait.Await;

/** A connector that was stopped has no thread, calls nothing, and lost nothing. */
interface LifeRules extends ConnectorRules {
    /** Stopping a connector that connects in vain ends it as well. */
    @Test
    default void stopsWhileItConnects() {
        Map<Long, String> before = stage().threads();
        stage().fixture().breakConnection();
        stage().start();
        stage().stop();
        assertNoThreadSince(before);
        stage().fixture().mendConnection();
    }

    private void assertNoThreadSince(Map<Long, String> before) {
        Map<Long, String> left = new TreeMap<>();
        try {
            stage().until(
                            "threads to end",
                            () -> {
                                left.clear();
                                left.putAll(stage().threads());
                                left.keySet().removeAll(before.keySet());
                                return left.isEmpty();
                            });
        } catch (AssertionError e) {
            throw new AssertionError("stop() returned and threads live on: " + left.values(), e);
        }
    }

    /** Twenty lives leave no thread, virtual ones included. */
    @Test
    default void livesLeaveNoThread() {
        stage().startReady();
        stage().meet(ANNA);
        stage().stop();
        Map<Long, String> before = stage().threads();
        for (int i = 0; i < 20; i++) {
            stage().nextLife();
        }
        stage().stop();
        assertNoThreadSince(before);
    }

    /** What is written after the stop is left for the next life. */
    @Test
    default void callsNothingOnceStopped() {
        stage().startReady();
        Conversation anna = stage().meet(ANNA);
        FakeConnectorContext before = stage().context();
        stage().stop();
        stage().fixture().write(ANNA, "written after the stop");
        stage().nextLife();
        stage().awaitStored(2);
        assertEquals(0, before.callsAfterClose(), "the connector called after stop() returned");
        assertEquals(List.of("hello from anna", "written after the stop"), stage().taken(anna));
    }

    /** The stop interrupts a message that the gateway does not take; it comes again. */
    @Test
    default void stopsInMidAccept() {
        stage().startReady();
        Conversation anna = stage().meet(ANNA);
        FakeConnectorContext before = stage().context();
        before.hang(true);
        stage().fixture().write(ANNA, "interrupted");
        stage().until("a message that hangs", () -> before.hung() == 1);
        stage().stop();
        assertEquals(0, before.hung(), "a thread hangs in accept()");
        assertFalse(stage().fixture().isConfirmed("interrupted"), "it was never taken");
        stage().nextLife();
        stage().awaitStored(2);
        assertEquals(List.of("hello from anna", "interrupted"), stage().taken(anna));
    }

    /** An interruption, or else the stop, ends a send that the platform does not answer. */
    @Test
    default void stopsInMidSend() throws Exception {
        assumeTrue(stage().fixture().faults().contains(SendFault.STALLED), "no send stalls there");
        stage().startReady();
        Conversation anna = stage().meet(ANNA);
        stage().fixture().fail(SendFault.STALLED);
        OutboundMessage message = stage().message(anna, "an answer");
        FutureTask<Delivery> send = new FutureTask<>(() -> stage().connector().send(message));
        Thread sender = new Thread(send, "contract-sender");
        sender.start();
        stage().until("a send that stalls", () -> stage().fixture().isStalled());
        stage().fixture().recover();
        sender.interrupt(); // as the gateway does with a send that it does not wait for
        stage().stop();
        Delivery delivery = send.get(30, TimeUnit.SECONDS);
        assertFalse(
                delivery instanceof Delivery.Delivered, "the platform did not say so: " + delivery);
        assertFalse(
                delivery instanceof Delivery.Refused, "the platform did not say so: " + delivery);
        Await.ended(sender);
    }

    /** After its stop it sends nothing. */
    @Test
    default void sendsNothingOnceStopped() {
        stage().startReady();
        Conversation anna = stage().meet(ANNA);
        OutboundMessage message = stage().message(anna, "an answer");
        stage().stop();
        Delivery delivery;
        try {
            delivery = stage().send(message);
        } catch (AssertionError e) {
            delivery = new Delivery.Unknown("an exception counts as unknown");
        }
        assertFalse(delivery instanceof Delivery.Delivered, "it was stopped: " + delivery);
        assertFalse(delivery instanceof Delivery.Refused, "it may go later: " + delivery);
        assertEquals(List.of(), stage().fixture().posted(anna));
    }
}
