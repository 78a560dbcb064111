package palyra.journal.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.JournalStatus;
import palyra.api.core.journal.JournalStatus.State;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.SettledKind;
import palyra.api.core.journal.Unit;
import palyra.api.core.journal.VerificationReport;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.database.DatabaseFile;
import palyra.journal.internal.database.Migrations;
import palyra.journal.internal.database.Sql;
import palyra.testing.journal.MemoryKeys;
import palyra.testing.wait.Await;

/** Bad media: each gives a clear state, loses nothing acknowledged, and passes where it can. */
class MediumTest {
    @TempDir Path state;

    private static ErrorCode refusal(Runnable what) {
        return assertThrows(PalyraException.class, what::run).code();
    }

    private static void appendBig(TestStore store, String runId) {
        store.journal().commit(Unit.of(TestStore.append(runId, "x".repeat(60_000))));
    }

    private Path folder() {
        return state.resolve("journal");
    }

    @Test
    void fullDatabaseIsDiskFullUntilThereIsRoom() throws SQLException {
        FaultyMedium medium = new FaultyMedium(folder());
        try (TestStore store = TestStore.on(TestStore.settings(state), medium)) {
            String runId = store.newTape(10);
            medium.onWriter("PRAGMA max_page_count = 120");
            long acknowledged = 10;
            ErrorCode code = null;
            while (code == null) {
                try {
                    appendBig(store, runId);
                    acknowledged++;
                } catch (PalyraException e) {
                    code = e.code();
                }
            }
            assertEquals(ErrorCode.DISK_FULL, code);
            JournalStatus full = store.awaitState(State.DISK_FULL);
            assertTrue(full.detail().contains("no space"), full.detail());
            assertEquals(acknowledged, store.journal().headSeq(runId));
            assertEquals(ErrorCode.DISK_FULL, refusal(() -> appendBig(store, runId)));
            assertTrue(store.journal().verifyAll(() -> false).intact());
            medium.onWriter("PRAGMA max_page_count = 1000000");
            store.awaitState(State.OPEN);
            appendBig(store, runId);
            assertEquals(acknowledged + 1, store.journal().headSeq(runId));
            VerificationReport report = store.journal().verifyAll(() -> false);
            assertTrue(report.intact(), report::toString);
            assertEquals(acknowledged + 1, store.journal().status().recordCount());
        }
    }

    @Test
    void reservedSpaceIsKeptForWhatMakesRoom() {
        JournalSettings plenty =
                TestStore.settings(state)
                        .with(new JournalSettings.Medium(8L << 20, 64L << 20, 0, 200));
        JournalSettings reserved =
                plenty.with(new JournalSettings.Medium(8L << 20, 64L << 20, 1L << 50, 200));
        try (TestStore store = TestStore.open(plenty, new MemoryKeys())) {
            String runId = store.newTape(3);
            store.journal().change(reserved);
            store.awaitState(State.DISK_FULL);
            assertEquals(ErrorCode.DISK_FULL, refusal(() -> store.append(runId, 1)));
            store.journal().commit(Unit.of(new Operation.ErasePayload(runId, 1)));
            assertEquals(3, store.journal().headSeq(runId));
            Operation drop = new Operation.DropSettled(SettledKind.ANSWER, "none", 1);
            Operation event = TestStore.append(TapeRecord.JOURNAL_STREAM, "dropped");
            store.journal().commit(Unit.of(drop, event)); // what makes room is told
            assertEquals(
                    ErrorCode.DISK_FULL, refusal(() -> store.journal().commit(Unit.of(event))));
            assertEquals(
                    ErrorCode.DISK_FULL,
                    refusal(
                            () ->
                                    store.journal()
                                            .commit(
                                                    Unit.of(
                                                            drop,
                                                            TestStore.append(runId, "more")))));
            store.journal().commit(Unit.of(event).makingRoom());
            Operation large = TestStore.append(TapeRecord.JOURNAL_STREAM, "x".repeat(20_000));
            assertEquals(
                    ErrorCode.DISK_FULL,
                    refusal(() -> store.journal().commit(Unit.of(large).makingRoom())));
            store.journal().takeLease("engine", "boot-1/a", 1_000);
            store.journal().change(plenty);
            store.awaitState(State.OPEN);
            store.append(runId, 1);
        }
    }

