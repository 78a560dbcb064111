package palyra.journal.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.JournalStatus;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.core.journal.VerificationReport;
import palyra.journal.internal.database.PayloadFiles;
import palyra.journal.internal.database.Sql;
import palyra.shared.hash.Digests;
import palyra.testing.wait.Await;

class PayloadFilesTest {
    @TempDir Path state;

    private static byte[] payload(int seed) {
        byte[] bytes = new byte[100_000];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private Path file(byte[] payload) {
        String name = Digests.sha256Hex(payload);
        return state.resolve("journal/payloads").resolve(name.substring(0, 2)).resolve(name);
    }

    private static Operation.Append append(String runId, byte[] payload) {
        return new Operation.Append(runId, "tool_call_output", 1, payload);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(state.resolve("journal/payloads"))) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void largePayloadIsAFileOfItsDigestForItsOwnerAlone() throws IOException {
        try (TestStore store = TestStore.open(state)) {
            String runId = store.newRun();
            store.journal().commit(Unit.of(append(runId, payload(1)), append(runId, payload(1))));
            assertEquals(List.of(file(payload(1))), files());
            assertArrayEquals(payload(1), Files.readAllBytes(file(payload(1))));
            assertArrayEquals(payload(1), store.journal().tape(runId, 1, 1).getFirst().payload());
            assertEquals("rw-------", mode(file(payload(1))));
            assertEquals("rwx------", mode(file(payload(1)).getParent()));
            assertEquals("rw-------", mode(state.resolve("journal/journal.db")));
            assertEquals("rwx------", mode(state.resolve("journal")));
        }
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void payloadAtTheThresholdStaysInTheDatabase() throws IOException {
        try (TestStore store = TestStore.open(state)) {
            String runId = store.newRun();
            store.journal().commit(Unit.of(append(runId, new byte[64 << 10])));
            assertFalse(Files.exists(state.resolve("journal/payloads")));
            store.journal().commit(Unit.of(append(runId, new byte[(64 << 10) + 1])));
            assertEquals(1, files().size());
        }
    }

    @Test
    void payloadAboveTheLimitIsRefused() {
        try (TestStore store = TestStore.open(state)) {
            String runId = store.newRun();
            PalyraException refused =
                    assertThrows(
                            PalyraException.class,
                            () ->
                                    store.journal()
                                            .commit(
                                                    Unit.of(
                                                            append(
                                                                    runId,
                                                                    new byte[(32 << 20) + 1]))));
            assertEquals(ErrorCode.INVALID_ARGUMENT, refused.code());
        }
    }

    @Test
    void erasedPayloadLeavesTheDiskWithItsLastRecord() throws Exception {
        try (TestStore store = TestStore.open(state)) {
            String runId = store.newRun();
            store.journal().commit(Unit.of(append(runId, payload(1)), append(runId, payload(1))));
            store.journal().commit(Unit.of(new Operation.ErasePayload(runId, 1)));
            assertTrue(Files.exists(file(payload(1))));
            store.journal().commit(Unit.of(new Operation.ErasePayload(runId, 2)));
            assertFalse(Files.exists(file(payload(1))));
            assertEquals(2, store.journal().verifyStream(runId, () -> false).withheld());
        }
    }

    @Test
    void fileOfTheSameSizeWithOtherContentIsReplaced() throws IOException {
        try (TestStore store = TestStore.open(state)) {
            Files.createDirectories(file(payload(1)).getParent());
            Files.write(file(payload(1)), new byte[payload(1).length]);
            String runId = store.newRun();
            store.journal().commit(Unit.of(append(runId, payload(1))));
            assertArrayEquals(payload(1), Files.readAllBytes(file(payload(1))));
            assertTrue(store.journal().verifyStream(runId, () -> false).intact());
        }
    }

    /** What somebody else put there is left alone, and upkeep goes on with what is ours. */
    @Test
    void strangeNamesAmongThePayloadsStopNothing() throws IOException {
        TestStore.open(state).close();
        Path bucket = Files.createDirectories(state.resolve("journal/payloads/00"));
        Files.createDirectories(bucket.resolve("00" + "a".repeat(62)));
        Files.createFile(bucket.resolve("x"));
        Files.createFile(bucket.resolve("x.part"));
        Files.createFile(bucket.resolve("\u00e4 name"));
        Path orphan = Files.createFile(bucket.resolve("00" + "b".repeat(62)));
        Path part = Files.createFile(bucket.resolve("00" + "b".repeat(62) + ".1.part"));
        try (TestStore store = TestStore.open(state)) {
            Await.until(
                    "what nothing refers to to be gone",
                    () -> !Files.exists(orphan) && !Files.exists(part));
            assertTrue(Files.isDirectory(bucket.resolve("00" + "a".repeat(62))));
            for (String strange : List.of("x", "x.part", "\u00e4 name")) {
                assertTrue(Files.exists(bucket.resolve(strange)), strange);
            }
            store.append(store.newRun(), 1);
        }
    }

    /** Upkeep sees the erasure of its own group, which the medium then does not keep. */
    @Test
    void fileStaysUntilItsErasureIsDurable() throws Exception {
        FaultyMedium medium = new FaultyMedium(state.resolve("journal"));
        try (TestStore store = TestStore.on(TestStore.settings(state), medium)) {
            String runId = store.newRun();
            store.journal().commit(Unit.of(append(runId, payload(1))));
            CompletableFuture<Committed> erased;
            try (Sql other = store.direct()) {
                other.execute("BEGIN EXCLUSIVE");
                store.submit(new Operation.PutDocument("c", "k", new byte[1]));
                Await.until("the writer to wait for the lock", medium::beginning);
                erased =
                        store.journal()
                                .submit(
                                        Unit.of(
                                                new Operation.ErasePayload(runId, 1),
                                                TestStore.append(runId, "more")))
                                .toCompletableFuture();
                Await.until(
                        "upkeep to wait too",
                        () ->
                                store.journal().metrics().stream()
                                        .filter(m -> m.name().contains("queue"))
                                        .filter(m -> m.labels().containsValue("bulk"))
                                        .anyMatch(m -> m.value() >= 1));
                medium.nextCommit(FaultyMedium.NextCommit.IS_LOST);
                other.execute("ROLLBACK");
            }
            assertThrows(ExecutionException.class, () -> erased.get(10, TimeUnit.SECONDS));
            store.awaitState(JournalStatus.State.OPEN);
            assertArrayEquals(payload(1), store.journal().tape(runId, 0, 1).getFirst().payload());
            assertTrue(store.journal().verifyAll(() -> false).intact());
        }
    }

    /** Neither the database nor its log keeps a copy on some free page. */
    @Test
    void erasedPayloadIsNowhereInTheFiles() throws Exception {
        try (TestStore store = TestStore.open(state)) {
            String runId = store.newTape(40);
            String secret = "hunter2-" + "s3cret".repeat(300);
            store.journal().commit(Unit.of(TestStore.append(runId, secret)));
            store.append(runId, 20);
            assertTrue(holds("hunter2-s3cret"));
            store.journal().commit(Unit.of(new Operation.ErasePayload(runId, 41)));
            Await.until("the payload to be gone", () -> !holds("hunter2-s3cret"));
            assertFalse(holds("s3crets3cret"));
            assertTrue(store.journal().verifyStream(runId, () -> false).intact());
        }
    }

    private boolean holds(String text) {
        try (Stream<Path> all = Files.walk(state)) {
            for (Path path : all.filter(Files::isRegularFile).toList()) {
                if (Files.readString(path, StandardCharsets.ISO_8859_1).contains(text)) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void changedMissingOrMisnamedFileIsFound() throws Exception {
        try (TestStore store = TestStore.open(state)) {
            String runId = store.newTape(3);
            store.journal().commit(Unit.of(append(runId, payload(1)), append(runId, payload(2))));
            Files.write(file(payload(1)), payload(3));
            assertFault(store, runId, 4, VerificationReport.Kind.PAYLOAD);
            Files.delete(file(payload(1)));
            assertFault(store, runId, 4, VerificationReport.Kind.UNREADABLE);
            assertThrows(PalyraException.class, () -> store.journal().tape(runId, 0, 10));
            Files.write(file(payload(1)), payload(1));
            assertTrue(store.journal().verifyStream(runId, () -> false).intact());
            try (Sql disk = store.direct()) {
                misname(disk, "../../../../../../etc/passwd");
                assertFault(store, runId, 4, VerificationReport.Kind.UNREADABLE);
                misname(disk, Digests.sha256Hex(payload(2)));
                assertFault(store, runId, 4, VerificationReport.Kind.PAYLOAD);
            }
        }
    }

    private static void misname(Sql disk, String name) throws SQLException {
        disk.update("UPDATE tape SET payload_file = ? WHERE seq = 4", name);
    }

    private static void assertFault(
            TestStore store, String runId, long seq, VerificationReport.Kind kind) {
        VerificationReport report = store.journal().verifyStream(runId, () -> false);
        assertEquals(kind, report.fault().orElseThrow().kind(), report::toString);
        assertEquals(seq, report.fault().get().seq());
    }

    @Test
    void filesThatACrashLeftBehindAreRemoved() throws Exception {
        Path kept;
        try (TestStore store = TestStore.open(state)) {
            store.journal().commit(Unit.of(append(store.newRun(), payload(1))));
            kept = file(payload(1));
        }
        Path orphan = file(payload(2));
        Files.createDirectories(orphan.getParent());
        Files.write(orphan, payload(2));
        Path part = kept.resolveSibling(kept.getFileName() + ".7.part");
        Files.write(part, payload(3));
        try (TestStore store = TestStore.open(state)) {
            Await.until(
                    "orphans to be removed", () -> !Files.exists(orphan) && !Files.exists(part));
            assertTrue(Files.exists(kept));
            assertTrue(store.journal().verifyAll(() -> false).intact());
        }
    }

    @Test
    void fileOfARefusedUnitIsRemovedAndOfAnAcceptedOneStays() throws Exception {
        try (TestStore store = TestStore.open(state)) {
            String runId = store.newRun();
            store.journal().commit(Unit.of(append(runId, payload(2))));
            assertThrows(
                    PalyraException.class,
                    () -> store.journal().commit(Unit.of(append("no-such-run", payload(1)))));
            assertTrue(Files.exists(file(payload(2))));
            Await.until("the unused file to go", () -> !Files.exists(file(payload(1))));
            assertTrue(Files.exists(file(payload(2))));
            assertTrue(store.journal().verifyStream(runId, () -> false).intact());
        }
    }

    @Test
    void pinnedFileIsNotDeleted() throws IOException {
        PayloadFiles files = new PayloadFiles(state.resolve("p"));
        Files.createDirectories(state.resolve("p"));
        String name = Digests.sha256Hex(payload(1));
        files.store(name, payload(1));
        files.store(name, payload(1));
        files.unpin(name);
        assertFalse(files.delete(name));
        files.unpin(name);
        assertTrue(files.delete(name));
        assertThrows(IOException.class, () -> files.read(name));
    }

    /** Erasing and appending the same large payload at once never loses it. */
    @Test
    void racedErasureAndAppendKeepWhatIsReferredTo() throws Exception {
        try (TestStore store = TestStore.open(state)) {
            String runId = store.newRun();
            byte[] payload = payload(1);
            store.journal().commit(Unit.of(append(runId, payload)));
            for (int seq = 1; seq <= 60; seq++) {
                var appended = store.journal().submit(Unit.of(append(runId, payload)));
                store.journal().commit(Unit.of(new Operation.ErasePayload(runId, seq)));
                appended.toCompletableFuture().join();
                assertArrayEquals(
                        payload, store.journal().tape(runId, seq, 1).getFirst().payload());
            }
            assertTrue(store.journal().verifyStream(runId, () -> false).intact());
        }
    }
}
