package palyra.front.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.front.internal.Answers.codeOf;
import static palyra.front.internal.Answers.idsOf;
import static palyra.front.internal.Answers.no;
import static palyra.front.internal.Answers.yes;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.approval.ApprovalAnswer;
import palyra.api.approval.ApprovalExportFormat;
import palyra.api.approval.ApprovalQuery;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.ApprovalState;
import palyra.api.approval.ApprovalSubject;
import palyra.api.approval.ApprovalView;
import palyra.api.approval.GrantShape;
import palyra.api.approval.GrantState;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.GrantRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeRecord;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.ApprovalRequestCodec;
import palyra.shared.approval.PairingApprovals;
import palyra.shared.hash.Ulids;
import palyra.shared.json.StrictJson;

/** A sender who wants to be answered is an approval request without a run. */
class PairingAnswerTest extends AnswerStage {
    private static final String SENDER = "user:fake:main:ann";
    private static final long DAY = 86_400_000;
    private static final Ulids IDS = new Ulids();

    private String ask() {
        return ask(null);
    }

    /** Asks as channels do; {@code payload} null means a request that can be read. */
    private String ask(byte[] payload) {
        String id = IDS.next();
        ApprovalRequestBody body =
                new ApprovalRequestBody(
                        id,
                        PairingApprovals.SUBJECT_TYPE,
                        PairingApprovals.subjectId("fake:main", "ann"),
                        1,
                        "answer ann of fake:main",
                        new ApprovalRequestBody.Origin("", "", "", "", SENDER, "", "fake:main"),
                        null,
                        null,
                        new ApprovalRequestBody.Terms(
                                List.of("action:channel.pair"),
                                false,
                                List.of("ONCE", "TIMEBOXED"),
                                1,
                                List.of(),
                                0),
                        new ApprovalRequestBody.Policy(List.of(), "", "", "asks"),
                        new ApprovalRequestBody.Prompt(
                                "Answer a new sender?",
                                "MEDIUM",
                                "Sender: ann",
                                "why",
                                600,
                                List.of(option("ONCE"), option("TIMEBOXED"))),
                        1_000,
                        Questions.FAR);
        ApprovalRow row =
                ApprovalRow.asked(
                        id,
                        "",
                        "",
                        "",
                        SENDER,
                        body.subjectType(),
                        body.subjectId(),
                        payload == null ? ApprovalRequestCodec.bytes(body) : payload,
                        1,
                        Questions.FAR,
                        0);
        stage.journal().commit(Unit.of(new Operation.PutApproval(row)));
        return id;
    }

    private static ApprovalRequestBody.Option option(String scope) {
        return new ApprovalRequestBody.Option(
                "allow_" + scope, scope, "covers " + scope, false, true, scope, "EXACT", 0);
    }

    private List<JsonNode> events() {
        return stage.journal().tape(TapeRecord.JOURNAL_STREAM, 0, 1_000).stream()
                .filter(record -> record.type().equals("pairing_decided"))
                .map(record -> StrictJson.parse(record.payload(), "an event"))
                .toList();
    }

    private boolean answered() {
        long now = System.currentTimeMillis();
        return !stage.journal().grants(SENDER, "", PairingApprovals.ACTION, now, "", 9).isEmpty();
    }

    @Test
    void aYesIsAGrantThatIsListedAndTakenBack() {
        String id = ask();
        ApprovalView view = answer(OPERATOR, yes(id));
        assertEquals(ApprovalState.GRANTED, view.state());
        assertEquals(OPERATOR.id(), view.outcome().decidedBy());
        assertTrue(answered());
        JsonNode event = events().getFirst();
        assertEquals("GRANTED", event.path("state").asText());
        assertEquals(view.outcome().grantId(), event.path("grantId").asText());
        assertEquals(
                view.outcome().grantId(),
                front.grants(OPERATOR, "", true, "", 10).getFirst().grantId());
        // The action of the command, not the right to take back what an approval covers.
        assertEquals(
                ErrorCode.DENIED,
                codeOf(() -> front.revoke(APPROVER, view.outcome().grantId(), "")));
        assertTrue(answered());
        assertEquals(
                GrantState.REVOKED,
                front.revoke(OPERATOR, view.outcome().grantId(), "spam").state());
        assertEquals(false, answered());
        assertEquals(
                GrantState.REVOKED, front.grants(OPERATOR, "", false, "", 10).getFirst().state());
    }

    @Test
    void policyIsAskedWhatItIsAskedAboutTheCommand() {
        String id = ask();
        for (ApprovalAnswer answer : List.of(yes(id), no(id, ""))) {
            assertEquals(ErrorCode.DENIED, codeOf(() -> answer(APPROVER, answer)));
            assertEquals(ErrorCode.DENIED, codeOf(() -> answer(ALICE, answer)));
        }
        assertEquals(ApprovalRow.State.PENDING, row(id).state());
        assertEquals(List.of(), events());
        answer(OPERATOR, no(id, "unknown to me"));
        List<JsonNode> decisions = stage.decisions("channel.pair");
        assertEquals("command:pairing.deny", decisions.getLast().path("resource").asText());
        assertEquals("DENIED", events().getFirst().path("state").asText());
        assertEquals("unknown to me", events().getFirst().path("reason").asText());
        assertEquals(false, answered());
        assertEquals(ErrorCode.CONFLICT, codeOf(() -> answer(OPERATOR, yes(id))));
    }

