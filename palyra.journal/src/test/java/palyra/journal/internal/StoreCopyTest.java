package palyra.journal.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.JournalCopier.Copied;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.core.journal.VerificationReport;
import palyra.testing.journal.MemoryKeys;
import palyra.testing.wait.Await;

class StoreCopyTest {
    private static final int LARGE = 100 << 10; // kept as a file

    @TempDir Path temp;

    private final MemoryKeys keys = new MemoryKeys();

    private TestStore open(String state) {
        return TestStore.open(TestStore.settings(temp.resolve(state)), keys);
    }

    private static Operation.Append large(String runId, String text) {
        return new Operation.Append(
                runId,
                "external_event",
                1,
                ("{\"text\":\"" + text.repeat(LARGE / text.length()) + "\"}")
                        .getBytes(StandardCharsets.UTF_8));
    }

    private VerificationReport verified(Path copy) throws Exception {
        Path state = temp.resolve("restored-" + copy.getFileName());
        Files.createDirectories(state);
        Files.move(copy, state.resolve("journal"));
        try (TestStore restored = TestStore.open(TestStore.settings(state), keys)) {
            return restored.journal().verifyAll(() -> false);
        }
    }

    @Test
    void aCopyOpensAndVerifiesWithItsPayloadFiles() throws Exception {
        try (TestStore store = open("state")) {
            String runId = store.newTape(20);
            store.journal().commit(Unit.of(large(runId, "a"), large(runId, "b")));
            Copied copied = store.journal().copyTo(temp.resolve("copy"), () -> false);
            assertEquals(2, copied.payloadFiles());
            assertEquals(22, copied.records());
            assertTrue(copied.databaseBytes() > 0);
            store.newTape(5); // of later: not in it
        }
        VerificationReport report = verified(temp.resolve("copy"));
        assertTrue(report.fault().isEmpty(), report.toString());
        assertEquals(22, report.records());
    }

    @Test
    void aCopyIsOfOneMomentWhileWritersGoOn() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        CountDownLatch written = new CountDownLatch(50);
        try (TestStore store = open("state");
                ExecutorService writers = Executors.newFixedThreadPool(2)) {
            Future<?> writing =
                    writers.submit(
                            () -> {
                                while (!stop.get()) {
                                    String runId = store.newTape(10);
                                    store.journal().commit(Unit.of(large(runId, runId)));
                                    written.countDown();
                                }
                            });
            written.await();
            for (int i = 0; i < 3; i++) {
                store.journal().copyTo(temp.resolve("copy" + i), () -> false);
            }
            stop.set(true);
            writing.get();
        }
        for (int i = 0; i < 3; i++) {
            VerificationReport report = verified(temp.resolve("copy" + i));
            assertTrue(report.fault().isEmpty(), report.toString());
            assertTrue(report.records() >= 50 * 11, report.toString());
        }
    }

    @Test
    void anErasedPayloadIsNotInTheCopy() throws Exception {
        try (TestStore store = open("state")) {
            String runId = store.newRun();
            store.journal().commit(Unit.of(large(runId, "secret")));
            store.journal().commit(Unit.of(new Operation.ErasePayload(runId, 1)));
            assertEquals(
                    0, store.journal().copyTo(temp.resolve("copy"), () -> false).payloadFiles());
        }
        try (Stream<Path> files = Files.walk(temp.resolve("copy"))) {
            assertTrue(files.noneMatch(file -> file.toString().contains("payloads/")));
        }
    }

    @Test
    void whatIsErasedDuringTheCopyIsNotInItEither() throws Exception {
        try (TestStore store = open("state")) {
            String runId = store.newRun();
            store.journal().commit(Unit.of(large(runId, "a"), large(runId, "b")));
            AtomicInteger asked = new AtomicInteger();
            BooleanSupplier erasing =
                    () -> {
                        if (asked.incrementAndGet() == 2) { // one of the two is linked by now
                            for (int seq = 1; seq <= 2; seq++) {
                                store.journal()
                                        .commit(Unit.of(new Operation.ErasePayload(runId, seq)));
                            }
                            Await.until(
                                    "the files to go", () -> payloadFiles("state/journal") == 0);
                        }
                        return false;
                    };
            assertEquals(0, store.journal().copyTo(temp.resolve("copy"), erasing).payloadFiles());
            assertEquals(0, payloadFiles("copy"));
        }
    }

    private long payloadFiles(String store) {
        try (Stream<Path> files = Files.walk(temp.resolve(store).resolve("payloads"))) {
            return files.filter(Files::isRegularFile).count();
        } catch (IOException e) {
            return 0; // there is no such folder
        }
    }

    @Test
    void aPayloadFileThatIsGoneFailsTheCopyAndIsNamed() throws Exception {
        try (TestStore store = open("state")) {
            String runId = store.newRun();
            store.journal().commit(Unit.of(large(runId, "x")));
            Path payload;
            try (Stream<Path> files = Files.walk(temp.resolve("state/journal/payloads"))) {
                payload = files.filter(Files::isRegularFile).findFirst().orElseThrow();
            }
            Files.delete(payload);
            PalyraException e =
                    assertThrows(
                            PalyraException.class,
                            () -> store.journal().copyTo(temp.resolve("copy"), () -> false));
            assertEquals(ErrorCode.CORRUPT, e.code());
            assertTrue(e.getMessage().contains(payload.getFileName().toString()), e.getMessage());
        }
    }

    @Test
    void aCancelledCopySaysSo() {
        try (TestStore store = open("state")) {
            String runId = store.newRun();
            store.journal().commit(Unit.of(large(runId, "x")));
            PalyraException e =
                    assertThrows(
                            PalyraException.class,
                            () -> store.journal().copyTo(temp.resolve("copy"), () -> true));
            assertEquals(ErrorCode.CANCELLED, e.code());
        }
    }

    @Test
    void aFolderThatTakesNoFileIsNamed() throws Exception {
        Path file = Files.createFile(temp.resolve("file"));
        try (TestStore store = open("state")) {
            store.newTape(1);
            PalyraException e =
                    assertThrows(
                            PalyraException.class, () -> store.journal().copyTo(file, () -> false));
            assertEquals(ErrorCode.JOURNAL_UNAVAILABLE, e.code());
            assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
        }
    }
}
