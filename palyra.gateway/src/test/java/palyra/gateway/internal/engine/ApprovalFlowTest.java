package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.approval.GrantShape;
import palyra.api.core.access.ApprovalTerms;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.WorkspaceState;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.GrantRow;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.core.tools.CallDescription;
import palyra.api.core.tools.CallPattern;
import palyra.api.core.tools.ToolExamination;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelMessage;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.api.tool.ToolResult;
import palyra.gateway.internal.engine.tool.CallAuthorizer;
import palyra.gateway.internal.fold.RunHistory;
import palyra.shared.approval.Question;
import palyra.shared.approval.QuestionCodec;
import palyra.shared.approval.WhoMayAnswer;
import palyra.shared.run.SubmissionCodec;
import palyra.shared.tape.TapeCodec;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.tool.RecordingConfinedTool;
import palyra.testing.tool.RecordingTool;
import palyra.testing.wait.Await;

/** Questions to people, from the proposal to the effect. */
class ApprovalFlowTest {
    private static final String ASKS = "test.asks";
    private static final String ASKS_TOO = "test.confined";
    private static final String READS = "test.reads";
    private static final CallFacts GIT =
            new CallFacts(
                    "/usr/bin/git",
                    "a".repeat(64),
                    "/work",
                    "status",
                    Set.of(),
                    1,
                    Set.of(),
                    Set.of(),
                    Set.of(),
                    Set.of(),
                    Set.of(),
                    Set.of());

    @TempDir Path state;

    private final ScriptedModelProvider model = new ScriptedModelProvider();
    private final RecordingTool tool = RecordingTool.withEffect(ASKS);
    private final RecordingTool reads = RecordingTool.named(READS);
    private final RecordingConfinedTool confined =
            new RecordingConfinedTool(ASKS_TOO).finding(git("status"));
    private final PeopleAccess access = new PeopleAccess(ASKS, ASKS_TOO);
    private LightGateway.Surroundings around;
    private LightGateway gateway;
    private Answers people;

    private static ToolExamination git(String subcommand, String... options) {
        return ToolExamination.facts(
                GIT,
                new CallDescription(
                        "git " + subcommand,
                        List.of("git", subcommand),
                        "",
                        Optional.of(
                                new CallPattern(
                                        "git " + subcommand + " of any file",
                                        "{\"sub\":\"" + subcommand + "\"}",
                                        Set.of(options),
                                        Set.of()))));
    }

    @BeforeEach
    void open() {
        around = new LightGateway.Surroundings(state, "boot", tool, reads, confined);
        gateway = gateway("boot/1").offering(ASKS, READS, ASKS_TOO);
        people = new Answers(around.journal());
    }

    private LightGateway gateway(String owner) {
        return new LightGateway(around, model, owner, UnaryOperator.identity(), access)
                .awaitReady();
    }

    @AfterEach
    void close() {
        gateway.close();
        model.close();
        around.close();
    }

    private String asking() {
        model.propose(ASKS, "{\"n\":1}").answer("done");
        return gateway.submit("do it").runId();
    }

    private List<Verdict> verdicts(String runId) {
        return gateway.records(runId, TapeEvent.ToolDecision.class).stream()
                .map(TapeEvent.ToolDecision::verdict)
                .toList();
    }

    private TapeEvent.ToolDecision lastDecision(String runId) {
        return gateway.records(runId, TapeEvent.ToolDecision.class).getLast();
    }

    private TapeEvent.ToolCallOutput output(String runId) {
        return gateway.records(runId, TapeEvent.ToolCallOutput.class).getLast();
    }

    @Test
    void aCallWaitsForAPersonAndRunsAfterTheYes() {
        String runId = asking();
        ApprovalRow question = people.waiting(runId).get(0);
        assertEquals(0, tool.calls().size(), "nothing ran before the answer");
        String grant = people.yes(question, Answers.Yes.once());
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(1, tool.calls().size());
        assertEquals(
                List.of(
                        "run_state",
                        "message",
                        "run_state",
                        "turn_started",
                        "turn_finished",
                        "tool_call_proposal",
                        "tool_decision",
                        "approval_request",
                        "run_state",
                        "approval_decision",
                        "run_state",
                        "tool_decision",
                        "tool_started",
                        "tool_call_output",
                        "tool_attestation",
                        "turn_started",
                        "model_token",
                        "turn_finished",
                        "message",
                        "run_state"),
                gateway.types(runId));
        TapeEvent.ToolDecision decision = lastDecision(runId);
        assertEquals(grant, decision.grantId());
        assertEquals(List.of("user:boss"), decision.approvedBy());
        assertEquals(grant, gateway.records(runId, TapeEvent.ToolStarted.class).get(0).grantId());
        GrantRow used = around.journal().grant(grant).orElseThrow();
        assertEquals(GrantRow.State.EXHAUSTED, used.state());
        assertTrue(around.opened.verifyStream(runId, () -> false).intact());
    }