    @Test
    void aTimeMayBeLongerThanForCalls() {
        String id = ask();
        long before = System.currentTimeMillis();
        answer(OPERATOR, new ApprovalAnswer(id, true, ApprovalScope.TIMEBOXED, 90 * DAY, ""));
        GrantRow grant = grants().getFirst();
        assertTrue(grant.expiresAtMillis() >= before + 89 * DAY, grant.toString());
        assertEquals(
                ErrorCode.INVALID_ARGUMENT,
                codeOf(
                        () ->
                                answer(
                                        OPERATOR,
                                        new ApprovalAnswer(
                                                ask(), true, ApprovalScope.SESSION, 0, ""))));
    }

    /** Nothing counts the messages that it lets in. */
    @Test
    void aNumberOfUsesIsRefused() {
        String id = ask();
        assertEquals(
                ErrorCode.INVALID_ARGUMENT,
                codeOf(
                        () ->
                                answer(
                                        OPERATOR,
                                        new ApprovalAnswer(
                                                id,
                                                true,
                                                ApprovalScope.TIMEBOXED,
                                                GrantShape.EXACT,
                                                DAY,
                                                1,
                                                ""))));
        assertEquals(List.of(), grants());
    }

    @Test
    void itIsListedShownAndExportedLikeAnyOther() {
        String call = Questions.ask().in(stage, run);
        String id = ask();
        assertEquals(List.of(call, id), idsOf(front.list(APPROVER, ApprovalQuery.ALL, "", 10)));
        assertEquals(List.of(call, id), idsOf(front.pending(OPERATOR, "", "", 10)));
        ApprovalQuery pairings =
                new ApprovalQuery(
                        Optional.of(ApprovalState.PENDING),
                        Optional.of(ApprovalSubject.DEVICE_PAIRING),
                        "",
                        "",
                        "",
                        "",
                        0,
                        0);
        ApprovalView view = front.list(APPROVER, pairings, "", 10).getFirst();
        assertEquals(
                List.of("", "", "sender:fake:main/ann", SENDER),
                List.of(view.runId(), view.callId(), view.subjectId(), view.origin().principal()));
        assertEquals(view, front.approval(APPROVER, id).orElseThrow());
        assertEquals(Optional.empty(), front.approval(ALICE, id));
        StringBuilder export = new StringBuilder();
        front.export(
                OPERATOR,
                pairings,
                ApprovalExportFormat.NDJSON,
                10,
                chunk -> export.append(new String(chunk, StandardCharsets.UTF_8)));
        assertTrue(export.toString().contains("\"sender:fake:main/ann\""), export.toString());
    }

    @Test
    void whatCannotBeReadTakesANoAlone() {
        String id = ask("{}".getBytes(StandardCharsets.UTF_8));
        assertEquals(ErrorCode.CORRUPT, codeOf(() -> answer(OPERATOR, yes(id))));
        assertEquals(ErrorCode.DENIED, codeOf(() -> answer(APPROVER, no(id, ""))));
        assertEquals(ApprovalState.DENIED, answer(OPERATOR, no(id, "")).state());
    }

    /** The gateway ends right before, or right after, what an answer writes. */
    @ParameterizedTest
    @CsvSource({"true,true", "true,false", "false,true", "false,false"})
    void anEndBesideTheAnswerLeavesAllOfItOrNothing(boolean granted, boolean written) {
        String id = ask();
        ending(written);
        ApprovalAnswer answer = granted ? yes(id) : no(id, "");
        assertEquals(ErrorCode.OUTCOME_UNKNOWN, codeOf(() -> answer(OPERATOR, answer)));
        reopen();
        assertEquals(written ? 1 : 0, events().size());
        assertEquals(written && granted, answered());
        if (written) {
            assertEquals(ErrorCode.CONFLICT, codeOf(() -> answer(OPERATOR, answer)));
        } else {
            assertEquals(ApprovalRow.State.PENDING, row(id).state());
            answer(OPERATOR, answer);
        }
        assertEquals(
                granted ? ApprovalRow.State.GRANTED : ApprovalRow.State.DENIED, row(id).state());
        assertEquals(1, events().size());
        assertEquals(granted ? 1 : 0, grants().size());
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void anEndBesideARevocationLeavesAllOfItOrNothing(boolean written) {
        String grant = answer(OPERATOR, yes(ask())).outcome().grantId();
        ending(written);
        assertEquals(ErrorCode.OUTCOME_UNKNOWN, codeOf(() -> front.revoke(OPERATOR, grant, "")));
        reopen();
        assertEquals(!written, answered());
        long told =
                stage.journal().tape(TapeRecord.JOURNAL_STREAM, 0, 1_000).stream()
                        .filter(record -> record.type().equals("grant_revoked"))
                        .count();
        assertEquals(written ? 1 : 0, told);
    }

    private void ending(boolean written) {
        stage.journalGoes();
        stage.journalComes(
                (commit, unit) -> {
                    Object happened = written ? commit.apply(unit) : "nothing";
                    throw new PalyraException(ErrorCode.OUTCOME_UNKNOWN, "after " + happened);
                });
    }

    private void reopen() {
        stage.journalGoes();
        stage.journalComes();
    }
}
