package palyra.policy.internal.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.core.access.CallContext;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.access.PolicyDecision.Outcome;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;
import palyra.policy.internal.set.Snapshot;

/** What people are asked during the work of an agent that builds something, by its profile. */
class CodingProfileTest {
    private static final Set<Capability> COMMAND =
            Set.of(
                    Capability.PROCESS_EXEC,
                    Capability.FILESYSTEM_READ,
                    Capability.FILESYSTEM_WRITE,
                    Capability.NETWORK);
    private static final Set<Capability> WRITING =
            Set.of(Capability.FILESYSTEM_READ, Capability.FILESYSTEM_WRITE);
    private static final Set<Capability> READING = Set.of(Capability.FILESYSTEM_READ);
    private static final String RUN = "palyra.process.run";

    private final Snapshot shipped = Sets.shipped();

    /** A call as it was examined. */
    private record Call(String tool, Set<Capability> capabilities, Set<String> flags) {}

    private static Call command(String... flags) {
        return new Call(RUN, COMMAND, Set.of(flags));
    }

    /** Twenty calls of a task: look around, change, build, test, commit. */
    private static final List<Call> TASK =
            List.of(
                    new Call("palyra.fs.list_dir", READING, Set.of()),
                    new Call("palyra.fs.search", READING, Set.of()),
                    new Call("palyra.fs.read_file", READING, Set.of()),
                    command(), // git status
                    command(), // git log
                    command("!outside"), // ls /tmp
                    command("!outside"), // git grep /api/v1
                    new Call("palyra.fs.read_file", READING, Set.of()),
                    new Call("palyra.fs.apply_patch", WRITING, Set.of()),
                    new Call("palyra.fs.write_file", WRITING, Set.of()),
                    new Call("palyra.fs.edit_file", WRITING, Set.of()),
                    command("!runs-programs"), // make
                    command("!runs-programs", "!script"), // npm test
                    command("!runs-programs", "!script", "!unknown"), // mvn verify
                    new Call("palyra.process.start", COMMAND, Set.of("!runs-programs")),
                    new Call("palyra.process.status", Set.of(Capability.PROCESS_EXEC), Set.of()),
                    new Call("palyra.process.stop", Set.of(Capability.PROCESS_EXEC), Set.of()),
                    command("!unknown"), // git add
                    command("!unknown"), // git commit
                    command("!runs-programs")); // git rebase

    private PolicyDecision decide(Call call, String profile) {
        return decide(shipped, call, profile);
    }

    private static PolicyDecision decide(Snapshot set, Call call, String profile) {
        ToolDescriptor tool =
                new ToolDescriptor(
                        call.tool(), "x", "{}", call.capabilities(), false, false, 1_000, 1_024);
        CallFacts facts =
                new CallFacts(
                        "/usr/bin/x",
                        "",
                        "/w",
                        "",
                        call.flags(),
                        1,
                        Set.of(),
                        Set.of(),
                        Set.of(),
                        Set.of(),
                        Set.of(),
                        Set.of());
        ToolPolicyRequest request =
                new ToolPolicyRequest(
                                "user:anna",
                                "builder",
                                false,
                                "run",
                                "session",
                                "call",
                                call.tool(),
                                tool,
                                "{}",
                                Set.of(call.tool()),
                                16,
                                16,
                                new CallContext(
                                        "",
                                        "",
                                        Set.of("integrator"),
                                        false,
                                        false,
                                        Set.of(),
                                        facts))
                        .withProfile(profile);
        return Decider.decide(set, PolicyRequest.of(request));
    }

    private long asked(String profile) {
        return TASK.stream()
                .filter(call -> decide(call, profile).outcome() == Outcome.ALLOW_IF_APPROVED)
                .count();
    }

    @Test
    void aTaskOfTwentyCallsAsksTwentyTimesLockedAndNeverAsCoding() {
        assertEquals(20, TASK.size());
        assertEquals(20, asked(""));
        assertEquals(20, asked("locked"));
        assertEquals(0, asked("coding"));
        for (Call call : TASK) {
            PolicyDecision decision = decide(call, "coding");
            assertEquals(Outcome.ALLOW, decision.outcome(), call.toString());
            assertEquals(Confinement.STRICTEST, decision.confinement(), call.toString());
        }
    }

    @Test
    void aShellRunsAsCodingOnlyAndThereInTierCWithoutANetwork() {
        Call shell = command("!interpreter", "!eval", "!runs-programs", "!unknown");
        assertEquals(Outcome.DENY, decide(shell, "").outcome());
        assertEquals(Outcome.DENY, decide(shell, "research").outcome());
        PolicyDecision coding = decide(shell, "coding");
        assertEquals(Outcome.ALLOW, coding.outcome());
        assertEquals(Confinement.STRICTEST, coding.confinement());
    }

    /** Of a tool for shells this is known before there is a call, as {@code tools show} asks. */
    @Test
    void aToolThatRunsCodeIsDeniedWithoutTheProfileWhateverTheCallIs() {
        Call shell =
                new Call(
                        "palyra.process.shell",
                        Set.of(Capability.PROCESS_EXEC, Capability.CODE_EXEC),
                        Set.of());
        assertEquals(Outcome.DENY, decide(shell, "").outcome());
        assertEquals("policy.interpreter", decide(shell, "locked").reasonCode());
        assertEquals(Outcome.ALLOW, decide(shell, "coding").outcome());
    }

    /** What an operator permits elsewhere makes no sandbox of a coding agent weaker. */
    @Test
    void aWeakerSandboxOfAnotherPermitIsNotTaken() {
        Snapshot weaker =
                Sets.shippedWith(
                        """
                        @id("weaker")
                        @tier("b")
                        @egress("none")
                        permit (principal, action == Action::"tool.execute", resource);
                        """);
        PolicyDecision decision = decide(weaker, command(), "coding");
        assertEquals(Confinement.STRICTEST, decision.confinement());
    }

    @Test
    void whatReachesBeyondIsAsked() {
        for (Call call :
                List.of(
                        command("!network"),
                        command("!protected"),
                        new Call("palyra.http.fetch", Set.of(Capability.NETWORK), Set.of()),
                        new Call("acme.deploy", Set.of(Capability.OTHER), Set.of()))) {
            PolicyDecision decision = decide(call, "coding");
            assertEquals(Outcome.ALLOW_IF_APPROVED, decision.outcome(), call.toString());
            assertFalse(decision.reason().isEmpty());
        }
        assertTrue(decide(command(), "coding").outcome() == Outcome.ALLOW);
    }
}
