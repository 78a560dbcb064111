package palyra.transport.grpc.internal.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.model.ModelEvent;
import palyra.api.run.RunState;
import palyra.api.tape.TapeRecord;
import palyra.shared.hash.Ulids;
import palyra.testing.wait.Await;
import palyra.transport.grpc.internal.wire.common.RunStreamEvent;
import palyra.transport.grpc.internal.wire.common.RunStreamRequest;
import palyra.transport.grpc.internal.wire.common.StreamStatus.StatusKind;
import palyra.transport.grpc.internal.wire.gateway.GetRunRequest;
import palyra.transport.grpc.internal.wire.gateway.ListRunsRequest;
import palyra.transport.grpc.internal.wire.gateway.ListSessionsRequest;
import palyra.transport.grpc.internal.wire.gateway.Run;

class RunStreamTest {
    @TempDir Path state;
    private TestGateway gateway;
    private Client alice;

    @BeforeEach
    void open() {
        gateway = new TestGateway(state).engineComes();
        alice = gateway.client("user:alice", "integrator");
    }

    @AfterEach
    void close() {
        alice.close();
        gateway.close();
    }

    private List<Run> runs() {
        return alice.call().listRuns(ListRunsRequest.newBuilder().setV(1).build()).getRunsList();
    }

    private Run run(String runId) {
        return alice.call()
                .getRun(GetRunRequest.newBuilder().setV(1).setRunId(ApiMapper.id(runId)).build())
                .getRun();
    }

    @Test
    void startsARunAndTellsEachRecordOnceInOrder() {
        gateway.model.answer("Hello!");
        StreamClient stream = alice.stream().send(StreamClient.saying("Hi")).awaitCompleted();
        List<RunStreamEvent> events = stream.events();
        RunStreamEvent first = events.getFirst();
        assertEquals(StatusKind.STATUS_KIND_ACCEPTED, first.getStatus().getKind());
        assertEquals(0, first.getSeq());
        assertTrue(first.hasSessionId());
        String runId = first.getRunId().getUlid();
        assertEquals("Hello!", stream.text());
        assertTrue(events.stream().allMatch(event -> event.getV() == 1));
        assertTrue(events.stream().allMatch(event -> event.getRunId().getUlid().equals(runId)));
        List<TapeRecord> tape = gateway.journal.tape(runId, 0, 1_000);
        assertEquals(
                tape.stream()
                        .filter(record -> !record.type().equals("model_token"))
                        .map(TapeRecord::seq)
                        .toList(),
                StreamClient.seqs(events));
        for (RunStreamEvent event : events) {
            if (event.hasJournalEvent()) {
                TapeRecord record = tape.get((int) event.getSeq() - 1);
                assertEquals(record.type(), event.getJournalEvent().getRecordType());
                assertArrayEquals(
                        record.payload(), event.getJournalEvent().getPayloadJson().toByteArray());
                assertEquals(record.timeMillis(), event.getJournalEvent().getTimestampUnixMs());
            }
        }
        RunStreamEvent last = events.getLast();
        assertEquals(StatusKind.STATUS_KIND_DONE, last.getStatus().getKind());
        assertEquals(tape.getLast().seq(), last.getSeq());
    }

    @Test
    void endsAStreamWithoutAFirstMessageByADeadline() {
        gateway.firstMessageMillis = 50;
        StreamClient silent = alice.stream();
        assertEquals(Status.Code.DEADLINE_EXCEEDED, silent.awaitStatus().getCode());
        gateway.firstMessageMillis = 60_000;
        gateway.model.answer("Hello!");
        assertEquals(
                "Hello!", alice.stream().send(StreamClient.saying("Hi")).awaitCompleted().text());
    }

    @Test
    void refusesASessionKeyWithControlCharacters() {
        for (String bad : List.of("a\nb", "a\u0000", "\u001b[2J", "a\u202eb", "a\u2028b")) {
            Status refusal =
                    alice.stream().send(StreamClient.saying("Hi").setSessionKey(bad)).awaitStatus();
            assertEquals(Status.Code.INVALID_ARGUMENT, refusal.getCode());
            assertTrue(refusal.getDescription().contains("session_key"), refusal.toString());
        }
        assertEquals(List.of(), runs());
    }