    /** The row of a question can be lost by damage: nobody can answer it, so it is a no. */
    @Test
    void aRunWhoseQuestionIsLostEndsWithoutItsEffect() throws Exception {
        String runId = asking();
        people.waiting(runId);
        gateway.close();
        around.close();
        onDisk("DELETE FROM approvals");
        around = new LightGateway.Surroundings(state, "boot2", tool, reads, confined);
        gateway = gateway("boot2/1").offering(ASKS, READS, ASKS_TOO);
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(0, tool.calls().size());
        assertEquals(Outcome.DENIED, output(runId).outcome());
        TapeEvent.ApprovalDecision no =
                gateway.records(runId, TapeEvent.ApprovalDecision.class).getLast();
        assertFalse(no.granted());
        assertEquals("The journal lost the question, which means no.", no.reason());
        around.assertVerified();
    }

    /** Its session would wait for ever behind a run that is not there. */
    @Test
    void aSessionGoesOnWhenTheRowOfItsWaitingRunIsLost() throws Exception {
        model.propose(ASKS, "{\"n\":1}").answer("done");
        String runId = gateway.submit("do it").runId();
        people.waiting(runId);
        onDisk("DELETE FROM runs");
        assertEquals(RunState.SUCCEEDED, gateway.ended(gateway.submit("and this").runId()).state());
        assertTrue(around.journal().loss(runId).isPresent());
        assertTrue(
                around.journal().losses("").stream().anyMatch(one -> one.runId().equals(runId)),
                "what a read met is told at once");
    }

    private void onDisk(String text) throws SQLException {
        try (Connection disk =
                        DriverManager.getConnection(
                                "jdbc:sqlite:" + state.resolve("journal/journal.db"));
                Statement statement = disk.createStatement()) {
            assertEquals(1, statement.executeUpdate(text));
        }
    }

    @Test
    void theQuestionSaysWhatWouldRunAndWhoMayAnswer() {
        model.propose(ASKS_TOO, "{\"command\":\"git\"}").answer("done");
        String runId = gateway.submit("do it").runId();
        Question question = Answers.question(people.waiting(runId).get(0));
        assertEquals("/usr/bin/git", question.call().executable());
        assertEquals(List.of("git", "status"), question.call().argv());
        assertEquals(List.of("group:approver"), question.terms().approvers());
        assertTrue(question.terms().others());
        assertEquals(List.of("ONCE", "SESSION", "TIMEBOXED"), question.terms().scopes());
        assertEquals("tool:" + ASKS_TOO, question.subjectId());
        assertEquals("operators read this", question.prompt().explanation());
        assertEquals(
                gateway.records(runId, TapeEvent.ApprovalRequest.class).get(0).bindingSha256(),
                question.call().bindingSha256());
        people.no(people.open(runId).get(0), "user:boss", "");
        gateway.ended(runId);
    }

    @Test
    void theQuestionNamesThePersonWhoseCredentialStartedTheRun() {
        model.propose(ASKS_TOO, "{\"command\":\"git\"}").answer("done");
        SubmittedMessage message = SubmittedMessage.of("shell", "do it");
        InboxRow own = LightGateway.inbox(message);
        InboxRow brought =
                new InboxRow(
                        own.messageId(),
                        own.surface(),
                        own.dedupeKey(),
                        own.principal(),
                        SubmissionCodec.storedBytes(message, Set.of(), "service:bridge"),
                        own.state(),
                        own.runId(),
                        own.reason(),
                        own.createdAtMillis());
        String runId = gateway.host.router().accept(brought, message, List.of()).runId();
        Question question = Answers.question(people.waiting(runId).get(0));
        assertEquals("service:bridge", question.origin().person());
        assertEquals(own.principal(), question.origin().principal());
        people.no(people.open(runId).get(0), "user:boss", "");
        gateway.ended(runId);
    }

