package palyra.transport.grpc.internal.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.transport.grpc.internal.service.Refusals.assertInvalid;
import static palyra.transport.grpc.internal.service.Refusals.assertRefused;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.shared.tape.TapeCodec;
import palyra.transport.grpc.internal.wire.common.JournalEvent;
import palyra.transport.grpc.internal.wire.common.JournalEvent.EventActor;
import palyra.transport.grpc.internal.wire.common.JournalEvent.EventKind;
import palyra.transport.grpc.internal.wire.gateway.AbortRunRequest;
import palyra.transport.grpc.internal.wire.gateway.AbortRunResponse;
import palyra.transport.grpc.internal.wire.gateway.AppendEventRequest;
import palyra.transport.grpc.internal.wire.gateway.AppendEventResponse;
import palyra.transport.grpc.internal.wire.gateway.GetRunRequest;
import palyra.transport.grpc.internal.wire.gateway.HealthRequest;
import palyra.transport.grpc.internal.wire.gateway.ListRunsRequest;
import palyra.transport.grpc.internal.wire.gateway.ListRunsResponse;
import palyra.transport.grpc.internal.wire.gateway.Run;

class RunCallsTest {
    @TempDir Path state;
    private TestGateway gateway;
    private Client alice;
    private Client bob;
    private Client root;

    @BeforeEach
    void open() {
        gateway = new TestGateway(state);
        alice = gateway.client("user:alice", "integrator");
        bob = gateway.client("user:bob", "integrator");
        root = gateway.client("user:root", "operator");
    }

    @AfterEach
    void close() {
        alice.close();
        bob.close();
        root.close();
        gateway.close();
    }

    private TapeRun run(String principal) {
        return new TapeRun(gateway.journal, principal);
    }

    private static GetRunRequest get(String runId) {
        return GetRunRequest.newBuilder().setV(1).setRunId(ApiMapper.id(runId)).build();
    }

    @Test
    void tellsARunToWhoMayKnowIt() {
        TapeRun mine = run("user:alice").end(RunState.FAILED);
        Run run = alice.call().getRun(get(mine.runId)).getRun();
        assertEquals(mine.runId, run.getRunId().getUlid());
        assertEquals(mine.sessionId, run.getSessionId().getUlid());
        assertEquals("user:alice", run.getPrincipal());
        assertEquals("default", run.getAgentId());
        assertEquals("interactive", run.getOriginKind());
        assertEquals("failed", run.getState());
        assertEquals("done", run.getReason());
        assertEquals(2, run.getHeadSeq());
        assertTrue(run.getCreatedAtUnixMs() > 0);
        assertEquals(run, root.call().getRun(get(mine.runId)).getRun());
        String foreign =
                assertRefused(Status.Code.NOT_FOUND, () -> bob.call().getRun(get(mine.runId)))
                        .getDescription();
        String unknown = Ids.next();
        String none =
                assertRefused(Status.Code.NOT_FOUND, () -> bob.call().getRun(get(unknown)))
                        .getDescription();
        assertEquals(foreign.replace(mine.runId, ""), none.replace(unknown, ""));
    }

