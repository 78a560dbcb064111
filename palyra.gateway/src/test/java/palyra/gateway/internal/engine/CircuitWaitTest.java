package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.core.journal.RunRow;
import palyra.api.model.FailureCause;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelProvider;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.settings.EngineSettings;
import palyra.models.internal.http.HttpModel;
import palyra.testing.access.FakeAccess;
import palyra.testing.http.FaultServer;
import palyra.testing.http.LoopbackEgress;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.wait.Await;

/** A provider that is not asked because its server failed is waited for, and costs no attempt. */
class CircuitWaitTest {
    private static final String ANSWER = "data: {\"text\":\"fine\"}\n\n";
    private static final String END = "data: {\"end\":true}\n\n";
    private static final int RUNS = 8;

    @TempDir Path state;
    private final FaultServer server = FaultServer.open();
    private final LoopbackEgress egress = new LoopbackEgress();
    private final HttpModel remote = FloodedGateway.model(server.url(), egress, 1, 200);
    private final ScriptedModelProvider scripted = new ScriptedModelProvider();
    private final CountDownLatch goOn = new CountDownLatch(1);
    private LightGateway.Surroundings around;
    private LightGateway gateway;

    private void open(ModelProvider model) {
        open(model, FloodedGateway.settings());
    }

    private void open(ModelProvider model, EngineSettings settings) {
        around = new LightGateway.Surroundings(state, "boot");
        gateway =
                new LightGateway(
                                around,
                                model,
                                "boot/1",
                                real -> real,
                                FakeAccess.forTools(),
                                settings)
                        .awaitReady();
    }

    @AfterEach
    void close() {
        goOn.countDown();
        gateway.close();
        remote.close();
        scripted.close();
        server.close();
        egress.close();
        around.close();
    }

    private String submitIn(String session) {
        return gateway.submit(Wanted.saying("go").in(session).message()).runId();
    }

    private RunRow row(String runId) {
        return around.journal().run(runId).orElseThrow();
    }

    private void awaitReason(String runId, String part) {
        Await.until(
                "a reason of " + runId + " with '" + part + "'",
                () -> row(runId).reason().contains(part));
    }

    private List<Integer> attempts(String runId) {
        return gateway.records(runId, TapeEvent.TurnStarted.class).stream()
                .map(TapeEvent.TurnStarted::attempt)
                .toList();
    }

    /** Lets the circuit open and a run be its trial, which is answered by {@code scene}. */
    private String trial(FaultServer.Scene scene) {
        open(remote);
        server.next(exchange -> exchange.answer(500, "application/json", "{}")).next(scene);
        server.otherwise(exchange -> exchange.stream().send(ANSWER, END));
        String runId = submitIn("trial");
        Await.until("the trial", () -> server.heard().size() == 2);
        return runId;
    }

    @Test
    void runsThatWaitForATrialAllSucceedWhenTheServerIsBack() {
        String trial =
                trial(
                        exchange -> {
                            goOn.await();
                            exchange.stream().send(ANSWER, END);
                        });
        List<String> others =
                IntStream.range(0, RUNS).mapToObj(i -> submitIn("session " + i)).toList();
        others.forEach(runId -> awaitReason(runId, "one trial turn runs first"));
        String reason = row(others.getFirst()).reason();
        assertTrue(reason.startsWith("scripted is asked again at 20"), reason);
        assertTrue(reason.contains("which uses up no attempt"), reason);
        assertEquals(2, server.heard().size(), "nothing else is asked meanwhile");
        goOn.countDown();
        for (String runId : others) {
            assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state(), row(runId).reason());
            assertEquals(List.of(1), attempts(runId));
            assertEquals("", row(runId).reason());
        }
        assertEquals(RunState.SUCCEEDED, gateway.ended(trial).state());
        assertEquals(List.of(1, 2), attempts(trial), "a failure of the server is an attempt");
    }

    @Test
    void trialThatStreamsForEverLetsOthersInAfterItsFirstToken() {
        String trial =
                trial(
                        exchange -> {
                            exchange.stream().send(ANSWER);
                            goOn.await();
                            exchange.send(END);
                        });
        for (int i = 0; i < RUNS; i++) {
            assertEquals(RunState.SUCCEEDED, gateway.ended(submitIn("session " + i)).state());
        }
        assertEquals(RunState.RUNNING, row(trial).state());
        goOn.countDown();
        assertEquals(RunState.SUCCEEDED, gateway.ended(trial).state());
    }

    /** Several waits on end cost no attempt, and the reason goes when the server is asked. */
    @Test
    void refusalsUseUpNoAttempt() {
        open(scripted);
        for (int i = 0; i < 5; i++) {
            scripted.turn(refusal(60));
        }
        scripted.hold(new ModelEvent.TextDelta("fine"));
        String runId = submitIn("one");
        Await.until("to be asked again", () -> scripted.requests().size() == 6);
        Await.until("the reason to go", () -> row(runId).reason().isEmpty());
        assertEquals(List.of(1), attempts(runId));
        assertEquals(
                6, scripted.requests().stream().map(each -> each.requestId()).distinct().count());
        gateway.cancel(runId);
        gateway.ended(runId);
    }

    /** The circuit may open again and again because another run's trial failed. */
    @Test
    void runWaitsForTheNextTrialAfterOneThatFailed() {
        open(scripted, settings(0, 600_000));
        scripted.turn(refusal(60)).turn(refusal(60_000)).turn(refusal(60)).answer("fine");
        String runId = submitIn("one");
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state(), row(runId).reason());
        assertEquals(List.of(1), attempts(runId));
    }

    private static EngineSettings settings(long unavailableWaitMillis, long turnTimeoutMillis) {
        return new EngineSettings(
                64,
                1_000,
                4,
                8,
                3,
                unavailableWaitMillis,
                turnTimeoutMillis,
                600_000,
                20,
                10_000,
                50,
                1_024,
                "scripted");
    }

    @Test
    void providerThatIsNeverAskedIsGivenUpWithAStatedReason() {
        open(scripted, settings(1_500, 1_000));
        scripted.otherwise(request -> List.of(refusal(60)));
        String runId = submitIn("one");
        RunRow row = gateway.ended(runId);
        assertEquals(RunState.FAILED, row.state());
        assertTrue(row.reason().startsWith("The turn was given up after it waited "), row.reason());
        assertTrue(row.reason().endsWith(": It is not asked."), row.reason());
        assertEquals(List.of(1), attempts(runId));
    }

    @Test
    void waitThatIsLongerThanATurnIsNotBegun() {
        open(scripted);
        scripted.turn(refusal(3_600_000));
        String runId = submitIn("one");
        RunRow row = gateway.ended(runId);
        assertEquals(RunState.FAILED, row.state());
        assertEquals(1, scripted.requests().size());
    }

    @Test
    void cancellingARunThatWaitsEndsIt() {
        open(scripted);
        scripted.otherwise(request -> List.of(refusal(60_000)));
        String runId = submitIn("one");
        awaitReason(runId, "scripted is asked again at 20");
        gateway.cancel(runId);
        assertEquals(RunState.CANCELLED, gateway.ended(runId).state());
    }

    private static ModelEvent.Failed refusal(long millis) {
        return new ModelEvent.Failed(
                ErrorCode.MODEL_UNAVAILABLE,
                "It is not asked.",
                true,
                FailureCause.CIRCUIT_OPEN,
                millis);
    }
}