    @Test
    void saysThatASessionKeyIsIgnoredBesideASessionId() {
        gateway.model.answer("one");
        RunStreamEvent first =
                alice.stream()
                        .send(StreamClient.saying("Hi").setSessionKey("one"))
                        .awaitCompleted()
                        .events()
                        .getFirst();
        assertEquals("", first.getStatus().getMessage());
        gateway.model.answer("two");
        RunStreamEvent both =
                alice.stream()
                        .send(
                                StreamClient.saying("Hi")
                                        .setSessionId(first.getSessionId())
                                        .setSessionKey("other"))
                        .awaitCompleted()
                        .events()
                        .getFirst();
        assertEquals(first.getSessionId(), both.getSessionId());
        String said = both.getStatus().getMessage();
        assertTrue(said.contains("session_key is ignored"), said);
    }

    @Test
    void endsATurnWithAnEmptyFinalToken() {
        gateway.model.answer("Well.");
        StreamClient stream = alice.stream().send(StreamClient.saying("Hi")).awaitCompleted();
        List<RunStreamEvent> finals =
                stream.events().stream()
                        .filter(event -> event.getModelToken().getIsFinal())
                        .toList();
        assertEquals(1, finals.size());
        assertEquals("", finals.getFirst().getModelToken().getToken());
        assertEquals(5, finals.getFirst().getModelToken().getOffset());
        assertEquals(1, finals.getFirst().getModelToken().getTurn());
        assertEquals(1, finals.getFirst().getModelToken().getAttempt());
    }

    @Test
    void givesTheRunTheIdThatTheClientChose() {
        gateway.model.answer("Yes");
        String chosen = Ids.next();
        StreamClient stream =
                alice.stream()
                        .send(StreamClient.saying("Hi").setRunId(ApiMapper.id(chosen)))
                        .awaitCompleted();
        assertEquals(chosen, stream.events().getFirst().getRunId().getUlid());
        assertEquals("done", run(chosen).getState());
    }

    @Test
    void attachesASecondStartOfTheSameMessageToTheFirstRun() {
        gateway.model.answer("Once");
        RunStreamRequest.Builder message =
                StreamClient.saying("Hi").setRunId(ApiMapper.id(Ids.next()));
        StreamClient first = alice.stream().send(message).awaitCompleted();
        StreamClient again = alice.stream().send(message).awaitCompleted();
        assertEquals("Once", again.text());
        assertEquals(StreamClient.seqs(first.events()), StreamClient.seqs(again.events()));
        assertEquals(1, runs().size());
        assertEquals(1, gateway.model.requests().size());
    }

    @Test
    void refusesOtherWordsUnderTheSameEnvelopeId() {
        gateway.model.answer("Once");
        RunStreamRequest.Builder message = StreamClient.saying("Hi");
        alice.stream().send(message).awaitCompleted();
        message.getInputBuilder().getContentBuilder().setText("Something else");
        assertEquals(
                Status.Code.ALREADY_EXISTS, alice.stream().send(message).awaitStatus().getCode());
        assertEquals(1, runs().size());
    }

    @Test
    void acceptsWhileTheGatewayIsAwayAndFollowsWhenItIsBack() {
        gateway.engineGoes();
        String chosen = Ids.next();
        StreamClient stream =
                alice.stream().send(StreamClient.saying("Hi").setRunId(ApiMapper.id(chosen)));
        RunStreamEvent accepted = stream.awaitStatus(StatusKind.STATUS_KIND_ACCEPTED);
        assertEquals(chosen, accepted.getRunId().getUlid());
        assertFalse(accepted.hasSessionId());
        gateway.model.answer("Back again");
        gateway.engineComes();
        stream.awaitCompleted();
        assertEquals("Back again", stream.text());
        assertTrue(stream.events().get(1).hasSessionId());
        assertEquals(chosen, stream.events().getLast().getRunId().getUlid());
    }

