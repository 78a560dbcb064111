package palyra.front.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.front.internal.Answers.codeOf;
import static palyra.front.internal.Answers.no;
import static palyra.front.internal.Answers.refusal;
import static palyra.front.internal.Answers.yes;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.approval.ApprovalAnswer;
import palyra.api.approval.ApprovalExportFormat;
import palyra.api.approval.ApprovalQuery;
import palyra.api.approval.ApprovalState;
import palyra.api.core.access.Access;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.Operation;
import palyra.front.internal.approval.ApprovalFront;
import palyra.shared.gate.Gate;

class AnswerOutageTest extends AnswerStage {
    private static final Logger LOG = LoggerFactory.getLogger(AnswerOutageTest.class);

    private static boolean isAnswer(Operation operation) {
        return operation instanceof Operation.DecideApproval;
    }

    /**
     * A journal comes whose commits of answers fail with a code, before or after they happen; with
     * {@code once} only the first of each unit does.
     */
    private void failing(ErrorCode code, boolean happens, boolean once) {
        Set<String> failed = new HashSet<>();
        stage.journalGoes();
        stage.journalComes(
                (commit, unit) -> {
                    if (unit.operations().stream().noneMatch(AnswerOutageTest::isAnswer)) {
                        return commit.apply(unit);
                    }
                    String key = unit.idempotencyKey().orElseThrow().key();
                    if (once && !failed.add(key)) {
                        return commit.apply(unit);
                    }
                    Object happened = happens ? commit.apply(unit) : "nothing";
                    LOG.debug("{}", happened);
                    throw new PalyraException(code, "played");
                });
    }

    @Test
    void withoutTheJournalNothingIsAnswered() {
        String id = Questions.ask().in(stage, run);
        stage.journalGoes();
        List<Runnable> all =
                List.of(
                        () -> front.decide(APPROVER, yes(id)),
                        () -> front.decide(APPROVER, no(id, "")),
                        () -> front.approval(APPROVER, id),
                        () -> front.pending(APPROVER, "", "", 10),
                        () -> front.list(APPROVER, ApprovalQuery.ALL, "", 10),
                        () -> front.grants(APPROVER, "", true, "", 10),
                        () -> front.revoke(APPROVER, id, ""));
        for (Runnable each : all) {
            assertEquals(ErrorCode.JOURNAL_UNAVAILABLE, codeOf(each));
        }
        stage.journalComes();
        assertEquals(ApprovalRow.State.PENDING, row(id).state());
        assertEquals(ApprovalState.GRANTED, front.decide(APPROVER, yes(id)).state());
    }

    @Test
    void aYesForARunThatCannotBeReadIsNotTaken() {
        String id = Questions.ask().in(stage, run);
        stage.runsUnreadable(true);
        assertEquals(ErrorCode.CORRUPT, codeOf(() -> front.decide(APPROVER, yes(id))));
        stage.runsUnreadable(false);
        assertEquals(ApprovalRow.State.PENDING, row(id).state());
        assertEquals(ApprovalState.GRANTED, front.decide(APPROVER, yes(id)).state());
    }

    @Test
    void withoutAccessControlNothingIsAnswered() {
        String id = Questions.ask().in(stage, run);
        Gate<Access> nobody = new Gate<>("Access control", ErrorCode.POLICY_UNAVAILABLE, 0);
        ApprovalFront alone =
                new ApprovalFront(
                        new GatedAccess(nobody), stage.journalGate, stage.keysGate, () -> 0);
        assertEquals(ErrorCode.POLICY_UNAVAILABLE, codeOf(() -> alone.decide(OPERATOR, yes(id))));
        assertEquals(ApprovalRow.State.PENDING, row(id).state());
        // The positive control: the same answer, as soon as there is somebody to ask.
        nobody.add(stage.access, Map.of());
        assertEquals(ApprovalState.GRANTED, alone.decide(OPERATOR, yes(id)).state());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAnswerOfUnknownOutcomeIsFoundOrGivenOnce(boolean happened) {
        failing(ErrorCode.OUTCOME_UNKNOWN, happened, true);
        for (ApprovalAnswer answer :
                List.of(
                        yes(Questions.ask().in(stage, run)),
                        no(Questions.ask().in(stage, run), "because"))) {
            assertEquals(
                    answer.granted() ? ApprovalState.GRANTED : ApprovalState.DENIED,
                    front.decide(APPROVER, answer).state());
        }
        assertEquals(2, decided().size());
        assertEquals(1, grants().size());
    }

    @Test
    void anAnswerWhoseOutcomeStaysUnknownIsNotCalledGiven() {
        failing(ErrorCode.OUTCOME_UNKNOWN, false, false);
        String id = Questions.ask().in(stage, run);
        PalyraException refused = refusal(() -> front.decide(APPROVER, yes(id)));
        assertEquals(ErrorCode.OUTCOME_UNKNOWN, refused.code());
        assertTrue(
                refused.getMessage().contains("look at the approval request"),
                refused.getMessage());
        assertEquals(ApprovalRow.State.PENDING, row(id).state());
        assertEquals(List.of(), decided());
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "DISK_FULL",
                "READ_ONLY",
                "RESOURCE_EXHAUSTED",
                "TIMED_OUT",
                "JOURNAL_UNAVAILABLE"
            })
    void aStoreThatTakesNothingSaysSo(ErrorCode code) {
        failing(code, false, false);
        String id = Questions.ask().in(stage, run);
        assertEquals(code, codeOf(() -> front.decide(APPROVER, yes(id))));
        assertEquals(List.of(), grants());
    }

    @Test
    void anAnswerDuringTheJournalsUpdateIsGivenOnceItIsBack() throws Exception {
        String id = Questions.ask().in(stage, run);
        Gate<palyra.api.core.journal.Journal> patient =
                new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 30_000);
        ApprovalFront waiting =
                new ApprovalFront(stage.access, patient, stage.keysGate, System::currentTimeMillis);
        Thread answering = new Thread(() -> waiting.decide(APPROVER, yes(id)), "answering");
        answering.start();
        patient.add(stage.journal(), Map.of());
        answering.join(30_000);
        assertEquals(ApprovalRow.State.GRANTED, row(id).state());
    }

    @Test
    void withoutKeysNothingIsExported() {
        Questions.ask().in(stage, run);
        stage.keysGate.remove(stage.keyStore);
        List<byte[]> chunks = new java.util.ArrayList<>();
        PalyraException refused =
                assertThrows(
                        PalyraException.class,
                        () ->
                                front.export(
                                        APPROVER,
                                        ApprovalQuery.ALL,
                                        ApprovalExportFormat.NDJSON,
                                        10,
                                        chunks::add));
        assertEquals(ErrorCode.KEYS_UNAVAILABLE, refused.code());
        assertEquals(0, chunks.size());
    }

    @Test
    void aPrincipalWithoutGroupsSeesNothing() {
        Principal nobody = People.person("nobody");
        assertEquals(
                ErrorCode.DENIED,
                codeOf(
                        () ->
                                front.export(
                                        nobody,
                                        ApprovalQuery.ALL,
                                        ApprovalExportFormat.NDJSON,
                                        10,
                                        chunk -> {})));
    }
}
