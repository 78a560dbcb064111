package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.core.journal.RunRow;
import palyra.api.model.FailureCause;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelProvider;
import palyra.api.model.ModelRequest;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.settings.ModelProfile;
import palyra.gateway.internal.settings.ModelSettings;
import palyra.gateway.internal.settings.ModelTarget;
import palyra.gateway.internal.settings.PromptProfile;
import palyra.gateway.internal.settings.Setting;
import palyra.testing.model.ScriptedModelProvider;

/** Profiles, and the chain of models that a turn may be asked of. */
class FailoverTest {
    @TempDir Path folder;
    private LightGateway.Surroundings around;
    private final ScriptedModelProvider first = new ScriptedModelProvider();
    private final ScriptedModelProvider second = new ScriptedModelProvider();
    private LightGateway gateway;

    @BeforeEach
    void start() {
        around = new LightGateway.Surroundings(folder, "boot");
        around.models = settings(profile("fast", "one/a", "two/b"));
        gateway = new LightGateway(around, null, "boot/1").awaitReady();
        gateway.services.models().add(first, id("one"));
        gateway.services.models().add(second, id("two"));
        gateway.profiled("fast", "");
    }

    @AfterEach
    void stop() {
        gateway.close();
        first.close();
        second.close();
        around.close();
    }

    private static Map<String, Object> id(String id) {
        return Map.of(ModelProvider.ID_PROPERTY, id);
    }

    static ModelProfile profile(String name, String... targets) {
        return new ModelProfile(
                name,
                List.of(targets).stream().map(ModelTarget::parse).toList(),
                0,
                77,
                Map.of("temperature", "0.2"));
    }

    static ModelSettings settings(Setting... settings) {
        return ModelSettings.of(List.of(settings));
    }

    private static ModelEvent.Failed failed(FailureCause cause, boolean retryable) {
        return new ModelEvent.Failed(
                ErrorCode.MODEL_FAILED, "It says " + cause + ".", retryable, cause, 0);
    }

    private List<String> asked(String runId) {
        return gateway.records(runId, TapeEvent.TurnStarted.class).stream()
                .map(
                        started ->
                                started.attempt()
                                        + " "
                                        + started.provider()
                                        + "/"
                                        + started.model())
                .toList();
    }

    @Test
    void givesAModelCallerBoundAndOptions() {
        first.answer("fine");
        String runId = gateway.submit("hello").runId();
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        ModelRequest request = first.requests().get(0);
        assertEquals("a", request.model());
        assertEquals(77, request.maxOutputTokens());
        assertEquals(Map.of("temperature", "0.2"), request.options());
        assertEquals("user:alice", request.caller().principal());
        assertEquals("default", request.caller().agentId());
        assertEquals(Set.of(), request.caller().groups());
        assertEquals(
                gateway.services.journal().call(j -> j.run(runId)).orElseThrow().sessionId(),
                request.caller().sessionId());
        TapeEvent.TurnStarted started = gateway.records(runId, TapeEvent.TurnStarted.class).get(0);
        assertEquals("fast", started.modelProfile());
    }

    @Test
    void asksTheSamePlaceFirstAndThenTheNext() {
        for (int i = 0; i < 3; i++) {
            first.turn(failed(FailureCause.SERVER, true));
        }
        second.answer("from two");
        String runId = gateway.submit("hello").runId();
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(List.of("1 one/a", "2 one/a", "3 one/a", "4 two/b"), asked(runId));
        assertEquals(3, gateway.records(runId, TapeEvent.TurnRestarted.class).size());
    }

    @Test
    void goesElsewhereAtOnceWhenTheSamePlaceCannotHelp() {
        first.turn(failed(FailureCause.AUTHENTICATION, false));
        second.answer("from two");
        String runId = gateway.submit("hello").runId();
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(List.of("1 one/a", "2 two/b"), asked(runId));
    }

    /**
     * A provider that is not asked is like one that is absent: there is nothing to wait for here.
     */
    @Test
    void goesElsewhereAtOnceWhenTheProviderIsNotAsked() {
        first.turn(failed(FailureCause.CIRCUIT_OPEN, true));
        second.answer("from two");
        String runId = gateway.submit("hello").runId();
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(List.of("1 one/a", "2 two/b"), asked(runId));
    }

