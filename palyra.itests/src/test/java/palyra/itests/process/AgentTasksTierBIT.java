package palyra.itests.process;

import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import palyra.itests.Wait;

/**
 * The tasks of {@link AgentTasksIT} in Tier B, as an operator allows it by a policy of his own that
 * he writes while the gateway runs: a few of them, with the long form all that apply. Those of
 * {@link AgentTasks#sessions} do not, because no commands share a sandbox in Tier B: each has its
 * own {@code /tmp}, and what it started ends with it.
 */
public class AgentTasksTierBIT {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final boolean FULL = Boolean.getBoolean("palyra.test.full");

    private static final Set<String> SHORT =
            Set.of(
                    "pipes-and-variables",
                    "rename-across-folders",
                    "python-tests",
                    "c-program",
                    "long-output-has-its-beginning-and-end",
                    "output-of-a-timeout",
                    "write-then-edit-then-read",
                    "background-with-status",
                    "the-host-is-out-of-reach",
                    "git-identity-is-a-default",
                    "git-rebase-and-merge",
                    "git-settings-that-run-code-are-undone");

    private static final String IN_TIER_B =
            """
            @id("builders_in_tier_b")
            @reason("Builders of the test work in Tier B.")
            @tier("b")
            @egress("strict")
            @allow_interpreters("true")
            permit (principal, action == Action::"tool.execute", resource)
            when { context.agent has profile && context.agent.profile == "tier-b" };
            """;

    private static UnprivilegedGateway gateway;

    @BeforeClass
    public static void start() throws Exception {
        gateway = UnprivilegedGateway.install();
        gateway.up(
                "--set",
                UnprivilegedGateway.LET_THE_TEST_IN,
                "--set",
                "palyra.policy:disabledDefaults=sensitive_tools_need_approval,"
                        + "commands_that_run_others_need_approval_each_time",
                "--set",
                "palyra.sandbox:allowInterpreters=true");
        Path policy = gateway.state().resolve("policies/tier-b.cedar");
        Files.writeString(policy, IN_TIER_B);
        Wait.until(
                "the policy to be in force",
                PATIENCE,
                () ->
                        gateway.client()
                                .run("policy", "list")
                                .ok()
                                .out()
                                .contains("builders_in_tier_b"),
                () -> "");
        Wait.until(
                "tier B to be proven",
                PATIENCE,
                () ->
                        gateway.client().run("sandbox", "run", "--tier", "b", "--", "true").exit()
                                == 0,
                () -> "");
    }

    @AfterClass
    public static void stop() throws Exception {
        gateway.close();
    }

    @Test
    public void tasksInTierB() throws Exception {
        List<AgentTask> tasks =
                Stream.concat(AgentTasks.anywhere().stream(), AgentTasks.git().stream())
                        .filter(task -> FULL || SHORT.contains(task.name()))
                        .toList();
        int least = FULL ? 35 : SHORT.size();
        assertTrue("there are " + tasks.size() + " tasks", tasks.size() >= least);
        new AgentTaskRunner(gateway).all(tasks, "tier-b", "B");
    }
}
