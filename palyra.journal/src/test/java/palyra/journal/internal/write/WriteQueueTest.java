package palyra.journal.internal.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Unit.Lane;
import palyra.journal.internal.JournalSettings;

class WriteQueueTest {
    private static JournalSettings.Writing bounds(int group, int commands, int bulk) {
        return new JournalSettings.Writing(group, 0, commands, bulk, 1 << 20);
    }

    private record Task(String name, int weight, long bytes) implements WriterTask<String> {
        @Override
        public String apply(WriteContext context) {
            return name;
        }
    }

    private static Ticket<String> ticket(String name, Lane lane) {
        return ticket(name, lane, 1, 0);
    }

    private static Ticket<String> ticket(String name, Lane lane, int weight, long bytes) {
        return new Ticket<>(new Task(name, weight, bytes), lane, true);
    }

    private static List<String> names(List<Ticket<?>> group) {
        return group.stream().map(ticket -> ((Task) ticket.task()).name()).toList();
    }

    @Test
    void commandsGoBeforeBulkThatCameEarlier() throws InterruptedException {
        WriteQueue queue = new WriteQueue(bounds(16, 100, 100));
        queue.offer(ticket("b1", Lane.BULK));
        queue.offer(ticket("c1", Lane.COMMAND));
        queue.offer(ticket("b2", Lane.BULK));
        queue.offer(ticket("c2", Lane.COMMAND));
        assertEquals(List.of("c1", "c2", "b1", "b2"), names(queue.take(1_000)));
        assertEquals(List.of(), queue.take(1));
    }

    @Test
    void bulkMovesHoweverManyCommandsWait() throws InterruptedException {
        WriteQueue queue = new WriteQueue(bounds(16, 10_000, 100));
        for (int i = 0; i < 10; i++) {
            queue.offer(ticket("b" + i, Lane.BULK));
        }
        List<String> bulk = new ArrayList<>();
        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < 100; i++) {
                queue.offer(ticket("c", Lane.COMMAND));
            }
            List<String> group = names(queue.take(1_000));
            assertEquals("c", group.getFirst());
            group.stream().filter(name -> name.startsWith("b")).forEach(bulk::add);
        }
        assertEquals(List.of("b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9"), bulk);
    }

    @Test
    void groupIsBoundedByOperations() throws InterruptedException {
        WriteQueue queue = new WriteQueue(bounds(10, 100, 100));
        queue.offer(ticket("a", Lane.COMMAND, 6, 0));
        queue.offer(ticket("b", Lane.COMMAND, 6, 0));
        queue.offer(ticket("huge", Lane.COMMAND, 1_000, 0));
        assertEquals(List.of("a"), names(queue.take(1_000)));
        assertEquals(List.of("b"), names(queue.take(1_000)));
        assertEquals(List.of("huge"), names(queue.take(1_000)));
    }

    @Test
    void fullLaneRefusesAndTheOtherDoesNot() {
        WriteQueue queue = new WriteQueue(bounds(10, 2, 2));
        queue.offer(ticket("a", Lane.BULK));
        queue.offer(ticket("b", Lane.BULK));
        assertRefused(ErrorCode.RESOURCE_EXHAUSTED, queue, ticket("c", Lane.BULK));
        queue.offer(ticket("d", Lane.COMMAND));
        assertEquals(2, queue.depth(Lane.BULK));
        assertEquals(1, queue.depth(Lane.COMMAND));
    }

    private static void assertRefused(ErrorCode code, WriteQueue queue, Ticket<?> ticket) {
        PalyraException refused = assertThrows(PalyraException.class, () -> queue.offer(ticket));
        assertEquals(code, refused.code());
    }

    @Test
    void bytesThatWaitAreBoundedButOneLargeUnitIsTaken() throws InterruptedException {
        WriteQueue queue = new WriteQueue(bounds(10, 100, 100));
        queue.offer(ticket("large", Lane.COMMAND, 1, 5 << 20));
        assertRefused(ErrorCode.RESOURCE_EXHAUSTED, queue, ticket("more", Lane.BULK, 1, 1));
        queue.take(1_000);
        queue.offer(ticket("more", Lane.BULK, 1, 1));
    }

    @Test
    void ticketWhoseCallerGaveUpIsNotApplied() throws InterruptedException {
        WriteQueue queue = new WriteQueue(bounds(10, 100, 100));
        Ticket<String> given = ticket("given up", Lane.COMMAND);
        queue.offer(given);
        queue.offer(ticket("stays", Lane.COMMAND));
        PalyraException gaveUp = assertThrows(PalyraException.class, () -> given.await(1));
        assertEquals(ErrorCode.TIMED_OUT, gaveUp.code());
        assertTrue(gaveUp.getMessage().contains("nothing happened"));
        assertEquals(List.of("stays"), names(queue.take(1_000)));
    }

    @Test
    void callerThatStopsWaitingTooLateIsToldThatItMayHappen() throws InterruptedException {
        WriteQueue queue = new WriteQueue(bounds(10, 100, 100));
        Ticket<String> taken = ticket("taken", Lane.COMMAND);
        queue.offer(taken);
        queue.take(1_000);
        PalyraException gaveUp = assertThrows(PalyraException.class, () -> taken.await(1));
        assertEquals(ErrorCode.OUTCOME_UNKNOWN, gaveUp.code());
        assertTrue(gaveUp.getMessage().contains("same idempotency key"), gaveUp.getMessage());
    }

    @Test
    void closedQueueIsEmptiedAndTakesNothing() throws InterruptedException {
        WriteQueue queue = new WriteQueue(bounds(10, 100, 100));
        queue.offer(ticket("last", Lane.BULK));
        queue.close();
        assertRefused(ErrorCode.JOURNAL_UNAVAILABLE, queue, ticket("late", Lane.COMMAND));
        assertFalse(queue.finished());
        assertEquals(List.of("last"), names(queue.take(1_000)));
        assertTrue(queue.finished());
    }
}
