package palyra.sandbox.internal.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.core.journal.Journal;
import palyra.shared.gate.Gate;
import palyra.testing.wait.Await;

class ConnectionLogTest {
    private final ConnectionJournal journal = new ConnectionJournal();
    private final Gate<Journal> gate = new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    private final ConnectionLog log = new ConnectionLog(gate);
    private final ConnectionRequest request =
            new ConnectionRequest(Stage.ANNA, Host.parse("a.test"), 443, "GET", 1_000);

    @AfterEach
    void close() {
        log.close();
        Stage.awaitNoThreads();
    }

    private void failOnce() {
        journal.store.beforeUnit(
                unit -> {
                    journal.store.acceptUnits();
                    throw new NoClassDefFoundError("gone");
                });
    }

    private void denied() {
        log.denied(request, Reason.ADDRESS, "a reason\nwith a line");
    }

    @Test
    void eventsWaitForAJournalThatIsAwayAndKeepTheirOrder() {
        for (int i = 0; i < 5; i++) {
            log.closed(
                    "id" + i,
                    ConnectionRecord.closed(
                            "id" + i,
                            request,
                            "",
                            "ended",
                            "",
                            new ConnectionRecord.Amounts(i, 0, 0)));
        }
        assertEquals(5, log.waiting());
        gate.add(journal.store, Map.of());
        assertEquals(5, journal.closed(5).size());
        for (int i = 0; i < 5; i++) {
            assertEquals(
                    "id" + i,
                    journal.of(ConnectionRecord.CLOSED).get(i).path("connectionId").asText());
        }
        Await.until("nothing waits", () -> log.waiting() == 0);
    }

    @Test
    void aFloodOfDenialsCostsABoundedNumberOfRecordsAndNoneIsForgotten() {
        gate.add(journal.store, Map.of());
        int asked = 5_000;
        for (int i = 0; i < asked; i++) {
            denied();
        }
        Await.until(
                "one more denial that counts the others",
                Duration.ofSeconds(30),
                () -> {
                    denied();
                    return counted() > asked;
                });
        assertTrue(journal.denials().size() < 1_000, journal.denials().size() + " records");
        assertEquals("a reason?with a line", journal.denials().get(0).path("reason").asText());
    }

    private long counted() {
        return journal.denials().stream()
                .mapToLong(event -> 1 + event.path("unrecordedBefore").asLong())
                .sum();
    }

    @Test
    void whatWaitsIsBounded() {
        for (int i = 0; i < ConnectionLog.MOST_WAITING + 3; i++) {
            log.closed(
                    "id" + i,
                    ConnectionRecord.closed(
                            "id" + i,
                            request,
                            "",
                            "ended",
                            "",
                            new ConnectionRecord.Amounts(0, 0, 0)));
        }
        assertEquals(ConnectionLog.MOST_WAITING, log.waiting());
        assertEquals(3, log.lost());
    }

    @Test
    void anErrorLosesNoEventAndIsSeen() {
        failOnce();
        gate.add(journal.store, Map.of());
        log.closed(
                "id",
                ConnectionRecord.closed(
                        "id", request, "", "ended", "", new ConnectionRecord.Amounts(0, 0, 0)));
        assertEquals(1, journal.closed(1).size());
        assertEquals("NoClassDefFoundError: gone", log.loop().lastFailure());
    }

    @Test
    void closingWritesWhatWaitsAlsoAfterAnError() {
        failOnce();
        gate.add(journal.store, Map.of());
        log.closed(
                "id",
                ConnectionRecord.closed(
                        "id", request, "", "ended", "", new ConnectionRecord.Amounts(0, 0, 0)));
        log.close();
        assertEquals(1, journal.of(ConnectionRecord.CLOSED).size());
    }

    @Test
    void closingWritesWhatWaits() {
        gate.add(journal.store, Map.of());
        log.closed(
                "id",
                ConnectionRecord.closed(
                        "id", request, "", "ended", "", new ConnectionRecord.Amounts(0, 0, 0)));
        log.close();
        assertEquals(1, journal.of(ConnectionRecord.CLOSED).size());
    }
}
