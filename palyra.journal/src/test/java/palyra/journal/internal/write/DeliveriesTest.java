package palyra.journal.internal.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.core.journal.Unit;
import palyra.journal.internal.read.Feed;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;
import palyra.testing.wait.Await;

/** What waits to be told holds the writer back by its bytes, however few units it is. */
class DeliveriesTest {
    private record Large(long bytes) implements WriterTask<String> {
        @Override
        public String apply(WriteContext context) {
            return "";
        }
    }

    private final Feed feed = new Feed(16);
    private final Deliveries deliveries = new Deliveries(feed);
    private final List<Ticket<?>> tickets = new ArrayList<>();

    private Ticket<?> ticket(long bytes) {
        Ticket<String> ticket = new Ticket<>(new Large(bytes), Unit.Lane.BULK, false);
        tickets.add(ticket);
        return ticket;
    }

    @Test
    void fewLargeUnitsHoldTheWriterBack() throws InterruptedException {
        Thread writer =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    for (int i = 0; i < 4; i++) {
                                        deliveries.hand(
                                                List.of(ticket(Deliveries.MOST_BYTES)), List.of());
                                    }
                                });
        Await.until("the writer to wait", () -> writer.getState() == Thread.State.TIMED_WAITING);
        SupervisedLoop runner =
                new SupervisedLoop(LoopSpec.of("test-deliveries", "test"), deliveries).start();
        Await.ended(writer);
        Await.until(
                "all to be told",
                () -> tickets.stream().allMatch(ticket -> ticket.future().isDone()));
        deliveries.close(runner, 1_000);
        feed.close(1_000);
    }

    @Test
    void smallUnitsDoNotWaitForEachOther() throws InterruptedException {
        for (int i = 0; i < 60; i++) {
            deliveries.hand(List.of(ticket(1_000)), List.of());
        }
        assertEquals(60, tickets.size());
        SupervisedLoop runner =
                new SupervisedLoop(LoopSpec.of("test-deliveries", "test"), deliveries).start();
        deliveries.close(runner, 1_000);
        assertTrue(tickets.stream().allMatch(ticket -> ticket.future().isDone()));
        feed.close(1_000);
    }
}
