package palyra.sandbox.internal.canary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.KeySignature;
import palyra.api.core.sandbox.BackendStatus;
import palyra.sandbox.internal.run.RunOutcome;
import palyra.sandbox.internal.run.RunResult;
import palyra.shared.json.Jcs;
import palyra.testing.wait.Await;

/** Tests of the tests: a sandbox is used only while it holds, and every missing wall is found. */
@Timeout(300)
class CanariesTest extends CanariesFixture {
    @Test
    void sandboxThatHoldsIsUsedAndCited() {
        add();
        awaitState(CanaryStatus.State.PROVEN);
        RunResult result = runner.run(order("call-1"));
        assertEquals(RunOutcome.OK, result.outcome());
        CanaryReport report = canaries.canaryStatus(holding).report().orElseThrow();
        assertTrue(
                result.enforcement()
                        .endsWith(
                                " canary="
                                        + report.sha256().substring(0, 12)
                                        + "@"
                                        + report.atMillis()),
                result.enforcement());
    }

    @Test
    void reportStandsSignedInTheJournal() {
        add();
        awaitState(CanaryStatus.State.PROVEN);
        ObjectNode node = (ObjectNode) journal.events(CanaryJournal.TYPE).get(0);
        String keyId = node.remove("keyId").textValue();
        byte[] signature = Base64.getUrlDecoder().decode(node.remove("signature").textValue());
        String sha256 = node.remove("sha256").textValue();
        byte[] statement = (CanaryReport.TAG + Jcs.text(node)).getBytes(StandardCharsets.UTF_8);
        assertTrue(
                keys.verify(KeyPurpose.ATTESTATION, statement, new KeySignature(keyId, signature)));
        assertEquals(palyra.shared.hash.Digests.sha256Hex(statement), sha256);
        assertTrue(node.get("passed").booleanValue());
        node.put("passed", false);
        assertFalse(
                keys.verify(
                        KeyPurpose.ATTESTATION,
                        (CanaryReport.TAG + Jcs.text(node)).getBytes(StandardCharsets.UTF_8),
                        new KeySignature(keyId, signature)));
    }

    /** A folder that cannot be made says nothing about the sandbox, which is tested later. */
    @Test
    void sandboxThatCannotBeTestedIsNotCalledBroken() throws Exception {
        Path inTheWay = Files.writeString(folder.resolve("state"), "no folder");
        add();
        Await.until(
                "the reason",
                LONG,
                () -> canaries.canaryStatus(holding).cause().contains("could not be tested"));
        CanaryStatus canaryStatus = canaries.canaryStatus(holding);
        assertEquals(CanaryStatus.State.PROBING, canaryStatus.state());
        assertTrue(canaryStatus.cause().contains(inTheWay.toString()), canaryStatus.cause());
        assertTrue(canaryStatus.report().isEmpty());
        assertRefuses();
        Files.delete(inTheWay);
        awaitState(CanaryStatus.State.PROVEN);
    }

    /** Filling the medium during the tests must not hide what got out before. */
    @Test
    void escapeIsToldThoughTheMediumIsFullLater() {
        holding.fullAtTheEnd = true;
        add();
        Await.until(
                "the reason",
                LONG,
                () -> canaries.canaryStatus(holding).cause().contains("could not be tested"));
        holding.writesOutside = true;
        awaitState(CanaryStatus.State.FAILED);
        assertTrue(canaries.canaryStatus(holding).cause().contains("write_outside"));
    }