    @Test
    void neverGoesElsewhereWithABadRequestOrBlockedContent() {
        for (FailureCause cause : List.of(FailureCause.BAD_REQUEST, FailureCause.CONTENT_BLOCKED)) {
            first.turn(failed(cause, false));
            String runId = gateway.submit("hello").runId();
            RunRow run = gateway.ended(runId);
            assertEquals(RunState.FAILED, run.state());
            assertEquals("It says " + cause + ".", run.reason());
            assertEquals(List.of("1 one/a"), asked(runId));
        }
        assertEquals(List.of(), second.requests());
    }

    @Test
    void saysWhatEachModelSaidWhenNoneAnswers() {
        first.turn(failed(FailureCause.QUOTA, false));
        second.turn(failed(FailureCause.AUTHENTICATION, false));
        RunRow run = gateway.ended(gateway.submit("hello").runId());
        assertEquals(RunState.FAILED, run.state());
        assertTrue(run.reason().contains("one/a: It says QUOTA."), run.reason());
        assertTrue(run.reason().contains("two/b: It says AUTHENTICATION."), run.reason());
    }

    @Test
    void takesTheNextOfTheChainWhileTheFirstIsAbsent() {
        gateway.services.models().remove(first, id("one"));
        second.answer("from two");
        String runId = gateway.submit("hello").runId();
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(List.of("1 two/b"), asked(runId));
    }

    @Test
    void waitsForTheFirstWhenNoneIsThere() {
        gateway.services.models().remove(first, id("one"));
        gateway.services.models().remove(second, id("two"));
        String runId = gateway.submit("hello").runId();
        palyra.testing.wait.Await.until(
                "the run to wait",
                () ->
                        gateway.services
                                .journal()
                                .call(j -> j.run(runId))
                                .filter(row -> row.reason().contains("waiting for model provider"))
                                .isPresent());
        first.answer("back");
        gateway.services.models().add(first, id("one"));
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(List.of("1 one/a"), asked(runId));
    }

    @Test
    void waitsForAProfileAndFailsWithItsNameWhenNobodyConfiguresIt() {
        around.models = ModelSettings.NONE;
        RunRow run = gateway.ended(gateway.submit("hello").runId());
        assertEquals(RunState.FAILED, run.state());
        assertTrue(run.reason().contains("model profile 'fast'"), run.reason());
    }

    @Test
    void runsOnceItsProfileIsConfigured() {
        around.models = ModelSettings.NONE;
        first.answer("fine");
        String runId = gateway.submit("hello").runId();
        around.models = settings(profile("fast", "one/a"));
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
    }

    @Test
    void changedProfileAppliesFromTheNextTurnOfARun() {
        first.turn(
                new ModelEvent.Proposed(
                        new palyra.api.model.ToolProposal("", "palyra.absent", "{}")),
                new ModelEvent.Finished("tool_calls", 1, 1));
        second.answer("from two");
        gateway.profiled("fast", "", "palyra.absent");
        String runId = gateway.submit("hello").runId();
        palyra.testing.wait.Await.until("the first turn", () -> !first.requests().isEmpty());
        around.models = settings(profile("fast", "two/b"));
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        List<TapeEvent.TurnStarted> turns = gateway.records(runId, TapeEvent.TurnStarted.class);
        assertEquals("two", turns.getLast().provider());
    }

    @Test
    void promptProfileStandsInPlaceOfTheAgentsOwn() {
        around.models =
                settings(
                        profile("fast", "one/a"),
                        new PromptProfile("house", "Speak like a pirate.", ""));
        gateway.profiled("fast", "house");
        first.answer("arr");
        String runId = gateway.submit("hello").runId();
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(
                new ModelMessage.System("Speak like a pirate."),
                first.requests().get(0).messages().get(0));
        assertEquals(
                "house",
                gateway.records(runId, TapeEvent.TurnStarted.class).get(0).promptProfile());
    }