    @Test
    void leavesTheMessageAcceptedWhenTheDeadlineComesBeforeTheGateway() {
        gateway.engineGoes();
        StreamClient stream =
                new StreamClient(
                        alice.async().withDeadlineAfter(8, TimeUnit.SECONDS), Integer.MAX_VALUE);
        stream.send(StreamClient.saying("Hi"));
        stream.awaitStatus(StatusKind.STATUS_KIND_ACCEPTED);
        assertEquals(Status.Code.DEADLINE_EXCEEDED, stream.awaitStatus().getCode());
        gateway.model.answer("Late");
        gateway.engineComes();
        Await.until(
                "the message to be answered all the same",
                Patience.LONG,
                () -> runs().size() == 1 && runs().getFirst().getState().equals("done"));
    }

    @Test
    void goesOnAfterTheClientHalfClosed() {
        gateway.model.answer("Still here");
        StreamClient stream =
                alice.stream().send(StreamClient.saying("Hi")).halfClose().awaitCompleted();
        assertEquals("Still here", stream.text());
    }

    @Test
    void refusesAStreamThatIsClosedBeforeItsFirstMessage() {
        Status status = alice.stream().halfClose().awaitStatus();
        assertEquals(Status.Code.INVALID_ARGUMENT, status.getCode());
        assertTrue(status.getDescription().contains("before its first message"));
    }

    @Test
    void cancelsTheRunWhenAsked() {
        gateway.model.hold(new ModelEvent.TextDelta("Let me think"));
        StreamClient stream = alice.stream().send(StreamClient.saying("Hi"));
        stream.awaitText("Let me think");
        stream.send(StreamClient.request().setCancelRun(true)).awaitCompleted();
        RunStreamEvent last = stream.events().getLast();
        assertEquals(StatusKind.STATUS_KIND_CANCELLED, last.getStatus().getKind());
    }

    @Test
    void cancelsARunThatIsRoutedLater() {
        gateway.engineGoes();
        StreamClient stream =
                alice.stream()
                        .send(StreamClient.saying("Hi"))
                        .send(StreamClient.request().setCancelRun(true));
        stream.awaitStatus(StatusKind.STATUS_KIND_ACCEPTED);
        gateway.model.hold();
        gateway.engineComes();
        stream.awaitCompleted();
        assertEquals(
                StatusKind.STATUS_KIND_CANCELLED, stream.events().getLast().getStatus().getKind());
    }

    @Test
    void leavesTheRunAloneWhenTheClientGoes() {
        gateway.model.hold(new ModelEvent.TextDelta("Thinking"));
        StreamClient stream = alice.stream().send(StreamClient.saying("Hi"));
        stream.awaitText("Thinking");
        stream.cancel();
        Await.until("nobody to follow", Patience.LONG, () -> gateway.following() == 0);
        String runId = stream.events().getFirst().getRunId().getUlid();
        assertEquals(RunState.RUNNING, gateway.journal.run(runId).orElseThrow().state());
        StreamClient again =
                alice.stream()
                        .send(
                                StreamClient.request()
                                        .setRunId(ApiMapper.id(runId))
                                        .setCancelRun(true))
                        .awaitCompleted();
        assertEquals(
                StatusKind.STATUS_KIND_CANCELLED, again.events().getLast().getStatus().getKind());
    }

    @Test
    void answersASecondInputWithAStatusAndGoesOn() {
        gateway.model.hold(new ModelEvent.TextDelta("First"));
        StreamClient stream = alice.stream().send(StreamClient.saying("Hi"));
        stream.awaitText("First");
        stream.send(StreamClient.saying("And another"));
        RunStreamEvent refusal = stream.awaitRefusal();
        assertEquals("INVALID_ARGUMENT", refusal.getStatus().getCode());
        assertTrue(refusal.getStatus().getMessage().contains("another stream"));
        stream.send(StreamClient.request().setCancelRun(true)).awaitCompleted();
        assertEquals(1, runs().size());
    }

    @Test
    void endsTheStreamOnALaterMessageThatSaysNothing() {
        gateway.model.hold(new ModelEvent.TextDelta("First"));
        StreamClient stream = alice.stream().send(StreamClient.saying("Hi"));
        stream.awaitText("First");
        assertEquals(
                Status.Code.INVALID_ARGUMENT,
                stream.send(StreamClient.request()).awaitStatus().getCode());
    }