    @Test
    void aNoIsToldToTheModelWithItsReason() {
        String runId = asking();
        people.no(people.waiting(runId).get(0), "user:boss", "use the staging key");
        gateway.ended(runId);
        assertEquals(Outcome.DENIED, output(runId).outcome());
        List<ModelMessage> said = model.requests().get(1).messages();
        assertTrue(said.getLast().text().contains("use the staging key"), said.getLast().text());
        assertEquals(0, tool.calls().size());
        assertEquals(0, gateway.records(runId, TapeEvent.ToolStarted.class).size());
    }

    @Test
    void withoutAnAnswerInTimeItIsANo() {
        access.terms =
                new ApprovalTerms(
                        Set.of("group:approver"), true, 200, PeopleAccess.TERMS.scopes(), 1);
        String runId = asking();
        RunRow run = gateway.ended(runId);
        assertEquals(RunState.SUCCEEDED, run.state());
        TapeEvent.ApprovalDecision decision =
                gateway.records(runId, TapeEvent.ApprovalDecision.class).get(0);
        assertFalse(decision.granted());
        assertEquals("", decision.decidedBy());
        assertTrue(output(runId).error().contains("in time"), output(runId).error());
        assertEquals(0, tool.calls().size());
    }

    @Test
    void aSessionGrantCoversEqualCallsOfTheSessionAndNoOthers() {
        String first = asking();
        people.yes(people.waiting(first).get(0), Answers.Yes.session());
        gateway.ended(first);
        String second = asking();
        assertEquals(RunState.SUCCEEDED, gateway.ended(second).state());
        assertEquals(List.of(Verdict.ALLOW), verdicts(second), "nobody was asked again");
        assertEquals(2, tool.calls().size());
        model.propose(ASKS, "{\"n\":2}").answer("done");
        String other = gateway.submit("do it").runId();
        people.no(people.waiting(other).get(0), "user:boss", "");
        gateway.ended(other);
        assertEquals(2, tool.calls().size(), "another input is another call");
    }

    @Test
    void aPatternGrantCoversWhatItsPatternCovers() {
        model.propose(ASKS_TOO, "{\"a\":1}").answer("done");
        String first = gateway.submit("go").runId();
        people.yes(people.waiting(first).get(0), Answers.Yes.session().shaped(GrantShape.PATTERN));
        gateway.ended(first);
        model.propose(ASKS_TOO, "{\"a\":2}").answer("done");
        String second = gateway.ended(gateway.submit("go").runId()).runId();
        assertEquals(List.of(Verdict.ALLOW), verdicts(second));
        confined.finding(git("status", "--ext-diff"));
        model.propose(ASKS_TOO, "{\"a\":3}").answer("done");
        String third = gateway.submit("go").runId();
        people.no(people.waiting(third).get(0), "user:boss", "");
        gateway.ended(third);
        confined.finding(git("push"));
        model.propose(ASKS_TOO, "{\"a\":4}").answer("done");
        String fourth = gateway.submit("go").runId();
        people.no(people.waiting(fourth).get(0), "user:boss", "");
        gateway.ended(fourth);
        assertEquals(2, confined.orders().size());
    }

    @Test
    void aRevokedGrantIsNotUsed() {
        String first = asking();
        String grant = people.yes(people.waiting(first).get(0), Answers.Yes.session());
        gateway.ended(first);
        people.revoke(grant);
        String second = asking();
        people.no(people.waiting(second).get(0), "user:boss", "");
        gateway.ended(second);
        assertEquals(1, tool.calls().size());
    }

    @Test
    void aStricterPolicyBetweenYesAndStartDenies() {
        String runId = asking();
        ApprovalRow question = people.waiting(runId).get(0);
        access.deniesAll = true;
        people.yes(question, Answers.Yes.once());
        gateway.ended(runId);
        assertEquals(Verdict.DENY, lastDecision(runId).verdict());
        assertEquals("policy_changed", lastDecision(runId).reasonCode());
        assertEquals(Outcome.DENIED, output(runId).outcome());
        assertEquals(0, tool.calls().size());
    }

