package palyra.testing.journal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.GrantRow;
import palyra.api.core.journal.Operation;
import palyra.api.run.RunState;

/** A grant covers what was given, as often and as long as was given, and no more. */
interface GrantRules extends Rules {
    private GrantRow give(String sessionId, String callId, long expiresAtMillis, int maxUses) {
        GrantRow row =
                GrantRow.begin(
                        IDS.next(),
                        "approval-1",
                        sessionId,
                        ALICE,
                        "main",
                        "palyra.echo",
                        callId,
                        Rules.json("covers"),
                        expiresAtMillis,
                        maxUses);
        commit(new Operation.PutGrant(row));
        return row;
    }

    private void use(GrantRow row, String callId, int attempt) {
        commit(new Operation.UseGrant(row.grantId(), callId, attempt));
    }

    private GrantRow found(GrantRow row) {
        return journal().grant(row.grantId()).orElseThrow();
    }

    private List<String> active(String sessionId) {
        return ids(journal().grants(ALICE, sessionId, "palyra.echo", clock().millis(), "", 10));
    }

    private static List<String> ids(List<GrantRow> rows) {
        return rows.stream().map(GrantRow::grantId).toList();
    }

    @Test
    default void grantIsKeptAsItWasGiven() {
        GrantRow row = give("s1", "c1", clock().millis() + 5, 7);
        GrantRow found = found(row);
        assertEquals(
                List.of("approval-1", "s1", ALICE, "main", "palyra.echo", "c1"),
                List.of(
                        found.approvalId(),
                        found.sessionId(),
                        found.principal(),
                        found.agentId(),
                        found.tool(),
                        found.callId()));
        assertArrayEquals(Rules.json("covers"), found.payload());
        assertEquals(GrantRow.State.ACTIVE, found.state());
        assertEquals(clock().millis(), found.createdAtMillis());
        assertEquals(clock().millis() + 5, found.expiresAtMillis());
        assertEquals(7, found.maxUses());
        assertEquals(0, found.uses());
        Rules.refused(ErrorCode.ALREADY_EXISTS, () -> commit(new Operation.PutGrant(row)));
        assertTrue(journal().grant("none").isEmpty());
    }

    private void ask(String approvalId, String runId, String onceOnly) {
        String payload = "{\"call\":{\"onceOnly\":\"" + onceOnly + "\"}}";
        commit(
                new Operation.PutApproval(
                        ApprovalRow.asked(
                                approvalId,
                                runId,
                                "c1",
                                "s1",
                                ALICE,
                                "TOOL",
                                "tool:palyra.echo",
                                payload.getBytes(StandardCharsets.UTF_8),
                                1,
                                clock().millis() + 1_000,
                                0)));
    }

    private GrantRow answer(String approvalId, String callId, int maxUses) {
        GrantRow row =
                GrantRow.begin(
                        IDS.next(),
                        approvalId,
                        "s1",
                        ALICE,
                        "main",
                        "palyra.echo",
                        callId,
                        Rules.json("covers"),
                        0,
                        maxUses);
        commit(new Operation.PutGrant(row));
        return row;
    }

    @Test
    default void refusesALongerGrantThanAQuestionForOnceAllows() {
        String runId = newRun(RunState.RUNNING);
        String once = IDS.next();
        ask(once, runId, "Part of the call is hidden.");
        for (String callId : List.of("", "c2")) {
            Rules.refused(ErrorCode.DENIED, () -> answer(once, callId, 1));
        }
        Rules.refused(ErrorCode.DENIED, () -> answer(once, "c1", 0));
        Rules.refused(ErrorCode.DENIED, () -> answer(once, "c1", 2));
        assertEquals(GrantRow.State.ACTIVE, found(answer(once, "c1", 1)).state());
        String longer = IDS.next();
        ask(longer, runId, "");
        assertEquals(GrantRow.State.ACTIVE, found(answer(longer, "", 0)).state());
    }

