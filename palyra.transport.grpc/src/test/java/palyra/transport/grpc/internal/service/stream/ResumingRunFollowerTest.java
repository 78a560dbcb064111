package palyra.transport.grpc.internal.service.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.run.Following;
import palyra.api.run.RunEvent;
import palyra.api.run.RunObserver;
import palyra.api.run.RunPosition;
import palyra.api.run.RunState;
import palyra.api.run.Runs;
import palyra.api.tape.TapeEvent;
import palyra.shared.follow.LostContact;
import palyra.shared.follow.ResumingRunFollower;
import palyra.shared.gate.Gate;
import palyra.testing.wait.Await;
import palyra.transport.grpc.internal.call.OpenStreams;
import palyra.transport.grpc.internal.service.GateCalls;

@Timeout(120)
class ResumingRunFollowerTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Principal ALICE =
            new Principal("user:alice", PrincipalKind.USER, Set.of(), Set.of(), "test");
    private static final RunEvent.Ended END = new RunEvent.Ended(RunState.SUCCEEDED, "");

    private final Gate<Runs> gate = new Gate<>("The front", ErrorCode.GATEWAY_UNAVAILABLE, 50);
    private final FakeFront front = new FakeFront();
    private final KeepingReader reader = new KeepingReader();
    private ResumingRunFollower follower = follower(LONG.toMillis());
    private final CompletableFuture<Optional<RunEvent.Ended>> result = new CompletableFuture<>();

    /** Keeps what it took. */
    private static final class KeepingReader implements ResumingRunFollower.Reader {
        private final List<RunEvent> taken = new ArrayList<>(); // guarded by this
        private RuntimeException refusal; // guarded by this
        private CountDownLatch blocked; // guarded by this

        @Override
        public synchronized void take(RunEvent event) {
            if (refusal != null) {
                throw refusal;
            }
            taken.add(event);
        }

        @Override
        public void flush() throws InterruptedException {
            CountDownLatch wait;
            synchronized (this) {
                wait = blocked;
            }
            if (wait != null) {
                wait.await();
            }
        }

        synchronized void refuse(RuntimeException e) {
            refusal = e;
        }

        synchronized CountDownLatch block() {
            blocked = new CountDownLatch(1);
            return blocked;
        }

        synchronized List<RunEvent> taken() {
            return List.copyOf(taken);
        }
    }

    /** One that is followed by hand. */
    private static final class FakeFront {
        private final List<RunPosition> positions = new ArrayList<>(); // guarded by this
        private final List<RunObserver> observers = new ArrayList<>(); // guarded by this
        private final Deque<PalyraException> refusals = new ArrayDeque<>(); // guarded by this
        private int closed; // guarded by this
        private boolean silent; // guarded by this

        synchronized Following follow(RunPosition from, RunObserver observer) {
            if (!refusals.isEmpty()) {
                throw refusals.remove();
            }
            positions.add(from);
            observers.add(observer);
            return new Following() {
                @Override
                public boolean await(long timeoutMillis) {
                    return isSilent();
                }

                @Override
                public void close() {
                    closes();
                }
            };
        }

        private synchronized boolean isSilent() {
            return silent;
        }

        private synchronized void closes() {
            closed++;
        }

        synchronized int closed() {
            return closed;
        }

        synchronized void endSilently() {
            silent = true;
        }

        synchronized void refuse(ErrorCode... codes) {
            for (ErrorCode code : codes) {
                refusals.add(new PalyraException(code, "Not now: " + code));
            }
        }

        synchronized List<RunPosition> positions() {
            return List.copyOf(positions);
        }

        /** Waits for the follower of that number, from 0. */
        RunObserver observer(int number) {
            return Await.value(
                    "follower " + number,
                    LONG,
                    () -> {
                        synchronized (this) {
                            return observers.size() > number
                                    ? Optional.of(observers.get(number))
                                    : Optional.empty();
                        }
                    });
        }

        Runs service() {
            return (Runs)
                    java.lang.reflect.Proxy.newProxyInstance(
                            Runs.class.getClassLoader(),
                            new Class<?>[] {Runs.class},
                            (proxy, method, arguments) -> {
                                if (method.getName().equals("follow")) {
                                    return follow(
                                            (RunPosition) arguments[2], (RunObserver) arguments[3]);
                                }
                                if (method.getDeclaringClass() == Object.class) {
                                    return method.invoke(this, arguments);
                                }
                                throw new AssertionError(method + " is not part of this test");
                            });
        }
    }

    private ResumingRunFollower follower(long outageMillis) {
        return new ResumingRunFollower(
                (from, observer) ->
                        GateCalls.call(gate, runs -> runs.follow(ALICE, "R", from, observer)),
                "R",
                RunPosition.START,
                reader,
                outageMillis);
    }

    private void begin() {
        gate.add(front.service(), Map.of());
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                result.complete(follower.follow());
                            } catch (InterruptedException | RuntimeException e) {
                                result.completeExceptionally(e);
                            }
                        });
    }

    private Optional<RunEvent.Ended> result() throws Exception {
        return result.get(60, TimeUnit.SECONDS);
    }

    private Throwable failure() {
        return assertThrows(
                        java.util.concurrent.ExecutionException.class,
                        () -> result.get(60, TimeUnit.SECONDS))
                .getCause();
    }

    private static RunEvent.Recorded recorded(long seq) {
        return new RunEvent.Recorded(
                seq, 0, new TapeEvent.RunStateChanged(RunState.RUNNING, null, ""));
    }

    private static RunEvent.Recorded started(long seq, int turn, int attempt) {
        return new RunEvent.Recorded(
                seq,
                0,
                new TapeEvent.TurnStarted(turn, attempt, "default", "", "", "", "", "", 16, 0));
    }

    private static RunEvent.Text text(long offset, String text) {
        return new RunEvent.Text(1, 1, false, offset, text);
    }

    @Test
    void followsToTheEnd() throws Exception {
        begin();
        RunObserver observer = front.observer(0);
        observer.onEvent(recorded(1));
        observer.onEvent(END);
        assertEquals(Optional.of(END), result());
        assertEquals(List.of(recorded(1), END), reader.taken());
        assertEquals(1, front.closed());
    }

    @Test
    void followsAgainFromWhereItWas() throws Exception {
        begin();
        RunObserver first = front.observer(0);
        first.onEvent(recorded(1));
        first.onEvent(started(2, 1, 1));
        first.onEvent(text(0, "Hel"));
        first.onInterrupted("The front is being replaced.");
        RunObserver second = front.observer(1);
        second.onEvent(text(3, "lo"));
        second.onInterrupted("Again.");
        RunObserver third = front.observer(2);
        third.onEvent(END);
        result();
        assertEquals(
                List.of(
                        RunPosition.START,
                        new RunPosition(2, 1, 1, 3, 0),
                        new RunPosition(2, 1, 1, 5, 0)),
                front.positions());
    }

    @Test
    void knowsThatNothingWasReceivedOfAnAttemptThatJustBegan() throws Exception {
        begin();
        front.observer(0).onEvent(started(2, 3, 1));
        front.observer(0).onInterrupted("Gone.");
        front.observer(1).onEvent(END);
        result();
        assertEquals(new RunPosition(2, 3, 1, 0, 0), front.positions().get(1));
    }

    @Test
    void followsAgainWhenAFollowingEndsWithoutAWord() throws Exception {
        begin();
        front.observer(0).onEvent(recorded(1));
        front.endSilently();
        front.observer(1).onEvent(END);
        assertEquals(Optional.of(END), result());
    }

    @Test
    void listensToNoFollowingThatIsOver() throws Exception {
        begin();
        RunObserver old = front.observer(0);
        old.onEvent(recorded(1));
        old.onInterrupted("Gone.");
        RunObserver now = front.observer(1);
        assertThrows(IllegalStateException.class, () -> old.onEvent(recorded(2)));
        now.onEvent(recorded(2));
        now.onEvent(END);
        result();
        assertEquals(List.of(recorded(1), recorded(2), END), reader.taken());
    }

    @Test
    void triesAgainWhileTheFrontIsAway() throws Exception {
        front.refuse(ErrorCode.JOURNAL_UNAVAILABLE, ErrorCode.RESOURCE_EXHAUSTED);
        begin();
        front.observer(0).onEvent(END);
        assertEquals(Optional.of(END), result());
    }

    @Test
    void givesUpWhenTheFrontStaysAwayAndTellsTheClientToAttachAgain() {
        follower = follower(500);
        begin();
        RunObserver observer = front.observer(0);
        observer.onEvent(recorded(1));
        ErrorCode[] away = new ErrorCode[20];
        Arrays.fill(away, ErrorCode.GATEWAY_UNAVAILABLE);
        front.refuse(away);
        observer.onInterrupted("Gone.");
        StatusRuntimeException status = OpenStreams.lostContact((LostContact) failure());
        assertEquals(Status.Code.UNAVAILABLE, status.getStatus().getCode());
        assertEquals("reattach", status.getTrailers().get(OpenStreams.HINT));
    }

    @Test
    void passesOnWhyItCannotBeFollowed() {
        front.refuse(ErrorCode.NOT_FOUND);
        begin();
        assertEquals(ErrorCode.NOT_FOUND, ((PalyraException) failure()).code());
    }

    @Test
    void isRefusedAtOnceWhenTooManyFollowFromTheBeginning() {
        front.refuse(ErrorCode.RESOURCE_EXHAUSTED);
        begin();
        assertEquals(ErrorCode.RESOURCE_EXHAUSTED, ((PalyraException) failure()).code());
    }

    @Test
    void isToldWhenPermissionIsGoneAfterASwap() {
        begin();
        RunObserver observer = front.observer(0);
        front.refuse(ErrorCode.DENIED);
        observer.onInterrupted("Gone.");
        assertEquals(ErrorCode.DENIED, ((PalyraException) failure()).code());
    }

    @Test
    void endsWithTheDefectOfItsReader() {
        IllegalArgumentException defect = new IllegalArgumentException("a defect");
        reader.refuse(defect);
        begin();
        RunObserver observer = front.observer(0);
        assertThrows(IllegalArgumentException.class, () -> observer.onEvent(recorded(1)));
        assertEquals(defect, failure().getCause());
    }

    @Test
    void takesAnEventAgainThatTheReaderCouldNotTakeNow() throws Exception {
        reader.refuse(new PalyraException(ErrorCode.JOURNAL_UNAVAILABLE, "Not now."));
        begin();
        RunObserver first = front.observer(0);
        assertThrows(PalyraException.class, () -> first.onEvent(recorded(1)));
        reader.refuse(null);
        RunObserver second = front.observer(1);
        second.onEvent(recorded(1));
        second.onEvent(END);
        result();
        assertEquals(RunPosition.START, front.positions().get(1));
        assertEquals(List.of(recorded(1), END), reader.taken());
    }

    @Test
    void losesNothingWhenTheFrontTakesItsThreadBack() throws Exception {
        begin();
        RunObserver first = front.observer(0);
        CountDownLatch slow = reader.block();
        Thread thread =
                Thread.ofPlatform()
                        .start(
                                () ->
                                        assertThrows(
                                                IllegalStateException.class,
                                                () -> first.onEvent(recorded(1))));
        Await.until("the event to be taken", LONG, () -> reader.taken().size() == 1);
        thread.interrupt();
        thread.join();
        slow.countDown();
        RunObserver second = front.observer(1);
        second.onEvent(recorded(2));
        second.onEvent(END);
        result();
        assertEquals(1, front.positions().get(1).seq());
        assertEquals(List.of(recorded(1), recorded(2), END), reader.taken());
    }

    @Test
    void stopsWhenTold() throws Exception {
        begin();
        front.observer(0).onEvent(recorded(1));
        follower.stop();
        assertEquals(Optional.empty(), result());
        assertThrows(IllegalStateException.class, () -> front.observer(0).onEvent(recorded(2)));
        assertEquals(1, front.closed());
    }

    @Test
    void stopsInTime() throws Exception {
        gate.add(front.service(), Map.of());
        Optional<RunEvent.Ended> end =
                follower.follow(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50));
        assertTrue(end.isEmpty());
        assertEquals(1, front.closed());
        assertTrue(follower.follow(System.nanoTime()).isEmpty());
    }
}
