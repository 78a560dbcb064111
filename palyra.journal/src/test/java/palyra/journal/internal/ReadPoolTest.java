package palyra.journal.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.journal.internal.database.DamagedRows;
import palyra.journal.internal.database.DatabaseFile;
import palyra.journal.internal.database.Health;
import palyra.journal.internal.database.Meters;
import palyra.journal.internal.read.ReadPool;
import palyra.testing.wait.Await;

/** A read ends with its caller's patience, and long ones hold up no others. */
class ReadPoolTest {
    /** More than could follow each other while the last of them waits. */
    private static final int MANY = 40;

    /** Runs for minutes unless it is stopped. */
    private static final String ENDLESS =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
                    + " WHERE i < 100000000000) SELECT count(*) FROM n";

    @TempDir Path state;
    private Health health;
    private final AtomicInteger ended = new AtomicInteger();
    private ReadPool pool;

    @BeforeEach
    void open() {
        JournalSettings settings = TestStore.settings(state);
        TestStore.open(state).close();
        health = new Health(new DatabaseFile(settings.folder()));
        health.opened();
        pool =
                new ReadPool(
                        "palyra-journal-test-",
                        300,
                        settings,
                        new DatabaseFile(settings.folder()),
                        health,
                        new Meters(),
                        new DamagedRows());
        pool.threads(1);
    }

    @AfterEach
    void close() throws InterruptedException {
        pool.close(5_000);
    }

    private long endless() {
        return pool.read(
                tables -> {
                    try {
                        return tables.sql().number(ENDLESS, 0);
                    } finally {
                        ended.incrementAndGet();
                    }
                });
    }

    @Test
    void readWhoseCallerGaveUpIsStoppedAndTheNextIsServed() {
        PalyraException late = assertThrows(PalyraException.class, this::endless);
        assertEquals(ErrorCode.TIMED_OUT, late.code());
        assertTrue(late.getMessage().contains("was stopped"), late.getMessage());
        Await.until("the statement to end", () -> ended.get() == 1);
        for (int i = 0; i < 100; i++) { // on the same connection, which no interrupt reaches
            assertEquals(7L, (long) pool.read(tables -> tables.sql().number("SELECT 7", 0)));
        }
    }

    @Test
    void readOfManyStatementsStopsBetweenThem() {
        assertThrows(
                PalyraException.class,
                () ->
                        pool.read(
                                tables -> {
                                    try {
                                        while (true) {
                                            tables.sql().number("SELECT 1", 0);
                                        }
                                    } finally {
                                        ended.incrementAndGet();
                                    }
                                }));
        Await.until("the read to end", () -> ended.get() == 1);
        assertEquals(7L, (long) pool.read(tables -> tables.sql().number("SELECT 7", 0)));
    }

    @Test
    void readThatStillWaitsWhenItsCallerGivesUpNeverBegins() throws Exception {
        List<CompletableFuture<ErrorCode>> all = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            all.add(
                    CompletableFuture.supplyAsync(
                            () -> assertThrows(PalyraException.class, this::endless).code(),
                            caller -> Thread.ofPlatform().start(caller))); // nearly at one time
        }
        for (CompletableFuture<ErrorCode> each : all) {
            assertEquals(ErrorCode.TIMED_OUT, each.get(30, TimeUnit.SECONDS));
        }
        Await.until("the first to end", () -> ended.get() >= 1);
        assertEquals(7L, (long) pool.read(tables -> tables.sql().number("SELECT 7", 0)));
        assertTrue(ended.get() < MANY, () -> ended + " were begun");
    }

    @Test
    void scansHoldUpNoLookUps() throws Exception {
        JournalSettings settings = TestStore.settings(state);
        ReadPool keys =
                new ReadPool(
                        ReadPool.Use.KEYS,
                        settings,
                        new DatabaseFile(settings.folder()),
                        health,
                        new Meters(),
                        new DamagedRows());
        keys.threads(1);
        try {
            List<CompletableFuture<?>> scans = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                scans.add(
                        CompletableFuture.runAsync(
                                () -> assertThrows(PalyraException.class, this::endless)));
            }
            assertEquals(7L, (long) keys.read(tables -> tables.sql().number("SELECT 7", 0)));
            for (CompletableFuture<?> scan : scans) {
                scan.get(20, TimeUnit.SECONDS);
            }
        } finally {
            keys.close(5_000);
        }
    }
}
