package palyra.sandbox.internal.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.approval.ApprovalScope;
import palyra.api.command.Command;
import palyra.api.command.ExitCodes;
import palyra.api.core.access.ApprovalTerms;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.access.PolicyAnswer;
import palyra.api.core.access.ToolAnswer;
import palyra.api.core.journal.Journal;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.KeySignature;
import palyra.api.core.keys.Keys;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.sandbox.internal.canary.Canaries;
import palyra.sandbox.internal.canary.CanaryJournal;
import palyra.sandbox.internal.canary.CanaryReport;
import palyra.sandbox.internal.canary.FakeJournal;
import palyra.sandbox.internal.canary.Standing;
import palyra.sandbox.internal.process.Desk;
import palyra.shared.gate.Gate;
import palyra.shared.json.StrictJson;
import palyra.testing.command.FakeCommandContext;
import palyra.testing.journal.MemoryKeys;
import palyra.testing.wait.Await;

/** The commands, with ordinary processes. */
@Timeout(300)
class SandboxCommandsTest {
    @TempDir Path folder;
    private final FakeJournal journal = new FakeJournal();
    private final Journal journalService = journal.service();
    private final MemoryKeys keys = new MemoryKeys();
    private final Gate<Journal> journalGate =
            new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    private final Gate<Keys> keyGate = new Gate<>("the keys", ErrorCode.KEYS_UNAVAILABLE, 0);
    private volatile boolean holds = true;
    private Desk desk;
    private Canaries canaries;
    private List<Command> commands;

    @BeforeEach
    void open() {
        journalGate.add(journalService, Map.of());
        keyGate.add(keys, Map.of());
        desk = new Desk(folder, Map.of());
        canaries =
                new Canaries(
                        desk.backends,
                        new CanaryJournal(journalGate, keyGate),
                        () -> 3_600_000,
                        System::currentTimeMillis);
        canaries.begin(
                (backend, status) ->
                        new CanaryReport(
                                "id-" + System.nanoTime(),
                                backend.tier(),
                                backend.executor(),
                                status.fingerprint(),
                                "strict tier=fake",
                                System.currentTimeMillis(),
                                List.of(
                                        new CanaryReport.Tried(
                                                "read_outside",
                                                holds
                                                        ? CanaryReport.State.HELD
                                                        : CanaryReport.State.BROKEN,
                                                holds ? "" : "It got out.")),
                                List.of("unix_socket (socat is not installed)")),
                () -> {});
        canaries.atOnce();
        commands =
                SandboxCommands.all(
                        new CommandDesk(
                                desk.desk,
                                desk.backends,
                                canaries,
                                desk.accessGate,
                                journalGate,
                                keyGate));
        desk.access.answers = question -> answer(Verdict.ALLOW, Confinement.STRICTEST);
    }

    @AfterEach
    void close() {
        canaries.close();
        desk.close();
    }

    private static ToolAnswer answer(Verdict verdict, Confinement confinement) {
        return answer(verdict, confinement, Set.of("group:operator"), false, 1);
    }

    private static ToolAnswer answer(
            Verdict verdict,
            Confinement confinement,
            Set<String> approvers,
            boolean others,
            int quorum) {
        boolean ask = verdict == Verdict.APPROVAL_REQUIRED;
        PolicyAnswer policy =
                new PolicyAnswer(
                        ask
                                ? PolicyAnswer.Outcome.ALLOW_IF_APPROVED
                                : verdict == Verdict.ALLOW
                                        ? PolicyAnswer.Outcome.ALLOW
                                        : PolicyAnswer.Outcome.DENY,
                        "policy.test",
                        "The policy says " + verdict + ".",
                        "",
                        List.of("p1"),
                        List.of(),
                        ask
                                ? Optional.of(
                                        new ApprovalTerms(
                                                approvers,
                                                others,
                                                1_000,
                                                Set.of(ApprovalScope.values()[0]),
                                                quorum))
                                : Optional.empty(),
                        confinement,
                        PolicyAnswer.Confirmation.NOT_NEEDED,
                        "set",
                        1,
                        "{}");
        return new ToolAnswer(
                verdict,
                "policy.test",
                "The policy says " + verdict + ".",
                "POLICY",
                List.of("p1"),
                "{\"snapshot\":1}",
                Optional.of(policy));
    }

    private int run(FakeCommandContext context, String name) throws Exception {
        Command command =
                commands.stream()
                        .filter(one -> one.spec().name().equals(name))
                        .findFirst()
                        .orElseThrow();
        return context.run(command);
    }