    @Test
    void tooLongConversationIsShownOnceMoreAtHalfItsSizeAndThenGivenUp() {
        first.turn(failed(FailureCause.CONTEXT_EXCEEDED, false));
        first.answer("fits");
        String runId = gateway.submit("hello").runId();
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        List<TapeEvent.TurnStarted> turns = gateway.records(runId, TapeEvent.TurnStarted.class);
        assertEquals(0, turns.get(0).windowTokens());
        assertTrue(turns.get(1).windowTokens() > 0);
        assertTrue(!turns.get(1).leftOut().isEmpty());

        first.turn(failed(FailureCause.CONTEXT_EXCEEDED, false));
        first.turn(failed(FailureCause.CONTEXT_EXCEEDED, false));
        RunRow run = gateway.ended(gateway.submit("again").runId());
        assertEquals(RunState.FAILED, run.state());
        assertTrue(run.reason().contains("too long"), run.reason());
        assertEquals(List.of(), second.requests());
    }

    @Test
    void updatesOfAProvidersBundleUseUpNoAttempt() {
        gateway.services.models().remove(second, id("two"));
        int updates = 5;
        for (int i = 0; i < updates; i++) {
            first.hold();
        }
        first.turn(failed(FailureCause.SERVER, true));
        first.turn(failed(FailureCause.SERVER, true));
        first.answer("at last");
        String runId = gateway.submit("hello").runId();
        for (int i = 1; i <= updates; i++) {
            int asked = i;
            palyra.testing.wait.Await.until("turn " + i, () -> first.requests().size() == asked);
            gateway.services.models().remove(first, id("one"));
            gateway.services.models().add(first, id("one"));
        }
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(updates + 3, asked(runId).size());
    }

    @Test
    void enginesThatWereLostUseUpNoAttempt() {
        first.hold();
        first.hold();
        String runId = gateway.submit("hello").runId();
        for (int i = 1; i <= 2; i++) {
            int asked = i;
            palyra.testing.wait.Await.until("turn " + i, () -> first.requests().size() == asked);
            gateway.close();
            if (i == 2) {
                first.turn(failed(FailureCause.SERVER, true));
                first.turn(failed(FailureCause.SERVER, true));
                first.answer("at last");
            }
            gateway = new LightGateway(around, null, "boot/" + (i + 1));
            gateway.services.models().add(first, id("one"));
            gateway.awaitReady();
        }
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(5, asked(runId).size());
    }

    /** Its successor is there before it goes, so that the chain never sees it absent. */
    @Test
    void aProviderThatComesAndGoesForeverEndsTheRun() {
        second.turn(failed(FailureCause.AUTHENTICATION, false));
        int most = 30; // ten for each of three attempts
        try (ScriptedModelProvider successor = new ScriptedModelProvider()) {
            for (int i = 0; i <= most; i++) {
                first.hold();
                successor.hold();
            }
            String runId = gateway.submit("hello").runId();
            ScriptedModelProvider present = first;
            for (int i = 1; i <= most; i++) {
                int asked = i;
                palyra.testing.wait.Await.until(
                        "turn " + i,
                        () -> first.requests().size() + successor.requests().size() == asked);
                ScriptedModelProvider next = present == first ? successor : first;
                gateway.services.models().add(next, id("one"));
                gateway.services.models().remove(present, id("one"));
                present = next;
            }
            RunRow run = gateway.ended(runId);
            assertEquals(RunState.FAILED, run.state());
            assertTrue(run.reason().contains("withdrawn"), run.reason());
            assertEquals((most + 1) + " two/b", asked(runId).getLast(), "the chain goes on");
        }
    }

    @Test
    void anotherEngineGoesOnAtTheSamePlaceInTheChain() {
        first.turn(failed(FailureCause.AUTHENTICATION, false));
        second.hold();
        String runId = gateway.submit("hello").runId();
        palyra.testing.wait.Await.until("the second model", () -> second.runningTurns() == 1);
        gateway.close();
        second.answer("from two");
        gateway = new LightGateway(around, null, "boot/2");
        gateway.services.models().add(first, id("one"));
        gateway.services.models().add(second, id("two"));
        gateway.awaitReady();
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(List.of("1 one/a", "2 two/b", "3 two/b"), asked(runId));
        assertEquals(1, first.requests().size());
    }
}
