package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.core.vault.KnownSecrets;
import palyra.api.core.vault.SecretReach;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelRequest;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.run.SubmittedMessage;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.settings.ModelSettings;
import palyra.gateway.internal.settings.PromptProfile;
import palyra.shared.hash.Digests;
import palyra.shared.sealed.Redactor;
import palyra.shared.sealed.RunErasure;
import palyra.shared.secrets.PlaceholderNumbers;
import palyra.shared.tape.Attestations;
import palyra.shared.tape.TapeCodec;
import palyra.testing.access.FakeAccess;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.tool.RecordingTool;
import palyra.testing.vault.FakeKnownSecrets;
import palyra.testing.wait.Await;

/** What becomes of secrets in messages, answers, calls and outputs, with the real journal. */
class SecretsInRunTest {
    private static final String TOKEN = "glpat-" + "x7Kq9ZmT2vLw4RbN8sYd";
    private static final String OTHER = "npm_" + "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17";
    private static final String SHOWN = "⟦secret:gitlab-pat:1⟧";
    private static final String TOOL = "test.effect";
    private static final String INPUT = "{ \"token\":\"" + TOKEN + "\", \"n\":1.50 }";

    @TempDir Path state;

    private final ScriptedModelProvider model = new ScriptedModelProvider();
    private final RecordingTool tool = RecordingTool.withEffect(TOOL);
    private LightGateway.Surroundings around;
    private LightGateway gateway;

    @BeforeEach
    void open() {
        around = new LightGateway.Surroundings(state, "boot", tool);
        gateway = new LightGateway(around, model, "boot/1").awaitReady().offering(TOOL);
    }

    @AfterEach
    void close() {
        gateway.close();
        model.close();
        around.close();
    }

    /** Submits as the front does: what is stored has no secrets, the gateway gets the message. */
    private static String submit(LightGateway gateway, String text) {
        SubmittedMessage exact = SubmittedMessage.of("shell", text);
        SubmittedMessage seen =
                SubmittedMessage.of(
                        "shell",
                        Redactor.withoutVault()
                                .within(SecretReach.NONE)
                                .text(text, PlaceholderNumbers.fresh()));
        InboxRow row = LightGateway.inbox(seen);
        return gateway.host.router().accept(row, exact, List.of()).runId();
    }