    private static FakeCommandContext.Builder line(String... words) {
        return FakeCommandContext.builder().positionals(words);
    }

    private FakeCommandContext ran(int exitCode, FakeCommandContext.Builder builder)
            throws Exception {
        FakeCommandContext context = builder.build();
        assertEquals(
                exitCode, run(context, "sandbox run"), String.valueOf(context.output().notes()));
        return context;
    }

    private int starts() {
        return desk.tierB.starts.get() + desk.tierC.starts.get();
    }

    private static String said(FakeCommandContext context) {
        return String.join("\n", context.output().notes());
    }

    @Test
    void specsAskForTheActionsOfSandboxes() {
        for (Command command : commands) {
            boolean acts = command.spec().mutating();
            assertEquals(acts ? "sandbox.run" : "sandbox.read", command.spec().action());
        }
        assertEquals(4, commands.size());
    }

    @Test
    void commandRunsAsACallAndEverythingIsShown() throws Exception {
        FakeCommandContext context = ran(7, line("sh", "-c", "echo out; echo err >&2; exit 7"));
        assertEquals("out\n", new String(context.bytesOut(), StandardCharsets.UTF_8));
        String notes = said(context);
        for (String part :
                List.of(
                        "err",
                        "outcome: OK",
                        "exitCode: 7",
                        "enforcement: strict ",
                        "durationMillis: ")) {
            assertTrue(notes.contains(part), part + " is missing in " + notes);
        }
        assertEquals(1, desk.tierC.starts.get());
        assertEquals("operator", desk.access.questions.get(0).agentId());
        assertEquals("palyra.process.run", desk.access.questions.get(0).toolName());
        assertEquals("/bin/sh", desk.access.questions.get(0).situation().facts().executable());
    }

    @Test
    void jsonHoldsOutputOutcomeCodeEnforcementAndTime() throws Exception {
        FakeCommandContext context = ran(0, line("echo", "x").json());
        Map<String, Object> fields = context.output().fieldSets().get(0);
        assertEquals("x\n", fields.get("stdout"));
        assertEquals("OK", fields.get("outcome"));
        assertEquals(0, fields.get("exitCode"));
        assertTrue(fields.get("enforcement").toString().startsWith("strict "));
        assertTrue(fields.containsKey("durationMillis"));
        assertEquals(0, context.bytesOut().length);
    }

    @Test
    void startAndSignedEndStandInTheJournal() throws Exception {
        ran(0, line("echo", "x"));
        JsonNode started = event(RunRecords.STARTED);
        JsonNode finished = event(RunRecords.FINISHED);
        assertEquals("user:test", started.get("principal").textValue());
        assertEquals("C", started.get("tier").textValue());
        assertEquals(started.get("callId"), finished.get("callId"));
        assertTrue(
                keys.verify(
                        KeyPurpose.ATTESTATION,
                        HexFormat.of().parseHex(finished.get("executionSha256").textValue()),
                        new KeySignature(
                                finished.get("keyId").textValue(),
                                Base64.getUrlDecoder()
                                        .decode(finished.get("signature").textValue()))));
        assertTrue(finished.get("enforcement").textValue().contains("canary=test"));
    }

    private JsonNode event(String type) {
        return StrictJson.parse(journal.events(type).get(0), type);
    }

    @Test
    void withoutAJournalNothingStarts() throws Exception {
        journal.stopped = true;
        ran(ExitCodes.UNAVAILABLE, line("echo", "x"));
        assertEquals(0, starts());
    }

    @Test
    void denialOfPolicyStartsNothing() throws Exception {
        desk.access.answers = question -> answer(Verdict.DENY, Confinement.STRICTEST);
        FakeCommandContext context = ran(ExitCodes.DENIED, line("echo", "x"));
        assertTrue(said(context).contains("The policy says DENY."));
        assertEquals(0, starts());
        JsonNode refused = event(RunRecords.REFUSED);
        assertEquals("policy", refused.get("by").textValue());
        assertEquals("DENIED", refused.get("code").textValue());
        assertEquals("user:test", refused.get("principal").textValue());
        assertTrue(refused.get("reason").textValue().contains("The policy says DENY."));
        assertEquals(0, journal.events(RunRecords.STARTED).size());
    }

    @Test
    void absentPolicyStartsNothing() throws Exception {
        desk.accessGate.remove(desk.policy);
        ran(ExitCodes.UNAVAILABLE, line("echo", "x"));
        assertEquals(0, starts());
        assertEquals("POLICY_UNAVAILABLE", event(RunRecords.REFUSED).get("code").textValue());
    }

