package palyra.itests.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
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
        Path policies =
                Files.createDirectories(
                        gateway.folder().resolve("policies"),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwxr-xr-x")));
        Files.writeString(policies.resolve("tier-b.cedar"), IN_TIER_B);
        gateway.up(
                "--set",
                UnprivilegedGateway.LET_THE_TEST_IN,
                "--set",
                "palyra.policy:folder=" + policies,
                "--set",
                "palyra.policy:disabledDefaults=sensitive_tools_need_approval,"
                        + "commands_that_run_others_need_approval_each_time",
                "--set",
                "palyra.sandbox:allowInterpreters=true");
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
        new AgentTaskRunner(gateway).all(AgentTasks.anywhere(), "tier-b", "B");
    }
}
