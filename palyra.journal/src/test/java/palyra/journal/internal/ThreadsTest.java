package palyra.journal.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.Unit;
import palyra.testing.journal.MemoryKeys;
import palyra.testing.wait.Await;

/** Who works with the database, who runs callbacks, and how all of it ends. */
class ThreadsTest {
    @TempDir Path state;

    @Test
    void virtualThreadsNeverTouchTheDatabase() throws Exception {
        FaultyMedium medium = new FaultyMedium(state.resolve("journal"));
        try (TestStore store = TestStore.on(TestStore.settings(state), medium);
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            String runId = store.newTape(5);
            List<Future<?>> calls = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                calls.add(
                        callers.submit(
                                () -> {
                                    store.append(runId, 1);
                                    assertTrue(store.journal().tape(runId, 0, 1_000).size() > 5);
                                    assertTrue(
                                            store.journal()
                                                    .verifyStream(runId, () -> false)
                                                    .intact());
                                }));
            }
            for (Future<?> call : calls) {
                call.get(20, TimeUnit.SECONDS);
            }
            assertEquals(105, store.journal().headSeq(runId));
        }
        assertFalse(medium.virtualThreadSeen());
        assertTrue(medium.threads().contains("palyra-journal-writer"));
        assertTrue(medium.threads().stream().allMatch(name -> name.startsWith("palyra-journal-")));
    }

    @Test
    void stagesCompleteAwayFromTheWriter() throws Exception {
        try (TestStore store = TestStore.open(state)) {
            String runId = store.newRun();
            for (int i = 0; i < 50; i++) {
                String name =
                        store.journal()
                                .submit(Unit.of(TestStore.append(runId, "x")))
                                .thenApply(committed -> nameOf(Thread.currentThread()))
                                .toCompletableFuture()
                                .get(10, TimeUnit.SECONDS);
                assertFalse(name.equals("palyra-journal-writer"), name);
            }
        }
    }

    private static String nameOf(Thread thread) {
        return thread.getName();
    }

    /** A callback that waits for a later commit would wait for ever if it held up the writer. */
    @Test
    void callbackMayCommitAndWait() throws Exception {
        try (TestStore store = TestStore.open(state)) {
            String runId = store.newRun();
            Committed second =
                    store.journal()
                            .submit(Unit.of(TestStore.append(runId, "first")))
                            .thenApply(
                                    first ->
                                            store.journal()
                                                    .commit(
                                                            Unit.of(
                                                                    TestStore.append(
                                                                            runId, "second"))))
                            .toCompletableFuture()
                            .get(10, TimeUnit.SECONDS);
            assertEquals(2, second.appended().getFirst().seq());
        }
    }

    @Test
    void closingWritesWhatWaitsAndEndsEveryThread() throws Exception {
        List<CompletableFuture<Committed>> stages = new ArrayList<>();
        String runId;
        TestStore store = TestStore.open(state);
        try (store) {
            runId = store.newRun();
            for (int i = 0; i < 2_000; i++) {
                stages.add(
                        store.journal()
                                .submit(Unit.of(TestStore.append(runId, "n" + i)))
                                .toCompletableFuture());
            }
        }
        for (CompletableFuture<Committed> stage : stages) {
            assertNotNull(stage.get(1, TimeUnit.SECONDS));
        }
        assertEquals(
                List.of(),
                Thread.getAllStackTraces().keySet().stream()
                        .map(Thread::getName)
                        .filter(name -> name.startsWith("palyra-journal-"))
                        .toList());
        assertFalse(Files.exists(state.resolve("journal/journal.db-wal")));
        for (Runnable late :
                List.<Runnable>of(
                        () -> store.append("any", 1),
                        () -> store.journal().run("any"),
                        () -> store.journal().takeLease("a", "b", 1_000))) {
            PalyraException refused = assertThrows(PalyraException.class, late::run);
            assertEquals(ErrorCode.JOURNAL_UNAVAILABLE, refused.code());
        }
        try (TestStore again = TestStore.open(state)) {
            assertEquals(2_000, again.journal().headSeq(runId));
            assertTrue(again.journal().verifyStream(runId, () -> false).intact());
        }
    }

    @Test
    void interruptedCallerIsToldAndKeepsItsFlag() throws Exception {
        try (TestStore store = TestStore.open(state)) {
            String runId = store.newRun();
            Thread.currentThread().interrupt();
            PalyraException refused =
                    assertThrows(PalyraException.class, () -> store.append(runId, 1));
            assertEquals(ErrorCode.TIMED_OUT, refused.code());
            assertTrue(Thread.interrupted());
            store.append(runId, 1);
            assertTrue(store.journal().verifyStream(runId, () -> false).intact());
        }
    }

    @Test
    void readThreadsComeAndGoWithTheSettings() {
        JournalSettings settings = TestStore.settings(state);
        try (TestStore store = TestStore.open(settings, new MemoryKeys())) {
            assertEquals(4, readThreads());
            store.journal().change(settings.with(new JournalSettings.Reading(1, 100)));
            Await.until("three threads to end", () -> readThreads() == 1);
            store.journal().run("any");
            store.journal().change(settings.with(new JournalSettings.Reading(6, 100)));
            Await.until("five threads to begin", () -> readThreads() == 6);
        }
    }

    private static long readThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("palyra-journal-read-"))
                .count();
    }

    @Test
    void manyThreadsOnManyStreamsLeaveWholeChains() throws Exception {
        try (TestStore store = TestStore.open(state);
                ExecutorService threads = Executors.newFixedThreadPool(16)) {
            List<String> runs = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                runs.add(store.newRun());
            }
            List<Future<?>> work = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                int seed = i;
                work.add(
                        threads.submit(
                                () -> {
                                    for (int k = 0; k < 100; k++) {
                                        store.journal()
                                                .commit(
                                                        Unit.of(
                                                                TestStore.append(
                                                                        runs.get((seed + k) % 8),
                                                                        "x"),
                                                                TestStore.append("journal", "y")));
                                    }
                                }));
            }
            for (Future<?> one : work) {
                one.get(30, TimeUnit.SECONDS);
            }
            assertEquals(1_600, store.journal().headSeq("journal"));
            assertTrue(store.journal().verifyAll(() -> false).intact());
            assertEquals(3_200, store.journal().status().recordCount());
        }
    }
}