    /** A real medium that is really full. */
    @Test
    void fullDiskLosesNothingAcknowledgedAndPasses() throws Exception {
        Path disk = Files.createDirectories(state.resolve("disk"));
        assumeTrue(mount("-t tmpfs -o size=2m tmpfs", disk), "cannot mount here");
        // It looks again only after seconds: a checkpoint makes room in the log of a full medium,
        // and
        // a store that found it would rightly be open before anybody asked.
        try (TestStore store = TestStore.open(TestStore.settings(disk, 3_000), new MemoryKeys())) {
            String runId = store.newTape(5);
            Path filler = disk.resolve("filler");
            fill(filler, 600 << 10);
            long acknowledged = 5;
            ErrorCode code = null;
            for (int i = 0; code == null && i < 1_000; i++) {
                try {
                    store.journal().commit(Unit.of(TestStore.append(runId, "y".repeat(20_000))));
                    acknowledged++;
                } catch (PalyraException e) {
                    code = e.code();
                }
            }
            assertEquals(ErrorCode.DISK_FULL, code);
            assertEquals(State.DISK_FULL, store.journal().status().state());
            assertEquals(acknowledged, store.journal().headSeq(runId));
            Files.delete(filler);
            store.awaitState(State.OPEN);
            store.append(runId, 1);
            assertEquals(acknowledged + 1, store.journal().headSeq(runId));
            assertTrue(store.journal().verifyAll(() -> false).intact());
        } finally {
            assertEquals(0, run("umount", disk.toString()));
        }
    }

    /** A real medium that is really read-only. */
    @Test
    void readOnlyDiskIsReadAndComesBack() throws Exception {
        Path disk = Files.createDirectories(state.resolve("disk"));
        assumeTrue(mount("-t tmpfs -o size=20m tmpfs", disk), "cannot mount here");
        try {
            String runId;
            try (TestStore store = TestStore.open(TestStore.settings(disk), new MemoryKeys())) {
                runId = store.newTape(5);
            }
            assertTrue(mount("-o remount,ro", disk));
            try (TestStore store = TestStore.open(TestStore.settings(disk), new MemoryKeys())) {
                store.awaitState(State.READ_ONLY);
                assertEquals(5, store.journal().tape(runId, 0, 10).size());
                assertEquals(ErrorCode.READ_ONLY, refusal(() -> store.append(runId, 1)));
                assertTrue(mount("-o remount,rw", disk));
                store.awaitState(State.OPEN);
                store.append(runId, 1);
                assertEquals(6, store.journal().headSeq(runId));
            }
        } finally {
            assertEquals(0, run("umount", disk.toString()));
        }
    }

    private static boolean mount(String arguments, Path target) throws Exception {
        return run(("mount " + arguments + " " + target).split(" ", -1)) == 0;
    }

    private static int run(String... command) throws Exception {
        Process process;
        try {
            process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
        } catch (IOException e) {
            return -1;
        }
        assertTrue(process.waitFor(10, TimeUnit.SECONDS));
        return process.exitValue();
    }

    private static void fill(Path file, int leave) throws IOException {
        long bytes = Files.getFileStore(file.getParent()).getUsableSpace() - leave;
        Files.write(file, new byte[(int) bytes]);
    }

    @Test
    void mediumThatRefusesWritesIsReadOnlyUntilItTakesThem() throws SQLException {
        FaultyMedium medium = new FaultyMedium(folder());
        try (TestStore store = TestStore.on(TestStore.settings(state), medium)) {
            String runId = store.newTape(10);
            medium.onWriter("PRAGMA query_only = ON");
            assertEquals(ErrorCode.READ_ONLY, refusal(() -> store.append(runId, 1)));
            store.awaitState(State.READ_ONLY);
            assertTrue(store.journal().status().detail().contains("refuses writes"));
            assertEquals(10, store.journal().tape(runId, 0, 100).size());
            medium.onWriter("PRAGMA query_only = OFF");
            store.awaitState(State.OPEN);
            store.append(runId, 1);
            assertEquals(11, store.journal().headSeq(runId));
            assertTrue(store.journal().verifyAll(() -> false).intact());
        }
    }

    @Test
    void lockedDatabaseSaysSoAndGoesOnWhenItIsFree() throws SQLException {
        try (TestStore store = TestStore.open(state)) {
            String runId = store.newTape(10);
            try (Sql other = store.direct()) {
                other.execute("BEGIN EXCLUSIVE");
                assertEquals(ErrorCode.JOURNAL_UNAVAILABLE, refusal(() -> store.append(runId, 1)));
                store.awaitState(State.READ_ONLY);
                assertTrue(store.journal().status().detail().contains("locked by another process"));
                assertEquals(10, store.journal().tape(runId, 0, 100).size());
                other.execute("ROLLBACK");
            }
            store.awaitState(State.OPEN);
            store.append(runId, 1);
            assertEquals(11, store.journal().headSeq(runId));
        }
    }