    @Test
    void aPolicyThatNowWantsMorePeopleAsksAgain() {
        String runId = asking();
        ApprovalRow question = people.waiting(runId).get(0);
        access.terms = PeopleAccess.terms(2);
        people.yes(question, Answers.Yes.once());
        ApprovalRow again =
                Await.value(
                        "a second question",
                        () ->
                                people.open(runId).stream()
                                        .filter(q -> !q.approvalId().equals(question.approvalId()))
                                        .findFirst());
        assertEquals(2, Answers.question(again).ask());
        assertEquals(2, again.quorum());
        people.waiting(runId);
        people.vote(
                again,
                new Answers.Yes("user:one", Answers.Yes.once().scope(), GrantShape.EXACT, 1));
        people.yes(again, Answers.Yes.once());
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(List.of("user:one", "user:boss"), lastDecision(runId).approvedBy());
        assertEquals(1, tool.calls().size());
    }

    @Test
    void anotherSandboxThanThePersonWasShownAsksAgain() {
        String runId = asking();
        ApprovalRow question = people.waiting(runId).get(0);
        access.confinement = new Confinement(Confinement.Tier.B, Confinement.Egress.NONE);
        people.yes(question, Answers.Yes.once());
        ApprovalRow again =
                Await.value("a second question", () -> people.open(runId).stream().findFirst());
        assertNotEquals(
                Answers.question(question).call().bindingSha256(),
                Answers.question(again).call().bindingSha256());
        people.no(again, "user:boss", "");
        gateway.ended(runId);
        assertEquals(0, tool.calls().size());
    }

    @Test
    void factsThatChangeAskAgainAndNotForEver() {
        model.propose(ASKS_TOO, "{}").answer("done");
        String runId = gateway.submit("go").runId();
        for (int i = 1; i <= CallAuthorizer.MOST_ASKS; i++) {
            ApprovalRow question = people.asked(runId);
            assertEquals(i, Answers.question(question).ask());
            confined.finding(
                    ToolExamination.facts(
                            new CallFacts(
                                    "/usr/bin/git" + i,
                                    "",
                                    Set.of(),
                                    0,
                                    Set.of(),
                                    Set.of(),
                                    Set.of(),
                                    Set.of(),
                                    Set.of(),
                                    Set.of())));
            people.yes(question, Answers.Yes.once());
        }
        gateway.ended(runId);
        assertEquals("policy_changed", lastDecision(runId).reasonCode());
        assertEquals(0, confined.orders().size());
    }

    private static ToolExamination inWorkspace(String state, String note, String... running) {
        CallDescription said = new CallDescription("make", List.of("make"), "", Optional.empty());
        return ToolExamination.facts(
                GIT.in(new WorkspaceState(state.repeat(64), 3, Set.of(running))),
                note.isEmpty() ? said : said.with(List.of(note)));
    }

    private ApprovalRow askedInWorkspace() {
        confined.finding(inWorkspace("a", ""));
        model.propose(ASKS_TOO, "{}").answer("done");
        return people.asked(gateway.submit("go").runId());
    }

    @Test
    void aYesForOneCallRunsInTheWorkspaceThatWasShown() {
        ApprovalRow question = askedInWorkspace();
        assertEquals("a".repeat(64), Answers.question(question).call().workspaceSha256());
        people.yes(question, Answers.Yes.once());
        assertEquals(RunState.SUCCEEDED, gateway.ended(question.runId()).state());
        assertEquals(1, confined.orders().size());
    }

    @Test
    void filesThatChangeBetweenQuestionAndStartAskAgainAndNameTheDifference() {
        ApprovalRow question = askedInWorkspace();
        confined.finding(inWorkspace("b", "changed: Makefile"));
        people.yes(question, Answers.Yes.once());
        ApprovalRow again = people.asked(question.runId());
        assertEquals(2, Answers.question(again).ask());
        String text = Answers.question(again).prompt().summary();
        assertTrue(text.contains("\"changed: Makefile\""), text);
        assertEquals(0, confined.orders().size());
        people.yes(again, Answers.Yes.once());
        gateway.ended(question.runId());
        assertEquals(1, confined.orders().size());
    }

    @Test
    void whatBeganToRunInTheWorkspaceAfterTheQuestionAsksAgain() {
        ApprovalRow question = askedInWorkspace();
        confined.finding(inWorkspace("a", "running: p-1 make watch", "p-1"));
        people.yes(question, Answers.Yes.once());
        ApprovalRow again = people.asked(question.runId());
        assertEquals(List.of("p-1"), Answers.question(again).call().running());
        confined.finding(inWorkspace("a", "")); // it ended, and can change nothing any more
        people.yes(again, Answers.Yes.once());
        assertEquals(RunState.SUCCEEDED, gateway.ended(question.runId()).state());
        assertEquals(1, confined.orders().size());
    }

