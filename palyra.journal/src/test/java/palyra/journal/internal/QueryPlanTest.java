package palyra.journal.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.journal.ApprovalFilter;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.BudgetAmount;
import palyra.api.core.journal.BudgetClaim;
import palyra.api.core.journal.GrantRow;
import palyra.api.core.journal.IdempotencyKey;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.RunPayloads;
import palyra.api.core.journal.RunSnapshot;
import palyra.api.core.journal.SettledKind;
import palyra.api.core.journal.TapeVerifier.Extent;
import palyra.api.core.journal.TapeVerifier.Progress;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.journal.internal.database.Sql;
import palyra.testing.wait.Await;

/**
 * Cost stays flat however much is stored: no statement of the store looks at a whole table or sorts
 * what it found.
 */
class QueryPlanTest {
    @TempDir Path state;

    @Test
    void noStatementScansOrSorts() throws SQLException {
        FaultyMedium medium = new FaultyMedium(state.resolve("journal"));
        JournalSettings checking =
                TestStore.settings(state)
                        .with(new JournalSettings.Checks(1L << 30, 100, 3_600_000, 0, 1, 0));
        try (TestStore store = TestStore.on(checking, medium)) {
            write(store);
            read(store.journal());
            store.journal().verifyAll(() -> false);
            Await.until("a checkpoint", () -> store.journal().openSeals() == 0);
            store.journal().verifyAll(() -> false);
            store.journal().verifyAll(Extent.NEW, Progress.NONE, () -> false);
            Await.until("a scrub", () -> store.journal().status().scrub().isPresent());
            Await.until(
                    "upkeep",
                    () ->
                            medium.statements().stream()
                                    .anyMatch(text -> text.startsWith("DELETE FROM idempotency")));
        }
        List<String> bad = new ArrayList<>();
        int looked = 0;
        try (Sql sql = TestStore.direct(state.resolve("journal"))) {
            for (String text : new TreeSet<>(medium.statements())) {
                if (text.matches("(SELECT|UPDATE|DELETE|INSERT).*(?s:.*)")) {
                    looked++;
                    bad.addAll(faults(sql, text));
                }
            }
        }
        assertEquals(List.of(), bad);
        assertTrue(looked > 60, "looked at " + looked + " statements");
    }

    @Test
    void questionsAndGrantsFollowTheIndexOfWhatIsAsked() throws SQLException {
        FaultyMedium medium = new FaultyMedium(state.resolve("journal"));
        try (TestStore store = TestStore.on(TestStore.settings(state), medium)) {
            store.journal()
                    .approvals(
                            new ApprovalFilter(Optional.empty(), "", "", "", "", "s", 0, 0),
                            "",
                            10);
            store.journal().grants("u", "s", "t", 1, "", 10);
        }
        try (Sql sql = TestStore.direct(state.resolve("journal"))) {
            assertEquals(
                    "SEARCH approvals USING INDEX approvals_session (session_id=? AND"
                            + " approval_id>?)",
                    plan(sql, medium, "FROM approvals WHERE session_id = ?"));
            assertEquals(
                    "SEARCH grants USING INDEX grants_active (principal=? AND tool=? AND"
                            + " session_id=? AND expires_at=? AND grant_id>?)",
                    plan(sql, medium, "AND session_id = ? AND expires_at = 0"));
            assertTrue(
                    plan(sql, medium, "AND session_id = ? AND expires_at > ?")
                            .startsWith(
                                    "SEARCH grants USING INDEX grants_active (principal=? AND"
                                            + " tool=? AND session_id=? AND expires_at>?)"));
        }
    }

    @Test
    void conversationsAreReadFromTheirLastMessageBack() throws SQLException {
        FaultyMedium medium = new FaultyMedium(state.resolve("journal"));
        try (TestStore store = TestStore.on(TestStore.settings(state), medium)) {
            store.journal().inboxOf("chat", "room", "", 10);
            store.journal().outboxSent("chat", "room", "", 10);
        }
        try (Sql sql = TestStore.direct(state.resolve("journal"))) {
            assertEquals(
                    "SEARCH inbox USING INDEX inbox_conversation (surface=? AND conversation=? AND"
                            + " message_id<?)",
                    plan(sql, medium, "AND conversation = ?"));
            assertEquals(
                    "SEARCH outbox USING INDEX outbox_sent (surface=? AND order_key=? AND"
                            + " outbox_id<?)",
                    plan(sql, medium, "state = 'SENT' AND outbox_id < ?"));
        }
    }