    /** A yes for one call that nothing will use is not listed as if it covered something. */
    @Test
    default void grantOfOneCallEndsWithAnotherQuestionAboutItAndWithItsRun() {
        String runId = newRun(RunState.RUNNING);
        String first = IDS.next();
        ask(first, runId, "");
        GrantRow replaced = answer(first, "c1", 1);
        GrantRow otherCall = give("s1", "c2", 0, 1);
        GrantRow wider = give("s1", "", 0, 0);
        String second = IDS.next();
        ask(second, runId, "");
        assertEquals(GrantRow.State.EXPIRED, found(replaced).state());
        GrantRow unused = answer(second, "c1", 1);
        assertEquals(GrantRow.State.ACTIVE, found(unused).state());
        commit(new Operation.MoveRun(runId, EnumSet.of(RunState.RUNNING), RunState.FAILED, ""));
        assertEquals(GrantRow.State.EXPIRED, found(unused).state());
        assertEquals(GrantRow.State.ACTIVE, found(otherCall).state());
        assertEquals(GrantRow.State.ACTIVE, found(wider).state());
    }

    @Test
    default void lastUseEndsTheGrant() {
        GrantRow row = give("", "", 0, 2);
        use(row, "c1", 1);
        assertEquals(GrantRow.State.ACTIVE, found(row).state());
        use(row, "c1", 2);
        assertEquals(GrantRow.State.EXHAUSTED, found(row).state());
        assertEquals(2, found(row).uses());
        assertEquals(clock().millis(), found(row).endedAtMillis());
        Rules.refused(ErrorCode.CONFLICT, () -> use(row, "c2", 1));
        assertEquals(2, found(row).uses());
        Rules.refused(ErrorCode.NOT_FOUND, () -> commit(new Operation.UseGrant("none", "c", 1)));
    }

    @Test
    default void grantWithoutANumberIsUsedAsOftenAsCallsCome() {
        GrantRow row = give("", "", 0, 0);
        for (int i = 1; i <= 20; i++) {
            use(row, "c" + i, 1);
        }
        assertEquals(20, found(row).uses());
        assertEquals(GrantRow.State.ACTIVE, found(row).state());
    }

    @Test
    default void oneStartUsesAGrantOnce() {
        GrantRow row = give("", "", 0, 5);
        use(row, "c1", 1);
        Rules.refused(ErrorCode.CONFLICT, () -> use(row, "c1", 1));
        assertEquals(1, found(row).uses());
        use(row, "c1", 2);
    }

    @Test
    default void grantOfOneCallCoversNoOther() {
        GrantRow row = give("", "c1", 0, 1);
        Rules.refused(ErrorCode.CONFLICT, () -> use(row, "c2", 1));
        use(row, "c1", 1);
    }

    @Test
    default void grantWhoseTimeIsOverCoversNothing() {
        GrantRow row = give("", "", clock().millis() + 10, 0);
        use(row, "c1", 1);
        assertEquals(List.of(row.grantId()), active(""));
        clock().advance(10);
        assertEquals(List.of(), active(""));
        Rules.refused(ErrorCode.CONFLICT, () -> use(row, "c2", 1));
        assertEquals(1, found(row).uses());
    }

    @Test
    default void grantThatWasTakenBackCoversNothing() {
        GrantRow row = give("", "", 0, 0);
        clock().advance(3);
        commit(new Operation.RevokeGrant(row.grantId(), "user:bob"));
        assertEquals(GrantRow.State.REVOKED, found(row).state());
        assertEquals("user:bob", found(row).endedBy());
        assertEquals(clock().millis(), found(row).endedAtMillis());
        assertEquals(List.of(), active(""));
        Rules.refused(ErrorCode.CONFLICT, () -> use(row, "c1", 1));
        Rules.refused(
                ErrorCode.CONFLICT,
                () -> commit(new Operation.RevokeGrant(row.grantId(), "user:bob")));
        Rules.refused(
                ErrorCode.NOT_FOUND, () -> commit(new Operation.RevokeGrant("none", "user:bob")));
    }

