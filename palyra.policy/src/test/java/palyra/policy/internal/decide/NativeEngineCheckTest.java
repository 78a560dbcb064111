package palyra.policy.internal.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import palyra.lib.cedar.Cedar;
import palyra.lib.cedar.CedarDecision;
import palyra.lib.cedar.CedarException;
import palyra.lib.cedar.CedarException.Reason;
import palyra.lib.cedar.PreparedUse;
import palyra.policy.internal.set.Snapshot;
import palyra.shared.gate.Gate;
import palyra.testing.wait.Await;

class NativeEngineCheckTest {
    private static final long LONG = 60_000;

    private final Snapshot shipped = Sets.shipped();
    private final PolicyRequest request =
            PolicyRequest.of(Asks.ask(Asks.me("operator"), "bundle.swap", "bundle:b", ""));

    @Test
    void saysWhatTheNativeEngineSays() {
        try (NativeEngineCheck check = new NativeEngineCheck(Sets.gate(), LONG)) {
            CedarDecision said = check.ask(shipped, request).orElseThrow();

            assertTrue(said.allowed());
            assertEquals(1, said.determining().size());
            assertEquals("", check.absence());
        }
    }

    @Test
    void hasNoOpinionWithoutTheEngine() {
        try (NativeEngineCheck check = new NativeEngineCheck(Sets.emptyGate(), LONG)) {
            assertEquals(Optional.empty(), check.ask(shipped, request));
            check.retain(shipped);
            assertFalse(check.absence().isEmpty());
        }
    }

    @Test
    void anEngineThatIsThereWithoutItsLibraryIsAbsent() {
        ScriptedCedar broken =
                new ScriptedCedar(
                        request -> {
                            throw new CedarException(Reason.UNAVAILABLE, "No library here.");
                        });
        try (NativeEngineCheck check = new NativeEngineCheck(broken.gate(), LONG)) {
            assertEquals(Optional.empty(), check.ask(shipped, request));
        }
    }

    @Test
    void preparesASetOnceAndKeepsItUntilTwoOthersCame() {
        ScriptedCedar cedar = ScriptedCedar.saying(true);
        try (NativeEngineCheck check = new NativeEngineCheck(cedar.gate(), LONG)) {
            check.retain(shipped);
            check.ask(shipped, request);
            check.ask(shipped, request);
            assertEquals(1, cedar.prepared.size());

            Snapshot next = Sets.shipped();
            check.retain(next);
            // A decision that began by the old set is answered by it all the same.
            assertTrue(check.ask(shipped, request).isPresent());
            assertTrue(check.ask(next, request).isPresent());
            assertEquals(2, cedar.prepared.size());
            assertTrue(cedar.prepared.stream().noneMatch(set -> set.closed));

            check.retain(Sets.shipped());
            assertTrue(cedar.prepared.get(0).closed);
            assertFalse(cedar.prepared.get(1).closed);
        }
        assertTrue(cedar.prepared.stream().allMatch(set -> set.closed));
    }

    @Test
    void keepsFewSets() {
        ScriptedCedar cedar = ScriptedCedar.saying(true);
        try (NativeEngineCheck check = new NativeEngineCheck(cedar.gate(), LONG)) {
            for (int i = 0; i < 8; i++) {
                check.ask(Sets.shipped(), request);
            }
            assertEquals(2, cedar.prepared.stream().filter(set -> !set.closed).count());
        }
    }

    @Test
    void keepsOneCandidateAndLetsGoOfItWhenNothingMoreIsAsked() {
        ScriptedCedar cedar = ScriptedCedar.saying(true);
        try (NativeEngineCheck check = NativeEngineCheck.ofCandidates(cedar.gate())) {
            check.ask(Sets.shipped(), request);
            check.ask(shipped, request);
            assertEquals(1, cedar.prepared.stream().filter(set -> !set.closed).count());

            check.release(shipped);
            assertTrue(cedar.prepared.stream().allMatch(set -> set.closed));
            assertEquals(List.of(PreparedUse.CANDIDATE, PreparedUse.CANDIDATE), cedar.uses);
        }
    }

    @Test
    void answersAboutTheSetInForceWhileTheNextOneIsBeingPrepared() throws Exception {
        ScriptedCedar cedar = ScriptedCedar.saying(true);
        try (NativeEngineCheck check = new NativeEngineCheck(cedar.gate(), LONG)) {
            check.retain(shipped);
            cedar.holdsNext = new CountDownLatch(1);
            CompletableFuture<Void> next =
                    CompletableFuture.runAsync(
                            () -> check.retain(Sets.shipped()),
                            work -> new Thread(work, "next").start());
            Await.until("the next set to be prepared", () -> cedar.uses.size() == 2);

            assertTrue(check.ask(shipped, request).isPresent());

            assertFalse(next.isDone());
            cedar.holdsNext.countDown();
            next.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void aWaitThatEndedWithoutAnAnswerSaysThatItWasOne() {
        CountDownLatch hold = new CountDownLatch(1);
        ScriptedCedar silent =
                new ScriptedCedar(
                        request -> {
                            Await.until("the end of the test", () -> hold.getCount() == 0);
                            return new CedarDecision(true, List.of(), List.of());
                        });
        try (NativeEngineCheck check = new NativeEngineCheck(silent.gate(), 50)) {
            CedarException late =
                    assertThrows(CedarException.class, () -> check.ask(shipped, request));

            assertEquals(Reason.TIMED_OUT, late.reason());
            assertTrue(
                    late.getMessage().startsWith("Waiting for the native engine, 50 ms"),
                    late.getMessage());
            hold.countDown();
        }
    }

    @Test
    void followsAnEngineThatIsReplaced() {
        ScriptedCedar before =
                new ScriptedCedar(
                        request -> {
                            throw new CedarException(Reason.CLOSED, "Gone.");
                        });
        ScriptedCedar after = ScriptedCedar.saying(true, "default.cedar#1");
        Gate<Cedar> gate = before.gate();
        try (NativeEngineCheck check = new NativeEngineCheck(gate, LONG)) {
            check.retain(shipped);
            gate.remove(before);
            assertEquals(Optional.empty(), check.ask(shipped, request));

            gate.add(after, Map.of());
            assertTrue(check.ask(shipped, request).orElseThrow().allowed());
        }
    }

    @Test
    void mayBeAskedUnderALeaseOnSomethingElse() {
        Gate<String> other = new Gate<>("something", palyra.api.ErrorCode.INTERNAL, 0);
        other.add("here", Map.of());
        try (NativeEngineCheck check = new NativeEngineCheck(Sets.gate(), LONG);
                Gate.Lease<String> lease = other.lease()) {
            assertEquals("here", lease.service());
            assertTrue(check.ask(shipped, request).isPresent());
        }
    }

    @Test
    void isSilentAfterItWasClosed() {
        NativeEngineCheck check = new NativeEngineCheck(Sets.gate(), LONG);
        check.close();
        check.close();

        assertThrows(CedarException.class, () -> check.ask(shipped, request));
    }
}