    @Test
    void endsTheStreamWhenTheCredentialOfALaterMessageCountsNoLonger() {
        gateway.model.hold(new ModelEvent.TextDelta("First"));
        StreamClient stream = alice.stream().send(StreamClient.saying("Hi"));
        stream.awaitText("First");
        String runId = stream.events().getFirst().getRunId().getUlid();
        gateway.revoke("user:alice");
        assertEquals(
                Status.Code.UNAUTHENTICATED,
                stream.send(StreamClient.request().setCancelRun(true)).awaitStatus().getCode());
        assertEquals(RunState.RUNNING, gateway.journal.run(runId).orElseThrow().state());
    }

    @Test
    void refusesALaterMessageAboutAnotherRun() {
        gateway.model.hold(new ModelEvent.TextDelta("First"));
        StreamClient stream = alice.stream().send(StreamClient.saying("Hi"));
        stream.awaitText("First");
        Status status =
                stream.send(
                                StreamClient.request()
                                        .setRunId(ApiMapper.id(Ids.next()))
                                        .setCancelRun(true))
                        .awaitStatus();
        assertEquals(Status.Code.INVALID_ARGUMENT, status.getCode());
        assertTrue(status.getDescription().contains("run_id"));
    }

    @Test
    void resumesInANewEngineAndDropsTheLostAttempt() {
        gateway.model.hold(new ModelEvent.TextDelta("Half an ans"));
        StreamClient stream = alice.stream().send(StreamClient.saying("Hi"));
        stream.awaitText("Half an ans");
        gateway.model.answer("A whole answer");
        gateway.engineGoes();
        gateway.engineComes();
        stream.awaitCompleted();
        assertEquals("A whole answer", stream.text());
        assertTrue(stream.events().stream().anyMatch(RunStreamEvent::hasTurnRestarted));
        List<Long> seqs = StreamClient.seqs(stream.events());
        assertEquals(seqs.stream().sorted().distinct().toList(), seqs);
    }

    @Test
    void tellsWhatBecomesOfAToolCallUnderOneId() {
        gateway.model.propose("palyra.echo", "{\"text\":\"x\"}").answer("No tool then");
        StreamClient stream = alice.stream().send(StreamClient.saying("Hi")).awaitCompleted();
        RunStreamEvent proposal = stream.await("a proposal", RunStreamEvent::hasToolProposal);
        RunStreamEvent decision = stream.await("a decision", RunStreamEvent::hasToolDecision);
        RunStreamEvent result = stream.await("a result", RunStreamEvent::hasToolResult);
        String id = proposal.getToolProposal().getProposalId().getUlid();
        assertTrue(Ulids.isUlid(id), id);
        assertEquals("palyra.echo", proposal.getToolProposal().getToolName());
        assertEquals("{\"text\":\"x\"}", proposal.getToolProposal().getInputJson().toStringUtf8());
        assertEquals(id, decision.getToolDecision().getProposalId().getUlid());
        assertEquals(id, result.getToolResult().getProposalId().getUlid());
        assertFalse(result.getToolResult().getSuccess());
        assertEquals("denied", result.getToolResult().getOutcome());
    }

    @Test
    void putsTheRunIntoTheSessionThatIsMeant() {
        gateway.model.answer("One").answer("Two").answer("Three");
        StreamClient one =
                alice.stream()
                        .send(
                                StreamClient.saying("1")
                                        .setSessionKey("work")
                                        .setSessionLabel("My work"))
                        .awaitCompleted();
        String session = one.events().getFirst().getSessionId().getUlid();
        StreamClient two =
                alice.stream()
                        .send(StreamClient.saying("2").setSessionId(ApiMapper.id(session)))
                        .awaitCompleted();
        assertEquals(session, two.events().getFirst().getSessionId().getUlid());
        StreamClient three =
                alice.stream()
                        .send(StreamClient.saying("3").setSessionKey("work").setResetSession(true))
                        .awaitCompleted();
        assertFalse(session.equals(three.events().getFirst().getSessionId().getUlid()));
        var labels =
                alice.call()
                        .listSessions(
                                ListSessionsRequest.newBuilder()
                                        .setV(1)
                                        .setIncludeArchived(true)
                                        .setQ("my WORK")
                                        .build());
        assertEquals(session, labels.getSessions(0).getSessionId().getUlid());
    }