    @Test
    void refusalStandsWithoutAJournalAndSaysThatItIsNotRecorded() throws Exception {
        journal.stopped = true;
        desk.access.answers = question -> answer(Verdict.DENY, Confinement.STRICTEST);
        FakeCommandContext context = ran(ExitCodes.DENIED, line("echo", "x"));
        assertTrue(said(context).contains("The policy says DENY."), said(context));
        assertTrue(said(context).contains("could not be recorded"), said(context));
    }

    @Test
    void hostThatPolicyDeniesIsADenialAndNoFailureOfTheSandbox() throws Exception {
        desk.access.denied = Set.of("host:evil.test");
        FakeCommandContext context =
                ran(ExitCodes.DENIED, line("echo", "x").option("allow", "evil.test").json());
        Map<String, Object> fields = context.output().fieldSets().get(0);
        assertEquals("POLICY_DENIED", fields.get("outcome"));
        assertTrue(fields.get("problem").toString().contains("evil.test"));
        assertEquals(0, starts());
        assertTrue(event(RunRecords.FINISHED).get("error").textValue().contains("evil.test"));
        assertEquals(0, journal.events(RunRecords.REFUSED).size());
    }

    @Test
    void approvalThatTheOperatorMayGiveIsGivenByTheCommand() throws Exception {
        desk.access.answers =
                question ->
                        answer(
                                question.situation().approved()
                                        ? Verdict.ALLOW
                                        : Verdict.APPROVAL_REQUIRED,
                                Confinement.STRICTEST);
        ran(0, line("echo", "x"));
        assertEquals(Set.of("user:test"), desk.access.questions.get(1).situation().approvedBy());
        assertEquals("user:test", event(RunRecords.STARTED).get("approvedBy").get(0).textValue());
    }

    @Test
    void approvalThatNeedsOthersStartsNothing() throws Exception {
        List<ToolAnswer> strict =
                List.of(
                        answer(
                                Verdict.APPROVAL_REQUIRED,
                                Confinement.STRICTEST,
                                Set.of("group:operator"),
                                false,
                                2),
                        answer(
                                Verdict.APPROVAL_REQUIRED,
                                Confinement.STRICTEST,
                                Set.of("group:operator"),
                                true,
                                1),
                        answer(
                                Verdict.APPROVAL_REQUIRED,
                                Confinement.STRICTEST,
                                Set.of("user:boss"),
                                false,
                                1));
        for (ToolAnswer answer : strict) {
            desk.access.answers = question -> answer;
            ran(ExitCodes.DENIED, line("echo", "x"));
        }
        assertEquals(0, starts());
    }

    @Test
    void lessThanPolicyWantsIsRefusedAndMoreIsTaken() throws Exception {
        ran(ExitCodes.DENIED, line("echo", "x").option("tier", "b"));
        ran(ExitCodes.DENIED, line("echo", "x").option("egress", "none"));
        assertEquals(0, starts());
        assertEquals(2, journal.events(RunRecords.REFUSED).size());
        desk.access.answers =
                question -> answer(Verdict.ALLOW, new Confinement(Tier.A, Egress.NONE));
        ran(0, line("echo", "x").option("tier", "b").option("egress", "strict"));
        assertEquals(1, desk.tierB.starts.get());
        ran(0, line("echo", "x").option("tier", "c").option("egress", "none"));
        assertEquals(1, desk.tierC.starts.get());
    }

    @Test
    void guardRefusesBeforeAnybodyIsAsked() throws Exception {
        FakeCommandContext context = ran(ExitCodes.DENIED, line("forbidden"));
        assertTrue(said(context).contains("sandbox.path_outside"));
        assertEquals("guard", event(RunRecords.REFUSED).get("by").textValue());
        assertTrue(event(RunRecords.REFUSED).get("reason").textValue().contains("path_outside"));
        assertEquals(0, desk.access.questions.size());
        assertEquals(0, starts());
    }

    @Test
    void exitCodesTellWhatEndedIt() throws Exception {
        ran(ExitCodes.RESOURCE, line("sleep", "600").option("limits", "wall=500"));
        ran(ExitCodes.RESOURCE, line("yes").option("limits", "output=1000"));
        ran(ExitCodes.NOT_FOUND, line("missing"));
        desk.tierC.start = new IllegalStateException("a defect");
        ran(ExitCodes.INTERNAL, line("echo", "x"));
        desk.backends.remove(desk.tierC);
        ran(ExitCodes.UNAVAILABLE, line("echo", "x"));
        assertEquals(5, journal.events(RunRecords.FINISHED).size());
    }

