package palyra.skills.internal.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ConfinedTool;
import palyra.api.core.tools.ToolOrder;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolInvocation;
import palyra.skills.internal.TinyWasm;
import palyra.skills.internal.host.fakes.FakeEngine;
import palyra.skills.internal.host.fakes.FakeEngine.Program;
import palyra.skills.internal.host.fakes.Guest;
import palyra.skills.internal.host.fakes.Skills;
import palyra.skills.internal.host.fakes.Stage;
import palyra.skills.internal.model.SkillGrants;
import palyra.skills.internal.run.RunSettings;

/** What becomes of calls when the runtime goes. */
final class RuntimePartsTest {
    private static final String QUICK = "acme.weather.a_quick";
    private static final String SLOW = "acme.weather.b_slow";
    private static final String OTHER = "acme.weather.c_other";

    @TempDir Path state;

    private final Stage stage = new Stage();
    private final Skills skills = new Skills();
    private final CountDownLatch inside = new CountDownLatch(1);
    private final List<String> gone = new CopyOnWriteArrayList<>();
    private final List<ConfinedTool> offered = new CopyOnWriteArrayList<>();

    private RuntimeParts parts(long stopMillis, Runnable leaving, Program slow) {
        FakeEngine engine =
                FakeEngine.usual(
                        guest -> guest.read(0).contains("slow") ? slow.run(guest) : answer(guest));
        RuntimeParts parts =
                new RuntimeParts(
                        skills,
                        state,
                        new RunSettings("endive", 1_000, stopMillis),
                        (tool, ranking) -> offer(tool, leaving));
        parts.access().add(stage.access, Map.of());
        parts.engines().add(engine, engine.properties());
        byte[] module = new TinyWasm().exports("palyra_call").bytes();
        skills.put(
                Skills.skill(
                        "acme.weather",
                        "1.0.0",
                        SkillGrants.NONE,
                        module,
                        Skills.tool(QUICK),
                        Skills.tool(SLOW),
                        Skills.tool(OTHER)));
        parts.refresh();
        assertEquals(3, offered.size());
        return parts;
    }

    private static long answer(Guest guest) {
        guest.write("{\"degrees\":3}");
        return 0;
    }

    /** Taking a tool back waits for its calls, as the executor does. */
    private Runnable offer(Tool tool, Runnable leaving) {
        offered.add((ConfinedTool) tool);
        return () -> {
            leaving.run();
            gone.add(tool.descriptor().name());
        };
    }

    private ConfinedResult run(String name, String city) {
        ConfinedTool tool =
                offered.stream()
                        .filter(each -> each.descriptor().name().equals(name))
                        .findFirst()
                        .orElseThrow();
        try {
            return tool.run(
                    new ToolOrder(
                            name,
                            new ToolInvocation(
                                    "call-" + name,
                                    1,
                                    "run-1",
                                    "s",
                                    "user:anna",
                                    "{\"city\":\"" + city + "\"}",
                                    System.currentTimeMillis() + 60_000),
                            "helper",
                            Set.of("operator"),
                            new Confinement(Tier.A, Egress.STRICT),
                            "",
                            false));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aCallThatWasStartedBeforeItsToolIsGoneRuns() {
        CompletableFuture<ConfinedResult> started = new CompletableFuture<>();
        RuntimeParts parts =
                parts(
                        30_000,
                        () -> {
                            if (!started.isDone()) {
                                started.complete(run(QUICK, "Köln"));
                            }
                        },
                        guest -> 0);
        parts.close();
        assertEquals(Outcome.SUCCEEDED, started.join().outcome(), () -> started.join().toString());
        assertEquals(Outcome.FAILED, run(OTHER, "Köln").outcome());
    }

    @Test
    void noToolStaysOnOfferWhileTheCallsOfAnotherAreWaitedFor() throws Exception {
        CountDownLatch othersAreGone = new CountDownLatch(2);
        RuntimeParts parts =
                parts(
                        30_000,
                        othersAreGone::countDown,
                        guest -> {
                            inside.countDown();
                            assertTrue(othersAreGone.await(30, TimeUnit.SECONDS));
                            return answer(guest);
                        });
        CompletableFuture<ConfinedResult> slow =
                CompletableFuture.supplyAsync(() -> run(SLOW, "slow"));
        assertTrue(inside.await(30, TimeUnit.SECONDS));
        parts.close();
        assertEquals(Outcome.SUCCEEDED, slow.get(30, TimeUnit.SECONDS).outcome());
        assertEquals(Set.of(QUICK, SLOW, OTHER), Set.copyOf(gone));
    }

    @Test
    void aCallThatDoesNotEndInTimeIsInterruptedAndNotCancelled() throws Exception {
        RuntimeParts parts =
                parts(
                        100,
                        () -> {},
                        guest -> {
                            inside.countDown();
                            new CountDownLatch(1).await();
                            return 0;
                        });
        CompletableFuture<ConfinedResult> slow =
                CompletableFuture.supplyAsync(() -> run(SLOW, "slow"));
        assertTrue(inside.await(30, TimeUnit.SECONDS));
        parts.close();
        ConfinedResult ended = slow.get(30, TimeUnit.SECONDS);
        assertEquals(Outcome.INTERRUPTED, ended.outcome());
        assertTrue(ended.result().error().contains("replaced"), ended.result().error());
    }
}