    @Test
    void failsForASessionThatMustExistAndDoesNot() {
        Status status =
                alice.stream()
                        .send(
                                StreamClient.saying("Hi")
                                        .setSessionKey("nowhere")
                                        .setRequireExisting(true))
                        .awaitStatus();
        assertEquals(Status.Code.NOT_FOUND, status.getCode());
        assertEquals(0, runs().size());
    }

    @Test
    void takesDeviceAndChannelFromTheCallAndElseTheChannelFromTheMessage() {
        gateway.model.answer("One").answer("Two");
        RunStreamRequest.Builder fromDiscord = StreamClient.saying("Hi");
        fromDiscord.getInputBuilder().getOriginBuilder().setChannel("discord");
        StreamClient one = alice.stream().send(fromDiscord).awaitCompleted();
        String device = Ids.next();
        alice.with("x-palyra-channel", "cli").with("x-palyra-device-id", device);
        fromDiscord.getInputBuilder().setEnvelopeId(ApiMapper.id(Ids.next()));
        StreamClient two = alice.stream().send(fromDiscord).awaitCompleted();
        var first = session(one);
        assertEquals("discord", first.channel());
        assertEquals("", first.deviceId());
        assertEquals("cli", session(two).channel());
        assertEquals(device, session(two).deviceId());
    }

    private palyra.api.run.SessionView session(StreamClient stream) {
        String id = stream.events().getFirst().getSessionId().getUlid();
        return gateway.journal.session(id).orElseThrow();
    }

    @Test
    void cannotAttachToWhatIsNotOnesOwn() {
        gateway.model.answer("Mine");
        StreamClient own = alice.stream().send(StreamClient.saying("Hi")).awaitCompleted();
        String runId = own.events().getFirst().getRunId().getUlid();
        try (Client bob = gateway.client("user:bob", "integrator")) {
            Status foreign =
                    bob.stream()
                            .send(StreamClient.request().setRunId(ApiMapper.id(runId)))
                            .awaitStatus();
            Status unknown =
                    bob.stream()
                            .send(StreamClient.request().setRunId(ApiMapper.id(Ids.next())))
                            .awaitStatus();
            assertEquals(Status.Code.NOT_FOUND, foreign.getCode());
            assertEquals(Status.Code.NOT_FOUND, unknown.getCode());
        }
        assertEquals(
                "Mine",
                alice.stream()
                        .send(StreamClient.request().setRunId(ApiMapper.id(runId)))
                        .awaitCompleted()
                        .text());
    }

    @Test
    void cannotTakeARunIdThatSomebodyElseHas() {
        gateway.model.answer("Mine");
        StreamClient own = alice.stream().send(StreamClient.saying("Hi")).awaitCompleted();
        try (Client bob = gateway.client("user:bob", "integrator")) {
            Status status =
                    bob.stream()
                            .send(
                                    StreamClient.saying("Hi")
                                            .setRunId(own.events().getFirst().getRunId()))
                            .awaitStatus();
            assertEquals(Status.Code.ALREADY_EXISTS, status.getCode());
            assertFalse(status.getDescription().contains("alice"));
        }
    }

    @Test
    void deniesAViewerToStartARun() {
        try (Client viewer = gateway.client("user:vera", "viewer")) {
            assertEquals(
                    Status.Code.PERMISSION_DENIED,
                    viewer.stream().send(StreamClient.saying("Hi")).awaitStatus().getCode());
        }
    }

    /** A first message that must be refused, and what the refusal names. */
    private record Bad(String names, RunStreamRequest.Builder request) {}

