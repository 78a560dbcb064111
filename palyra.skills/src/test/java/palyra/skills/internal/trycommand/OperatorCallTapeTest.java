package palyra.skills.internal.trycommand;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import palyra.api.command.ExitCodes;
import palyra.api.core.journal.RunRow;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.KeySignature;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.api.tape.TapeRecord;
import palyra.shared.hash.Digests;
import palyra.shared.tape.Attestations;
import palyra.shared.tape.TapeCodec;
import palyra.skills.internal.host.fakes.Fixtures;
import palyra.skills.internal.host.fakes.Skills;
import palyra.skills.internal.model.SkillGrants;
import palyra.skills.internal.model.SkillTool;
import palyra.testing.command.FakeCommandContext;
import palyra.testing.wait.Await;

/** The tape of a call by hand, checked as anybody would who has it and the public keys. */
final class OperatorCallTapeTest extends OperatorCommandsFixture {
    /** Returns the attestation of the only call on the tape, after checking it as anybody would. */
    private TapeEvent.ToolAttestation attested(FakeCommandContext context) {
        List<TapeEvent> tape = tape().stream().map(TapeCodec::event).toList();
        String callId = json(context).path("call").asText();
        assertTrue(callId.matches("[0-9A-HJKMNP-TV-Z]{26}\\.1\\.0"), callId);
        TapeEvent.ToolCallProposal proposal = only(tape, TapeEvent.ToolCallProposal.class);
        TapeEvent.ToolCallOutput output = only(tape, TapeEvent.ToolCallOutput.class);
        TapeEvent.ToolAttestation statement = only(tape, TapeEvent.ToolAttestation.class);
        TapeEvent.ToolDecision decision = only(tape, TapeEvent.ToolDecision.class);
        TapeEvent.ToolStarted started = only(tape, TapeEvent.ToolStarted.class);
        assertEquals(Verdict.ALLOW, decision.verdict());
        assertEquals(decision.snapshotSha256(), statement.policySha256());
        for (String each :
                List.of(
                        proposal.callId(),
                        decision.callId(),
                        started.callId(),
                        output.callId(),
                        statement.callId())) {
            assertEquals(callId, each);
        }
        boolean sealed = tape().stream().anyMatch(r -> r.schema() > TapeCodec.SEALED);
        byte[] digest =
                Attestations.executionSha256(
                        sealed ? Attestations.withheld(proposal, started.inputSha256()) : proposal,
                        output,
                        statement.executor(),
                        statement.sandboxEnforcement(),
                        statement.executedAtMillis(),
                        statement.policySha256(),
                        statement.executableSha256());
        assertEquals(Digests.hex(digest), statement.executionSha256());
        assertTrue(
                keys.verify(
                        KeyPurpose.ATTESTATION,
                        digest,
                        new KeySignature(
                                statement.keyId(),
                                Base64.getUrlDecoder().decode(statement.signature()))));
        return statement;
    }

    private static <E extends TapeEvent> E only(List<TapeEvent> tape, Class<E> type) {
        List<TapeEvent> found = tape.stream().filter(type::isInstance).toList();
        assertEquals(1, found.size(), type.getSimpleName());
        return type.cast(found.get(0));
    }

    private RunRow run() {
        List<RunRow> runs = stage.journal.runs("", "", "", 10);
        assertEquals(1, runs.size());
        return runs.getFirst();
    }

    private List<TapeRecord> tape() {
        return stage.journal.records(run().runId());
    }

