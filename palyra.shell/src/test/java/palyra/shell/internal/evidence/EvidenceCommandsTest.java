package palyra.shell.internal.evidence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.shell.internal.evidence.CallTape.CALL;
import static palyra.shell.internal.evidence.CallTape.GRANT;
import static palyra.shell.internal.fakes.FakeTape.RUN;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.BundleContext;
import palyra.api.command.ExitCodes;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.shared.tape.Attestations;
import palyra.shell.internal.fakes.FakeTape;
import palyra.shell.internal.fakes.HostFixture;
import palyra.shell.internal.fakes.Partial;
import palyra.shell.internal.fakes.ShellAccess;
import palyra.testing.command.FakeCommandContext;

@SuppressWarnings({"unused", "EffectivelyPrivate"}) // methods of partial services
@Timeout(300)
class EvidenceCommandsTest {
    /** Every byte in the long form; no multiple of what repeats in the text. */
    private static final int STRIDE = Boolean.getBoolean("palyra.test.full") ? 1 : 11;

    @TempDir Path folder;

    private HostFixture fixture(FakeTape tape) {
        HostFixture fixture = new HostFixture();
        fixture.seams.journal().add(tape.journal(), Map.of());
        fixture.seams.keys().add(tape.keys, Map.of());
        fixture.add(new AttestationShowCommand(fixture.seams));
        fixture.add(new AttestationVerifyCommand(fixture.seams));
        fixture.add(new AttestationExportCommand(fixture.seams, bundle()));
        fixture.add(new WhyCommand(fixture.seams));
        return fixture;
    }

    private BundleContext bundle() {
        return Partial.of(
                BundleContext.class,
                new Object() {
                    public String getProperty(String name) {
                        return folder.resolve("state").toString();
                    }
                });
    }

    private static CallTape calls() {
        return new CallTape(new FakeTape("user:op"));
    }

    private int verify(byte[] export) throws Exception {
        FakeCommandContext context =
                FakeCommandContext.builder()
                        .option("file", "-")
                        .in(new ByteArrayInputStream(export))
                        .build();
        return context.run(new AttestationVerifyCommand(new HostFixture().seams));
    }