    private static String plan(Sql sql, FaultyMedium medium, String part) throws SQLException {
        String text =
                medium.statements().stream().filter(one -> one.contains(part)).findFirst().get();
        return String.join("; ", sql.list("EXPLAIN QUERY PLAN " + text, row -> row.getString(4)));
    }

    private static List<String> faults(Sql sql, String text) throws SQLException {
        List<String> plan = sql.list("EXPLAIN QUERY PLAN " + text, row -> row.getString(4));
        return plan.stream()
                .filter(step -> step.startsWith("SCAN") || step.contains("TEMP B-TREE"))
                .filter(step -> !allowed(text, step))
                .map(step -> step + " in " + text)
                .toList();
    }

    /**
     * Walking all of an index in its order, up to a limit, is no search; the probe's table is
     * always empty, max() of a key looks at its last entry, and grants for a time that cover a call
     * now are as few as people gave.
     */
    private static boolean allowed(String text, String step) {
        return text.equals("DELETE FROM probe")
                || (step.contains("TEMP B-TREE")
                        && text.contains("session_id = ? AND expires_at > ?"))
                || text.startsWith("SELECT max(stream_no) FROM ")
                || text.equals("SELECT max(no) FROM session_numbers")
                || (step.startsWith("SCAN payload_files USING") && text.contains("LIMIT"))
                || step.startsWith("SCAN f VIRTUAL TABLE INDEX")
                || step.equals("SCAN session_search VIRTUAL TABLE INDEX 0:=") // one row
                || text.contains(" FROM sqlite_schema ") // as long as the schema
                || text.contains(" FROM pragma_table_info(")
                || step.equals("SCAN 1 CONSTANT ROW")
                || step.equals("SCAN CONSTANT ROW");
    }

    private static void write(TestStore store) {
        String runId = store.newSealedTape(3);
        String open = store.newTape(3);
        Journal journal = store.journal();
        InboxRow message =
                new InboxRow(
                        "m", "chat", "1", "user:a", new byte[1], InboxRow.State.QUEUED, "", "", 0);
        OutboxRow answer =
                new OutboxRow("o", open, "chat", new byte[1], OutboxRow.State.PENDING, 0, 0, 0);
        approvals(journal, open);
        budgets(journal, open);
        journal.commit(
                Unit.builder()
                        .once(new IdempotencyKey("s", "k", "d"), new byte[1])
                        .require(new Precondition.Epoch(open, 1))
                        .require(new Precondition.DocumentAt("c", "k", 0))
                        .add(new Operation.PutInbox(message))
                        .add(new Operation.SettleInbox("m", InboxRow.State.ROUTED, open, ""))
                        .add(new Operation.PutOutbox(answer))
                        .add(
                                new Operation.MoveOutbox(
                                        "o", OutboxRow.State.PENDING, OutboxRow.State.SENDING))
                        .add(new Operation.PutDocument("c", "k", new byte[1]))
                        .add(new Operation.DeleteDocument("c", "k"))
                        .add(new Operation.ClaimRun(open, 2))
                        .add(new Operation.Append(open, "t", 1, new byte[100_000]))
                        .add(new Operation.PutSnapshot(new RunSnapshot(open, 4, 1, new byte[1])))
                        .add(new Operation.ErasePayload(open, 4))
                        .build());
        String session = journal.run(open).orElseThrow().sessionId();
        journal.commit(
                Unit.builder()
                        .require(new Precondition.InboxIn("m", InboxRow.State.ROUTED))
                        .require(new Precondition.RunIn(open, EnumSet.of(RunState.RUNNING)))
                        .require(new Precondition.SessionLive(session))
                        .add(new Operation.BindSession(session, "other"))
                        .add(
                                new Operation.MoveRun(
                                        open, EnumSet.of(RunState.RUNNING), RunState.FAILED, "x"))
                        .build());
        journal.commit(
                Unit.builder()
                        .require(new Precondition.SessionIdle(session))
                        .add(new Operation.ArchiveSession(session))
                        .build());
        journal.takeLease("engine", "boot-1/a", 1_000);
        journal.releaseLease("engine", "boot-1/a");
        journal.tape(runId, 0, 10);
        retention(journal, runId);
    }