    @Test
    void listsRunsInPagesNewestFirst() {
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            made.addFirst(run("user:alice").runId);
        }
        run("user:bob");
        List<String> found = new ArrayList<>();
        ListRunsRequest.Builder request = ListRunsRequest.newBuilder().setV(1).setLimit(2);
        int pages = 0;
        while (true) {
            ListRunsResponse page = alice.call().listRuns(request.build());
            page.getRunsList().forEach(run -> found.add(run.getRunId().getUlid()));
            pages++;
            if (!page.hasNextBeforeRunId()) {
                break;
            }
            request.setBeforeRunId(page.getNextBeforeRunId());
        }
        assertEquals(made, found);
        assertEquals(3, pages);
    }

    @Test
    void endsAListThatFillsItsLastPage() {
        run("user:alice");
        run("user:alice");
        ListRunsResponse page =
                alice.call().listRuns(ListRunsRequest.newBuilder().setV(1).setLimit(2).build());
        assertEquals(2, page.getRunsCount());
        assertFalse(page.hasNextBeforeRunId());
    }

    @Test
    void listsRunsOfOneSession() {
        TapeRun one = run("user:alice");
        run("user:alice");
        ListRunsResponse page =
                alice.call()
                        .listRuns(
                                ListRunsRequest.newBuilder()
                                        .setV(1)
                                        .setSessionId(ApiMapper.id(one.sessionId))
                                        .build());
        assertEquals(1, page.getRunsCount());
        assertEquals(one.runId, page.getRuns(0).getRunId().getUlid());
    }

    @Test
    void refusesReadingThatCannotBeUnderstood() {
        assertInvalid(
                "run_id is missing",
                () -> alice.call().getRun(GetRunRequest.newBuilder().setV(1).build()));
        assertInvalid("run_id", () -> alice.call().getRun(get("nonsense")));
        assertInvalid(
                "run_id",
                () -> alice.call().getRun(get(Ids.next().toLowerCase(java.util.Locale.ROOT))));
        assertInvalid("v is 0", () -> alice.call().getRun(GetRunRequest.newBuilder().build()));
        assertInvalid(
                "limit is 501",
                () ->
                        alice.call()
                                .listRuns(
                                        ListRunsRequest.newBuilder()
                                                .setV(1)
                                                .setLimit(501)
                                                .build()));
        assertInvalid(
                "limit is 4294967295",
                () ->
                        alice.call()
                                .listRuns(
                                        ListRunsRequest.newBuilder().setV(1).setLimit(-1).build()));
        assertInvalid(
                "before_run_id",
                () ->
                        alice.call()
                                .listRuns(
                                        ListRunsRequest.newBuilder()
                                                .setV(1)
                                                .setBeforeRunId(ApiMapper.id(""))
                                                .build()));
    }

    private static AbortRunRequest abort(String runId) {
        return AbortRunRequest.newBuilder()
                .setV(1)
                .setRunId(ApiMapper.id(runId))
                .setReason("enough")
                .build();
    }

    @Test
    void asksARunToStop() {
        TapeRun going = run("user:alice");
        AbortRunResponse asked = alice.call().abortRun(abort(going.runId));
        assertTrue(asked.getCancelRequested());
        assertEquals(going.runId, asked.getRunId().getUlid());
        assertEquals("enough", asked.getReason());
        assertEquals(1, gateway.journal.pendingCommands("", 10).size());
        TapeRun over = run("user:alice").end(RunState.SUCCEEDED);
        assertFalse(alice.call().abortRun(abort(over.runId)).getCancelRequested());
    }

    @Test
    void stopsNoRunOfSomebodyElse() {
        TapeRun mine = run("user:alice");
        assertRefused(Status.Code.NOT_FOUND, () -> bob.call().abortRun(abort(mine.runId)));
        assertEquals(0, gateway.journal.pendingCommands("", 10).size());
        assertTrue(root.call().abortRun(abort(mine.runId)).getCancelRequested());
        assertInvalid(
                "run_id is missing",
                () -> bob.call().abortRun(AbortRunRequest.newBuilder().setV(1).build()));
        assertInvalid(
                "reason",
                () ->
                        alice.call()
                                .abortRun(
                                        abort(mine.runId).toBuilder()
                                                .setReason("r".repeat(1_001))
                                                .build()));
    }

    private static JournalEvent.Builder event(String runId) {
        return JournalEvent.newBuilder()
                .setV(1)
                .setEventId(ApiMapper.id(Ids.next()))
                .setRunId(ApiMapper.id(runId))
                .setKind(EventKind.EVENT_KIND_TOOL_EXECUTED)
                .setActor(EventActor.EVENT_ACTOR_PLUGIN)
                .setPayloadJson(ByteString.copyFromUtf8("{\"n\": 1.0}"));
    }

    private AppendEventResponse append(JournalEvent.Builder event) {
        return append(alice, event);
    }

    private static AppendEventResponse append(Client client, JournalEvent.Builder event) {
        return client.call()
                .appendEvent(AppendEventRequest.newBuilder().setV(1).setEvent(event).build());
    }

    @Test
    void appendsAnEventOnceAndKeepsItsBytes() {
        TapeRun mine = run("user:alice");
        JournalEvent.Builder event = event(mine.runId).setSessionId(ApiMapper.id(mine.sessionId));
        AppendEventResponse first = append(event);
        assertTrue(first.getAccepted());
        assertTrue(first.getOnTape());
        assertEquals(2, first.getSeq());
        assertEquals(event.getEventId(), first.getEventId());
        assertEquals(first, append(event));
        List<TapeRecord> tape = gateway.journal.tape(mine.runId, 1, 10);
        assertEquals(1, tape.size());
        TapeEvent.ExternalEvent stored = (TapeEvent.ExternalEvent) TapeCodec.event(tape.getFirst());
        assertEquals("tool_executed", stored.kind());
        assertEquals("{\"n\": 1.0}", stored.contentJson());
        assertEquals("user:alice", stored.principal());
        assertEquals("plugin", stored.actor());
    }

    @Test
    void refusesOtherContentUnderTheSameId() {
        TapeRun mine = run("user:alice");
        JournalEvent.Builder event = event(mine.runId);
        append(event);
        event.setPayloadJson(ByteString.copyFromUtf8("2"));
        assertRefused(Status.Code.ALREADY_EXISTS, () -> append(event));
    }

    @Test
    void appendsToTheJournalAfterTheEnd() {
        TapeRun over = run("user:alice").end(RunState.SUCCEEDED);
        AppendEventResponse response =
                append(event(over.runId).clearEventId().setEventKind("note"));
        assertTrue(response.getAccepted());
        assertFalse(response.getOnTape());
        assertTrue(response.hasEventId());
    }

    @Test
    void letsNobodyAppendAsTheAgentOrTheSystem() {
        TapeRun mine = run("user:alice");
        for (EventActor actor :
                List.of(EventActor.EVENT_ACTOR_AGENT, EventActor.EVENT_ACTOR_SYSTEM)) {
            assertRefused(
                    Status.Code.PERMISSION_DENIED, () -> append(event(mine.runId).setActor(actor)));
            assertRefused(
                    Status.Code.PERMISSION_DENIED,
                    () -> append(root, event(mine.runId).setActor(actor)));
        }
        assertEquals(1, gateway.journal.headSeq(mine.runId));
    }

    @Test
    void refusesEventsThatCannotBeTaken() {
        TapeRun mine = run("user:alice");
        String id = mine.runId;
        assertInvalid(
                "event is missing",
                () -> alice.call().appendEvent(AppendEventRequest.newBuilder().setV(1).build()));
        assertInvalid("event.v is 0", () -> append(event(id).setV(0)));
        assertInvalid("event.run_id is missing", () -> append(event(id).clearRunId()));
        assertInvalid("event.event_id", () -> append(event(id).setEventId(ApiMapper.id("e"))));
        assertInvalid("event.session_id", () -> append(event(id).setSessionId(ApiMapper.id("s"))));
        assertInvalid(
                "event.session_id", () -> append(event(id).setSessionId(ApiMapper.id(Ids.next()))));
        assertInvalid("event.kind", () -> append(event(id).clearKind()));
        assertInvalid("event.kind", () -> append(event(id).setKindValue(70)));
        assertInvalid("event.actor", () -> append(event(id).setActorValue(70)));
        assertInvalid("event.hash", () -> append(event(id).setHash("00")));
        assertInvalid("event.prev_hash", () -> append(event(id).setPrevHash("00")));
        assertInvalid("event.record_type", () -> append(event(id).setRecordType("message")));
        assertInvalid("kind", () -> append(event(id).setEventKind("Not A Word")));
        assertInvalid("event.payload_json is missing", () -> append(event(id).clearPayloadJson()));
        assertInvalid("JSON", () -> append(event(id).setPayloadJson(ByteString.copyFromUtf8("{"))));
        assertInvalid(
                "JSON",
                () ->
                        append(
                                event(id)
                                        .setPayloadJson(
                                                ByteString.copyFromUtf8("{\"a\":1,\"a\":2}"))));
        assertInvalid(
                "UTF-8",
                () ->
                        append(
                                event(id)
                                        .setPayloadJson(
                                                ByteString.copyFrom(
                                                        "\"\u00e9\"",
                                                        StandardCharsets.ISO_8859_1))));
        assertInvalid(
                "65536",
                () ->
                        append(
                                event(id)
                                        .setPayloadJson(
                                                ByteString.copyFromUtf8(
                                                        "\"" + "x".repeat(65_536) + "\""))));
        assertRefused(Status.Code.NOT_FOUND, () -> append(bob, event(id)));
        assertRefused(Status.Code.NOT_FOUND, () -> append(event(Ids.next())));
        assertEquals(1, gateway.journal.headSeq(id));
    }

    @Test
    void saysHowItIsWithoutACredential() {
        try (Client nobody = gateway.client("")) {
            HealthRequest request = HealthRequest.newBuilder().setV(1).build();
            var health = nobody.call().getHealth(request);
            assertEquals("palyra", health.getService());
            assertEquals("degraded", health.getStatus());
            gateway.engineComes();
            assertEquals("ok", nobody.call().getHealth(request).getStatus());
            gateway.frontGoes();
            assertEquals("unavailable", nobody.call().getHealth(request).getStatus());
            gateway.frontComes();
            assertInvalid(
                    "v is 9",
                    () -> nobody.call().getHealth(HealthRequest.newBuilder().setV(9).build()));
            assertRefused(Status.Code.UNAUTHENTICATED, () -> nobody.call().getRun(get(Ids.next())));
        }
    }

    @Test
    void saysThatAPartIsAwayWhenTheFrontStaysAway() {
        TapeRun mine = run("user:alice");
        gateway.frontGoes();
        assertRefused(Status.Code.UNAVAILABLE, () -> alice.call().getRun(get(mine.runId)));
        gateway.frontComes();
        assertEquals(
                mine.runId, alice.call().getRun(get(mine.runId)).getRun().getRunId().getUlid());
    }
}
