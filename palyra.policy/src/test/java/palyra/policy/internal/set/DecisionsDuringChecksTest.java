package palyra.policy.internal.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.policy.PolicyReport;
import palyra.api.core.policy.PolicyReport.Outcome;
import palyra.lib.cedar.Cedar;
import palyra.policy.internal.decide.PolicyRequest;
import palyra.testing.wait.Await;

/**
 * A check of candidates is held by a latch while the native engine is asked about the set in force.
 */
final class DecisionsDuringChecksTest {
    private static final String EVIDENCE =
            """
            {"v":1,"principal":{"type":"User","id":"alice"},"action":"doc.view",
             "resource":{"type":"Doc","id":"d"},"context":{},"entities":[]}""";

    @TempDir private Path folder;

    private final CountDownLatch release = new CountDownLatch(1);
    private final CountDownLatch compiling = new CountDownLatch(1);
    private volatile boolean holds;

    /** The real engine, whose compiler waits once it is told to. */
    private Cedar held() {
        return (Cedar)
                Proxy.newProxyInstance(
                        Cedar.class.getClassLoader(),
                        new Class<?>[] {Cedar.class},
                        (proxy, method, arguments) -> {
                            if (holds && method.getName().equals("compile")) {
                                compiling.countDown();
                                assertTrue(release.await(60, TimeUnit.SECONDS));
                            }
                            try {
                                return method.invoke(Stage.CEDAR, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }

    @Test
    void aSensitiveQuestionIsAnsweredWhileACandidateIsBeingValidated() throws Exception {
        try (Stage stage = new Stage(folder)) {
            stage.start(held(), 60_000).untilInForce();
            holds = true;
            CompletableFuture<PolicyReport> validating =
                    CompletableFuture.supplyAsync(
                            () -> stage.sets.check(Optional.empty()),
                            work -> new Thread(work, "validating").start());
            assertTrue(compiling.await(60, TimeUnit.SECONDS));

            Snapshot inForce = stage.sets.inForce().orElseThrow();
            assertTrue(
                    stage.check
                            .ask(inForce, PolicyRequest.parse(EVIDENCE))
                            .orElseThrow()
                            .allowed());
            assertFalse(validating.isDone());

            release.countDown();
            assertEquals(Outcome.VALID, validating.get(60, TimeUnit.SECONDS).outcome());
        }
    }

    @Test
    void theSetInForceStaysAndIsConfirmedWhileItsSuccessorIsBeingChecked() throws Exception {
        try (Stage stage = new Stage(folder)) {
            stage.start(held(), 60_000).untilInForce();
            Snapshot before = stage.sets.inForce().orElseThrow();
            holds = true;
            stage.save(
                    "own.cedar",
                    "@id(\"more\") permit (principal, action == Action::\"doc.view\", resource);");
            assertTrue(compiling.await(60, TimeUnit.SECONDS));

            assertEquals(before, stage.sets.inForce().orElseThrow());
            assertTrue(
                    stage.check.ask(before, PolicyRequest.parse(EVIDENCE)).orElseThrow().allowed());

            release.countDown();
            stage.untilHas("more");
        }
    }

    @Test
    void whileTheFirstSetIsBeingCheckedTheWaitSaysSo() throws Exception {
        holds = true;
        try (Stage stage = new Stage(folder)) {
            stage.start(held(), 60_000);
            assertTrue(compiling.await(60, TimeUnit.SECONDS));

            String said = stage.sets.absence();
            assertTrue(said.startsWith("Waiting for the first policy set"), said);
            assertTrue(said.matches(".* [0-9]+ ms so far\\."), said);

            release.countDown();
            Await.until("a set in force", () -> stage.sets.inForce().isPresent());
        }
    }
}
