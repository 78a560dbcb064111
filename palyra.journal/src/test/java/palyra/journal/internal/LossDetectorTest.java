package palyra.journal.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.JournalStatus.State;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.core.journal.VerificationReport;
import palyra.api.run.RunState;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.database.Sql;
import palyra.testing.journal.MemoryKeys;
import palyra.testing.wait.Await;

/**
 * Rows of a run that are lost cost that run alone, are told of, and are made again where proved.
 */
class LossDetectorTest {
    @TempDir Path state;

    private final MemoryKeys keys = new MemoryKeys();

    private TestStore open() {
        return TestStore.open(TestStore.settings(state), keys);
    }

    private void onDisk(String text, Object... arguments) throws SQLException {
        try (Sql disk = TestStore.direct(state.resolve("journal"))) {
            disk.update(text, arguments);
        }
    }

    private void loseHead(String runId) throws SQLException {
        onDisk(
                "DELETE FROM heads WHERE stream_no = (SELECT stream_no FROM runs WHERE run_id = ?)",
                runId);
    }

    private static void awaitLoss(TestStore store, String... parts) {
        Await.until(
                "a loss that tells of " + List.of(parts),
                () ->
                        store.journal().lostRows().stream()
                                .anyMatch(one -> List.of(parts).stream().allMatch(one::contains)));
    }

    private static void awaitRepair(TestStore store, String runId) {
        Await.until(
                "the head to be made again",
                () -> store.journal().run(runId).filter(row -> !row.headLost()).isPresent());
    }

    private static String events(TestStore store) {
        StringBuilder all = new StringBuilder();
        for (TapeRecord record : store.journal().tape(TapeRecord.JOURNAL_STREAM, 0, 1_000)) {
            all.append(record.type())
                    .append(new String(record.payload(), StandardCharsets.UTF_8))
                    .append('\n');
        }
        return all.toString();
    }

    @Test
    void headThatTheTapeProvesIsMadeAgainAndRecorded() throws SQLException {
        String open;
        String ended;
        try (TestStore store = open()) {
            open = store.newTape(1_200);
            ended = store.newSealedTape(5);
        }
        loseHead(open);
        loseHead(ended);
        try (TestStore store = open()) {
            awaitRepair(store, open);
            awaitRepair(store, ended);
            store.append(open, 1);
            assertEquals(1_201, store.journal().headSeq(open));
            assertTrue(store.journal().verifyAll(() -> false).intact());
            Await.until("nothing to be lost", () -> store.journal().lostRows().isEmpty());
            String events = events(store);
            assertTrue(events.contains("head_recomputed"), events);
            assertTrue(events.contains(open) && events.contains(ended), events);
        }
    }

    /** Its run would wait for ever: nobody can answer what is not there. */
    @Test
    void runWhoseQuestionIsLostIsMarkedSoThatItsEngineTakesItForANo() throws SQLException {
        String lost;
        String open;
        try (TestStore store = open()) {
            lost = waiting(store, "a1");
            open = waiting(store, "a2");
        }
        onDisk("DELETE FROM approvals WHERE approval_id = 'a1'");
        try (TestStore store = open()) {
            awaitLoss(store, "approval request", lost, "is denied");
            Await.until(
                    "the run to be marked", () -> !store.journal().answeredRuns("", 10).isEmpty());
            assertEquals(
                    List.of(lost),
                    store.journal().answeredRuns("", 10).stream().map(RunRow::runId).toList());
            assertFalse(store.journal().lostRows().stream().anyMatch(one -> one.contains(open)));
        }
    }

    private static String waiting(TestStore store, String approvalId) {
        String runId = store.newRun();
        store.journal()
                .commit(
                        Unit.of(
                                new Operation.PutApproval(
                                        ApprovalRow.asked(
                                                approvalId,
                                                runId,
                                                "c1",
                                                "s1",
                                                "user:alice",
                                                "TOOL",
                                                "tool:palyra.echo",
                                                "{}".getBytes(StandardCharsets.UTF_8),
                                                1,
                                                System.currentTimeMillis() + 86_400_000,
                                                0)),
                                new Operation.MoveRun(
                                        runId,
                                        EnumSet.allOf(RunState.class),
                                        RunState.AWAITING_APPROVAL,
                                        "waits")));
        return runId;
    }

    @Test
    void headIsNotMadeAgainFromATapeThatIsCutOrChanged() throws SQLException {
        String cut;
        String changed;
        String unsealed;
        String other;
        try (TestStore store = open()) {
            cut = store.newSealedTape(5);
            changed = store.newTape(5);
            unsealed = store.newSealedTape(5);
            other = store.newTape(5);
        }
        for (String runId : List.of(cut, changed, unsealed)) {
            loseHead(runId);
        }
        String of = "(SELECT stream_no FROM runs WHERE run_id = ?)";
        onDisk("DELETE FROM tape WHERE seq = 5 AND stream_no = " + of, cut);
        onDisk("UPDATE tape SET type = 'x' WHERE seq = 3 AND stream_no = " + of, changed);
        onDisk("DELETE FROM seals WHERE stream_no = " + of, unsealed);
        try (TestStore store = open()) {
            awaitLoss(store, cut, "was not made again", "signed as the last");
            awaitLoss(store, changed, "was not made again", "record 3");
            awaitLoss(store, unsealed, "was not made again", "signed head");
            store.append(other, 1);
            assertEquals(
                    ErrorCode.CORRUPT,
                    assertThrows(PalyraException.class, () -> store.append(changed, 1)).code());
            assertEquals(State.OPEN, store.journal().status().state());
            assertFalse(events(store).contains("head_recomputed"));
        }
    }

