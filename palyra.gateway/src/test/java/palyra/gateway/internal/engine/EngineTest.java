package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.KeySignature;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelMessage;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.gateway.internal.engine.lease.EngineLease;
import palyra.gateway.internal.engine.tool.DecisionUnit;
import palyra.shared.tape.Attestations;
import palyra.shared.tape.TapeCodec;
import palyra.testing.access.FakeAccess;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.wait.Await;

class EngineTest extends OneGateway {

    @Test
    void answersAMessage() {
        model.turn(
                new ModelEvent.ThoughtDelta("hm"),
                new ModelEvent.TextDelta("Hello "),
                new ModelEvent.TextDelta("there"),
                new ModelEvent.Finished("stop", 3, 2));
        Submission accepted = gateway.submit("hi");
        RunRow run = gateway.ended(accepted.runId());
        assertEquals(RunState.SUCCEEDED, run.state());
        assertEquals(
                List.of(
                        "run_state",
                        "message",
                        "run_state",
                        "turn_started",
                        "model_thought",
                        "model_token",
                        "turn_finished",
                        "message",
                        "run_state"),
                gateway.types(run.runId()));
        assertTrue(run.seal().isPresent(), "a run that ended has a signed head");
        assertTrue(around.opened.verifyStream(run.runId(), () -> false).intact());
        List<OutboxRow> answers = around.journal().outboxOf(run.runId());
        assertEquals(1, answers.size());
        assertEquals(OutboxRow.State.READABLE, answers.get(0).state());
    }

    @Test
    void theStreamedPiecesJoinedAreTheText() {
        ModelEvent[] events = new ModelEvent[501];
        for (int i = 0; i < 500; i++) {
            events[i] = new ModelEvent.TextDelta("word" + i + " ");
        }
        events[500] = new ModelEvent.Finished("stop", 1, 500);
        model.turn(events);
        String runId = gateway.ended(gateway.submit("go").runId()).runId();
        String pieces =
                gateway.records(runId, TapeEvent.ModelToken.class).stream()
                        .map(TapeEvent.ModelToken::text)
                        .collect(Collectors.joining());
        assertEquals(gateway.records(runId, TapeEvent.TurnFinished.class).get(0).text(), pieces);
        assertTrue(
                gateway.records(runId, TapeEvent.ModelToken.class).size() > 1, "it went in chunks");
    }

    @Test
    void aTurnWithoutToolsCostsTwoCommits() {
        model.answer("yes");
        java.util.concurrent.atomic.AtomicInteger commits =
                new java.util.concurrent.atomic.AtomicInteger();
        gateway.close();
        gateway =
                new LightGateway(
                                around,
                                model,
                                "boot/2",
                                real ->
                                        new DyingJournal(
                                                        Integer.MAX_VALUE,
                                                        false,
                                                        unit -> {
                                                            if (unit.lane() == Unit.Lane.COMMAND) {
                                                                commits.incrementAndGet();
                                                            }
                                                            return false;
                                                        })
                                                .around(real),
                                FakeAccess.forTools())
                        .awaitReady();
        int before = commits.get();
        gateway.ended(gateway.submit("hi").runId());
        assertEquals(2, commits.get() - before);
    }