    @Test
    void aCallOfAFileIsOnATapeOfItsOwnAndAttested() throws Exception {
        FakeCommandContext context = module("basic").option("input", "{\"a\":1}").build();
        assertEquals(ExitCodes.OK, run(context));
        TapeEvent.ToolAttestation statement = attested(context);
        assertEquals("endive", statement.executor());
        assertTrue(statement.sandboxEnforcement().contains("tier=a"), statement.toString());
        assertEquals(Digests.sha256Hex(Fixtures.module("basic")), statement.executableSha256());
        assertEquals(RunState.SUCCEEDED, run().state());
        JsonNode told = stage.journal.events(OperatorCallRecords.FINISHED).get(0);
        assertEquals(statement.executionSha256(), told.path("executionSha256").asText());
        assertEquals(statement.signature(), told.path("signature").asText());
        assertTrue(stage.journal.session(run().sessionId()).orElseThrow().archivedAtMillis() > 0);
        assertTrue(stage.journal.verifier().verifyStream(run().runId(), () -> false).intact());
    }

    @Test
    void aCallOfAnInstalledSkillIsAttestedWhateverBecameOfIt() throws Exception {
        skills.put(
                Skills.skill(
                        "acme.weather",
                        "1.0.0",
                        SkillGrants.NONE,
                        Fixtures.module("basic"),
                        new SkillTool(
                                "acme.weather.fail",
                                "x",
                                "{}",
                                "{}",
                                "weather.wasm",
                                "fail",
                                false,
                                false,
                                false)));
        FakeCommandContext context =
                FakeCommandContext.builder().positionals("acme.weather").json().build();
        assertEquals(ExitCodes.FAILED, run(context));
        assertEquals("endive", attested(context).executor());
        assertEquals(RunState.FAILED, run().state());
        assertEquals(
                "acme.weather",
                stage.journal.events(OperatorCallRecords.STARTED).get(0).path("skill").asText());
    }

    @Test
    void whatNoEngineTookIsAttestedAsNotRun() throws Exception {
        FakeCommandContext context =
                module("basic").option("engine", "none").option("timeout", "1").build();
        assertEquals(ExitCodes.UNAVAILABLE, run(context));
        assertTrue(attested(context).sandboxEnforcement().contains("engine=none"));
        assertEquals(RunState.FAILED, run().state());
    }

    @Test
    void secretsOfACallAreSealedAndTheAttestationHoldsWithoutThem() throws Exception {
        String token = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0hJ3lM6";
        FakeCommandContext context =
                module("basic").option("input", "{\"token\":\"" + token + "\"}").build();
        assertEquals(ExitCodes.OK, run(context));
        assertTrue(context.output().text().contains(token), "who called sees the answer");
        attested(context);
        for (TapeRecord record : tape()) {
            assertFalse(new String(record.payload(), StandardCharsets.UTF_8).contains(token));
        }
        assertFalse(stage.journal.events(OperatorCallRecords.FINISHED).toString().contains(token));
    }

    @Test
    void withoutKeysTheCallIsShownAndTheCommandSaysThatItIsNotAttested() throws Exception {
        keysGate.remove(keys);
        FakeCommandContext context = module("basic").build();
        assertEquals(ExitCodes.UNAVAILABLE, run(context));
        assertTrue(context.output().text().contains("SUCCEEDED"), context.output().text());
        assertEquals(1, stage.journal.events(OperatorCallRecords.STARTED).size());
        assertEquals(List.of(), stage.journal.runs("", "", "", 10));
    }

    @Test
    void aCallThatWasStoppedSaysSoOnItsTape() throws Exception {
        FakeCommandContext context =
                module("basic")
                        .option("tool", "spin")
                        .option("fuel", "1000000000000000")
                        .option("timeout", "3600000")
                        .build();
        AtomicInteger exit = new AtomicInteger(-1);
        Thread caller =
                new Thread(
                        () -> {
                            try {
                                exit.set(run(context));
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        });
        caller.start();
        Await.until(
                "the call to be under way",
                Duration.ofSeconds(30),
                () ->
                        stage.journal.events(OperatorCallRecords.STARTED).size() == 1
                                && caller.getState() != Thread.State.RUNNABLE);
        caller.interrupt();
        caller.join(30_000);
        assertEquals(ExitCodes.CANCELLED, exit.get());
        attested(context);
        assertEquals(RunState.CANCELLED, run().state());
    }
}
