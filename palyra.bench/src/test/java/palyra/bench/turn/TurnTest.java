package palyra.bench.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig;
import palyra.api.core.journal.RunRow;
import palyra.api.run.RunState;
import palyra.bench.report.Latencies;

class TurnTest {
    @TempDir Path folder;

    @Test
    void aTurnIsTheRealThingAndLeavesAsManyRecordsAsItsPeer() throws Exception {
        try (LightProduct product =
                new LightProduct(folder.resolve("state"), LightProduct.deterministicModel())) {
            assertEquals(
                    RawTurns.ACCEPTED_RECORDS + RawTurns.ANSWERED_RECORDS,
                    TurnSuite.fewestRecords(product, 10));
            List<RunRow> runs =
                    product.journal().runsIn(EnumSet.of(RunState.SUCCEEDED), "", "", 100);
            assertEquals(10, runs.size());
            assertEquals(1, runs.stream().map(RunRow::sessionId).distinct().count());
            assertTrue(runs.stream().allMatch(run -> run.seal().isPresent()));
        }
    }

    @Test
    void peerWritesEveryRowOfATurn() throws Exception {
        try (RawTurns raw = new RawTurns(folder.resolve("raw.db"))) {
            String session = raw.session();
            raw.turn(session);
            raw.turn(session);
        }
        try (var connection =
                        new SQLiteConfig()
                                .createConnection("jdbc:sqlite:" + folder.resolve("raw.db"));
                var statement = connection.createStatement()) {
            try (var rows =
                    statement.executeQuery(
                            "SELECT (SELECT count(*) FROM tape), (SELECT count(*) FROM runs WHERE"
                                    + " state = 'SUCCEEDED'), (SELECT count(*) FROM outbox),"
                                    + " (SELECT count(*) FROM inbox), (SELECT count(*) FROM seals),"
                                    + " (SELECT count(*) FROM idempotency)")) {
                assertTrue(rows.next());
                int tape = 2 * (1 + RawTurns.ACCEPTED_RECORDS + RawTurns.ANSWERED_RECORDS);
                assertEquals(tape, rows.getInt(1));
                for (int column = 2; column <= 6; column++) {
                    assertEquals(2, rows.getInt(column), "column " + column);
                }
            }
        }
    }

    @Test
    void everyTokenIsHeardAfterItWasSaid() throws Exception {
        StampingModel model = new StampingModel(40, TimeUnit.MICROSECONDS.toNanos(200));
        try (LightProduct product = new LightProduct(folder.resolve("state"), model)) {
            for (int i = 0; i < 2; i++) {
                Latencies latencies = TokenSuite.feed(product, model, "session");
                assertEquals(40, latencies.size());
                assertTrue(latencies.micros(1) > 0);
            }
        }
    }

    @Test
    void aPlantedRunIsFoldedAndThenTakenUpFromItsSnapshot() throws Exception {
        ResumeSuite.Round round =
                ResumeSuite.round(folder.resolve("long"), 2_000, folder.resolve("short"));
        assertTrue(round.folded() > 0 && round.snapshot() > 0 && round.brief() > 0);
    }

    @Test
    void latencyOfAPacedTurnCountsFromWhenItWasDue() throws Exception {
        long slow = TimeUnit.MILLISECONDS.toNanos(20);
        Load load =
                new Load(
                        List.of(
                                () -> {
                                    long end = System.nanoTime() + slow;
                                    while (System.nanoTime() < end) {
                                        Thread.onSpinWait();
                                    }
                                }));
        Load.Result result = load.paced(5, TimeUnit.MILLISECONDS.toNanos(1));
        assertEquals(5, result.latencies().size());
        assertTrue(result.latencies().millis(100) >= 5 * 20 - 4, "the last one waited for four");
        assertTrue(result.turnsPerSecond() <= 50);
    }

    @Test
    void aTurnThatFailsEndsTheMeasurement() {
        Load load =
                new Load(
                        List.of(
                                () -> {
                                    throw new IOException("no");
                                }));
        assertThrows(ExecutionException.class, () -> load.backToBack(1));
    }
}