    @Test
    void runsAToolBetweenTurnsAndAttestsIt() {
        model.propose("test.effect", "{\"n\":1}").answer("done");
        String runId = gateway.ended(gateway.submit("do it").runId()).runId();
        assertEquals(
                List.of(
                        "run_state",
                        "message",
                        "run_state",
                        "turn_started",
                        "turn_finished",
                        "tool_call_proposal",
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
        assertEquals(1, tool.calls().size());
        TapeEvent.ToolAttestation attestation =
                gateway.records(runId, TapeEvent.ToolAttestation.class).get(0);
        TapeEvent.ToolCallOutput output =
                gateway.records(runId, TapeEvent.ToolCallOutput.class).get(0);
        byte[] digest =
                Attestations.executionSha256(
                        gateway.records(runId, TapeEvent.ToolCallProposal.class).get(0),
                        output,
                        attestation.executor(),
                        attestation.sandboxEnforcement(),
                        attestation.executedAtMillis(),
                        attestation.policySha256(),
                        attestation.executableSha256());
        assertEquals(HexFormat.of().formatHex(digest), attestation.executionSha256());
        KeySignature signature =
                new KeySignature(
                        attestation.keyId(),
                        Base64.getUrlDecoder().decode(attestation.signature()));
        assertTrue(around.keys.verify(KeyPurpose.ATTESTATION, digest, signature));
        String snapshot =
                gateway.records(runId, TapeEvent.ToolDecision.class).get(0).snapshotSha256();
        assertTrue(
                around.journal().document(DecisionUnit.SNAPSHOTS, snapshot).isPresent(),
                "the snapshot is kept by digest");
        List<ModelMessage> second = model.requests().get(1).messages();
        assertEquals(
                output.callId(),
                ((ModelMessage.ToolOutput) second.get(second.size() - 1)).callId());
    }

    @Test
    void aDeniedCallNeverStartsAndTheModelIsTold() {
        model.propose("test.unlisted", "{}").answer("pity");
        String runId = gateway.ended(gateway.submit("do it").runId()).runId();
        assertEquals(
                Outcome.DENIED,
                gateway.records(runId, TapeEvent.ToolCallOutput.class).get(0).outcome());
        assertEquals(0, gateway.records(runId, TapeEvent.ToolStarted.class).size());
        assertEquals(0, gateway.records(runId, TapeEvent.ToolAttestation.class).size());
    }

    @Test
    void malformedInputIsRefusedBeforeAnybodyIsAsked() {
        for (String input :
                List.of("", "{", "[]", "\"x\"", "{\"a\":1,\"a\":2}", "{\"a\":\"\\ud800\"}")) {
            model.propose("test.effect", input).answer("oh");
            String runId = gateway.ended(gateway.submit("do it").runId()).runId();
            TapeEvent.ToolDecision decision =
                    gateway.records(runId, TapeEvent.ToolDecision.class).get(0);
            assertEquals("tool.input_invalid", decision.reasonCode(), input);
        }
        assertEquals(0, tool.calls().size());
    }

    @Test
    void whoDecidesIsToldTheBudgetAndWhatIsLeftOfIt() {
        FakeAccess access = FakeAccess.forTools();
        gateway.close();
        gateway =
                new LightGateway(around, model, "boot/2", UnaryOperator.identity(), access)
                        .awaitReady();
        model.propose("test.effect", "{}").propose("test.effect", "{}").answer("done");
        gateway.ended(gateway.submit("twice").runId());
        int most = LightGateway.settings().maxCallsPerRun();
        assertEquals(
                List.of(most, most - 1),
                access.toolRequests().stream().map(ToolPolicyRequest::budgetLeft).toList());
        access.toolRequests().forEach(question -> assertEquals(most, question.maxCallsPerRun()));
    }

    @Test
    void theBudgetCountsDeniedCallsToo() {
        ModelEvent.Proposed allowed =
                new ModelEvent.Proposed(new ToolProposal("", "test.effect", "{}"));
        ModelEvent.Proposed denied =
                new ModelEvent.Proposed(new ToolProposal("", "test.unlisted", "{}"));
        model.turn(
                        denied,
                        denied,
                        denied,
                        allowed,
                        allowed,
                        new ModelEvent.Finished("tool_calls", 1, 1))
                .answer("end");
        String runId = gateway.ended(gateway.submit("many").runId()).runId();
        assertEquals(
                List.of(
                        Outcome.DENIED,
                        Outcome.DENIED,
                        Outcome.DENIED,
                        Outcome.DENIED,
                        Outcome.SUCCEEDED),
                gateway.records(runId, TapeEvent.ToolCallOutput.class).stream()
                        .sorted(
                                java.util.Comparator.comparing(
                                        o -> o.outcome() == Outcome.SUCCEEDED))
                        .map(TapeEvent.ToolCallOutput::outcome)
                        .toList());
        assertEquals(1, tool.calls().size());
        assertTrue(
                model.requests().get(1).tools().isEmpty(),
                "with no budget left no tool is offered");
    }

    @Test
    void deniesWhenNobodyIsThereToDecide() {
        gateway.close();
        gateway =
                new LightGateway(
                                around,
                                model,
                                "boot/2",
                                java.util.function.UnaryOperator.identity(),
                                null)
                        .awaitReady();
        model.propose("test.effect", "{}").answer("pity");
        String runId = gateway.ended(gateway.submit("do it").runId()).runId();
        assertEquals(
                "policy.unavailable",
                gateway.records(runId, TapeEvent.ToolDecision.class).get(0).reasonCode());
        assertEquals(0, tool.calls().size());
    }

    @Test
    void aDecisionThatBreaksOrNeedsAPersonWhomNobodyNamesIsADenial() {
        FakeAccess access =
                FakeAccess.forTools()
                        .deciding(
                                question -> {
                                    throw new IllegalStateException("broken");
                                });
        gateway.close();
        gateway =
                new LightGateway(
                                around,
                                model,
                                "boot/2",
                                java.util.function.UnaryOperator.identity(),
                                access)
                        .awaitReady();
        model.propose("test.effect", "{}").answer("pity");
        String first = gateway.ended(gateway.submit("do it").runId()).runId();
        assertEquals(
                "policy.failed",
                gateway.records(first, TapeEvent.ToolDecision.class).get(0).reasonCode());
        access.deciding(question -> TapeEvent.Verdict.APPROVAL_REQUIRED);
        model.propose("test.effect", "{}").answer("pity");
        String second = gateway.ended(gateway.submit("do it").runId()).runId();
        assertEquals(
                "approval.nobody",
                gateway.records(second, TapeEvent.ToolDecision.class).get(0).reasonCode());
        assertEquals(0, tool.calls().size());
    }

    @Test
    void oneRunOfASessionAtATimeAndTheRestInOrder() {
        model.hold(new ModelEvent.TextDelta("first"));
        Submission first = gateway.submit("one");
        Await.until("the first turn", () -> model.runningTurns() == 1);
        Submission second = gateway.submit("two");
        Submission third = gateway.submit("three");
        assertEquals(first.sessionId(), second.sessionId());
        assertEquals(RunState.ACCEPTED, around.journal().run(second.runId()).orElseThrow().state());
        model.answer("second").answer("third");
        gateway.cancel(first.runId());
        assertEquals(RunState.CANCELLED, gateway.ended(first.runId()).state());
        RunRow two = gateway.ended(second.runId());
        RunRow three = gateway.ended(third.runId());
        assertTrue(two.updatedAtMillis() <= three.updatedAtMillis());
        List<ModelMessage> lastAsked = model.requests().get(2).messages();
        assertEquals(
                List.of("two", "second", "three"),
                lastAsked.stream().map(ModelMessage::text).skip(2).toList()); // after the cancelled
    }

    @Test
    void differentSessionsRunAtTheSameTime() {
        model.hold().hold();
        Submission a = gateway.submit(inSession("a"));
        Submission b = gateway.submit(inSession("b"));
        Await.until("two turns", () -> model.runningTurns() == 2);
        gateway.cancel(a.runId());
        gateway.cancel(b.runId());
        gateway.ended(a.runId());
        gateway.ended(b.runId());
    }

    private static SubmittedMessage inSession(String key) {
        return new SubmittedMessage("shell", "", "", key, "", "", "", "hello " + key, "", false);
    }

    @Test
    void cancellingARunningToolStopsItAndEveryCallGetsAnOutcome() {
        tool.holding();
        model.turn(
                new ModelEvent.Proposed(new ToolProposal("", "test.effect", "{}")),
                new ModelEvent.Proposed(new ToolProposal("", "test.effect", "{\"n\":2}")),
                new ModelEvent.Finished("tool_calls", 1, 1));
        Submission run = gateway.submit("work");
        tool.awaitCalls(1);
        gateway.cancel(run.runId());
        assertEquals(RunState.CANCELLED, gateway.ended(run.runId()).state());
        List<TapeEvent.ToolCallOutput> outputs =
                gateway.records(run.runId(), TapeEvent.ToolCallOutput.class);
        assertEquals(2, outputs.size());
        outputs.forEach(o -> assertEquals(Outcome.CANCELLED, o.outcome()));
        assertEquals(0, around.journal().outboxOf(run.runId()).size());
        Await.until(
                "the command to be settled",
                () -> around.journal().pendingCommands("", 10).isEmpty());
    }

    @Test
    void cancellingAQueuedRunEndsItWithoutAsking() {
        model.hold();
        Submission first = gateway.submit("one");
        Submission second = gateway.submit("two");
        gateway.cancel(second.runId());
        assertEquals(RunState.CANCELLED, gateway.ended(second.runId()).state());
        assertEquals(1, model.requests().size());
        gateway.cancel(first.runId());
        gateway.ended(first.runId());
    }

    @Test
    void aTurnThatFailedInPassingIsAskedForAgain() {
        model.fail(ErrorCode.MODEL_FAILED, "busy", true).answer("now");
        String runId = gateway.ended(gateway.submit("hi").runId()).runId();
        TapeEvent.TurnRestarted restarted =
                gateway.records(runId, TapeEvent.TurnRestarted.class).get(0);
        assertEquals(2, restarted.attempt());
        assertEquals("busy", restarted.reason());
        assertEquals(RunState.SUCCEEDED, around.journal().run(runId).orElseThrow().state());
    }

    @Test
    void aTurnThatFailsForGoodFailsTheRunWithTheReason() {
        model.fail(ErrorCode.INVALID_ARGUMENT, "no such model", false);
        RunRow run = gateway.ended(gateway.submit("hi").runId());
        assertEquals(RunState.FAILED, run.state());
        assertEquals("no such model", run.reason());
        assertEquals(1, around.journal().outboxOf(run.runId()).size(), "the person is told");
    }

    @Test
    void aWithdrawnProviderRestartsTheTurnWithTheNextOne() {
        model.hold(new ModelEvent.TextDelta("lost"));
        Submission run = gateway.submit("hi");
        Await.until("the turn", () -> model.runningTurns() == 1);
        gateway.services.models().remove(model, LightGateway.scripted());
        try (ScriptedModelProvider next = new ScriptedModelProvider()) {
            next.answer("found");
            gateway.services.models().add(next, LightGateway.scripted());
            assertEquals(RunState.SUCCEEDED, gateway.ended(run.runId()).state());
            assertEquals(1, gateway.records(run.runId(), TapeEvent.TurnRestarted.class).size());
        }
    }

    @Test
    void aProviderThatNeverComesFailsTheRunAndSaysWhatItWaitedFor() {
        gateway.services.models().remove(model, LightGateway.scripted());
        Submission run = gateway.submit("hi");
        Await.until(
                "the reason on the run",
                () ->
                        around.journal()
                                .run(run.runId())
                                .orElseThrow()
                                .reason()
                                .contains("waiting for model provider"));
        assertEquals(RunState.FAILED, gateway.ended(run.runId()).state());
        assertEquals(
                0,
                gateway.records(run.runId(), TapeEvent.TurnRestarted.class).size(),
                "the wait is the patience; there is no second one");
        gateway.services.models().add(model, LightGateway.scripted());
    }

    @Test
    void theSameMessageIsAcceptedOnce() {
        model.answer("once");
        SubmittedMessage message =
                new SubmittedMessage("discord", "m1", "", "", "", "", "", "hello", "", false);
        Submission first = gateway.submit(message);
        gateway.ended(first.runId());
        Submission again = gateway.submit(message);
        assertTrue(again.duplicate());
        assertEquals(first.runId(), again.runId());
        SubmittedMessage other =
                new SubmittedMessage("discord", "m1", "", "", "", "", "", "different", "", false);
        PalyraException e = assertThrows(PalyraException.class, () -> gateway.submit(other));
        assertEquals(ErrorCode.IDEMPOTENCY_MISMATCH, e.code());
        assertEquals(1, around.journal().runs("", "", "", 10).size());
        assertEquals(
                OutboxRow.State.READABLE,
                around.journal().outboxOf(first.runId()).get(0).state(),
                "no chat platform waits for it");
    }

    @Test
    void aMessageThatWaitedInTheInboxIsRouted() {
        model.answer("late");
        SubmittedMessage message = SubmittedMessage.of("shell", "hi");
        var inbox = LightGateway.inbox(message);
        around.journal().commit(Unit.of(new palyra.api.core.journal.Operation.PutInbox(inbox)));
        String runId =
                Await.value(
                        "the message to be routed",
                        () ->
                                around.journal()
                                        .inbox(inbox.messageId())
                                        .map(row -> row.runId())
                                        .filter(id -> !id.isEmpty()));
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
    }

    @Test
    void anEventAppendedMeanwhileReachesTheNextTurn() {
        tool.holding();
        model.propose("test.effect", "{}").answer("seen");
        Submission run = gateway.submit("work");
        tool.awaitCalls(1);
        around.journal()
                .commit(
                        Unit.of(
                                TapeCodec.append(
                                        run.runId(),
                                        new TapeEvent.ExternalEvent(
                                                "e", "note", "user:alice", "\"stop at 5\""))));
        tool.release();
        assertEquals(RunState.SUCCEEDED, gateway.ended(run.runId()).state());
        List<ModelMessage> second = model.requests().get(1).messages();
        assertEquals("[note] \"stop at 5\"", second.get(second.size() - 1).text());
    }

    @Test
    void anOutcomeWaitsForTheKeyStoreRatherThanBeingForgotten() {
        tool.holding();
        model.propose("test.effect", "{}").answer("signed");
        Submission run = gateway.submit("work");
        tool.awaitCalls(1);
        gateway.services.keys().remove(around.keys);
        tool.release();
        tool.awaitIdle();
        assertEquals(0, gateway.records(run.runId(), TapeEvent.ToolCallOutput.class).size());
        gateway.services.keys().add(around.keys, Map.of());
        assertEquals(RunState.SUCCEEDED, gateway.ended(run.runId()).state());
        assertEquals(1, gateway.records(run.runId(), TapeEvent.ToolAttestation.class).size());
    }

    @Test
    void aToolGoesOnWhileTheGatewayIsSwappedAndRunsOnce() {
        tool.holding();
        model.propose("test.effect", "{}").answer("still here");
        Submission run = gateway.submit("work");
        tool.awaitCalls(1);
        gateway.close();
        gateway = new LightGateway(around, model, "boot/2").awaitReady();
        tool.release();
        assertEquals(RunState.SUCCEEDED, gateway.ended(run.runId()).state());
        assertEquals(1, tool.calls().size());
        assertEquals(
                Outcome.SUCCEEDED,
                gateway.records(run.runId(), TapeEvent.ToolCallOutput.class).get(0).outcome());
    }

    @Test
    void aToolThatIsNotThereYetIsWaitedFor() {
        gateway.services.tools().remove(around.executor);
        model.propose("test.effect", "{}").answer("it came");
        Submission run = gateway.submit("work");
        Await.until(
                "the reason on the run",
                () ->
                        around.journal()
                                .run(run.runId())
                                .orElseThrow()
                                .reason()
                                .startsWith("waiting for tool test.effect, until 20"));
        gateway.services.tools().add(around.executor, Map.of());
        assertEquals(RunState.SUCCEEDED, gateway.ended(run.runId()).state());
        assertEquals(1, tool.calls().size());
    }

    @Test
    void aToolThatNeverComesIsToldToTheModel() {
        gateway.services.tools().remove(around.executor);
        model.propose("test.effect", "{}").answer("pity");
        Submission run = gateway.submit("work");
        assertEquals(RunState.SUCCEEDED, gateway.ended(run.runId()).state());
        assertEquals(
                Outcome.DENIED,
                gateway.records(run.runId(), TapeEvent.ToolCallOutput.class).get(0).outcome());
        assertEquals(0, tool.calls().size());
        gateway.services.tools().add(around.executor, Map.of());
    }

    @Test
    void cancellingARunThatWaitsForAToolEndsItAtOnce() {
        gateway.services.tools().remove(around.executor);
        model.propose("test.effect", "{}");
        Submission run = gateway.submit("work");
        Await.until(
                "the reason on the run",
                () -> !around.journal().run(run.runId()).orElseThrow().reason().isEmpty());
        gateway.cancel(run.runId());
        assertEquals(RunState.CANCELLED, gateway.ended(run.runId()).state());
        gateway.services.tools().add(around.executor, Map.of());
    }

    @Test
    void aRunWithARecordItDoesNotKnowIsParked() {
        tool.holding();
        model.propose("test.effect", "{}");
        Submission run = gateway.submit("work");
        tool.awaitCalls(1);
        around.journal()
                .commit(
                        Unit.of(
                                new palyra.api.core.journal.Operation.Append(
                                        run.runId(),
                                        "from_the_future",
                                        9,
                                        "{}".getBytes(java.nio.charset.StandardCharsets.UTF_8))));
        tool.release();
        Await.until(
                "the run to be parked",
                () ->
                        around.journal()
                                .run(run.runId())
                                .orElseThrow()
                                .reason()
                                .startsWith("needs_newer_engine"));
    }

    @Test
    void aSecondEngineWaitsForTheLeaseAndAStaleOneCannotWrite() {
        try (LightGateway second = new LightGateway(around, model, "boot/9")) {
            long epoch = around.journal().lease(EngineLease.NAME).orElseThrow().epoch();
            assertFalse(second.isReady());
            tool.holding();
            model.propose("test.effect", "{}");
            Submission run = gateway.submit("work");
            tool.awaitCalls(1);
            gateway.close();
            second.awaitReady();
            assertTrue(around.journal().lease(EngineLease.NAME).orElseThrow().epoch() > epoch);
            PalyraException stale =
                    assertThrows(
                            PalyraException.class,
                            () ->
                                    around.journal()
                                            .commit(
                                                    Unit.builder()
                                                            .require(
                                                                    new palyra.api.core.journal
                                                                            .Precondition.Epoch(
                                                                            run.runId(), epoch))
                                                            .build()));
            assertEquals(ErrorCode.STALE_EPOCH, stale.code());
            tool.release();
        }
    }

    @Test
    void anUnknownAgentOrSessionIsRefusedAndNothingIsLeftBehind() {
        for (SubmittedMessage bad :
                List.of(
                        new SubmittedMessage(
                                "shell", "", "", "", "", "", "nobody", "hi", "", false),
                        new SubmittedMessage(
                                "shell",
                                "",
                                "01J00000000000000000000000",
                                "",
                                "",
                                "",
                                "",
                                "hi",
                                "",
                                false))) {
            PalyraException e = assertThrows(PalyraException.class, () -> gateway.submit(bad));
            assertEquals(ErrorCode.NOT_FOUND, e.code());
        }
        assertEquals(0, around.journal().runs("", "", "", 10).size());
        assertEquals(0, gateway.host.activeRuns());
    }

    @Test
    void manyMessagesIntoOneSessionAllEndAnswered() throws Exception {
        model.otherwise(
                request ->
                        List.of(
                                new ModelEvent.TextDelta("ok"),
                                new ModelEvent.Finished("stop", 1, 1)));
        List<Thread> senders = new java.util.ArrayList<>();
        for (int i = 0; i < 20; i++) {
            int n = i;
            senders.add(Thread.ofVirtual().start(() -> gateway.submit("m" + n)));
        }
        for (Thread sender : senders) {
            sender.join();
        }
        Await.until(
                "all runs to end",
                () ->
                        around.journal().runs("", "", "", 100).stream()
                                        .filter(r -> r.state() == RunState.SUCCEEDED)
                                        .count()
                                == 20);
        assertEquals(
                Map.of("user:alice", 20L),
                around.journal().runs("", "", "", 100).stream()
                        .collect(Collectors.groupingBy(RunRow::principal, Collectors.counting())));
        around.assertVerified();
    }
}
