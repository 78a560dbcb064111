package palyra.gateway.internal.approval;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.core.access.ApprovalTerms;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.JournalFactory;
import palyra.journal.internal.JournalSettings;
import palyra.journal.internal.SqliteJournal;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.PairingApprovals;
import palyra.shared.gate.Gate;
import palyra.testing.journal.ManualClock;
import palyra.testing.journal.MemoryKeys;

/** Questions end when their own time is over, whatever the system's clock says. */
class ApprovalExpiryTest {
    private static final long DAY = 86_400_000;
    private static final long HOUR = 3_600_000;
    private static final ApprovalTerms TERMS =
            new ApprovalTerms(
                    Set.of("group:approver"),
                    true,
                    DAY,
                    Samples.TERMS.scopes(),
                    1,
                    2 * HOUR,
                    Set.of("user:chief"));

    @TempDir Path state;

    private final ManualClock wall = new ManualClock(1_000_000);
    private final ManualClock steady = new ManualClock(0);
    private final ApprovalRequestBody question = Samples.question(TERMS, Samples.ls());
    private SqliteJournal journal;
    private ApprovalExpiry due;

    @BeforeEach
    void ask() {
        journal =
                JournalFactory.open(
                        JournalSettings.under(state, "boot"),
                        new MemoryKeys(),
                        wall,
                        () -> TimeUnit.MILLISECONDS.toNanos(steady.millis()));
        Gate<Journal> gate = new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
        gate.add(journal, Map.of());
        due = new ApprovalExpiry(gate, unit -> journal.commit(unit.build()), new ApprovalMeter());
        journal.commit(
                Unit.of(
                        new Operation.InsertSession(
                                new SessionView(
                                        "session", "", "", "user:alice", "", "", "", 0, 0, 0, "")),
                        new Operation.InsertRun(
                                "run",
                                "session",
                                "user:alice",
                                "default",
                                "interactive",
                                "",
                                "chat",
                                RunState.RUNNING,
                                1),
                        new Operation.PutApproval(ApprovalRequestFactory.row(question, 2 * HOUR))));
    }

    @AfterEach
    void close() {
        journal.close();
    }

    private void pass(long millis) {
        wall.advance(millis);
        steady.advance(millis);
    }

    private ApprovalRow look() {
        due.run(wall.millis());
        return journal.approval(question.approvalId()).orElseThrow();
    }

    private List<String> told() {
        return journal.tape(TapeRecord.JOURNAL_STREAM, 0, 100).stream()
                .map(TapeRecord::type)
                .filter(type -> type.startsWith("approval_"))
                .toList();
    }

    /** A sender who wants to be answered waits for no call: what came of it is in the journal. */
    @Test
    void requestWithoutARunEndsToo() {
        ApprovalRow sender =
                ApprovalRow.asked(
                        "01J0000000000000000000000P",
                        "",
                        "",
                        "",
                        "user:fake:main:ann",
                        PairingApprovals.SUBJECT_TYPE,
                        PairingApprovals.subjectId("fake:main", "ann"),
                        new byte[0],
                        1,
                        wall.millis() + HOUR,
                        0);
        journal.commit(Unit.of(new Operation.PutApproval(sender)));
        pass(HOUR - 1);
        look();
        assertEquals(
                ApprovalRow.State.PENDING,
                journal.approval(sender.approvalId()).orElseThrow().state());
        pass(1);
        assertEquals(ApprovalRow.State.PENDING, look().state());
        assertEquals(
                ApprovalRow.State.EXPIRED,
                journal.approval(sender.approvalId()).orElseThrow().state());
        look();
        assertEquals(
                1,
                journal.tape(TapeRecord.JOURNAL_STREAM, 0, 100).stream()
                        .filter(record -> record.type().equals("pairing_decided"))
                        .count());
    }

    @Test
    void clockThatJumpsForwardNeitherEndsNorHurriesAQuestion() {
        wall.advance(3 * DAY);
        assertEquals(ApprovalRow.State.PENDING, look().state());
        assertEquals(List.of(), told());
        assertOwnTime();
    }

    @Test
    void clockThatJumpsBackKeepsNoQuestionOpen() {
        wall.advance(-3 * HOUR);
        assertEquals(ApprovalRow.State.PENDING, look().state());
        assertOwnTime();
    }

    private void assertOwnTime() {
        pass(DAY - 2 * HOUR - 1);
        assertEquals(0, look().notices());
        pass(1);
        assertEquals(1, look().notices());
        pass(HOUR - 1);
        assertEquals(1, look().notices());
        pass(1);
        assertEquals(2, look().notices());
        assertEquals(List.of(ApprovalExpiry.REMINDED, ApprovalExpiry.ESCALATED), told());
        pass(HOUR - 1);
        assertEquals(ApprovalRow.State.PENDING, look().state());
        pass(1);
        assertEquals(ApprovalRow.State.EXPIRED, look().state());
    }
}
