package palyra.sandbox.internal.canary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.journal.Journal;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.KeySignature;
import palyra.api.core.keys.Keys;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.sandbox.internal.canary.CanaryReport.State;
import palyra.sandbox.internal.canary.CanaryReport.Tried;
import palyra.sandbox.internal.process.Configurations;
import palyra.sandbox.internal.run.Backends;
import palyra.sandbox.internal.run.FakeBackend;
import palyra.sandbox.internal.run.RunOrder;
import palyra.sandbox.internal.run.RunOutcome;
import palyra.sandbox.internal.run.RunResult;
import palyra.sandbox.internal.run.Runner;
import palyra.sandbox.internal.run.SandboxSettings;
import palyra.shared.gate.Gate;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;
import palyra.testing.journal.MemoryKeys;
import palyra.testing.wait.Await;

/** Tests of the tests: a sandbox is used only while it holds, and every missing wall is found. */
@Timeout(300)
class CanariesTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final long INTERVAL = 60_000;

    @TempDir Path folder;
    private final AtomicLong clock = new AtomicLong(System.currentTimeMillis());
    private final FakeJournal journal = new FakeJournal();
    private final Journal journalService = journal.service();
    private final MemoryKeys keys = new MemoryKeys();
    private final Gate<Journal> journalGate =
            new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    private final Gate<Keys> keyGate = new Gate<>("the keys", ErrorCode.KEYS_UNAVAILABLE, 0);
    private final Backends backends = new Backends(() -> 100);
    private Canaries canaries;
    private Runner runner;
    private Holding holding;

    @BeforeEach
    void open() {
        journalGate.add(journalService, Map.of());
        keyGate.add(keys, Map.of());
        SandboxSettings settings = Configurations.settings(folder.resolve("workspaces"), Map.of());
        canaries =
                new Canaries(
                        backends,
                        new CanaryJournal(journalGate, keyGate),
                        () -> INTERVAL,
                        () -> System.currentTimeMillis() + (clock.get() - start));
        runner = new Runner(backends, canaries, () -> 10);
        Trial trial =
                new Trial(
                        runner,
                        () -> settings,
                        folder.resolve("state"),
                        Map.of("SECRET_TOKEN", "topsecret", "PATH", "/bin"));
        canaries.begin(trial::of);
        holding = new Holding(Tier.C);
    }

    private final long start = clock.get();

    @AfterEach
    void close() {
        canaries.close();
        runner.close();
    }

    private void add() {
        backends.add(holding, Map.of());
    }

    private void awaitState(Standing.State state) {
        Await.until(
                "the sandbox to be " + state,
                LONG,
                () -> canaries.standing(holding).state() == state);
    }

    private RunOrder order(String callId) {
        return RunOrder.of(
                Tier.C,
                new SandboxSpec(
                        callId,
                        List.of("/bin/true"),
                        Map.of(),
                        folder.toString(),
                        folder.toString(),
                        List.of(),
                        List.of(),
                        Egress.STRICT,
                        java.util.Optional.empty(),
                        java.util.Set.of(),
                        SandboxLimits.DEFAULT,
                        java.util.Set.of(),
                        false));
    }

    private void assertRefuses() {
        int before = holding.starts.get();
        PalyraException refused =
                assertThrows(PalyraException.class, () -> canaries.proof(holding));
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused.code());
        assertTrue(holding.starts.get() >= before);
    }

    @Test
    void sandboxThatHoldsIsUsedAndCited() {
        add();
        awaitState(Standing.State.PROVEN);
        RunResult result = runner.run(order("call-1"));
        assertEquals(RunOutcome.OK, result.outcome());
        CanaryReport report = canaries.standing(holding).report().orElseThrow();
        assertTrue(
                result.enforcement()
                        .endsWith(
                                " canary="
                                        + report.sha256().substring(0, 12)
                                        + "@"
                                        + report.atMillis()),
                result.enforcement());
    }

    @Test
    void reportStandsSignedInTheJournal() {
        add();
        awaitState(Standing.State.PROVEN);
        String event = journal.events(CanaryJournal.TYPE).get(0);
        ObjectNode node = (ObjectNode) StrictJson.parse(event, "the event");
        String keyId = node.remove("keyId").textValue();
        byte[] signature = Base64.getUrlDecoder().decode(node.remove("signature").textValue());
        String sha256 = node.remove("sha256").textValue();
        byte[] statement = (CanaryReport.TAG + Jcs.text(node)).getBytes(StandardCharsets.UTF_8);
        assertTrue(
                keys.verify(KeyPurpose.ATTESTATION, statement, new KeySignature(keyId, signature)));
        assertEquals(palyra.shared.hash.Digests.sha256Hex(statement), sha256);
        assertTrue(node.get("passed").booleanValue());
        node.put("passed", false);
        assertFalse(
                keys.verify(
                        KeyPurpose.ATTESTATION,
                        (CanaryReport.TAG + Jcs.text(node)).getBytes(StandardCharsets.UTF_8),
                        new KeySignature(keyId, signature)));
    }

    private CanaryReport failing(Consumer<Holding> broken, String probe) {
        broken.accept(holding);
        add();
        awaitState(Standing.State.FAILED);
        assertRefuses();
        CanaryReport report = canaries.standing(holding).report().orElseThrow();
        assertTrue(
                report.broken().stream().map(Tried::probe).anyMatch(probe::equals),
                "broken are " + report.broken());
        assertEquals(
                ErrorCode.TOOL_UNAVAILABLE,
                assertThrows(PalyraException.class, () -> runner.run(order("no"))).code());
        Await.until("the event", LONG, () -> !journal.events(CanaryJournal.TYPE).isEmpty());
        JsonNode event = StrictJson.parse(journal.events(CanaryJournal.TYPE).get(0), "event");
        assertFalse(event.get("passed").booleanValue());
        return report;
    }

    @Test
    void fileThatCanBeReadOutsideIsFound() {
        failing(to -> to.leak = "/secret && echo", "read_outside");
    }

    @Test
    void folderThatCanBeListedOutsideIsFound() {
        failing(to -> to.leak = "ls '", "list_outside");
    }

    @Test
    void wayByALinkIsFound() {
        failing(to -> to.leak = "ln -s", "read_by_link");
    }

    @Test
    void wayByProcIsFound() {
        failing(to -> to.leak = "/proc/self/root", "read_by_proc");
    }

    @Test
    void writingOutsideIsFound() {
        failing(to -> to.writesOutside = true, "write_outside");
    }

    @Test
    void writableSystemIsFound() {
        failing(to -> to.leak = "/usr/.canary", "write_system");
    }

    @Test
    void passwordsAreFound() {
        failing(to -> to.leak = "/etc/shadow", "read_shadow");
    }

    @Test
    void environmentOfTheGatewayIsFound() {
        failing(to -> to.environmentShows = true, "environment");
    }

    @Test
    void mountIsFound() throws IOException {
        org.junit.jupiter.api.Assumptions.assumeTrue(
                Programs.find("mount").isPresent(), "mount is not installed, the battery says so");
        failing(to -> to.leak = "mount -t", "mount");
    }

    @Test
    void openNetworkIsFound() {
        failing(to -> to.networkOpen = true, "tcp_strict");
    }

    @Test
    void ownPortThatCanBeReachedIsFound() {
        failing(to -> to.ownPortOpen = true, "tcp_own_port");
    }

    @Test
    void missingFileLimitIsFound() {
        failing(to -> to.noFileLimit = true, "file_size");
    }

    @Test
    void processesThatSurviveAreFound() {
        failing(to -> to.leftBehind = 1, "daemon_dies");
    }

    @Test
    void sandboxInWhichNothingWorksDoesNotPass() {
        failing(to -> to.nothingWorks = true, "reads_and_writes_inside");
    }

    @Test
    void sandboxThatRefusesStrictDoesNotPassAndSaysWhyOnce() {
        holding.check = new PalyraException(ErrorCode.TOOL_UNAVAILABLE, "There is no cgroup.");
        add();
        awaitState(Standing.State.FAILED);
        CanaryReport report = canaries.standing(holding).report().orElseThrow();
        assertEquals(1, report.tried().size());
        assertEquals("There is no cgroup.", report.refusal().orElseThrow());
        assertEquals("There is no cgroup.", canaries.standing(holding).cause());
        assertRefuses();
    }

    @Test
    void sandboxThatBreaksBeforeItStartsDoesNotPass() {
        failing(to -> to.check = new PalyraException(ErrorCode.INTERNAL, "defect"), "runs");
    }

    @Test
    void modeThatASandboxDoesNotOfferIsNoFault() {
        holding.checkOfOpenModes = new PalyraException(ErrorCode.DENIED, "no Landlock");
        add();
        awaitState(Standing.State.PROVEN);
        assertTrue(
                canaries.standing(holding).report().orElseThrow().tried().stream()
                        .anyMatch(one -> one.state() == State.NOT_OFFERED));
    }

    @Test
    void sandboxIsNotHeldToWhatItSaysItDoesNotEnforce() {
        Holding tierB = new Holding(Tier.B);
        tierB.enforcement = "landlock=missing(permitted) seccomp=sha256:0";
        tierB.leak = "ls '";
        backends.add(tierB, Map.of());
        Await.until(
                "the proof", LONG, () -> canaries.standing(tierB).state() == Standing.State.PROVEN);
        assertTrue(
                canaries.standing(tierB).report().orElseThrow().tried().stream()
                        .anyMatch(
                                one ->
                                        one.probe().equals("list_outside")
                                                && one.state() == State.OPEN));
    }

    @Test
    void sandboxThatConfinesNothingIsFoundWithRealCommands() {
        FakeBackend open = new FakeBackend(Tier.B, folder);
        open.enforcement = "landlock=7 seccomp=sha256:0";
        backends.add(open, Map.of());
        Await.until(
                "the failure",
                Duration.ofSeconds(120),
                () -> canaries.standing(open).state() == Standing.State.FAILED);
        CanaryReport report = canaries.standing(open).report().orElseThrow();
        List<String> broken = report.broken().stream().map(Tried::probe).toList();
        assertTrue(
                broken.containsAll(
                        List.of(
                                "read_outside",
                                "list_outside",
                                "read_by_link",
                                "read_by_proc",
                                "write_outside",
                                "file_size")),
                "broken are " + report.broken());
        List<String> held =
                report.tried().stream()
                        .filter(one -> one.state() == State.HELD)
                        .map(Tried::probe)
                        .toList();
        assertTrue(
                held.containsAll(
                        List.of(
                                "runs",
                                "reads_and_writes_inside",
                                "signals_its_own",
                                "daemon_dies",
                                "deadline")),
                "held are " + held);
    }

    @Test
    void nothingIsUsedBeforeItsTestStandsInTheJournal() {
        journal.stopped = true;
        add();
        Await.until("the test", LONG, () -> canaries.standing(holding).report().isPresent());
        assertEquals(Standing.State.PROBING, canaries.standing(holding).state());
        assertTrue(canaries.standing(holding).cause().contains("journal"));
        assertRefuses();
        journal.stopped = false;
        awaitState(Standing.State.PROVEN);
        assertEquals(1, journal.events(CanaryJournal.TYPE).size());
    }

    @Test
    void withoutKeysNothingIsProved() {
        keyGate.remove(keys);
        add();
        Await.until("the test", LONG, () -> canaries.standing(holding).report().isPresent());
        assertRefuses();
        keyGate.add(keys, Map.of());
        awaitState(Standing.State.PROVEN);
    }

    @Test
    void sandboxThatChangedIsTestedAgainBeforeItIsUsed() {
        add();
        awaitState(Standing.State.PROVEN);
        int before = holding.starts.get();
        holding.status = BackendStatus.ready(Map.of(), "f2");
        assertEquals(Standing.State.PROBING, canaries.standing(holding).state());
        assertRefuses();
        awaitState(Standing.State.PROVEN);
        assertTrue(holding.starts.get() > before);
        assertEquals("f2", canaries.standing(holding).report().orElseThrow().fingerprint());
    }

    @Test
    void sandboxThatRefusesByItselfSaysWhy() {
        add();
        awaitState(Standing.State.PROVEN);
        holding.status =
                BackendStatus.refusing("User namespaces are off.", "Switch them on.", Map.of());
        PalyraException refused =
                assertThrows(PalyraException.class, () -> canaries.proof(holding));
        assertTrue(refused.getMessage().contains("User namespaces are off. Switch them on."));
    }

    @Test
    void oldProofIsRenewedAndOneThatIsTooOldDoesNotCount() {
        add();
        awaitState(Standing.State.PROVEN);
        String first = canaries.standing(holding).report().orElseThrow().id();
        clock.addAndGet(INTERVAL + 1_000);
        Await.until(
                "a new test",
                LONG,
                () -> !canaries.standing(holding).report().orElseThrow().id().equals(first));
        canaries.close();
        clock.addAndGet(3 * INTERVAL);
        assertRefuses();
        assertTrue(canaries.standing(holding).cause().contains("too old"));
    }

    @Test
    void failureEndsWhatRunsInTheSandboxAtOnce() throws Exception {
        add();
        awaitState(Standing.State.PROVEN);
        holding.endless = true;
        FutureTask<RunResult> victim = new FutureTask<>(() -> runner.run(order("victim")));
        Thread.ofPlatform().daemon().start(victim);
        Await.until("the victim", LONG, () -> runner.running() == 1);
        Await.until("its start", LONG, () -> holding.starts.get() > 0);
        holding.endless = false;
        holding.leak = "ls '";
        CanaryReport report = canaries.testNow(holding);
        assertFalse(report.passed());
        assertEquals(RunOutcome.SANDBOX_FAILED, victim.get(30, TimeUnit.SECONDS).outcome());
        assertEquals(Standing.State.FAILED, canaries.standing(holding).state());
        holding.leak = "";
        assertTrue(canaries.testNow(holding).passed());
        assertEquals(Standing.State.PROVEN, canaries.standing(holding).state());
    }

    @Test
    void testThatIsCutShortSaysNothing() throws Exception {
        add();
        awaitState(Standing.State.PROVEN);
        holding.endless = true;
        FutureTask<CanaryReport> test = new FutureTask<>(() -> canaries.testNow(holding));
        int before = holding.starts.get();
        Thread thread = Thread.ofPlatform().daemon().start(test);
        Await.until("the test", LONG, () -> holding.starts.get() > before);
        thread.interrupt();
        assertThrows(
                java.util.concurrent.ExecutionException.class,
                () -> test.get(60, TimeUnit.SECONDS));
        assertEquals(Standing.State.PROVEN, canaries.standing(holding).state());
    }

    @Test
    void changedConfigurationTakesEveryProofAway() {
        add();
        awaitState(Standing.State.PROVEN);
        String first = canaries.standing(holding).report().orElseThrow().id();
        canaries.testAll();
        awaitState(Standing.State.PROVEN);
        assertFalse(canaries.standing(holding).report().orElseThrow().id().equals(first));
    }

    @Test
    void nothingIsLeftOfATest() throws IOException {
        add();
        awaitState(Standing.State.PROVEN);
        for (String place : List.of("workspaces", "state")) {
            try (var left = Files.list(folder.resolve(place))) {
                assertEquals(List.of(), left.toList());
            }
        }
        Files.createDirectory(folder.resolve("state/canary-old"));
        canaries.testNow(holding);
        assertFalse(Files.exists(folder.resolve("state/canary-old")));
    }
}
