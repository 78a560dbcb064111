package palyra.front.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.front.internal.Answers.codeOf;
import static palyra.front.internal.Answers.refusal;
import static palyra.front.internal.Answers.yes;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.GrantShape;
import palyra.api.approval.GrantState;
import palyra.api.approval.GrantView;
import palyra.api.core.journal.GrantRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.api.tape.TapeRecord;
import palyra.shared.hash.Ulids;
import palyra.shared.json.StrictJson;

class GrantsTest extends AnswerStage {
    private final Ulids ids = new Ulids();

    private String grant(ApprovalScope scope, int maxUses) {
        String id = Questions.ask().in(stage, run);
        return front.decide(APPROVER, yes(id, scope, GrantShape.EXACT, maxUses))
                .outcome()
                .grantId();
    }

    private void use(String grantId, int attempt) {
        stage.journal().commit(Unit.of(new Operation.UseGrant(grantId, "call-1", attempt)));
    }

    private List<GrantView> seenBy(Principal who, boolean activeOnly) {
        return front.grants(who, "", activeOnly, "", 100);
    }

    @Test
    void aGrantSaysWhatItCoversAndForWhom() {
        String id = grant(ApprovalScope.SESSION, 3);
        GrantView view = seenBy(ALICE, true).get(0);
        assertEquals(id, view.grantId());
        assertEquals(ALICE.id(), view.principal());
        assertEquals(run.sessionId, view.sessionId());
        assertEquals(ApprovalScope.SESSION, view.scope());
        assertEquals("covers SESSION EXACT", view.covers());
        assertEquals(APPROVER.id(), view.grantedBy());
        assertEquals(3, view.maxUses());
        assertEquals(GrantState.ACTIVE, view.state());
    }

    @Test
    void grantsAreSeenByTheirOwnerByApproversAndByOperators() {
        String id = grant(ApprovalScope.SESSION, 0);
        for (Principal who : List.of(ALICE, APPROVER, OPERATOR)) {
            assertEquals(id, seenBy(who, true).get(0).grantId());
            assertEquals(1, front.grants(who, run.sessionId, false, "", 10).size());
        }
        for (Principal who : List.of(BOB, VIEWER)) {
            assertEquals(List.of(), seenBy(who, false));
            assertEquals(List.of(), front.grants(who, run.sessionId, false, "", 10));
        }
        assertEquals(ErrorCode.DENIED, codeOf(() -> seenBy(People.person("nobody"), false)));
        assertEquals(
                ErrorCode.INVALID_ARGUMENT,
                codeOf(() -> front.grants(APPROVER, "x", false, "", 10)));
        assertEquals(
                ErrorCode.INVALID_ARGUMENT,
                codeOf(() -> front.grants(APPROVER, "", false, "", 501)));
    }

    @Test
    void onlyWhatCoversCallsIsActive() {
        String used = grant(ApprovalScope.SESSION, 1);
        use(used, 1);
        String timed = grant(ApprovalScope.TIMEBOXED, 0);
        String open = grant(ApprovalScope.SESSION, 0);
        front = front(System.currentTimeMillis() + 120_000);
        assertEquals(
                List.of(open), seenBy(APPROVER, true).stream().map(GrantView::grantId).toList());
        List<GrantView> all = seenBy(APPROVER, false);
        assertEquals(
                List.of(GrantState.EXHAUSTED, GrantState.EXPIRED, GrantState.ACTIVE),
                all.stream().map(GrantView::state).toList());
        assertEquals(timed, all.get(1).grantId());
        assertEquals(open, front.grants(APPROVER, "", false, timed, 10).get(0).grantId());
    }