    @Test
    void runWithoutHeadIsShownListedAndVerifiedAsDamaged() throws SQLException {
        String runId;
        try (TestStore store = open()) {
            runId = store.newTape(3);
        }
        loseHead(runId);
        onDisk("UPDATE tape SET type = 'x' WHERE seq = 3 AND type = 'model_token'");
        try (TestStore store = open()) {
            awaitLoss(store, runId, "was not made again");
            RunRow row = store.journal().run(runId).orElseThrow();
            assertTrue(row.headLost());
            assertEquals(3, row.headSeq());
            assertTrue(row.view().reason().contains("doctor"), row.view().reason());
            assertEquals(1, store.journal().runs("", "", "", 10).size());
            VerificationReport report = store.journal().verifyAll(() -> false);
            assertEquals(VerificationReport.Kind.HEAD, report.fault().orElseThrow().kind());
            assertTrue(report.fault().get().detail().contains("table heads"));
        }
    }

    @Test
    void runWithoutHeadCanBeSetAside() throws SQLException {
        String runId;
        try (TestStore store = open()) {
            runId = store.newTape(3);
        }
        loseHead(runId);
        onDisk("UPDATE tape SET type = 'x' WHERE seq = 3 AND type = 'model_token'");
        try (TestStore store = open()) {
            store.journal()
                    .commit(
                            Unit.of(
                                    new Operation.MoveRun(
                                            runId,
                                            EnumSet.of(RunState.RUNNING),
                                            RunState.QUARANTINED,
                                            "no head")));
            assertEquals(RunState.QUARANTINED, store.journal().run(runId).orElseThrow().state());
        }
    }

    private static void accept(TestStore store, String messageId, String runId) {
        store.journal()
                .commit(
                        Unit.of(
                                new Operation.PutInbox(
                                        new InboxRow(
                                                messageId,
                                                "shell",
                                                "",
                                                "user:alice",
                                                new byte[1],
                                                InboxRow.State.ROUTED,
                                                runId,
                                                "",
                                                0))));
    }

    @Test
    void lostRowOfARunIsToldOfByItsStreamAndByItsMessage() throws SQLException {
        String runId;
        try (TestStore store = open()) {
            runId = store.newTape(3);
            accept(store, "m-1", runId);
        }
        onDisk("DELETE FROM runs");
        try (TestStore store = open()) {
            awaitLoss(store, "stream 2", "table runs", "its head and its tape are there");
            awaitLoss(store, "run " + runId, "message m-1");
            assertTrue(store.journal().run(runId).isEmpty());
            assertEquals("user:alice", store.journal().loss(runId).orElseThrow().principal());
            assertEquals(1, store.journal().losses("user:alice").size());
            assertEquals(0, store.journal().losses("user:bob").size());
            assertTrue(store.journal().loss("none").isEmpty());
            VerificationReport report = store.journal().verifyAll(() -> false);
            assertEquals("stream 2", report.fault().orElseThrow().streamId());
            assertEquals(
                    ErrorCode.CORRUPT,
                    assertThrows(
                                    PalyraException.class,
                                    () -> store.journal().verifyStream(runId, () -> false))
                            .code());
        }
    }

    @Test
    void tapeOfWhichNeitherRunNorHeadIsThereIsToldOfAndItsNumberIsNotUsedAgain()
            throws SQLException {
        try (TestStore store = open()) {
            store.newTape(3);
        }
        onDisk("DELETE FROM runs");
        onDisk("DELETE FROM heads WHERE stream_no > 1");
        try (TestStore store = open()) {
            String later = store.newTape(3);
            assertEquals(3, store.journal().tape(later, 0, 10).size());
            assertTrue(store.journal().verifyStream(later, () -> false).intact());
            awaitLoss(store, "stream 2", "tables runs and heads");
            VerificationReport report = store.journal().verifyAll(() -> false);
            assertEquals("stream 2", report.fault().orElseThrow().streamId());
        }
    }

    @Test
    void headOfTheJournalsOwnStreamIsMadeAgainAtTheStart() throws SQLException {
        long before;
        try (TestStore store = open()) {
            store.append(TapeRecord.JOURNAL_STREAM, 250);
            before = store.journal().headSeq(TapeRecord.JOURNAL_STREAM);
        }
        onDisk("DELETE FROM heads WHERE stream_no = 1");
        try (TestStore store = open()) {
            store.append(TapeRecord.JOURNAL_STREAM, 1);
            assertTrue(store.journal().headSeq(TapeRecord.JOURNAL_STREAM) > before);
            assertTrue(
                    store.journal().verifyStream(TapeRecord.JOURNAL_STREAM, () -> false).intact());
            assertTrue(
                    store.journal().tape(TapeRecord.JOURNAL_STREAM, before, 100).stream()
                            .anyMatch(record -> record.type().equals("head_recomputed")));
        }
    }

    @Test
    void headThatIsLostWhileItIsInUseIsWrittenAgain() throws SQLException {
        try (TestStore store = open()) {
            String runId = store.newTape(3);
            loseHead(runId);
            store.append(runId, 1);
            assertEquals(4, store.journal().headSeq(runId));
            assertTrue(store.journal().verifyStream(runId, () -> false).intact());
        }
    }
}