    /** On a medium that is really full. */
    @Test
    void fullMediumIsNamedAndTheTestIsMadeOnceThereIsRoom() throws Exception {
        Path workspaces = Files.createDirectories(folder.resolve("workspaces"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", workspaces.toString()) == 0,
                "this user may not mount a file system");
        try {
            Path filler = workspaces.resolve("filler");
            Files.write(filler, new byte[8 << 20]);
            add();
            Await.until(
                    "the reason",
                    LONG,
                    () -> canaries.canaryStatus(holding).cause().contains("no space left"));
            assertEquals(CanaryStatus.State.PROBING, canaries.canaryStatus(holding).state());
            assertTrue(canaries.canaryStatus(holding).cause().contains("bytes free"));
            assertRefuses();
            Files.delete(filler);
            awaitState(CanaryStatus.State.PROVEN);
        } finally {
            canaries.close();
            assertEquals(0, run("umount", workspaces.toString()));
        }
    }

    private static int run(String... command) throws Exception {
        try {
            Process process = new ProcessBuilder(command).inheritIO().start();
            assertTrue(process.waitFor(10, TimeUnit.SECONDS));
            return process.exitValue();
        } catch (IOException e) {
            return -1;
        }
    }

    @Test
    void nothingIsUsedBeforeItsTestStandsInTheJournal() {
        journal.refuseUnits(ErrorCode.JOURNAL_UNAVAILABLE);
        add();
        Await.until("the test", LONG, () -> canaries.canaryStatus(holding).report().isPresent());
        assertEquals(CanaryStatus.State.PROBING, canaries.canaryStatus(holding).state());
        assertTrue(canaries.canaryStatus(holding).cause().contains("journal"));
        assertRefuses();
        journal.acceptUnits();
        awaitState(CanaryStatus.State.PROVEN);
        assertEquals(1, journal.events(CanaryJournal.TYPE).size());
    }

    @Test
    void withoutKeysNothingIsProved() {
        keyGate.remove(keys);
        add();
        Await.until("the test", LONG, () -> canaries.canaryStatus(holding).report().isPresent());
        assertRefuses();
        keyGate.add(keys, Map.of());
        awaitState(CanaryStatus.State.PROVEN);
    }

    @Test
    void sandboxThatChangedIsTestedAgainBeforeItIsUsed() {
        add();
        awaitState(CanaryStatus.State.PROVEN);
        int before = holding.starts.get();
        holding.held = new CountDownLatch(1); // or it might be proven again before we look
        holding.status = BackendStatus.ready(Map.of(), "f2");
        assertEquals(CanaryStatus.State.PROBING, canaries.canaryStatus(holding).state());
        assertRefuses();
        assertEquals(before, holding.starts.get());
        holding.held.countDown();
        awaitState(CanaryStatus.State.PROVEN);
        assertTrue(holding.starts.get() > before);
        assertEquals("f2", canaries.canaryStatus(holding).report().orElseThrow().fingerprint());
    }

    @Test
    void sandboxThatRefusesByItselfSaysWhy() {
        add();
        awaitState(CanaryStatus.State.PROVEN);
        holding.status =
                BackendStatus.refusing("User namespaces are off.", "Switch them on.", Map.of());
        PalyraException refused =
                assertThrows(PalyraException.class, () -> canaries.proof(holding));
        assertTrue(refused.getMessage().contains("User namespaces are off. Switch them on."));
    }

    @Test
    void oldProofIsRenewedAndOneThatIsTooOldDoesNotCount() {
        add();
        awaitState(CanaryStatus.State.PROVEN);
        String first = canaries.canaryStatus(holding).report().orElseThrow().id();
        clock.addAndGet(INTERVAL + 1_000);
        Await.until(
                "a new test",
                LONG,
                () -> !canaries.canaryStatus(holding).report().orElseThrow().id().equals(first));
        canaries.close();
        clock.addAndGet(3 * INTERVAL);
        assertRefuses();
        assertTrue(canaries.canaryStatus(holding).cause().contains("too old"));
    }

    @Test
    void failureEndsWhatRunsInTheSandboxAtOnce() throws Exception {
        add();
        awaitState(CanaryStatus.State.PROVEN);
        holding.endless = true;
        int before = holding.starts.get(); // those of the battery
        FutureTask<RunResult> victim = new FutureTask<>(() -> runner.run(order("victim")));
        Thread.ofPlatform().daemon().start(victim);
        Await.until("the victim", LONG, () -> runner.running() == 1);
        Await.until("its start", LONG, () -> holding.starts.get() > before);
        holding.endless = false;
        holding.leak = "ls '";
        CanaryReport report = canaries.testNow(holding);
        assertFalse(report.passed());
        assertEquals(RunOutcome.SANDBOX_FAILED, victim.get(30, TimeUnit.SECONDS).outcome());
        assertEquals(CanaryStatus.State.FAILED, canaries.canaryStatus(holding).state());
        holding.leak = "";
        assertTrue(canaries.testNow(holding).passed());
        assertEquals(CanaryStatus.State.PROVEN, canaries.canaryStatus(holding).state());
    }

    @Test
    void testThatIsCutShortSaysNothing() throws Exception {
        add();
        awaitState(CanaryStatus.State.PROVEN);
        holding.endless = true;
        FutureTask<CanaryReport> test = new FutureTask<>(() -> canaries.testNow(holding));
        int before = holding.starts.get();
        Thread thread = Thread.ofPlatform().daemon().start(test);
        Await.until("the test", LONG, () -> holding.starts.get() > before);
        thread.interrupt();
        assertThrows(
                java.util.concurrent.ExecutionException.class,
                () -> test.get(60, TimeUnit.SECONDS));
        assertEquals(CanaryStatus.State.PROVEN, canaries.canaryStatus(holding).state());
    }

    @Test
    void changedConfigurationTakesEveryProofAway() {
        add();
        awaitState(CanaryStatus.State.PROVEN);
        String first = canaries.canaryStatus(holding).report().orElseThrow().id();
        canaries.testAll();
        awaitState(CanaryStatus.State.PROVEN);
        assertFalse(canaries.canaryStatus(holding).report().orElseThrow().id().equals(first));
    }

    @Test
    void nothingIsLeftOfATest() throws IOException {
        add();
        awaitState(CanaryStatus.State.PROVEN);
        for (String place : List.of("workspaces", "state")) {
            try (var left = Files.list(folder.resolve(place))) {
                assertEquals(List.of(), left.toList());
            }
        }
        Files.createDirectory(folder.resolve("state/canary-old"));
        canaries.testNow(holding);
        assertFalse(Files.exists(folder.resolve("state/canary-old")));
    }
}
