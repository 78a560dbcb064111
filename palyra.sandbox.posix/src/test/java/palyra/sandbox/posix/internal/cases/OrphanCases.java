package palyra.sandbox.posix.internal.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.sandbox.posix.internal.Bench;
import palyra.sandbox.posix.internal.Orphaned;
import palyra.sandbox.posix.internal.Plans;

/** A gateway that was killed, and the next one. */
class OrphanCases {
    @Test
    void theNextGatewayEndsWhatAKilledOneHasLeft() throws Exception {
        try (Bench bench = new Bench()) {
            SandboxProcess own = bench.launch(Plans.of("/bin/sleep", "3372"));
            Process killed =
                    new ProcessBuilder(
                                    List.of(
                                            ProcessHandle.current().info().command().orElseThrow(),
                                            "--enable-native-access=ALL-UNNAMED",
                                            "-cp",
                                            System.getProperty("java.class.path"),
                                            Orphaned.class.getName(),
                                            "3371"))
                            .redirectErrorStream(true)
                            .start();
            assertTrue(killed.waitFor(60, TimeUnit.SECONDS));
            Bench.await("orphans", () -> LifecycleCases.commands("sleep\0003371") > 0);
            bench.endOrphans();
            Bench.await("their end", () -> LifecycleCases.commands("sleep\0003371") == 0);
            assertEquals(1, LifecycleCases.commands("/bin/sleep\0003372"));
            own.close();
        }
    }
}