    @Test
    void aGrantForLongerCoversWhateverTheWorkspaceHoldsAndSaysSo() {
        ApprovalRow question = askedInWorkspace();
        String options = Answers.question(question).prompt().options().toString();
        assertTrue(options.contains("whatever files the workspace then holds"), options);
        assertTrue(options.contains("you are asked again"), options);
        people.yes(question, Answers.Yes.session());
        gateway.ended(question.runId());
        confined.finding(inWorkspace("b", ""));
        model.propose(ASKS_TOO, "{}").answer("done");
        String second = gateway.ended(gateway.submit("go").runId()).runId();
        assertEquals(List.of(Verdict.ALLOW), verdicts(second));
        assertEquals(2, confined.orders().size());
    }

    @Test
    void aForgedAnswerOnTheTapeWithoutAGrantRunsNothing() {
        String runId = asking();
        ApprovalRow question = people.waiting(runId).get(0);
        around.journal()
                .commit(
                        Unit.builder()
                                .add(
                                        new Operation.DecideApproval(
                                                question.approvalId(),
                                                ApprovalRow.State.GRANTED,
                                                "user:mallory"))
                                .add(
                                        TapeCodec.append(
                                                runId,
                                                new TapeEvent.ApprovalDecision(
                                                        question.approvalId(),
                                                        question.callId(),
                                                        true,
                                                        "once",
                                                        "user:mallory",
                                                        "",
                                                        "exact",
                                                        "01ARZ3NDEKTSV4RRFFQ69G5FAV",
                                                        List.of("user:mallory"))))
                                .build());
        ApprovalRow again = people.asked(runId);
        people.no(again, "user:boss", "");
        gateway.ended(runId);
        assertEquals(0, tool.calls().size());
    }

    @Test
    void waitingCallsHoldUpNothingAndResultsKeepTheOrderOfProposals() {
        model.turn(
                new ModelEvent.Proposed(new ToolProposal("", READS, "{\"n\":1}")),
                new ModelEvent.Proposed(new ToolProposal("", ASKS, "{\"n\":2}")),
                new ModelEvent.Proposed(new ToolProposal("", READS, "{\"n\":3}")),
                new ModelEvent.Finished("tool_calls", 1, 1));
        model.answer("done");
        reads.holding();
        String runId = gateway.submit("go").runId();
        Await.until("both reads to run at once", () -> reads.calls().size() == 2);
        assertEquals(1, people.open(runId).size(), "the question is asked meanwhile");
        reads.release();
        people.yes(people.waiting(runId).get(0), Answers.Yes.once());
        gateway.ended(runId);
        List<String> told =
                model.requests().get(1).messages().stream()
                        .filter(ModelMessage.ToolOutput.class::isInstance)
                        .map(m -> ((ModelMessage.ToolOutput) m).callId())
                        .toList();
        assertEquals(
                gateway.records(runId, TapeEvent.ToolCallProposal.class).stream()
                        .map(TapeEvent.ToolCallProposal::callId)
                        .toList(),
                told);
        assertEquals(
                List.of(READS, READS, ASKS),
                gateway.records(runId, TapeEvent.ToolStarted.class).stream()
                        .map(TapeEvent.ToolStarted::tool)
                        .toList());
    }

    @Test
    void anAnswerThatComesWhileOthersStillRunIsNotLost() {
        model.turn(
                new ModelEvent.Proposed(new ToolProposal("", READS, "{\"n\":1}")),
                new ModelEvent.Proposed(new ToolProposal("", ASKS, "{\"n\":2}")),
                new ModelEvent.Finished("tool_calls", 1, 1));
        model.answer("done");
        reads.holding();
        String runId = gateway.submit("go").runId();
        ApprovalRow question = people.asked(runId);
        Await.until("the read to run", () -> reads.calls().size() == 1);
        people.yes(question, Answers.Yes.once());
        reads.release();
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(1, tool.calls().size());
        assertFalse(
                gateway.records(runId, TapeEvent.RunStateChanged.class).stream()
                        .anyMatch(s -> s.state() == RunState.AWAITING_APPROVAL),
                "the run never had to wait");
    }

