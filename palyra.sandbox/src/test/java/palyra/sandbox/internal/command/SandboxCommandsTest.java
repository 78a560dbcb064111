package palyra.sandbox.internal.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import palyra.api.command.Command;
import palyra.api.command.ExitCodes;
import palyra.api.core.sandbox.BackendStatus;
import palyra.sandbox.internal.canary.CanaryStatus;
import palyra.testing.command.FakeCommandContext;
import palyra.testing.wait.Await;

/** The commands that show sandboxes and test them. */
@Timeout(300)
class SandboxCommandsTest extends SandboxCommandsFixture {
    @Test
    void specsAskForTheActionsOfSandboxes() {
        for (Command command : commands) {
            boolean acts = command.spec().mutating();
            assertEquals(acts ? "sandbox.run" : "sandbox.read", command.spec().action());
        }
        assertEquals(4, commands.size());
    }

    private void awaitProven() {
        Await.until(
                "the proofs",
                Duration.ofSeconds(30),
                () ->
                        canaries.canaryStatus(desk.tierB).state() == CanaryStatus.State.PROVEN
                                && canaries.canaryStatus(desk.tierC).state()
                                        == CanaryStatus.State.PROVEN);
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
        Map<?, ?> limits = (Map<?, ?>) good.output().fieldSets().get(0).get("limits");
        assertEquals(120_000L, limits.get("wallMillis"));
        FakeCommandContext both = FakeCommandContext.builder().json().build();
        assertEquals(ExitCodes.OK, run(both, "sandbox explain"));
        List<?> sandboxes = (List<?>) both.output().fieldSets().get(0).get("sandboxes");
        assertEquals(List.of(1, 2), List.of(both.output().fieldSets().size(), sandboxes.size()));
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