    private static Stream<Bad> bad() {
        RunStreamRequest.Builder attach =
                StreamClient.request().setRunId(ApiMapper.id(Ids.next())).clone();
        RunStreamRequest.Builder oldVersion = StreamClient.saying("Hi");
        oldVersion.getInputBuilder().setV(0);
        RunStreamRequest.Builder silent = StreamClient.saying(" ");
        RunStreamRequest.Builder nameless = StreamClient.saying("Hi");
        nameless.getInputBuilder().clearEnvelopeId();
        RunStreamRequest.Builder loaded = StreamClient.saying("Hi");
        loaded.getInputBuilder().getContentBuilder().addAttachmentsBuilder();
        RunStreamRequest.Builder large = StreamClient.saying("Grüße");
        large.getInputBuilder().setMaxPayloadBytes(6);
        RunStreamRequest.Builder strange = StreamClient.saying("Hi");
        strange.getInputBuilder().getOriginBuilder().setTypeValue(77);
        RunStreamRequest.Builder distrusted = StreamClient.saying("Hi");
        distrusted.getInputBuilder().getSecurityBuilder().setTrustValue(9);
        RunStreamRequest.Builder channel = StreamClient.saying("Hi");
        channel.getInputBuilder().getOriginBuilder().setChannel("two\nlines");
        RunStreamRequest.Builder noTurn = attach.clone();
        noTurn.getAttachTextBuilder().setAnswerLength(3);
        return Stream.of(
                new Bad("v is 0", StreamClient.saying("Hi").setV(0)),
                new Bad("v is 2", StreamClient.saying("Hi").setV(2)),
                new Bad("neither input nor run_id", StreamClient.request()),
                new Bad("input.v", oldVersion),
                new Bad("input.content.text", silent),
                new Bad("input.envelope_id", nameless),
                new Bad("input.content.attachments", loaded),
                new Bad("max_payload_bytes", large),
                new Bad("input.origin.type", strange),
                new Bad("input.security.trust", distrusted),
                new Bad("input.origin.channel", channel),
                new Bad("run_id", StreamClient.saying("Hi").setRunId(ApiMapper.id("run-1"))),
                new Bad(
                        "session_id",
                        StreamClient.saying("Hi")
                                .setSessionId(ApiMapper.id("01jd3z0000000000000000000a"))),
                new Bad("session_id", StreamClient.saying("Hi").setSessionId(ApiMapper.id(""))),
                new Bad("session_key", StreamClient.saying("Hi").setSessionKey("k".repeat(257))),
                new Bad(
                        "session label",
                        StreamClient.saying("Hi").setSessionLabel("l".repeat(257))),
                new Bad(
                        "origin_run_id",
                        StreamClient.saying("Hi").setOriginRunId(ApiMapper.id("x"))),
                new Bad("origin kind", StreamClient.saying("Hi").setOriginKind("nightly")),
                new Bad(
                        "parameter_delta_json",
                        StreamClient.saying("Hi")
                                .setParameterDeltaJson(
                                        com.google.protobuf.ByteString.copyFromUtf8("{}"))),
                new Bad(
                        "queued_input_id",
                        StreamClient.saying("Hi").setQueuedInputId(ApiMapper.id(Ids.next()))),
                new Bad("cancel_run", StreamClient.saying("Hi").setCancelRun(true)),
                new Bad("attach_after_seq", StreamClient.saying("Hi").setAttachAfterSeq(4)),
                new Bad("attach_after_seq", attach.clone().setAttachAfterSeq(-1)),
                new Bad("attach_text", noTurn),
                new Bad("session_key", attach.clone().setSessionKey("work")),
                new Bad("reset_session", attach.clone().setResetSession(true)),
                new Bad("allow_sensitive_tools", attach.clone().setAllowSensitiveTools(true)),
                new Bad("agent_id", attach.clone().setAgentId("default")));
    }

    @Test
    void refusesFirstMessagesThatCannotBeUnderstoodAndNamesTheField() {
        bad().forEach(
                        bad -> {
                            Status status = alice.stream().send(bad.request()).awaitStatus();
                            assertEquals(
                                    Status.Code.INVALID_ARGUMENT, status.getCode(), bad.names());
                            assertTrue(
                                    status.getDescription().contains(bad.names()),
                                    bad.names() + " in " + status.getDescription());
                        });
        assertEquals(0, runs().size());
    }
}