    @Test
    void lockThatIsShortIsNotNoticed() throws Exception {
        JournalSettings patient =
                TestStore.settings(state)
                        .with(new JournalSettings.Medium(8L << 20, 64L << 20, 0, 5_000));
        FaultyMedium medium = new FaultyMedium(folder());
        try (TestStore store = TestStore.on(patient, medium)) {
            String runId = store.newTape(1);
            try (Sql other = store.direct()) {
                other.execute("BEGIN EXCLUSIVE");
                var waiting = store.journal().submit(Unit.of(TestStore.append(runId, "a")));
                Await.until("the writer to wait for the lock", medium::beginning);
                other.execute("ROLLBACK");
                waiting.toCompletableFuture().get(10, TimeUnit.SECONDS);
            }
            assertEquals(State.OPEN, store.journal().status().state());
        }
    }

    @Test
    void databaseThatIsLockedAtTheStartIsOpenedOnceItIsFree() throws SQLException {
        String runId;
        try (TestStore store = TestStore.open(state)) {
            runId = store.newTape(2);
        }
        Sql other = TestStore.direct(folder());
        other.execute("PRAGMA locking_mode = EXCLUSIVE");
        other.execute("BEGIN EXCLUSIVE");
        other.execute("COMMIT"); // the lock stays
        try (TestStore store =
                TestStore.on(TestStore.settings(state), new DatabaseFile(folder()))) {
            store.journal().awaitOpening();
            assertFalse(store.journal().status().state() == State.OPEN);
            assertEquals(ErrorCode.JOURNAL_UNAVAILABLE, refusal(() -> store.append(runId, 1)));
            other.close();
            store.awaitState(State.OPEN);
            store.append(runId, 1);
            assertEquals(3, store.journal().headSeq(runId));
        }
    }

    /** What was answered as refused is not there, what is there was answered as done. */
    @Test
    void syncThatFailedIsAnsweredByWhatTheMediumKept() {
        for (FaultyMedium.NextCommit what : FaultyMedium.NextCommit.values()) {
            Path where = state.resolve(what.name());
            FaultyMedium medium = new FaultyMedium(where.resolve("journal"));
            try (TestStore store = TestStore.on(TestStore.settings(where), medium)) {
                String runId = store.newTape(10);
                medium.nextCommit(what);
                boolean kept = what != FaultyMedium.NextCommit.IS_LOST;
                if (kept) {
                    store.append(runId, 1);
                } else {
                    assertEquals(
                            ErrorCode.JOURNAL_UNAVAILABLE, refusal(() -> store.append(runId, 1)));
                }
                store.awaitState(State.OPEN);
                assertEquals(what == FaultyMedium.NextCommit.WORKS ? 1 : 2, medium.writersOpened());
                assertEquals(kept ? 11 : 10, store.journal().headSeq(runId));
                store.append(runId, 1);
                assertEquals(kept ? 12 : 11, store.journal().headSeq(runId));
                VerificationReport report = store.journal().verifyAll(() -> false);
                assertTrue(report.intact(), report::toString);
            }
        }
    }

    /** Every unit of the group gets the same answer, and refused ones stay refused. */
    @Test
    void groupThatWasNotConfirmedIsSettledAsOne() throws Exception {
        for (FaultyMedium.NextCommit what :
                List.of(FaultyMedium.NextCommit.IS_LOST, FaultyMedium.NextCommit.IS_KEPT)) {
            Path where = state.resolve(what.name());
            FaultyMedium medium = new FaultyMedium(where.resolve("journal"));
            try (TestStore store = TestStore.on(TestStore.settings(where), medium)) {
                String runId = store.newTape(10);
                List<CompletableFuture<Committed>> units = new ArrayList<>();
                try (Sql other = store.direct()) { // holds the writer until all of them wait
                    other.execute("BEGIN EXCLUSIVE");
                    units.add(store.submit(TestStore.append(runId, "first")));
                    Await.until("the writer to wait for the lock", medium::beginning);
                    for (int i = 0; i < 6; i++) {
                        units.add(store.submit(TestStore.append(runId, "n" + i)));
                    }
                    units.add(store.submit(TestStore.append("no-such-run", "x")));
                    other.execute("ROLLBACK");
                }
                medium.nextCommit(what);
                List<ErrorCode> codes = new ArrayList<>();
                for (CompletableFuture<Committed> unit : units) {
                    codes.add(outcome(unit));
                }
                assertEquals(ErrorCode.NOT_FOUND, codes.removeLast());
                store.awaitState(State.OPEN);
                long happened = codes.stream().filter(Objects::isNull).count();
                assertEquals(10 + happened, store.journal().headSeq(runId));
                assertTrue(store.journal().verifyAll(() -> false).intact());
                boolean kept = what == FaultyMedium.NextCommit.IS_KEPT;
                assertEquals(kept, codes.stream().noneMatch(Objects::nonNull), codes::toString);
            }
        }
    }

