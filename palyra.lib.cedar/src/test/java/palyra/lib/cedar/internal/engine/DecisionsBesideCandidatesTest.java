package palyra.lib.cedar.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import palyra.lib.cedar.CedarException;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.CompileRequest;
import palyra.lib.cedar.EntityRef;
import palyra.lib.cedar.PreparedPolicySet;
import palyra.lib.cedar.PreparedUse;
import palyra.lib.cedar.TemplateLink;
import palyra.testing.wait.Await;

/** Work on candidates is held by a latch while decisions are asked for. */
final class DecisionsBesideCandidatesTest {
    private static final CompileRequest ALL =
            CompileRequest.of(
                    List.of(CedarFile.of("a.cedar", "permit(principal, action, resource);")));
    private static final String REQUEST =
            """
            {"principal":{"type":"User","id":"u"},"action":{"type":"Action","id":"a"},
             "resource":{"type":"Doc","id":"d"}}""";

    private final CedarEngine engine = new CedarEngine(Engines.settings(), 8);
    private final CountDownLatch hold = new CountDownLatch(1);

    @AfterEach
    void stop() {
        hold.countDown();
        engine.close();
    }

    private CompletableFuture<Boolean> holdCandidates() {
        CompletableFuture<Boolean> held =
                CompletableFuture.supplyAsync(
                        () -> engine.aside(() -> hold.await(60, TimeUnit.SECONDS)),
                        work -> new Thread(work, "holder").start());
        Await.until("the thread for candidates to be busy", () -> engine.status().busyMillis() > 0);
        return held;
    }

    @Test
    void aDecisionDoesNotWaitForACandidateThatIsBeingCompiled() throws Exception {
        try (PreparedPolicySet inForce = engine.prepare(ALL, PreparedUse.IN_FORCE);
                PreparedPolicySet next = engine.prepare(ALL, PreparedUse.NEXT)) {
            CompletableFuture<Boolean> held = holdCandidates();

            assertTrue(inForce.decide(REQUEST).allowed());
            assertTrue(next.decide(REQUEST).allowed());
            try (PreparedPolicySet another = engine.prepare(ALL, PreparedUse.IN_FORCE)) {
                assertTrue(another.decide(REQUEST).allowed());
            }

            assertFalse(held.isDone());
        }
    }

    @Test
    void aCandidateIsAskedOnTheThreadForCandidates() throws Exception {
        try (PreparedPolicySet candidate = engine.prepare(ALL, PreparedUse.CANDIDATE)) {
            assertTrue(candidate.decide(REQUEST).allowed());
            CompletableFuture<Boolean> held = holdCandidates();
            CompletableFuture<Boolean> asked =
                    CompletableFuture.supplyAsync(
                            () -> candidate.decide(REQUEST).allowed(),
                            work -> new Thread(work, "asker").start());
            Await.until("the question to wait", () -> engine.status().waiting() > 0);
            assertFalse(asked.isDone());

            hold.countDown();

            assertTrue(held.get(60, TimeUnit.SECONDS));
            assertTrue(asked.get(60, TimeUnit.SECONDS));
        }
    }

    @Test
    void refusesToPrepareWhatHasToBeCompiledFirst() {
        CompileRequest broken = CompileRequest.of(List.of(CedarFile.of("a.cedar", "(".repeat(60))));
        CompileRequest linked =
                ALL.withLinks(
                        List.of(
                                new TemplateLink(
                                        "l",
                                        "t",
                                        Map.of("?principal", new EntityRef("User", "u")))));
        for (CompileRequest request : List.of(broken, linked)) {
            CedarException refusal =
                    assertThrows(
                            CedarException.class,
                            () -> engine.prepare(request, PreparedUse.CANDIDATE));
            assertEquals(CedarException.Reason.REFUSED, refusal.reason());
        }
    }
}
