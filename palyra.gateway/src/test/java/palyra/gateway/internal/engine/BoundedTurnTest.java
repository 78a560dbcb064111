package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.journal.RunRow;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelProvider;
import palyra.api.model.ModelRequest;
import palyra.api.model.ModelSink;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.engine.queue.RunWorker;
import palyra.gateway.internal.engine.turn.TurnMemory;
import palyra.gateway.internal.settings.MemorySettings;
import palyra.models.internal.http.HttpModel;
import palyra.testing.access.FakeAccess;
import palyra.testing.http.FaultServer;
import palyra.testing.http.LoopbackEgress;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.wait.Await;

/** A turn that is too large fails with the limit and its setting, and costs no other run. */
class BoundedTurnTest {
    private static final MemorySettings SMALL = new MemorySettings(4 << 20, 1 << 20, 4_096, 16_384);

    @TempDir Path state;
    private final ScriptedModelProvider model = new ScriptedModelProvider();
    private LightGateway.Surroundings around;
    private LightGateway gateway;

    private LightGateway open(ModelProvider asked, MemorySettings memory) {
        around = new LightGateway.Surroundings(state, "boot");
        gateway =
                new LightGateway(
                                around,
                                asked,
                                "boot/1",
                                real -> real,
                                FakeAccess.forTools(),
                                LightGateway.settings().with(memory))
                        .awaitReady();
        return gateway;
    }

    @AfterEach
    void close() {
        gateway.close();
        model.close();
        around.close();
    }

    private String failure(ModelEvent... events) {
        model.turn(events);
        String runId = gateway.submit("go").runId();
        RunRow row = gateway.ended(runId);
        assertEquals(RunState.FAILED, row.state());
        assertEquals(1, gateway.records(runId, TapeEvent.TurnStarted.class).size(), "asked once");
        assertEquals(List.of(), gateway.records(runId, TapeEvent.TurnFinished.class));
        return row.reason();
    }

    private void nextOneAnswers() {
        model.answer("well");
        assertEquals(RunState.SUCCEEDED, gateway.ended(gateway.submit("go").runId()).state());
        Await.until("all memory to be free", () -> gateway.services.memory().used() == 0);
    }

    private static ModelEvent text(int chars) {
        return new ModelEvent.TextDelta("é".repeat(chars));
    }

    /** Bytes count, not characters; what came before stays on the tape. */
    @Test
    void answerHasALongest() {
        open(model, SMALL);
        assertEquals(
                "The turn was given up: its answer and thoughts have more than 4096 bytes. Ask for"
                        + " less, or raise maxAnswerBytes of palyra.gateway.",
                failure(
                        text(1_000),
                        text(1_000),
                        text(100),
                        new ModelEvent.Finished("stop", 1, 1)));
        String runId = around.journal().runs("", "", "", 1).getFirst().runId();
        int taped =
                gateway.records(runId, TapeEvent.ModelToken.class).stream()
                        .mapToInt(token -> token.text().length())
                        .sum();
        assertTrue(taped >= 1_000, () -> taped + " characters on the tape");
        nextOneAnswers();
        model.turn(text(2_048), new ModelEvent.Finished("stop", 1, 1));
        String whole = gateway.submit("go").runId();
        assertEquals(RunState.SUCCEEDED, gateway.ended(whole).state());
    }

    @Test
    void thoughtsCountAsTheAnswerDoes() {
        open(model, SMALL);
        String why = failure(new ModelEvent.ThoughtDelta("x".repeat(4_000)), text(100));
        assertTrue(why.contains("maxAnswerBytes"), why);
        nextOneAnswers();
    }

    @Test
    void inputsOfCallsHaveALargest() {
        open(model, SMALL);
        ModelEvent call =
                new ModelEvent.Proposed(
                        new ToolProposal("", "t", "{\"a\":\"" + "x".repeat(6_000) + "\"}"));
        assertEquals(
                "The turn was given up: what the model streamed has more than 16384 bytes. Ask for"
                        + " less, or raise maxTurnBytes of palyra.gateway.",
                failure(call, call, call));
        nextOneAnswers();
    }

    @Test
    void numberOfCallsOfATurnHasABound() {
        open(model, MemorySettings.DEFAULT);
        List<ModelEvent> calls = new ArrayList<>();
        for (int i = 0; i <= TurnMemory.MOST_PROPOSALS; i++) {
            calls.add(new ModelEvent.Proposed(new ToolProposal("", "t", "{}")));
        }
        assertEquals(
                "The turn was given up: it proposes more than 1000 tool calls.",
                failure(calls.toArray(ModelEvent[]::new)));
        nextOneAnswers();
    }

    /** What a run is shown counts before a model is asked. */
    @Test
    void runHasAShareOfTheMemory() {
        open(model, new MemorySettings(2 << 20, 1 << 19, 1 << 20, 1 << 20));
        model.answer("never asked for");
        RunRow row = gateway.ended(gateway.submit("x".repeat(200_000)).runId());
        assertEquals(RunState.FAILED, row.state());
        assertTrue(
                row.reason().contains("one run may hold 524288; begin a new session"),
                row.reason());
        assertEquals(List.of(), model.requests());
        assertEquals(
                RunState.SUCCEEDED,
                gateway.ended(gateway.submit(Wanted.saying("go").in("other").message()).runId())
                        .state());
    }

    /** Memory that runs out while an answer is read costs the run that is answered. */
    @Test
    void outOfMemoryInOneAnswerCostsItsRun() {
        try (FaultServer server =
                        FaultServer.open()
                                .next(
                                        exchange ->
                                                exchange.stream()
                                                        .send("data: {\"exhaust\":1}\n\n"));
                LoopbackEgress egress = new LoopbackEgress();
                HttpModel remote = FloodedGateway.model(server.url(), egress)) {
            open(remote, SMALL);
            RunRow row = gateway.ended(gateway.submit("go").runId());
            assertEquals(RunState.FAILED, row.state());
            assertTrue(row.reason().contains("ran out of memory while it read"), row.reason());
            server.next(
                    exchange ->
                            exchange.stream()
                                    .send("data: {\"text\":\"a\"}\n\ndata: {\"end\":true}\n\n"));
            RunRow next = gateway.ended(gateway.submit("go").runId());
            assertEquals(RunState.SUCCEEDED, next.state());
        }
    }

    /** Memory that runs out in the worker of one run costs that run. */
    @Test
    void outOfMemoryInOneRunCostsThatRun() {
        open(
                new ModelProvider() {
                    @Override
                    public void start(ModelRequest request, ModelSink sink) {
                        if (request.messages().getLast().text().equals("huge")) {
                            throw new OutOfMemoryError("of the test");
                        }
                        model.start(request, sink);
                    }

                    @Override
                    public void cancel(String requestId) {
                        model.cancel(requestId);
                    }
                },
                SMALL);
        RunRow row = gateway.ended(gateway.submit("huge").runId());
        assertEquals(RunState.FAILED, row.state());
        assertEquals(RunWorker.OUT_OF_MEMORY, row.reason());
        nextOneAnswers();
    }
}
