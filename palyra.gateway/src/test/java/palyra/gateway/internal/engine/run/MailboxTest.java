package palyra.gateway.internal.engine.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import palyra.api.model.ModelEvent;
import palyra.testing.wait.Await;

class MailboxTest {
    private static final ModelEvent PIECE = new ModelEvent.TextDelta("x".repeat(8_192));

    private final Mailbox mailbox = new Mailbox();

    /** A provider is held back by bytes, however few events they are. */
    @Test
    void fewLargeEventsHoldTheirProviderBack() {
        mailbox.listenTo("r");
        AtomicInteger put = new AtomicInteger();
        Thread provider =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    while (mailbox.offer("r", PIECE)) {
                                        put.incrementAndGet();
                                    }
                                });
        Await.until(
                "the provider to wait", () -> provider.getState() == Thread.State.TIMED_WAITING);
        assertTrue(put.get() < 10, () -> put + " events of 16 KiB in 64 KiB");
        assertTrue(mailbox.waitingBytes() <= Mailbox.MOST_BYTES);
        int before = put.get();
        assertNotNull(mailbox.take(0));
        Await.until("one more", () -> put.get() == before + 1);
        mailbox.listenTo("");
        Await.ended(provider);
        assertEquals(0, mailbox.waitingBytes());
    }

    @Test
    void oneEventAlwaysFindsRoom() {
        mailbox.listenTo("r");
        assertTrue(mailbox.offer("r", new ModelEvent.TextDelta("x".repeat(1_000_000))));
        CompletableFuture<Boolean> next =
                CompletableFuture.supplyAsync(() -> mailbox.offer("r", PIECE));
        assertNotNull(mailbox.take(0));
        assertTrue(next.join());
        assertFalse(mailbox.offer("another", PIECE));
    }
}
