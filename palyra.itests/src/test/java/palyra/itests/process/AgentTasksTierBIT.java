package palyra.itests.process;

import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import palyra.itests.Wait;

/**
 * The tasks of {@link AgentTasksIT} that any sandbox can do, in Tier B as an operator allows it.
 */
public class AgentTasksTierBIT {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    /** The same work in Tier B, as an operator may allow it. */
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
        Files.createDirectories(policy.getParent());
        Files.writeString(policy, IN_TIER_B);
        Wait.until(
                "the policy to be in force",
                PATIENCE,
                () -> gateway.run("policy", "show").out().contains("builders_in_tier_b"),
                () -> "");
        Wait.until(
                "tier B to be proven",
                PATIENCE,
                () -> gateway.run("sandbox", "run", "--tier", "b", "--", "true").exit() == 0,
                () -> "");
    }

    @AfterClass
    public static void stop() throws Exception {
        gateway.close();
    }

    @Test
    public void tasksInTierB() throws Exception {
        List<AgentTask> tasks =
                AgentTasks.anywhere().stream().filter(AgentTask::isShellOnly).toList();
        assertTrue("there are " + tasks.size() + " tasks", tasks.size() >= 15);
        new AgentTaskRunner(gateway).all(tasks, "tier-b", "B");
    }
}
