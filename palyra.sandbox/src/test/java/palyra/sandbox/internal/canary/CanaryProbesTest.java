package palyra.sandbox.internal.canary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.sandbox.SharedSandbox;
import palyra.sandbox.internal.canary.CanaryReport.ProbeResult;
import palyra.sandbox.internal.canary.CanaryReport.State;
import palyra.sandbox.internal.run.FakeBackend;
import palyra.sandbox.internal.run.RunOrder;
import palyra.testing.wait.Await;

/** Each way out of a sandbox is found by a probe of its own. */
@Timeout(300)
class CanaryProbesTest extends CanariesFixture {
    private CanaryReport failing(Consumer<Holding> broken, String probe) {
        broken.accept(holding);
        add();
        awaitState(CanaryStatus.State.FAILED);
        assertRefuses();
        CanaryReport report = canaries.canaryStatus(holding).report().orElseThrow();
        assertTrue(
                report.broken().stream().map(ProbeResult::probe).anyMatch(probe::equals),
                "broken are " + report.broken());
        assertEquals(
                ErrorCode.TOOL_UNAVAILABLE,
                assertThrows(PalyraException.class, () -> runner.run(order("no"))).code());
        Await.until("the event", LONG, () -> !journal.events(CanaryJournal.TYPE).isEmpty());
        JsonNode event = journal.events(CanaryJournal.TYPE).get(0);
        assertFalse(event.get("passed").booleanValue());
        return report;
    }

    @Test
    void programsAreFoundAsACommandFindsThem() {
        FakeBackend real = new FakeBackend(Tier.C, folder);
        canaries.close(); // its battery would get out of this one
        backends.add(real, Map.of());
        assertEquals(
                Optional.of(List.of("cat", "sh")),
                trial.programs(real, List.of("cat", "no-such-program", "sh")));
        real.check = new PalyraException(ErrorCode.DENIED, "No.");
        assertEquals(Optional.empty(), trial.programs(real, List.of("sh")));
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
                SystemPrograms.find("mount").isPresent(),
                "mount is not installed, the battery says so");
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
    void processesThatDieLateOnABusyMachineGetASecondChance() {
        holding.hasty.set(1);
        add();
        awaitState(CanaryStatus.State.PROVEN);
        assertEquals(0, holding.hasty.get());
    }

    @Test
    void sandboxInWhichNothingWorksDoesNotPass() {
        failing(to -> to.nothingWorks = true, "reads_and_writes_inside");
    }

    @Test
    void sandboxThatRefusesStrictDoesNotPassAndSaysWhyOnce() {
        holding.check = new PalyraException(ErrorCode.TOOL_UNAVAILABLE, "There is no cgroup.");
        add();
        awaitState(CanaryStatus.State.FAILED);
        CanaryReport report = canaries.canaryStatus(holding).report().orElseThrow();
        assertEquals(1, report.results().size());
        assertEquals("There is no cgroup.", report.refusal().orElseThrow());
        assertEquals("There is no cgroup.", canaries.canaryStatus(holding).cause());
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
        awaitState(CanaryStatus.State.PROVEN);
        assertTrue(
                canaries.canaryStatus(holding).report().orElseThrow().results().stream()
                        .anyMatch(one -> one.state() == State.NOT_OFFERED));
    }

    @Test
    void wayOutOfASandboxThatCommandsShareIsFound() {
        CanaryReport report =
                failing(to -> to.sharedLeak = "/secret && echo", "session_read_outside");
        assertTrue(
                report.broken().stream().allMatch(one -> one.probe().startsWith("session_")),
                "the single ones hold: " + report.broken());
    }

    @Test
    void sharedSandboxIsProvenInItsOwnForm() {
        add();
        awaitState(CanaryStatus.State.PROVEN);
        CanaryReport report = canaries.canaryStatus(holding).report().orElseThrow();
        assertEquals(report.citation(), canaries.sharedProof(holding));
        List<String> held =
                report.results().stream()
                        .filter(one -> one.state() == State.HELD)
                        .map(ProbeResult::probe)
                        .toList();
        assertTrue(
                held.containsAll(
                        List.of(
                                "session_runs",
                                "session_read_outside",
                                "session_tcp_strict",
                                "session_deadline",
                                "session_finds",
                                "session_ends")),
                "held are " + held);
        assertFalse(held.contains("session_daemon_dies"), "daemons go on there");
    }

    @Test
    void sandboxThatCannotBeSharedIsRefusedToSessionsAlone() {
        holding.hold = new PalyraException(ErrorCode.DENIED, "There is no nsenter.");
        add();
        awaitState(CanaryStatus.State.PROVEN);
        assertTrue(canaries.proof(holding).startsWith("canary="));
        PalyraException refused =
                assertThrows(PalyraException.class, () -> canaries.sharedProof(holding));
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused.code());
        assertTrue(
                refused.getMessage()
                        .endsWith("cannot be shared by a session. There is no nsenter."),
                refused.getMessage());
        RunOrder order = order("shared");
        SharedSandbox sandbox =
                new SharedSandbox("s", "/tmp/home", "/tmp/tmp", java.util.Optional.empty());
        RunOrder shared = RunOrder.of(order.tier(), order.spec().in(sandbox));
        assertEquals(
                ErrorCode.TOOL_UNAVAILABLE,
                assertThrows(PalyraException.class, () -> runner.run(shared)).code());
    }

    @Test
    void sandboxIsNotHeldToWhatItSaysItDoesNotEnforce() {
        Holding tierB = new Holding(Tier.B);
        tierB.enforcement = "landlock=missing(permitted) seccomp=sha256:0";
        tierB.leak = "ls '";
        backends.add(tierB, Map.of());
        Await.until(
                "the proof",
                LONG,
                () -> canaries.canaryStatus(tierB).state() == CanaryStatus.State.PROVEN);
        assertTrue(
                canaries.canaryStatus(tierB).report().orElseThrow().results().stream()
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
                () -> canaries.canaryStatus(open).state() == CanaryStatus.State.FAILED);
        CanaryReport report = canaries.canaryStatus(open).report().orElseThrow();
        List<String> broken = report.broken().stream().map(ProbeResult::probe).toList();
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
                report.results().stream()
                        .filter(one -> one.state() == State.HELD)
                        .map(ProbeResult::probe)
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
}
