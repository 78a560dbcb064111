package palyra.console.internal.run.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.run.RunEvent;
import palyra.api.run.RunPosition;
import palyra.api.run.RunState;
import palyra.api.run.RunView;
import palyra.api.run.Runs;
import palyra.api.tape.TapeEvent;
import palyra.console.internal.fakes.ScriptedRuns;
import palyra.shared.gate.Gate;
import palyra.testing.wait.Await;

class FollowedRunTest {
    private static final String RUN = "01J0000000000000000000000A";
    private static final String NEXT = "01J0000000000000000000000B";
    private static final Principal ADA =
            new Principal("user:ada", PrincipalKind.USER, Set.of("viewer"), Set.of(), "");

    private final ScriptedRuns runs = new ScriptedRuns();
    private final Gate<Runs> gate = new Gate<>("The front", ErrorCode.GATEWAY_UNAVAILABLE, 0);

    @BeforeEach
    void fill() {
        gate.add(runs.service(), Map.of());
        runs.add(RUN, "s", "user:ada");
    }

    private FollowedRun follow(TabQueue queue, String runId, String sessionId) {
        EventId from = new EventId(runId, RunPosition.START);
        return new FollowedRun(gate, ADA, queue, new FollowedRun.Target(from, sessionId));
    }

    private static CompletableFuture<Boolean> start(FollowedRun run) {
        CompletableFuture<Boolean> ended = new CompletableFuture<>();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                ended.complete(run.follow());
                            } catch (InterruptedException | RuntimeException e) {
                                ended.completeExceptionally(e);
                            }
                        });
        return ended;
    }

    private static List<String> frames(TabQueue queue) throws InterruptedException {
        List<String> frames = new ArrayList<>();
        for (byte[] frame : queue.take(0, false).frames()) {
            frames.add(new String(frame, StandardCharsets.UTF_8));
        }
        return frames;
    }

    private static RunEvent recorded(long seq) {
        return new RunEvent.Recorded(seq, seq, new TapeEvent.Unknown("t", 1));
    }

    @Test
    void aRunThatIsNotTheViewersIsSaidToBeGoneAndNotAskedForAgain() throws Exception {
        runs.add(NEXT, "s", "user:bob");
        runs.tell(NEXT, new RunEvent.Text(1, 1, false, 0, "a secret"));
        TabQueue queue = new TabQueue(10_000);
        assertFalse(follow(queue, NEXT, "s").follow());
        List<String> said = frames(queue);
        assertEquals(1, said.size());
        assertTrue(said.get(0).startsWith("event: run-gone\n"), said.toString());
        assertFalse(said.get(0).contains("a secret"), said.toString());
    }

    @Test
    void aPositionThatTheRunDoesNotHaveEndsTheFollowing() throws Exception {
        runs.tell(RUN, recorded(1));
        TabQueue queue = new TabQueue(10_000);
        EventId beyond = new EventId(RUN, RunPosition.after(7));
        FollowedRun run = new FollowedRun(gate, ADA, queue, new FollowedRun.Target(beyond, "s"));
        assertFalse(run.follow());
        assertTrue(frames(queue).get(0).startsWith("event: run-gone\n"));
    }

    @Test
    void aFullQueueHoldsBackTheFollowerAndNothingIsLost() throws Exception {
        TabQueue queue = new TabQueue(300);
        FollowedRun run = follow(queue, RUN, "");
        for (long seq = 1; seq <= 20; seq++) {
            runs.tell(RUN, recorded(seq));
        }
        runs.tell(RUN, new RunEvent.Ended(RunState.SUCCEEDED, ""));
        CompletableFuture<Boolean> ended = start(run);
        List<String> all = new ArrayList<>();
        Await.until("the first", () -> runs.taken() > 0);
        assertTrue(runs.taken() < 5, runs.taken() + " events of some 100 bytes fit into 300");
        assertFalse(ended.isDone());
        while (all.size() < 21) {
            all.addAll(frames(queue));
        }
        assertTrue(ended.get(10, TimeUnit.SECONDS));
        for (int seq = 1; seq <= 20; seq++) {
            assertTrue(
                    all.get(seq - 1).contains("id: run:" + RUN + ":" + seq + "\n"), all.toString());
        }
        assertTrue(all.get(20).startsWith("event: run-ended\n"), all.toString());
    }

    @Test
    void aQueueThatIsClosedEndsTheFollower() throws Exception {
        TabQueue queue = new TabQueue(10);
        runs.tell(RUN, recorded(1), recorded(2), recorded(3));
        CompletableFuture<Boolean> ended = start(follow(queue, RUN, ""));
        Await.until("the first", () -> runs.taken() > 0);
        queue.close();
        assertFalse(ended.get(10, TimeUnit.SECONDS));
        Await.until("the following to end", () -> runs.followed() == 0);
    }

    @Test
    void oneThatWasStoppedBeforeItBeganFollowsNothing() throws Exception {
        FollowedRun run = follow(new TabQueue(10), RUN, "");
        run.stop();
        assertFalse(run.follow());
        assertEquals(0, runs.taken());
    }

    @Test
    void theEndIsToldAlsoWhenTheFrontBreaksOffAfterEachEvent() throws Exception {
        runs.breakAfter(1);
        runs.tell(RUN, recorded(1), recorded(2), new RunEvent.Ended(RunState.FAILED, "no"));
        TabQueue queue = new TabQueue(10_000);
        CompletableFuture<Boolean> ended = start(follow(queue, RUN, ""));
        Await.until("the end", Duration.ofSeconds(30), ended::isDone);
        assertTrue(ended.get());
        assertEquals(3, frames(queue).size());
    }

    @Test
    void theNextRunIsTheOneAfterAndOfTheSameSession() throws Exception {
        TabQueue queue = new TabQueue(10_000);
        FollowedRun run = follow(queue, RUN, "s");
        assertFalse(run.next());
        runs.add("01J0000000000000000000000C", "other", "user:ada");
        assertFalse(run.next());
        runs.add(NEXT, "s", "user:ada");
        assertTrue(run.next());
        assertTrue(frames(queue).get(0).contains(NEXT));
        assertFalse(run.next());
    }

    @Test
    void ofSeveralLaterRunsNoneIsPassedOver() {
        List<RunView> newestFirst = List.of(view("c"), view("b"), view("a"));
        assertEquals(Optional.of("b"), FollowedRun.following(newestFirst, "a"));
        assertEquals(Optional.of("c"), FollowedRun.following(newestFirst, "b"));
        assertEquals(Optional.empty(), FollowedRun.following(newestFirst, "c"));
        assertEquals(Optional.empty(), FollowedRun.following(List.of(), "a"));
    }

    private static RunView view(String id) {
        return new RunView(id, "s", "user:ada", "a", "", RunState.RUNNING, "", 1, 1, 0);
    }
}