    private static ErrorCode outcome(CompletableFuture<Committed> unit) throws Exception {
        try {
            unit.get(10, TimeUnit.SECONDS);
            return null;
        } catch (ExecutionException e) {
            return ((PalyraException) e.getCause()).code();
        }
    }

    /** While the medium cannot be read there is no answer, and none is made up. */
    @Test
    void commitThatCannotBeLookedUpIsUnknown() {
        FaultyMedium medium = new FaultyMedium(folder());
        TestStore store = TestStore.on(TestStore.settings(state), medium);
        String runId = store.newTape(10);
        medium.nextCommit(FaultyMedium.NextCommit.IS_KEPT);
        medium.refuseOpening(true);
        CompletableFuture<Committed> unit = store.submit(TestStore.append(runId, "x"));
        store.awaitState(State.STOPPED);
        assertFalse(unit.isDone());
        store.close(); // which ends the wait
        Exception thrown =
                assertThrows(ExecutionException.class, () -> unit.get(1, TimeUnit.SECONDS));
        PalyraException unknown = (PalyraException) thrown.getCause();
        assertEquals(ErrorCode.OUTCOME_UNKNOWN, unknown.code());
        assertTrue(unknown.getMessage().contains("same idempotency key"), unknown.getMessage());
        try (TestStore again = TestStore.open(state)) {
            assertEquals(11, again.journal().headSeq(runId));
        }
    }

    /** An error of the JVM after the commit changes nothing about what happened. */
    @Test
    void errorInACommitIsSettledToo() {
        FaultyMedium medium = new FaultyMedium(folder());
        try (TestStore store = TestStore.on(TestStore.settings(state), medium)) {
            String runId = store.newTape(10);
            medium.nextCommit(FaultyMedium.NextCommit.IS_KEPT_WITH_AN_ERROR);
            store.append(runId, 1);
            assertEquals(11, store.journal().headSeq(runId));
            store.append(runId, 1);
            assertTrue(store.journal().verifyAll(() -> false).intact());
        }
    }

    /** What a group that did not happen had moved in memory is not what was acknowledged. */
    @Test
    void errorInTheRollbackOfAGroupIsNoLoss() {
        FaultyMedium medium = new FaultyMedium(folder());
        try (TestStore store = TestStore.on(TestStore.settings(state), medium)) {
            String runId = store.newTape(10);
            medium.cutOffNext();
            assertEquals(ErrorCode.INTERNAL, refusal(() -> store.append(runId, 1)));
            store.awaitState(State.OPEN);
            store.append(runId, 1);
            assertEquals(11, store.journal().headSeq(runId));
        }
    }

    /** However often the medium failed, the store goes on once it is well again. */
    @Test
    void syncThatFailsAgainAndAgainIsOutlived() {
        FaultyMedium medium = new FaultyMedium(folder());
        try (TestStore store = TestStore.on(TestStore.settings(state), medium)) {
            String runId = store.newTape(10);
            for (int i = 0; i < 5; i++) {
                medium.nextCommit(FaultyMedium.NextCommit.IS_LOST);
                assertEquals(ErrorCode.JOURNAL_UNAVAILABLE, refusal(() -> store.append(runId, 1)));
                store.awaitState(State.OPEN);
            }
            store.append(runId, 1);
            assertEquals(11, store.journal().headSeq(runId));
        }
    }

    @Test
    void acknowledgedRecordThatIsMissingAfterReopeningStopsForGood() throws SQLException {
        FaultyMedium medium = new FaultyMedium(folder());
        try (TestStore store = TestStore.on(TestStore.settings(state), medium)) {
            String runId = store.newTape(10);
            try (Sql disk = store.direct()) {
                disk.execute("DELETE FROM tape WHERE seq = 10");
            }
            medium.nextCommit(FaultyMedium.NextCommit.IS_LOST);
            refusal(() -> store.append(runId, 1));
            Await.until(
                    "the missing record to be named",
                    () -> store.journal().status().detail().contains("record 10 of " + runId));
            assertEquals(State.STOPPED, store.journal().status().state());
            assertEquals(ErrorCode.CORRUPT, refusal(() -> store.append(runId, 1)));
        }
    }

