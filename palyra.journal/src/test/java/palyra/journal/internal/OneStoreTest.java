package palyra.journal.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.JournalStatus.State;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.database.ConnectionSource;
import palyra.journal.internal.database.DatabaseFile;
import palyra.journal.internal.database.FileNames;
import palyra.journal.internal.database.Sql;
import palyra.journal.internal.write.DeadlineShift;
import palyra.testing.wait.Await;

/** One database has one store, whatever process the second is in and by whatever name it comes. */
class OneStoreTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir Path folder;

    private Path state;
    private Path database;

    @BeforeEach
    void make() {
        state = folder.resolve("state");
        database = state.resolve("journal/journal.db");
        TestStore.open(state).close();
    }

    private static PalyraException refused(Path state) {
        return assertThrows(
                PalyraException.class, () -> TestStore.open(state).close(), state::toString);
    }

    private void requireNamed(PalyraException refused, long pid) {
        assertEquals(ErrorCode.JOURNAL_UNAVAILABLE, refused.code());
        String text = refused.getMessage();
        assertTrue(text.contains("is in use by process " + pid + " on host "), text);
        assertTrue(text.contains(database.toString()), text);
    }

    @Test
    void aSecondProcessIsRefusedAndToldWhoHasIt() throws Exception {
        try (ChildProcess first = new ChildProcess(state, "a");
                ChildProcess second = new ChildProcess(state, "b")) {
            String one = first.says();
            String two = second.says();
            boolean firstWon = one.equals("open");
            String refusal = firstWon ? two : one;
            ChildProcess winner = firstWon ? first : second;
            assertEquals("open", firstWon ? one : two);
            assertTrue(refusal.startsWith("refused JOURNAL_UNAVAILABLE"), refusal);
            assertTrue(refusal.contains("process " + winner.pid() + " on host "), refusal);
            requireNamed(refused(state), winner.pid());
            assertEquals("wrote", winner.answers("write"));
        }
    }

    @Test
    void aKilledProcessLeavesNothingBehindThatHinders() throws Exception {
        try (ChildProcess first = new ChildProcess(state, "a")) {
            assertEquals("open", first.says());
            requireNamed(refused(state), first.pid());
            first.kill();
            assertTrue(Files.exists(database.resolveSibling("journal.db.lock")));
            TestStore.open(state).close();
        }
    }

    /** A new and empty one would forget every run without a word. */
    @Test
    void aDatabaseThatIsGoneIsNotBegunAnew() throws Exception {
        Path aside = folder.resolve("aside.db");
        Files.move(database, aside);
        requireGone();
        assertFalse(Files.exists(database), "nothing was made");
        Files.createFile(database); // as after a crash of the file system
        requireGone();
        assertEquals(0, Files.size(database), "nothing was written");
        Files.delete(database);
        Files.delete(database.resolveSibling("journal.db.begun")); // of a store from before it
        requireGone();
        Files.move(aside, database);
        TestStore.open(state).close();
    }

    @Test
    void verificationSaysTheSameOfADatabaseThatIsGone() throws Exception {
        Files.move(database, folder.resolve("aside.db"));
        try (TestStore store =
                TestStore.on(TestStore.settings(state), new DatabaseFile(database.getParent()))) {
            store.journal().awaitOpening();
            String status = store.journal().status().detail();
            assertTrue(status.contains("gone or empty"), status);
            String verdict;
            try {
                verdict = store.journal().verifyAll(() -> false).fault().orElseThrow().detail();
            } catch (PalyraException e) {
                verdict = e.getMessage();
            }
            assertEquals(status, verdict);
        }
    }

    private void requireGone() {
        PalyraException refused = refused(state);
        assertEquals(ErrorCode.CORRUPT, refused.code());
        assertTrue(refused.getMessage().contains("gone or empty"), refused::getMessage);
    }

    /** The first start may end before anything was written. */
    @Test
    void anEmptyDatabaseOfAStartThatWasKilledIsBegun() throws Exception {
        Path other = folder.resolve("other");
        Path empty = other.resolve("journal/journal.db");
        Files.createDirectories(empty.getParent());
        Files.createFile(empty);
        Files.createFile(empty.resolveSibling("journal.db.lock"));
        TestStore.open(other).close();
        assertTrue(Files.size(empty) > 0);
    }

    @Test
    void aProcessThatClosesItsStoreGivesTheDatabaseFree() throws Exception {
        try (ChildProcess first = new ChildProcess(state, "a")) {
            assertEquals("open", first.says());
            assertEquals("closed", first.answers("close"));
            TestStore.open(state).close();
        }
    }

    @Test
    void anotherFolderThatLeadsToTheSameDatabaseIsNoWayRoundIt() throws Exception {
        Path linkedState = Files.createSymbolicLink(folder.resolve("linked"), state);
        Path linkedFolder = Files.createDirectory(folder.resolve("other"));
        Files.createSymbolicLink(linkedFolder.resolve("journal"), state.resolve("journal"));
        Path linkedFile = Files.createDirectories(folder.resolve("third/journal")).getParent();
        Files.createSymbolicLink(linkedFile.resolve("journal/journal.db"), database);
        for (Path way : List.of(linkedState, linkedFolder, linkedFile)) {
            try (ChildProcess first = new ChildProcess(state, "a")) {
                assertEquals("open", first.says());
                requireNamed(refused(way), first.pid());
            }
            try (ChildProcess first = new ChildProcess(way, "a")) {
                assertEquals("open", first.says());
                assertEquals("wrote", first.answers("write"));
                requireNamed(refused(state), first.pid());
            }
            TestStore.open(state).close(); // what the way round wrote is sound
        }
        try (TestStore store = TestStore.open(state)) {
            List<TapeRecord> written = store.journal().tape("journal", 0, 100);
            assertEquals(
                    3, // a slow machine adds that the store was closed for a while
                    written.stream()
                            .filter(record -> !record.type().equals(DeadlineShift.EVENT))
                            .count());
            assertTrue(store.journal().verifyAll(() -> false).intact());
        }
    }

    /** A second name lies in another folder, where neither lock nor log would be found. */
    @Test
    void aDatabaseWithASecondHardLinkIsRefusedUnderEitherName() throws Exception {
        Path other = Files.createDirectories(folder.resolve("other/journal"));
        try (ChildProcess first = new ChildProcess(state, "a")) {
            assertEquals("open", first.says());
            Files.createLink(other.resolve("journal.db"), database);
            PalyraException refused = refused(folder.resolve("other"));
            assertEquals(ErrorCode.JOURNAL_UNAVAILABLE, refused.code());
            assertTrue(refused.getMessage().contains("has 2 names"), refused.getMessage());
            assertEquals("wrote", first.answers("write"));
        }
        assertTrue(refused(state).getMessage().contains("has 2 names"));
        Files.delete(other.resolve("journal.db"));
        try (TestStore store = TestStore.open(state)) {
            assertEquals(1, store.journal().headSeq("journal"));
        }
    }

    @Test
    void aFileThatIsMountedByItselfIsFoundInTheListOfMounts() {
        List<String> mounts =
                List.of(
                        "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw",
                        "97 22 8:1 /srv/j/journal.db /home/my\\040state/journal/journal.db rw -"
                                + " ext4 /dev/sda1 rw",
                        "98 22 8:1 /srv/j /var/lib/palyra/journal rw - ext4 /dev/sda1 rw");
        assertTrue(FileNames.isMountPoint(mounts, Path.of("/home/my state/journal/journal.db")));
        assertFalse(FileNames.isMountPoint(mounts, Path.of("/var/lib/palyra/journal/journal.db")));
        assertFalse(FileNames.isMountPoint(mounts, Path.of("/srv/j/journal.db")));
    }

    @Test
    void aSecondStoreInThisProcessWaitsUntilTheFirstIsClosed() {
        TestStore first = TestStore.open(state);
        try (TestStore second =
                TestStore.on(
                        TestStore.settings(state), new DatabaseFile(state.resolve("journal")))) {
            second.awaitState(State.STOPPED);
            second.journal().awaitOpening();
            PalyraException refused =
                    assertThrows(
                            PalyraException.class,
                            () ->
                                    second.journal()
                                            .commit(Unit.of(TestStore.append("journal", "x"))));
            requireNamed(refused, ProcessHandle.current().pid());
            first.append("journal", 2); // the attempts did not take its lock away
            requireNamed(refused(state), ProcessHandle.current().pid());
            first.close();
            second.awaitState(State.OPEN);
            second.append("journal", 1);
            assertEquals(3, second.journal().headSeq("journal"));
        } finally {
            first.close();
        }
    }

    @Test
    void withoutItsLockFileNothingIsWrittenUntilItIsLockedAgain() throws Exception {
        try (TestStore store = TestStore.open(state)) {
            store.append("journal", 1);
            Path lock = database.resolveSibling("journal.db.lock");
            Files.delete(lock);
            Files.createDirectory(lock); // it cannot be locked again before the test says so
            PalyraException refused =
                    assertThrows(PalyraException.class, () -> store.append("journal", 1));
            assertEquals(ErrorCode.JOURNAL_UNAVAILABLE, refused.code());
            Files.delete(lock);
            store.awaitState(State.OPEN);
            store.append("journal", 1);
            assertEquals(2, store.journal().headSeq("journal"));
            requireNamed(refused(state), ProcessHandle.current().pid());
        }
    }

    /** Being stopped does not make a process let go: on this machine nobody can take its place. */
    @Test
    void aStoppedProcessKeepsTheDatabasePastItsLeaseAndGoesOn() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc")), "signals");
        try (ChildProcess first = new ChildProcess(state, "a")) {
            assertEquals("open", first.says());
            assertEquals("epoch 1", first.answers("lease 1000"));
            first.signal("STOP");
            first.tell("fenced");
            Await.until(
                    "the lease to expire",
                    PATIENCE,
                    () -> leaseExpiry() < System.currentTimeMillis());
            requireNamed(refused(state), first.pid());
            assertTrue(first.isSilent());
            first.signal("CONT");
            assertEquals("wrote", first.says());
            assertEquals("epoch 1", first.answers("lease 1000"));
            first.kill();
        }
        try (ChildProcess second = new ChildProcess(state, "b")) {
            assertEquals("open", second.says());
            assertEquals("epoch 2", second.answers("lease 1000"), "at once");
            assertEquals("wrote", second.answers("fenced"));
        }
    }

    private long leaseExpiry() {
        try (Sql sql =
                new Sql(new DatabaseFile(database.getParent()).open(ConnectionSource.Use.READ))) {
            return sql.number(
                    "SELECT expires_at FROM leases WHERE name = 'engine'", Long.MAX_VALUE);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** What only an operator can do who takes the lock for a leftover: somebody else is let in. */
    @Test
    void aProcessThatLostItsLockWhileItWasStoppedCannotWriteAnyMore() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc")), "signals");
        try (ChildProcess first = new ChildProcess(state, "a")) {
            assertEquals("open", first.says());
            assertEquals("epoch 1", first.answers("lease 1000"));
            assertEquals("wrote", first.answers("fenced"));
            first.signal("STOP");
            Files.delete(database.resolveSibling("journal.db.lock"));
            try (ChildProcess second = new ChildProcess(state, "b")) {
                assertEquals("open", second.says());
                assertEquals("epoch 2", leaseBeside(first, second));
                first.signal("CONT");
                String refusal = first.answers("write");
                assertTrue(refusal.startsWith("refused JOURNAL_UNAVAILABLE"), refusal);
                refusal = first.answers("fenced");
                assertTrue(refusal.contains("process " + second.pid() + " on host "), refusal);
                assertEquals("wrote", second.answers("fenced"));
                second.kill();
            }
            Await.until(
                    "the first one to be let in again",
                    PATIENCE,
                    () -> first.answers("write").equals("wrote"));
            String stale = first.answers("fenced");
            assertTrue(stale.startsWith("refused STALE_EPOCH"), stale);
        }
        try (TestStore store = TestStore.open(state)) {
            assertTrue(store.journal().verifyAll(() -> false).intact());
        }
    }

    /** One that was stopped in mid transaction keeps SQLite's own lock: it may end that first. */
    private static String leaseBeside(ChildProcess stopped, ChildProcess second) throws Exception {
        String answer = second.answers("lease 1000");
        for (int i = 0; i < 50 && answer.contains("locked by another process"); i++) {
            stopped.signal("CONT");
            stopped.signal("STOP");
            answer = second.answers("lease 1000");
        }
        return answer;
    }
}