    @Test
    void aWaitingRunHoldsNoWorkerAndKeepsItsSession() {
        String runId = asking();
        people.waiting(runId);
        Await.until("no worker", () -> gateway.host.activeRuns() == 0);
        Submission second = gateway.submit("next");
        assertEquals(RunState.ACCEPTED, around.journal().run(second.runId()).orElseThrow().state());
        long started = gateway.host.startedRuns();
        model.answer("second");
        people.yes(people.open(runId).get(0), Answers.Yes.once());
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(RunState.SUCCEEDED, gateway.ended(second.runId()).state());
        assertEquals(started + 2, gateway.host.startedRuns(), "one worker each, none in vain");
    }

    private void assertNamesWhoMayAnswer(String runId, ApprovalRow question, String reason) {
        Question.Terms terms = QuestionCodec.question(question.payload()).terms();
        String who =
                ", for " + WhoMayAnswer.words(terms.approvers(), terms.quorum()) + " to answer";
        assertTrue(reason.contains(who), reason);
        TapeEvent.RunStateChanged waiting =
                gateway.records(runId, TapeEvent.RunStateChanged.class).stream()
                        .filter(changed -> changed.state() == RunState.AWAITING_APPROVAL)
                        .findFirst()
                        .orElseThrow();
        assertEquals(reason, waiting.reason(), "the event on the stream says the same");
    }

    @Test
    void cancellingWhileItWaitsWithdrawsTheQuestion() {
        String runId = asking();
        ApprovalRow question = people.waiting(runId).get(0);
        String reason = around.journal().run(runId).orElseThrow().reason();
        String named = ASKS + " (approval " + question.approvalId() + ", open until 20";
        assertTrue(reason.contains(named), reason);
        assertNamesWhoMayAnswer(runId, question, reason);
        gateway.cancel(runId);
        assertEquals(RunState.CANCELLED, gateway.ended(runId).state());
        assertEquals(
                ApprovalRow.State.WITHDRAWN,
                around.journal().approval(question.approvalId()).orElseThrow().state());
        assertEquals(Outcome.CANCELLED, output(runId).outcome());
        assertEquals(0, tool.calls().size());
    }

    /** A worker that does not learn that its run ended must not keep the session for it. */
    @Test
    void sessionIsFreeAfterAnErrorRightAfterTheEndOfAWaitingRun() {
        String runId = asking();
        people.waiting(runId);
        gateway.close();
        AtomicInteger ends = new AtomicInteger();
        gateway =
                new LightGateway(
                                around,
                                model,
                                "boot/2",
                                real ->
                                        WatchedJournal.of(
                                                real, call -> errorAfterTheEnd(call, ends)),
                                access)
                        .awaitReady();
        Submission second = gateway.submit("next");
        assertEquals(RunState.ACCEPTED, around.journal().run(second.runId()).orElseThrow().state());
        gateway.cancel(runId);
        assertEquals(RunState.CANCELLED, gateway.ended(runId).state());
        assertEquals(RunState.SUCCEEDED, gateway.ended(second.runId()).state());
        assertEquals(1, ends.get());
    }

    private static Object errorAfterTheEnd(WatchedJournal.Call call, AtomicInteger ends)
            throws Throwable {
        Object result = call.proceed();
        boolean ended =
                call.unit().stream()
                        .flatMap(unit -> unit.operations().stream())
                        .anyMatch(
                                one ->
                                        one instanceof Operation.MoveRun move
                                                && move.to() == RunState.CANCELLED);
        if (ended && ends.incrementAndGet() == 1) {
            throw new OutOfMemoryError("made up");
        }
        return result;
    }

    /** The run is cancelled after the no and before the model was told of it. */
    @Test
    void cancellingAfterTheNoLeavesATapeThatCanBeRead() {
        String runId = asking();
        ApprovalRow question = people.waiting(runId).get(0);
        gateway.close();
        people.no(question, "user:ann", "not today");
        gateway.cancel(runId);
        AtomicInteger looks = new AtomicInteger();
        gateway =
                new LightGateway(
                                around,
                                model,
                                "boot/2",
                                real ->
                                        WatchedJournal.of(
                                                real, call -> untilCancelled(call, runId, looks)),
                                access)
                        .awaitReady();
        assertEquals(RunState.CANCELLED, gateway.ended(runId).state());
        assertEquals(Outcome.DENIED, output(runId).outcome());
        RunHistory history = new RunHistory();
        for (TapeRecord record : around.journal().tape(runId, 0, 1_000)) {
            history.apply(record.seq(), record.timeMillis(), TapeCodec.event(record));
        }
        assertEquals(RunState.CANCELLED, history.state());
    }