    @Test
    void replacedHelperIsSaidAndRecorded() throws Exception {
        desk.tierC.check =
                new palyra.api.PalyraException(ErrorCode.TOOL_UNAVAILABLE, "bwrap was replaced.");
        FakeCommandContext context = ran(ExitCodes.UNAVAILABLE, line("echo", "x"));
        assertTrue(said(context).contains("bwrap was replaced."));
        assertTrue(event(RunRecords.FINISHED).get("error").textValue().contains("replaced"));
        assertEquals(0, starts());
    }

    @Test
    void standardInputAndInterpretersAreAskedForExplicitly() throws Exception {
        FakeCommandContext context =
                ran(0, line("cat").in("typed").flag("stdin").flag("allow-interpreters"));
        assertEquals("typed", new String(context.bytesOut(), StandardCharsets.UTF_8));
        assertTrue(desk.interpretersAllowed.get(desk.interpretersAllowed.size() - 1));
        ran(0, line("cat").in("ignored"));
        assertFalse(desk.interpretersAllowed.get(desk.interpretersAllowed.size() - 1));
    }

    @Test
    void limitsThatAreNoneAreRefusedByName() throws Exception {
        for (String limits : List.of("wall", "wall=0", "wall=x", "speed=1", "wall=600000", "")) {
            ran(ExitCodes.USAGE, line("true").option("limits", limits));
        }
        assertEquals(0, starts());
    }

    @Test
    void operatorWithoutTheGroupGivesNoApproval() throws Exception {
        desk.access.answers = question -> answer(Verdict.APPROVAL_REQUIRED, Confinement.STRICTEST);
        Principal viewer =
                new Principal("user:v", PrincipalKind.USER, Set.of("viewer"), Set.of(), "t");
        ran(ExitCodes.DENIED, line("echo", "x").principal(viewer));
        assertEquals(0, starts());
    }

    private void awaitProven() {
        Await.until(
                "the proofs",
                Duration.ofSeconds(30),
                () ->
                        canaries.standing(desk.tierB).state() == Standing.State.PROVEN
                                && canaries.standing(desk.tierC).state() == Standing.State.PROVEN);
    }

    @Test
    void listShowsEverySandboxAndItsCanary() throws Exception {
        awaitProven();
        FakeCommandContext context = FakeCommandContext.builder().build();
        assertEquals(0, run(context, "sandbox list"));
        assertEquals(2, context.output().tables().get(0).rows().size());
        assertTrue(
                context.output().tables().get(0).rows().get(0).get(3).startsWith("proven canary="));
    }

    @Test
    void explainSaysCauseAndRemedy() throws Exception {
        awaitProven();
        FakeCommandContext good = FakeCommandContext.builder().option("tier", "c").build();
        assertEquals(ExitCodes.OK, run(good, "sandbox explain"));
        assertEquals("strict tier=fake", good.output().fieldSets().get(0).get("enforcement"));
        desk.tierC.status =
                BackendStatus.refusing("User namespaces are off.", "Switch them on.", Map.of());
        FakeCommandContext bad = FakeCommandContext.builder().option("tier", "c").build();
        assertEquals(ExitCodes.FAILED, run(bad, "sandbox explain"));
        Map<String, Object> fields = bad.output().fieldSets().get(0);
        assertTrue(fields.get("cause").toString().contains("User namespaces are off."));
        assertEquals("Switch them on.", fields.get("remedy"));
        assertEquals(false, fields.get("usable"));
        desk.backends.remove(desk.tierB);
        FakeCommandContext gone = FakeCommandContext.builder().option("tier", "b").build();
        assertEquals(ExitCodes.FAILED, run(gone, "sandbox explain"));
    }

    @Test
    void canaryTestsNowAndSaysWhatBroke() throws Exception {
        awaitProven();
        FakeCommandContext good = FakeCommandContext.builder().build();
        assertEquals(ExitCodes.OK, run(good, "sandbox canary"));
        assertEquals(4, good.output().tables().get(0).rows().size());
        assertTrue(desk.tierB.probes.get() > 0, "it did not look at the host again");
        holds = false;
        FakeCommandContext bad = FakeCommandContext.builder().option("tier", "b").build();
        assertEquals(ExitCodes.FAILED, run(bad, "sandbox canary"));
        assertTrue(bad.output().tables().get(0).rows().get(0).contains("broken"));
        assertThrows(palyra.api.PalyraException.class, () -> canaries.proof(desk.tierB));
    }
}