    @Test
    void aGrantIsTakenBackOnceWithTheReason() {
        String id = grant(ApprovalScope.SESSION, 0);
        use(id, 1);
        GrantView revoked = front.revoke(APPROVER, id, "enough");
        assertEquals(GrantState.REVOKED, revoked.state());
        assertEquals(APPROVER.id(), revoked.endedBy());
        assertEquals(1, stage.decisions("approval.revoke").size());
        JsonNode event = revocation();
        assertEquals("enough", event.path("reason").asText());
        assertEquals(id, event.path("grantId").asText());
        assertEquals(1, event.path("uses").asInt());
        PalyraException twice = refusal(() -> front.revoke(OPERATOR, id, ""));
        assertEquals(ErrorCode.CONFLICT, twice.code());
        assertTrue(twice.getMessage().contains("user:ann took it back at 20"), twice.getMessage());
        assertEquals(ErrorCode.CONFLICT, codeOf(() -> use(id, 2)));
    }

    private JsonNode revocation() {
        TapeRecord event =
                stage.journal().tape(TapeRecord.JOURNAL_STREAM, 0, 1_000).stream()
                        .filter(record -> record.type().equals("grant_revoked"))
                        .findFirst()
                        .orElseThrow();
        return StrictJson.parse(event.payload(), "a revocation");
    }

    @Test
    void ownersTakeBackTheirOwnAndNobodyElses() {
        String id = grant(ApprovalScope.SESSION, 0);
        for (Principal who : List.of(BOB, People.person("other", "integrator"))) {
            assertEquals(ErrorCode.NOT_FOUND, codeOf(() -> front.revoke(who, id, "")));
        }
        for (Principal who : List.of(VIEWER, People.person("nobody"))) {
            assertEquals(ErrorCode.DENIED, codeOf(() -> front.revoke(who, id, "")));
            assertEquals(ErrorCode.DENIED, codeOf(() -> front.revoke(who, ids.next(), "")));
        }
        assertEquals(GrantRow.State.ACTIVE, grants().get(0).state());
        assertEquals(GrantState.REVOKED, front.revoke(ALICE, id, "").state());
    }

    @Test
    void whatCoversNothingAnyMoreIsNotTakenBack() {
        String used = grant(ApprovalScope.SESSION, 1);
        use(used, 1);
        String timed = grant(ApprovalScope.TIMEBOXED, 0);
        String archived = grant(ApprovalScope.SESSION, 0);
        run.end(RunState.CANCELLED);
        stage.journal().commit(Unit.of(new Operation.ArchiveSession(run.sessionId)));
        front = front(System.currentTimeMillis() + 120_000);
        said(used, "its 1 calls were made");
        said(timed, "its time was over");
        said(archived, "its session was archived");
        assertEquals(List.of(), stage.decisions("approval.revoke"));
    }

    private void said(String grantId, String what) {
        PalyraException refused = refusal(() -> front.revoke(OPERATOR, grantId, ""));
        assertEquals(ErrorCode.CONFLICT, refused.code());
        assertTrue(refused.getMessage().contains(what), refused.getMessage());
    }

    @Test
    void whatIsNoGrantIsNotFound() {
        assertEquals(ErrorCode.NOT_FOUND, codeOf(() -> front.revoke(OPERATOR, ids.next(), "")));
        assertEquals(ErrorCode.INVALID_ARGUMENT, codeOf(() -> front.revoke(OPERATOR, "x", "")));
        String id = grant(ApprovalScope.SESSION, 0);
        assertEquals(
                ErrorCode.INVALID_ARGUMENT,
                codeOf(() -> front.revoke(OPERATOR, id, "x".repeat(1_001))));
    }

    @Test
    void aGrantThatCannotBeReadIsShownAsCoveringNothing() {
        stage.journal()
                .commit(
                        Unit.of(
                                new Operation.PutGrant(
                                        GrantRow.begin(
                                                ids.next(),
                                                ids.next(),
                                                run.sessionId,
                                                ALICE.id(),
                                                "default",
                                                "palyra.echo",
                                                "",
                                                "{}".getBytes(StandardCharsets.UTF_8),
                                                0,
                                                0))));
        GrantView view = seenBy(ALICE, false).get(0);
        assertTrue(view.covers().contains("covers nothing"), view.covers());
        assertEquals(ApprovalScope.ONCE, view.scope());
        front.revoke(ALICE, view.grantId(), "");
    }
}