    /** The run's worker reads its tape once the dispatcher has come to the command twice. */
    private static Object untilCancelled(
            WatchedJournal.Call call, String runId, AtomicInteger looks) throws Throwable {
        boolean worker = Thread.currentThread().getName().equals("palyra-run-" + runId);
        if (worker && call.of("tape")) {
            Await.until("the command", () -> looks.get() >= 2);
        }
        Object result = call.proceed();
        if (!worker && call.of("run") && runId.equals(call.arguments()[0])) {
            looks.incrementAndGet();
        }
        return result;
    }

    @Test
    void aSwapOfTheGatewayDuringTheWaitLosesNothing() {
        String runId = asking();
        ApprovalRow question = people.waiting(runId).get(0);
        gateway.close();
        people.yes(question, Answers.Yes.once());
        gateway = gateway("boot/2");
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(1, tool.calls().size());
    }

    @Test
    void waitingRunsCostNothingAtTheStartAndKeepTheirSessions() {
        String runId = asking();
        ApprovalRow question = people.waiting(runId).get(0);
        long epoch = around.journal().run(runId).orElseThrow().epoch();
        gateway.close();
        gateway = gateway("boot/2");
        Submission second = gateway.submit("next");
        assertEquals(0, gateway.host.startedRuns(), "nobody looks at what nobody answered");
        assertEquals(epoch, around.journal().run(runId).orElseThrow().epoch());
        assertEquals(RunState.ACCEPTED, around.journal().run(second.runId()).orElseThrow().state());
        gateway.close();
        gateway = gateway("boot/3");
        assertEquals(0, gateway.host.startedRuns(), "a queued run behind it is left alone");
        model.answer("second");
        people.yes(question, Answers.Yes.once());
        gateway.ended(runId);
        assertEquals(RunState.SUCCEEDED, gateway.ended(second.runId()).state());
    }

    @Test
    void twoCallsRaceForTheLastUseOfAGrantAndOneAsks() {
        String first = asking();
        people.yes(people.waiting(first).get(0), Answers.Yes.session().times(2));
        gateway.ended(first);
        model.turn(
                new ModelEvent.Proposed(new ToolProposal("", ASKS, "{\"n\":1}")),
                new ModelEvent.Proposed(new ToolProposal("", ASKS, "{\"n\":1}")),
                new ModelEvent.Finished("tool_calls", 1, 1));
        model.answer("done");
        String second = gateway.submit("both").runId();
        List<ApprovalRow> open = people.waiting(second);
        assertEquals(1, open.size());
        assertEquals(2, tool.calls().size());
        people.no(open.get(0), "user:boss", "");
        gateway.ended(second);
        assertEquals(2, tool.calls().size());
    }

    @Test
    void countsQuestionsAndWaits() {
        String runId = asking();
        people.yes(people.waiting(runId).get(0), Answers.Yes.once());
        gateway.ended(runId);
        String metrics = gateway.services.approvals().metrics().toString();
        assertTrue(metrics.contains("palyra_approvals_asked_total"), metrics);
        assertEquals(
                1.0,
                gateway.services.approvals().metrics().stream()
                        .filter(m -> m.name().equals("palyra_approvals_ended_total"))
                        .filter(m -> m.labels().containsValue("granted"))
                        .findFirst()
                        .orElseThrow()
                        .value());
    }

    @Test
    void aCallAllowedUnderAGrantIsDecidedAgainRightBeforeItsStart() {
        String first = asking();
        people.yes(people.waiting(first).get(0), Answers.Yes.session());
        gateway.ended(first);
        model.turn(
                new ModelEvent.Proposed(new ToolProposal("", ASKS, "{\"n\":1}")),
                new ModelEvent.Proposed(new ToolProposal("", ASKS, "{\"n\":1}")),
                new ModelEvent.Finished("tool_calls", 1, 1));
        model.answer("done");
        tool.doing(
                invocation -> {
                    access.deniesAll = true; // while the first of the two runs
                    return ToolResult.of("{}");
                });
        String second = gateway.ended(gateway.submit("both").runId()).runId();
        assertEquals(List.of(Verdict.ALLOW, Verdict.ALLOW, Verdict.DENY), verdicts(second));
        assertEquals("policy_changed", lastDecision(second).reasonCode());
        assertEquals(2, tool.calls().size(), "one of each run");
    }