    private byte[] export(FakeTape tape) throws Exception {
        HostFixture.Run run = fixture(tape).run("attestation", "export", RUN);
        assertEquals(ExitCodes.OK, run.code(), run.errText());
        return run.outText().getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void verifiesARunACallAndAnExportOfIt() throws Exception {
        FakeTape tape = calls().story().tape.end();
        HostFixture fixture = fixture(tape);
        for (String what : List.of(RUN, CALL, CALL.toLowerCase(Locale.ROOT))) {
            HostFixture.Run run = fixture.run("attestation", "verify", what);
            assertEquals(ExitCodes.OK, run.code(), run.errText() + run.outText());
            assertTrue(run.outText().contains("intact"), run.outText());
            assertTrue(run.outText().replace(" ", "").contains("attested:1"), run.outText());
        }
        assertEquals(ExitCodes.OK, verify(export(tape)));
    }

    @Test
    void verifiesACallWhoseInputIsSealedByItsDigest() throws Exception {
        CallTape sealed = calls().proposedSealed().decided(Verdict.ALLOW, "").started("");
        sealed.ended(Outcome.SUCCEEDED);
        sealed.attested(
                Attestations.withheld(CallTape.proposal(CALL)),
                CallTape.output(Outcome.SUCCEEDED),
                CallTape.SNAPSHOT,
                KeyPurpose.ATTESTATION);
        HostFixture fixture = fixture(sealed.tape.end());
        HostFixture.Run run = fixture.run("attestation", "verify", RUN);
        assertEquals(ExitCodes.OK, run.code(), run.errText() + run.outText());
        JsonNode one =
                new ObjectMapper()
                        .readTree(fixture.run("attestation", "show", CALL, "--json").outText());
        assertEquals(one.get("executionSha256").asText(), one.get("recomputedSha256").asText());
        assertEquals(ExitCodes.OK, verify(export(sealed.tape)));
    }

    @Test
    void aSealedInputExcusesNoStatementAboutAnotherInput() throws Exception {
        CallTape sealed = calls().proposedSealed().decided(Verdict.ALLOW, "").started("");
        sealed.ended(Outcome.SUCCEEDED).attested();
        assertEquals(
                ExitCodes.DATA,
                fixture(sealed.tape.end()).run("attestation", "verify", RUN).code());
    }

    @Test
    void findsEveryChangedByteOfAnExport() throws Exception {
        for (FakeTape tape : List.of(calls().story().tape, calls().story().tape.end())) {
            byte[] bytes = export(tape);
            assertEquals(ExitCodes.OK, verify(bytes), "untouched it passes");
            for (int i = 0; i < bytes.length; i += STRIDE) {
                byte[] changed = bytes.clone();
                changed[i] ^= (byte) (i % 2 == 0 ? 0x01 : 0x20);
                assertFalse(verify(changed) == ExitCodes.OK, "byte " + i + " changed unseen");
            }
        }
    }

    @Test
    void findsAnExportThatWasCutOffAnywhere() throws Exception {
        byte[] bytes = export(calls().story().tape.end());
        for (int length = 0; length < bytes.length; length += 7) {
            assertEquals(ExitCodes.DATA, verify(Arrays.copyOf(bytes, length)));
        }
    }

    /** What a forger with the chain, but without the keys, or the engine gone mad would write. */
    private void finds(String kind, UnaryOperator<CallTape> story) throws Exception {
        CallTape calls = story.apply(calls());
        calls.tape.end();
        HostFixture.Run run = fixture(calls.tape).run("attestation", "verify", RUN, "--json");
        assertEquals(ExitCodes.DATA, run.code(), kind + ": " + run.outText());
        JsonNode json = new ObjectMapper().readTree(run.outText());
        assertEquals("broken", json.get("verdict").asText());
        assertTrue(
                json.get("faults").findValuesAsText("kind").contains(kind),
                kind + ": " + run.outText());
        assertEquals(ExitCodes.DATA, verify(export(calls.tape)), kind);
    }

    @Test
    void findsAnAttestationThatDoesNotBelongToItsRecords() throws Exception {
        finds(
                "DIGEST",
                c ->
                        c.proposed()
                                .decided(Verdict.ALLOW, "")
                                .started("")
                                .ended(Outcome.FAILED)
                                .attested());
        finds(
                "DECISION",
                c ->
                        c.proposed()
                                .decided(Verdict.ALLOW, "")
                                .started("")
                                .ended(Outcome.SUCCEEDED)
                                .attested(
                                        CallTape.output(Outcome.SUCCEEDED),
                                        "00".repeat(32),
                                        KeyPurpose.ATTESTATION));
        finds(
                "SIGNATURE",
                c ->
                        c.proposed()
                                .decided(Verdict.ALLOW, "")
                                .started("")
                                .ended(Outcome.SUCCEEDED)
                                .attested(
                                        CallTape.output(Outcome.SUCCEEDED),
                                        CallTape.SNAPSHOT,
                                        KeyPurpose.TAPE_HEAD));
        finds("OUTPUT", c -> c.proposed().decided(Verdict.ALLOW, "").started("").attested());
        finds("PROPOSAL", c -> c.decided(Verdict.ALLOW, "").started("").ended(Outcome.SUCCEEDED));
        finds(
                "ATTESTATION",
                c -> c.proposed().decided(Verdict.ALLOW, "").started("").ended(Outcome.SUCCEEDED));
        finds("ATTESTATION", c -> c.story().attested());
    }

    @Test
    void findsAStartWithoutTheDecisionOrTheAnswerItNeeds() throws Exception {
        finds(
                "DECISION",
                c ->
                        c.proposed()
                                .decided(Verdict.DENY, "")
                                .started("")
                                .ended(Outcome.SUCCEEDED)
                                .attested());
        finds(
                "APPROVAL",
                c ->
                        c.proposed()
                                .decided(Verdict.APPROVAL_REQUIRED, "")
                                .asked()
                                .decided(Verdict.ALLOW, "")
                                .started("")
                                .ended(Outcome.SUCCEEDED)
                                .attested());
        finds(
                "APPROVAL",
                c ->
                        c.proposed()
                                .decided(Verdict.APPROVAL_REQUIRED, "")
                                .asked()
                                .answered(false)
                                .decided(Verdict.ALLOW, GRANT)
                                .started(GRANT)
                                .ended(Outcome.SUCCEEDED)
                                .attested());
        finds(
                "APPROVAL",
                c ->
                        c.proposed()
                                .decided(Verdict.ALLOW, GRANT)
                                .started("")
                                .ended(Outcome.SUCCEEDED)
                                .attested());
    }

    @Test
    void anEventOfAClientCountsForNothing() throws Exception {
        finds(
                "DECISION",
                c -> {
                    c.proposed();
                    c.tape.append(
                            new TapeEvent.ExternalEvent(
                                    "e",
                                    "tool_decision",
                                    "user:eve",
                                    "{\"callId\":\"" + CALL + "\",\"verdict\":\"ALLOW\"}"));
                    return c.started("").ended(Outcome.SUCCEEDED).attested();
                });
    }

    @Test
    void findsATapeThatWasChangedInTheStore() throws Exception {
        FakeTape tape = calls().story().tape.end();
        tape.tamper(5);
        for (String what : List.of(RUN, CALL)) {
            assertEquals(ExitCodes.DATA, fixture(tape).run("attestation", "verify", what).code());
        }
    }

    @Test
    void trustsOnlyKeysThatAreNamed() throws Exception {
        FakeTape tape = calls().story().tape.end();
        String head = tape.keys.published().get(0).keyId();
        String attests = tape.keys.published().get(1).keyId();
        String[] all = {
            "attestation", "verify", RUN, "--trusted-key", head, "--trusted-key", attests
        };
        assertEquals(ExitCodes.OK, fixture(tape).run(all).code());
        assertEquals(
                ExitCodes.DATA,
                fixture(tape).run("attestation", "verify", RUN, "--trusted-key", head).code());
    }

    @Test
    void showsWhatIsAttested() throws Exception {
        HostFixture fixture = fixture(calls().story().tape);
        HostFixture.Run run = fixture.run("attestation", "show", RUN);
        assertTrue(run.outText().contains("sandbox_tier_c_linux_bubblewrap"), run.outText());
        JsonNode one =
                new ObjectMapper()
                        .readTree(fixture.run("attestation", "show", CALL, "--json").outText());
        assertEquals("intact", one.get("verdict").asText());
        assertEquals(one.get("executionSha256").asText(), one.get("recomputedSha256").asText());
        assertEquals(ExitCodes.NOT_FOUND, fixture.run("attestation", "show", RUN + ".9.9").code());
        assertEquals(
                ExitCodes.NOT_FOUND,
                fixture(calls().proposed().tape).run("attestation", "show", CALL).code());
        assertEquals(ExitCodes.USAGE, fixture.run("attestation", "show", "x").code());
        assertEquals(ExitCodes.USAGE, fixture.run("attestation", "verify").code());
    }

    @Test
    void explainsACallFromTheTapeAndFromAnExport() throws Exception {
        FakeTape tape = calls().story().tape.end();
        JsonNode json =
                new ObjectMapper().readTree(fixture(tape).run("why", CALL, "--json").outText());
        assertEquals("It ran and succeeded.", json.get("status").asText());
        assertEquals("tester", json.get("agent").asText());
        assertEquals(2, json.get("decisions").size());
        assertEquals("CONFIRMED", json.at("/decisions/0/nativeEngine").asText());
        assertEquals(GRANT, json.at("/decisions/1/grantId").asText());
        assertEquals("user:carol", json.at("/approvals/0/answer/by").asText());
        assertEquals("/usr/bin/git", json.at("/approvals/0/executable").asText());
        assertEquals("this call", json.at("/grant/madeFor").asText());
        assertTrue(json.at("/grant/used").asBoolean());
        assertEquals("strict", json.at("/execution/mode").asText());
        assertEquals("proxied", json.at("/execution/egress/network").asText());
        assertEquals("536870912", json.at("/execution/enforcedLimits/memory").asText());
        assertEquals("0.8.0", json.at("/execution/posture/bwrap").asText());
        assertEquals(16, json.at("/limits/callsLeftOfRun").asInt());
        assertEquals(1, json.at("/timing/waitedForPeopleMillis").asInt());
        assertEquals(0, json.get("missing").size());
        assertEquals("intact", json.at("/evidence/verdict").asText());
        assertEquals(
                json,
                new ObjectMapper().readTree(fixture(tape).run("why", RUN, "--json").outText()),
                "a run means its last call");
        Path file = folder.resolve("run.jsonl");
        Files.write(file, export(tape));
        HostFixture other = new HostFixture();
        other.add(new WhyCommand(other.seams));
        HostFixture.Run offline = other.run("why", CALL, "--file", file.toString(), "--json");
        assertEquals(json, new ObjectMapper().readTree(offline.outText()));
    }

    @Test
    void aCallOfTheNewestRunIsNamedByLast() throws Exception {
        assertEquals(new EvidenceTarget("last", "LAST.1.0"), EvidenceTarget.of("last.1.0"));
        assertEquals(new EvidenceTarget(RUN, CALL), EvidenceTarget.of("last.1.0").in(RUN));
        assertEquals(new EvidenceTarget(RUN, ""), EvidenceTarget.of("last").in(RUN));
        FakeTape silent = calls().tape.end();
        HostFixture.Run run = fixture(silent).run("why", RUN);
        assertEquals(ExitCodes.NOT_FOUND, run.code());
        assertTrue(run.errText().contains("has not called a tool"), run.errText());
    }

    @Test
    void explainsToAPersonWhatWaitsAndWhatWasDenied() throws Exception {
        CallTape waiting = calls().proposed().decided(Verdict.APPROVAL_REQUIRED, "").asked();
        String text = fixture(waiting.tape).run("why", CALL).outText();
        assertTrue(text.contains("It waits for an answer to question"), text);
        assertTrue(text.contains("a person's yes"), text);
        assertTrue(text.contains("For operators."), text);
        CallTape denied = waiting.answered(false).decided(Verdict.DENY, "");
        denied.tape.append(
                new TapeEvent.ToolCallOutput(
                        CALL, 1, "palyra.process.run", Outcome.DENIED, "", "user:carol said no"));
        String no = fixture(denied.tape).run("why", CALL).outText();
        assertTrue(no.contains("It did not run: user:carol said no"), no);
        assertTrue(no.contains("context.approval.granted"), no);
    }

    @Test
    void countsTheCallsThatWereLeftForEachCallOfATurn() throws Exception {
        CallTape two = calls().proposed();
        String second = RUN + ".1.1";
        two.tape.append(
                new TapeEvent.ToolCallProposal(second, 1, 1, "palyra.echo", "{\"text\":\"x\"}"));
        HostFixture fixture = fixture(two.tape.end());
        ObjectMapper mapper = new ObjectMapper();
        assertEquals(
                16,
                mapper.readTree(fixture.run("why", CALL, "--json").outText())
                        .at("/limits/callsLeftOfRun")
                        .asInt());
        assertEquals(
                15,
                mapper.readTree(fixture.run("why", second, "--json").outText())
                        .at("/limits/callsLeftOfRun")
                        .asInt());
        assertFalse(fixture.run("why", CALL).outText().contains("waited for people"));
    }

    @Test
    void hidesWhatBelongsToSomebodyElse() throws Exception {
        HostFixture fixture = fixture(calls().story().tape);
        fixture.access.as(ShellAccess.VIEWER);
        for (String[] argv :
                List.of(
                        new String[] {"why", CALL},
                        new String[] {"attestation", "show", CALL},
                        new String[] {"attestation", "verify", RUN},
                        new String[] {"attestation", "export", RUN})) {
            HostFixture.Run run = fixture.run(argv);
            assertEquals(ExitCodes.NOT_FOUND, run.code(), run.errText());
            assertEquals("", run.outText());
        }
    }
}