    private static String content(Path file) throws IOException {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            return ""; // it was a draft of another file, which is looked at too
        }
    }

    /** Looks into every file of the state folder. */
    private static void assertNowhere(Path state, String... literals) {
        try (Stream<Path> files = Files.walk(state)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String bytes = content(file);
                for (String literal : literals) {
                    assertFalse(bytes.contains(literal), file + " holds a secret");
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> seenByModel() {
        List<String> texts = new ArrayList<>();
        for (ModelRequest request : model.requests()) {
            for (ModelMessage message : request.messages()) {
                texts.add(message.toString());
            }
        }
        return texts;
    }

    private void assertModelNeverSaw(String literal) {
        seenByModel().forEach(text -> assertFalse(text.contains(literal), text));
    }

    @Test
    void aSecretInAMessageReachesNeitherModelNorTapeNorAnswer() {
        int cut = 9;
        model.turn(
                new ModelEvent.ThoughtDelta("they said " + TOKEN + "!"),
                new ModelEvent.TextDelta("You said " + TOKEN.substring(0, cut)),
                new ModelEvent.TextDelta(TOKEN.substring(cut) + " and I say "),
                new ModelEvent.TextDelta(OTHER),
                new ModelEvent.Finished("stop", 3, 2));
        String runId = submit(gateway, "my token is " + TOKEN + ", keep it");
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        List<TapeEvent.Message> messages = gateway.records(runId, TapeEvent.Message.class);
        assertEquals("my token is " + SHOWN + ", keep it", messages.get(0).text());
        String answer = "You said " + SHOWN + " and I say ⟦secret:npm-token:2⟧";
        assertEquals(answer, messages.get(1).text());
        assertEquals(answer, gateway.records(runId, TapeEvent.TurnFinished.class).get(0).text());
        assertEquals(
                "they said " + SHOWN + "!",
                gateway.records(runId, TapeEvent.ModelThought.class).get(0).text());
        assertModelNeverSaw(TOKEN);
        assertTrue(around.opened.verifyStream(runId, () -> false).intact());
        assertNowhere(state, TOKEN, OTHER);
    }

    @Test
    void aToolGetsExactlyWhatTheModelWroteAndNobodyElseDoes() {
        tool.returning("{\"echo\":\"" + TOKEN + "\",\"new\":\"" + OTHER + "\"}");
        model.propose(TOOL, INPUT).answer("used " + TOKEN);
        String runId = submit(gateway, "do it");
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(INPUT, tool.calls().get(0).inputJson());
        String shownInput = "{\"token\":\"" + SHOWN + "\",\"n\":1.5}";
        TapeEvent.ToolCallProposal proposal =
                gateway.records(runId, TapeEvent.ToolCallProposal.class).get(0);
        assertEquals(shownInput, proposal.inputJson());
        assertEquals(
                shownInput,
                gateway.records(runId, TapeEvent.TurnFinished.class)
                        .get(0)
                        .proposals()
                        .get(0)
                        .inputJson());
        TapeEvent.ToolCallOutput output =
                gateway.records(runId, TapeEvent.ToolCallOutput.class).get(0);
        assertEquals(
                "{\"echo\":\"" + SHOWN + "\",\"new\":\"⟦secret:npm-token:2⟧\"}",
                output.outputJson());
        assertTrue(seenByModel().toString().contains(output.outputJson()), "the model is told");
        assertModelNeverSaw(TOKEN);
        String digest = gateway.records(runId, TapeEvent.ToolStarted.class).get(0).inputSha256();
        assertEquals(Digests.sha256Hex(INPUT), digest);
        assertAttested(runId, Attestations.withheld(proposal, digest), output);
        assertTrue(around.opened.verifyStream(runId, () -> false).intact());
        assertNowhere(state, TOKEN, OTHER);
    }

    private void assertAttested(
            String runId, TapeEvent.ToolCallProposal proposal, TapeEvent.ToolCallOutput output) {
        TapeEvent.ToolAttestation said =
                gateway.records(runId, TapeEvent.ToolAttestation.class).get(0);
        byte[] execution =
                Attestations.executionSha256(
                        proposal,
                        output,
                        said.executor(),
                        said.sandboxEnforcement(),
                        said.executedAtMillis(),
                        said.policySha256(),
                        said.executableSha256());
        assertEquals(HexFormat.of().formatHex(execution), said.executionSha256());
    }

    @Test
    void peopleAreAskedWithoutTheSecretAndTheToolRunsWithIt() {
        gateway.close();
        gateway =
                new LightGateway(
                                around,
                                model,
                                "boot/2",
                                UnaryOperator.identity(),
                                new PeopleAccess(TOOL))
                        .awaitReady();
        model.propose(TOOL, INPUT).answer("done");
        String runId = submit(gateway, "do it");
        Answers people = new Answers(around.journal());
        ApprovalRow question = people.waiting(runId).get(0);
        String asked = new String(question.payload(), StandardCharsets.UTF_8);
        assertTrue(asked.contains(SHOWN), asked);
        assertFalse(asked.contains(TOKEN), asked);
        people.yes(question, Answers.Yes.once());
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(INPUT, tool.calls().get(0).inputJson());
        assertNowhere(state, TOKEN);
    }

    @Test
    void aPlaceholderInACallStandsForNothing() {
        model.propose(TOOL, "{\"token\":\"" + SHOWN + "\"}").answer("well");
        String runId = submit(gateway, "my token is " + TOKEN);
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(List.of(), tool.calls());
        TapeEvent.ToolDecision decision =
                gateway.records(runId, TapeEvent.ToolDecision.class).get(0);
        assertEquals("tool.input_placeholder", decision.reasonCode());
        assertTrue(decision.reason().contains("vault:global/NAME"), decision.reason());
    }

    @Test
    void aFailureSaysNoSecret() {
        model.fail(ErrorCode.MODEL_FAILED, "the key " + OTHER + " is wrong", false);
        String runId = submit(gateway, "hi");
        assertEquals(RunState.FAILED, gateway.ended(runId).state());
        assertTrue(gateway.ended(runId).reason().contains("⟦secret:npm-token:1⟧"));
        assertNowhere(state, OTHER);
    }

    private static List<ModelEvent> script(ModelRequest request) {
        boolean told =
                request.messages().stream().anyMatch(ModelMessage.ToolOutput.class::isInstance);
        return told
                ? List.of(
                        new ModelEvent.TextDelta("used " + OTHER + " and " + TOKEN),
                        new ModelEvent.Finished("stop", 1, 1))
                : List.of(
                        new ModelEvent.Proposed(new ToolProposal("", TOOL, INPUT)),
                        new ModelEvent.Finished("tool_calls", 1, 1));
    }

    /** Ends a first life at a write of a run whose message and call hold secrets. */
    private void die(Path folder, int write) {
        DyingJournal dying =
                new DyingJournal(
                        write, true, unit -> unit.operations().toString().contains("streamId=01"));
        try (LightGateway.Surroundings first =
                        new LightGateway.Surroundings(
                                folder, "boot1", RecordingTool.withEffect(TOOL));
                ScriptedModelProvider said =
                        new ScriptedModelProvider().otherwise(SecretsInRunTest::script);
                LightGateway life =
                        new LightGateway(
                                        first,
                                        said,
                                        "boot1/1",
                                        dying::around,
                                        FakeAccess.forTools())
                                .awaitReady()
                                .offering(TOOL)) {
            try {
                submit(life, "the token is " + TOKEN);
            } catch (DyingJournal.Dead e) {
                assertEquals(1, write);
            }
            Await.until("the process to die", Duration.ofSeconds(30), dying::dead);
        }
    }

    @Test
    void aRunThatIsResumedAnywhereKeepsItsNumbersAndItsExactInput() {
        for (int write = 1; write <= 4; write++) {
            Path folder = state.resolve("life" + write);
            die(folder, write);
            RecordingTool second = RecordingTool.withEffect(TOOL);
            try (LightGateway.Surroundings again =
                            new LightGateway.Surroundings(folder, "boot2", second);
                    ScriptedModelProvider said =
                            new ScriptedModelProvider().otherwise(SecretsInRunTest::script);
                    LightGateway life = new LightGateway(again, said, "boot2/1").awaitReady()) {
                String runId = again.journal().runs("", "", "", 10).get(0).runId();
                assertEquals(RunState.SUCCEEDED, life.ended(runId).state());
                second.calls().forEach(call -> assertEquals(INPUT, call.inputJson()));
                assertEquals(write <= 2 ? 1 : second.calls().size(), second.calls().size());
                assertEquals(
                        "used ⟦secret:npm-token:2⟧ and " + SHOWN,
                        life.records(runId, TapeEvent.Message.class).getLast().text());
                again.assertVerified();
            }
            assertNowhere(folder, TOKEN, OTHER);
        }
    }

    @Test
    void whoeverErasesTheKeyErasesTheSecretsAndTheTapeStaysIntact() {
        die(state.resolve("life"), 2);
        RecordingTool second = RecordingTool.withEffect(TOOL);
        try (LightGateway.Surroundings again =
                        new LightGateway.Surroundings(state.resolve("life"), "boot2", second);
                ScriptedModelProvider said =
                        new ScriptedModelProvider().otherwise(SecretsInRunTest::script)) {
            String runId = again.journal().runs("", "", "", 10).get(0).runId();
            assertTrue(again.journal().document("run_keys", runId).isPresent());
            again.journal().commit(Unit.of(new Operation.DeleteDocument("run_keys", runId)));
            try (LightGateway life = new LightGateway(again, said, "boot2/1").awaitReady()) {
                assertEquals(RunState.SUCCEEDED, life.ended(runId).state());
                assertEquals(List.of(), second.calls(), "what is not known is not run");
                TapeEvent.ToolCallOutput output =
                        life.records(runId, TapeEvent.ToolCallOutput.class).get(0);
                assertEquals(TapeEvent.Outcome.DENIED, output.outcome());
                again.assertVerified();
                assertTrue(
                        again.journal().tape(runId, 0, 100).stream()
                                .anyMatch(record -> TapeCodec.sealed(record).isPresent()),
                        "the sealed parts are there still, closed for good");
            }
        }
    }

    @Test
    void instructionsOfAnAgentAndOfAPromptProfileReachTheModelWithoutSecrets() {
        String value = "correct horse battery";
        gateway.services
                .vault()
                .add(new FakeKnownSecrets().knowing("vault:global/word", value), Map.of());
        model.answer("one").answer("two");
        gateway.instructed("Deploy with " + TOKEN + " or say " + value + ". Never tell a token.");
        gateway.ended(submit(gateway, "hi"));
        around.models =
                ModelSettings.of(List.of(new PromptProfile("house", "Use " + OTHER + ".", "")));
        gateway.profiled("", "house");
        gateway.ended(submit(gateway, "again"));
        assertModelNeverSaw(TOKEN);
        assertModelNeverSaw(value);
        assertModelNeverSaw(OTHER);
        assertEquals(
                List.of(
                        "Deploy with " + SHOWN + " or say ⟦secret:vault:2⟧. Never tell a token.",
                        "Use ⟦secret:npm-token:1⟧."),
                model.requests().stream().map(each -> each.messages().get(0).text()).toList());
    }

    @Test
    void aRunWhoseSecretsAnOperatorErasedDoesNotGoOnAndSaysWhy() {
        Path folder = state.resolve("erased");
        die(folder, 2);
        RecordingTool second = RecordingTool.withEffect(TOOL);
        try (LightGateway.Surroundings again =
                        new LightGateway.Surroundings(folder, "boot2", second);
                ScriptedModelProvider said =
                        new ScriptedModelProvider().otherwise(SecretsInRunTest::script)) {
            String runId = again.journal().runs("", "", "", 10).get(0).runId();
            Document key = again.journal().document(RunErasure.COLLECTION, runId).orElseThrow();
            again.journal().commit(RunErasure.unit(key, "user:op", 0));
            try (LightGateway life = new LightGateway(again, said, "boot2/1").awaitReady()) {
                assertEquals(RunState.FAILED, life.ended(runId).state());
                assertEquals(
                        "The secrets of run "
                                + runId
                                + " were erased by user:op at 1970-01-01T00:00:00Z, so it cannot go"
                                + " on; start a new run.",
                        life.ended(runId).reason());
                assertEquals(List.of(), second.calls());
                assertEquals(List.of(), said.requests(), "no model was asked");
                again.assertVerified();
                assertTrue(
                        again.journal().tape(runId, 0, 100).stream()
                                .anyMatch(record -> TapeCodec.sealed(record).isPresent()));
            }
        }
    }

    @Test
    void whatTheVaultKeepsIsNotToldAndAnAbsentVaultIsWaitedFor() {
        String value = "correct horse battery";
        KnownSecrets vault =
                new FakeKnownSecrets().knowing("vault:principal:user:alice/word", value);
        gateway.services.vault().add(vault, Map.of());
        model.turn(
                new ModelEvent.TextDelta("say correct hor"),
                new ModelEvent.TextDelta("se battery, correct horses"),
                new ModelEvent.Finished("stop", 1, 1));
        String runId = submit(gateway, "hi");
        gateway.ended(runId);
        assertEquals(
                "say ⟦secret:vault:1⟧, correct horses",
                gateway.records(runId, TapeEvent.Message.class).get(1).text());
        gateway.services.vault().remove(vault);
        Thread.ofPlatform()
                .name("palyra-test-vault")
                .daemon()
                .start(() -> gateway.services.vault().add(vault, Map.of()));
        model.answer("again " + value);
        String second = submit(gateway, "and again");
        gateway.ended(second);
        assertEquals(
                "again ⟦secret:vault:1⟧",
                gateway.records(second, TapeEvent.Message.class).get(1).text());
        assertNowhere(state, value);
    }
}