    @Test
    void remindsThenEscalatesThenExpires() {
        access.terms =
                new ApprovalTerms(
                        Set.of("group:approver"),
                        true,
                        9_000,
                        PeopleAccess.TERMS.scopes(),
                        1,
                        9_000,
                        Set.of("user:chief"));
        String runId = asking();
        ApprovalRow question = people.waiting(runId).get(0);
        Await.until(
                "the question to end", Duration.ofSeconds(60), () -> people.open(runId).isEmpty());
        gateway.ended(runId);
        List<String> events =
                around.journal().tape("journal", 0, 1_000).stream()
                        .map(TapeRecord::type)
                        .filter(type -> type.startsWith("approval_"))
                        .toList();
        assertEquals(List.of("approval_reminded", "approval_escalated"), events);
        ApprovalRow after = around.journal().approval(question.approvalId()).orElseThrow();
        assertEquals(ApprovalRow.State.EXPIRED, after.state());
        assertEquals(2, after.notices());
        assertTrue(output(runId).error().contains("in time"));
    }

    @Test
    void aYesBetweenTheLookAtTheTapeAndTheMoveToWaitingIsNotLost() {
        gateway.close();
        AtomicReference<String> moving = new AtomicReference<>("");
        gateway =
                new LightGateway(
                                around,
                                model,
                                "boot/2",
                                real ->
                                        WatchedJournal.before(
                                                real, unit -> answerBefore(unit, moving)),
                                access)
                        .awaitReady();
        String runId = asking();
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(runId, moving.get(), "the answer came at that very moment");
        assertEquals(1, tool.calls().size());
    }

    private void answerBefore(Unit unit, AtomicReference<String> moving) {
        for (Operation operation : unit.operations()) {
            if (operation instanceof Operation.MoveRun move
                    && move.to() == RunState.AWAITING_APPROVAL
                    && moving.compareAndSet("", move.runId())) {
                people.yes(people.open(move.runId()).get(0), Answers.Yes.once());
            }
        }
    }

    @Test
    void anAnswerThatIsKnownAlreadyWakesTheRunOnceAndNotForEver() {
        model.turn(
                new ModelEvent.Proposed(new ToolProposal("", ASKS, "{\"n\":1}")),
                new ModelEvent.Proposed(new ToolProposal("", ASKS, "{\"n\":2}")),
                new ModelEvent.Finished("tool_calls", 1, 1));
        model.answer("done");
        String runId = gateway.submit("go").runId();
        List<ApprovalRow> open = people.waiting(runId);
        people.no(open.get(0), "user:boss", "no");
        Await.until(
                "the run to wait for the other one alone",
                Duration.ofSeconds(30),
                () ->
                        gateway.records(runId, TapeEvent.RunStateChanged.class).stream()
                                        .filter(s -> s.state() == RunState.AWAITING_APPROVAL)
                                        .count()
                                == 2);
        people.waiting(runId);
        Await.until(
                "nobody to have to look",
                Duration.ofSeconds(30),
                () -> around.journal().answeredRuns("", 10).isEmpty());
        people.yes(people.open(runId).get(0), Answers.Yes.once());
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(1, tool.calls().size());
    }

    @Test
    void manyWaitingSessionsLeaveRoomForOthers() {
        int waiting = LightGateway.settings().maxActiveRuns() + 4;
        List<String> runs = new ArrayList<>();
        for (int i = 0; i < waiting; i++) {
            model.propose(ASKS, "{\"n\":" + i + "}");
            String runId = gateway.submit(Wanted.saying("go").in("s" + i).message()).runId();
            runs.add(runId);
            people.waiting(runId);
        }
        model.answer("there is room");
        String other = gateway.submit(Wanted.saying("hi").in("free").message()).runId();
        assertEquals(RunState.SUCCEEDED, gateway.ended(other).state());
        for (int i = 0; i < waiting; i++) {
            model.answer("done");
        }
        runs.forEach(run -> people.yes(people.open(run).get(0), Answers.Yes.once()));
        for (String run : runs) {
            assertEquals(RunState.SUCCEEDED, gateway.ended(run).state());
        }
        assertEquals(waiting, tool.calls().size());
    }
}