    @Test
    void damagedPageStopsTheJournalAndVerificationNamesTheRecord() throws Exception {
        MemoryKeys keys = new MemoryKeys();
        String first;
        String runId;
        try (TestStore store = TestStore.open(TestStore.settings(state), keys)) {
            first = store.newSealedTape(20);
            runId = store.newTape(2_000);
        }
        damage(TestStore.json("n1500"));
        try (TestStore store = TestStore.open(TestStore.settings(state), keys)) {
            assertEquals(
                    ErrorCode.CORRUPT, refusal(() -> store.journal().tape(runId, 1_000, 1_000)));
            store.awaitState(State.STOPPED);
            assertTrue(store.journal().status().detail().contains("damaged"));
            assertEquals(ErrorCode.CORRUPT, refusal(() -> store.append(runId, 1)));
            VerificationReport report = store.journal().verifyAll(() -> false);
            assertEquals(VerificationReport.Kind.UNREADABLE, report.fault().orElseThrow().kind());
            assertEquals(runId, report.fault().get().streamId());
            long named = report.fault().get().seq();
            assertTrue(named > 1_400 && named <= 1_500, () -> "named " + named);
            assertTrue(store.journal().verifyStream(first, () -> false).intact());
            assertTrue(store.journal().verifyRange(runId, 1, named - 1, () -> false).intact());
            assertEquals(
                    named,
                    store.journal()
                            .verifyRange(runId, 1_000, 1_600, () -> false)
                            .fault()
                            .orElseThrow()
                            .seq());
        }
    }

    /** Overwrites the head of every page that holds these bytes; free pages may hold copies. */
    private void damage(byte[] content) throws IOException {
        Path file = folder().resolve("journal.db");
        byte[] all = Files.readAllBytes(file);
        int at = indexOf(all, content, 0);
        assertTrue(at > 0, "the record is in the file");
        try (RandomAccessFile raw = new RandomAccessFile(file.toFile(), "rw")) {
            for (; at > 0; at = indexOf(all, content, at + 1)) {
                raw.seek(at / 4_096 * 4_096L);
                raw.write(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1});
            }
        }
    }

    private static int indexOf(byte[] all, byte[] part, int from) {
        for (int i = from; i <= all.length - part.length; i++) {
            int k = 0;
            while (k < part.length && all[i + k] == part[k]) {
                k++;
            }
            if (k == part.length) {
                return i;
            }
        }
        return -1;
    }

    @Test
    void fileThatIsNoDatabaseIsRefusedUntouched() throws IOException {
        Files.createDirectories(folder());
        byte[] nonsense =
                "this is no database, it only lies where one should be"
                        .repeat(100)
                        .getBytes(StandardCharsets.US_ASCII);
        Files.write(folder().resolve("journal.db"), nonsense);
        PalyraException refused =
                assertThrows(PalyraException.class, () -> TestStore.open(state).close());
        assertEquals(ErrorCode.CORRUPT, refused.code());
        assertEquals(nonsense.length, Files.readAllBytes(folder().resolve("journal.db")).length);
    }

    @Test
    void databaseThatIsGoneIsNotBegunAnewBesideItsPayloads() throws IOException {
        try (TestStore store = TestStore.open(state)) {
            store.journal()
                    .commit(Unit.of(new Operation.Append("journal", "note", 1, new byte[200_000])));
        }
        Files.delete(folder().resolve("journal.db"));
        PalyraException refused =
                assertThrows(PalyraException.class, () -> TestStore.open(state).close());
        assertEquals(ErrorCode.CORRUPT, refused.code());
        assertTrue(refused.getMessage().contains("gone"), refused.getMessage());
        assertFalse(Files.exists(folder().resolve("journal.db")));
    }

    @Test
    void statusTellsSizesAndCounts() {
        try (TestStore store = TestStore.open(state)) {
            store.newTape(7);
            JournalStatus status = store.journal().status();
            assertEquals(State.OPEN, status.state());
            assertEquals("", status.detail());
            assertEquals(7, status.recordCount());
            assertEquals(Migrations.bundled().latest(), status.schemaVersion());
            assertTrue(status.databaseBytes() > 0);
            assertTrue(status.freeBytes() > 0);
        }
    }
}