    /** What is due, and its removal. */
    private static void retention(Journal journal, String runId) {
        long later = System.currentTimeMillis() + 1_000;
        for (RunPayloads left : RunPayloads.values()) {
            journal.endedRuns(left, later, "", 10);
            journal.endedRuns(left, later, runId, 10);
        }
        for (SettledKind kind : SettledKind.values()) {
            journal.settled(kind, later, "", 10);
            journal.commit(Unit.of(new Operation.DropSettled(kind, "none", later)));
        }
        journal.commit(
                Unit.of(
                        new Operation.DropSettled(SettledKind.MESSAGE, "m", later),
                        new Operation.NoteRunPayloads(runId, RunPayloads.NONE)));
    }

    /** Accounts of budgets and what is set aside in them. */
    private static void budgets(Journal journal, String runId) {
        BudgetAmount amount = new BudgetAmount(10, 10, 1);
        BudgetClaim claim = new BudgetClaim("b", "all", "run:" + runId, amount, amount);
        journal.commit(
                Unit.builder()
                        .add(new Operation.ReserveBudget("r", runId, List.of(claim)))
                        .add(new Operation.SettleBudget("r", amount))
                        .add(new Operation.NoteBudget("b", "all", claim.period(), amount, 50))
                        .build());
        journal.budgets(claim.period(), "all", 0, 10);
        journal.budgets(claim.period(), "", 0, 10);
        journal.budgets("", "", 0, 10);
    }

    /** Questions, votes, reminders and grants. */
    private static void approvals(Journal journal, String runId) {
        ApprovalRow question =
                ApprovalRow.asked(
                        "a",
                        runId,
                        "c",
                        "s",
                        "u",
                        "TOOL",
                        "t",
                        "{}".getBytes(StandardCharsets.UTF_8),
                        2,
                        Long.MAX_VALUE,
                        1);
        GrantRow grant = GrantRow.begin("g", "a", "s", "u", "main", "t", "", new byte[1], 0, 0);
        journal.commit(
                Unit.of(
                        new Operation.PutApproval(question),
                        new Operation.NoteApproval("a", 0, 2)));
        journal.commit(
                Unit.builder()
                        .require(new Precondition.ApprovalOpen("a", 0))
                        .add(new Operation.VoteApproval("a", "b", new byte[1]))
                        .add(new Operation.DecideApproval("a", ApprovalRow.State.GRANTED, "b"))
                        .add(new Operation.PutGrant(grant))
                        .build());
        journal.commit(Unit.of(new Operation.UseGrant("g", "c", 1)));
        journal.commit(Unit.of(new Operation.RevokeGrant("g", "b")));
    }

    private static void readApprovals(Journal journal) {
        for (String run : List.of("", "r")) {
            for (String principal : List.of("", "u")) {
                for (Optional<ApprovalRow.State> state :
                        List.of(
                                Optional.<ApprovalRow.State>empty(),
                                Optional.of(ApprovalRow.State.PENDING))) {
                    journal.approvals(
                            new ApprovalFilter(state, "TOOL", "t", principal, run, "s", 1, 2),
                            "",
                            10);
                }
            }
        }
        for (String principal : List.of("", "u")) {
            for (long activeAt : new long[] {0, 1}) {
                journal.grants(principal, "", "", activeAt, "", 10);
                journal.grants(principal, "s", "t", activeAt, "", 10);
            }
        }
        journal.approvalVotes("a");
        journal.approvalsDue(1, 10);
        journal.answeredRuns("", 10);
        journal.answeredRuns("r", 10);
        journal.grant("g");
    }

    private static void read(Journal journal) {
        for (String principal : List.of("", "user:alice")) {
            for (String text : List.of("", "x", "xyz")) {
                journal.sessions(principal, text, "", 10, true);
                journal.sessions(principal, text, "", 10, false);
            }
            journal.runs(principal, "", "", 10);
            journal.runs(principal, "s", "", 10);
            journal.runs(principal, "s", "r", 10);
        }
        for (String one : List.of("", "x")) {
            journal.runsIn(EnumSet.allOf(RunState.class), one, "", 10);
            journal.outboxIn(OutboxRow.State.PENDING, one, "", 10);
        }
        journal.sessionByKey("user:alice", "k");
        journal.session("s");
        journal.inbox("m");
        journal.inboxIn(InboxRow.State.QUEUED, "", 10);
        journal.inboxOf("chat", "room", "", 10);
        journal.outboxSent("chat", "room", "", 10);
        journal.outboxOf("r");
        journal.pendingCommands("", 10);
        journal.approval("a");
        readApprovals(journal);
        journal.snapshot("r");
        journal.document("c", "k");
        journal.documents("c", "", 10);
        journal.lease("engine");
        journal.stored(new IdempotencyKey("s", "k", "d"));
        journal.headSeq("journal");
    }
}