    @Test
    default void useAndStartAreOneOrNeither() {
        String runId = newRun(RunState.RUNNING);
        GrantRow row = give("", "", 0, 1);
        use(row, "c1", 1);
        Rules.refused(
                ErrorCode.CONFLICT,
                () ->
                        commit(
                                Rules.append(runId, "started"),
                                new Operation.UseGrant(row.grantId(), "c2", 1)));
        assertEquals(List.of(), texts(runId));
        GrantRow other = give("", "", 0, 1);
        Rules.refused(
                ErrorCode.NOT_FOUND,
                () ->
                        commit(
                                new Operation.UseGrant(other.grantId(), "c2", 1),
                                Rules.move("no-such-run", RunState.FAILED)));
        assertEquals(0, found(other).uses());
    }

    @Test
    default void racedLastUseIsWonOnce() throws Exception {
        GrantRow row = give("", "", 0, 1);
        List<Callable<Boolean>> race = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String callId = "c" + i;
            race.add(() -> uses(row, callId));
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(race.size())) {
            long won = 0;
            for (Future<Boolean> racer : threads.invokeAll(race, 30, TimeUnit.SECONDS)) {
                won += racer.get() ? 1 : 0;
            }
            assertEquals(1, won);
        }
        assertEquals(1, found(row).uses());
    }

    private boolean uses(GrantRow row, String callId) {
        try {
            use(row, callId, 1);
            return true;
        } catch (PalyraException e) {
            assertEquals(ErrorCode.CONFLICT, e.code());
            return false;
        }
    }

    @Test
    default void endOfTheSessionEndsItsGrantsAlone() {
        String sessionId = newSession();
        GrantRow own = give(sessionId, "", 0, 0);
        GrantRow free = give("", "", 0, 0);
        GrantRow revoked = give(sessionId, "", 0, 0);
        commit(new Operation.RevokeGrant(revoked.grantId(), "user:bob"));
        commit(new Operation.ArchiveSession(sessionId));
        assertEquals(GrantRow.State.EXPIRED, found(own).state());
        assertEquals(clock().millis(), found(own).endedAtMillis());
        assertEquals(GrantRow.State.ACTIVE, found(free).state());
        assertEquals(GrantRow.State.REVOKED, found(revoked).state());
        Rules.refused(ErrorCode.CONFLICT, () -> use(own, "c1", 1));
    }

    @Test
    default void grantsAreFoundByWhomTheyCover() {
        GrantRow free = give("", "", 0, 0);
        GrantRow one = give("s1", "", 0, 0);
        GrantRow two = give("s2", "", 0, 0);
        GrantRow used = give("s1", "", 0, 1);
        use(used, "c1", 1);
        assertEquals(List.of(free.grantId(), one.grantId()), active("s1"));
        assertEquals(List.of(free.grantId(), two.grantId()), active("s2"));
        assertEquals(
                ids(List.of(free, one, two)),
                ids(journal().grants("", "", "", clock().millis(), "", 10)));
        assertEquals(
                ids(List.of(free, one, two, used)), ids(journal().grants("", "", "", 0, "", 10)));
        assertEquals(
                ids(List.of(two, used)),
                ids(journal().grants(ALICE, "", "", 0, one.grantId(), 10)));
        assertEquals(ids(List.of(free)), ids(journal().grants(ALICE, "", "palyra.echo", 0, "", 1)));
        assertEquals(List.of(), journal().grants(ALICE, "", "palyra.other", 0, "", 10));
        assertEquals(List.of(), journal().grants("user:zoe", "", "", 0, "", 10));
        assertEquals(
                List.of(),
                journal().grants("user:zoe", "", "palyra.echo", clock().millis(), "", 10));
    }

    @Test
    default void grantsAndTheirUsesOutliveTheStore() {
        GrantRow row = give("", "", 0, 2);
        use(row, "c1", 1);
        reopen("boot-2");
        assertEquals(1, found(row).uses());
        Rules.refused(ErrorCode.CONFLICT, () -> use(row, "c1", 1));
        use(row, "c2", 1);
        assertEquals(GrantRow.State.EXHAUSTED, found(row).state());
    }
}
