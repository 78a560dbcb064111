package palyra.testing.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelProvider;
import palyra.api.model.ModelRequest;
import palyra.testing.wait.Await;

/**
 * What every model provider must do. Extend it in the provider's tests, supply the four methods,
 * and every rule of {@link ModelProvider} becomes a test of yours.
 *
 * <p>A provider that talks to a service on the network is tested against a local stand-in of it, so
 * that {@link #lastingRequest} can hang.
 */
public abstract class ModelProviderContract {
    private ModelProvider provider;
    private boolean withdrawn;

    /** Returns a provider ready for use, as after its activation. */
    protected abstract ModelProvider open() throws Exception;

    /** Does what the provider's deactivation does, and returns when that is done. */
    protected abstract void withdraw(ModelProvider provider) throws Exception;

    /**
     * Returns a request that is answered well, with some text, within a few seconds. The answer
     * should hold characters outside the basic plane (an emoji), since pieces must not split them.
     */
    protected abstract ModelRequest shortRequest(String requestId);

    /** Returns a request whose turn says something and then goes on for over a minute. */
    protected abstract ModelRequest lastingRequest(String requestId);

    /** Opens the provider. */
    @BeforeEach
    public void openProvider() throws Exception {
        provider = open();
    }

    /** Withdraws the provider, unless the test did. */
    @AfterEach
    public void withdrawProvider() throws Exception {
        if (!withdrawn) {
            withdrawNow();
        }
    }

    private void withdrawNow() throws Exception {
        withdrawn = true;
        withdraw(provider);
    }

    private RecordingSink started(ModelRequest request) {
        RecordingSink sink = new RecordingSink();
        provider.start(request, sink);
        return sink;
    }

    /** A turn ends well. */
    @Test
    public void answersAndFinishes() {
        RecordingSink sink = started(shortRequest("run-1/1/1"));
        ModelEvent.Finished finished = sink.awaitFinished();
        assertFalse(sink.text().isEmpty(), "the answer is empty");
        assertTrue(finished.inputTokens() >= 0 && finished.outputTokens() >= 0, "negative usage");
    }

    /**
     * Exactly one end, and nothing after it, also when the provider is asked to stop afterwards.
     */
    @Test
    public void saysNothingAfterTheEnd() throws Exception {
        RecordingSink sink = started(shortRequest("run-1/1/1"));
        sink.awaitEnding();
        provider.cancel("run-1/1/1");
        withdrawNow();
        List<ModelEvent> events = sink.events();
        assertEquals(1, events.stream().filter(RecordingSink::ends).count(), events.toString());
        assertTrue(RecordingSink.ends(events.get(events.size() - 1)), events.toString());
    }

    /** Pieces of the answer never split a code point. */
    @Test
    public void piecesNeverSplitACodePoint() {
        RecordingSink sink = started(shortRequest("run-1/1/1"));
        sink.awaitFinished();
        for (ModelEvent event : sink.events()) {
            if (event instanceof ModelEvent.TextDelta delta) {
                assertWhole(delta.text());
            } else if (event instanceof ModelEvent.ThoughtDelta delta) {
                assertWhole(delta.text());
            }
        }
    }

    private static void assertWhole(String piece) {
        boolean split =
                Character.isLowSurrogate(piece.charAt(0))
                        || Character.isHighSurrogate(piece.charAt(piece.length() - 1));
        assertFalse(split, "a piece splits a code point: '" + piece + "'");
    }

    /** start returns at once, and the events come on a thread of the provider, one at a time. */
    @Test
    public void tellsFromItsOwnThreadOneEventAtATime() {
        long before = System.nanoTime();
        RecordingSink sink = started(lastingRequest("run-1/1/1"));
        Duration took = Duration.ofNanos(System.nanoTime() - before);
        assertTrue(took.toMillis() < 5_000, "start took " + took.toMillis() + " ms");
        sink.awaitAnything();
        provider.cancel("run-1/1/1");
        sink.awaitEnding();
        assertFalse(sink.threads().contains(Thread.currentThread()), "told on the caller's thread");
        assertFalse(sink.overlapped(), "two events were told at one time");
    }

    /** A cancelled turn ends soon, and says so. */
    @Test
    public void cancelEndsTheTurn() {
        RecordingSink sink = started(lastingRequest("run-1/1/1"));
        sink.awaitAnything();
        provider.cancel("run-1/1/1");
        assertEquals(ErrorCode.CANCELLED, sink.awaitFailed().code());
    }

    /** A turn that is cancelled before its first word ends as well. */
    @Test
    public void cancelRightAfterStartEndsTheTurn() {
        RecordingSink sink = started(lastingRequest("run-1/1/1"));
        provider.cancel("run-1/1/1");
        assertEquals(ErrorCode.CANCELLED, sink.awaitFailed().code());
    }

    /** Cancelling one turn leaves the others alone. */
    @Test
    public void cancelStopsOnlyTheTurnItNames() {
        RecordingSink first = started(lastingRequest("run-1/1/1"));
        RecordingSink second = started(lastingRequest("run-2/1/1"));
        second.awaitAnything();
        provider.cancel("run-1/1/1");
        first.awaitFailed();
        assertTrue(second.ending().isEmpty(), "the other turn ended too: " + second.events());
        provider.cancel("run-2/1/1");
        assertEquals(ErrorCode.CANCELLED, second.awaitFailed().code());
    }

    /** Cancelling what does not run is no error. */
    @Test
    public void cancelOfAnUnknownIdIsIgnored() {
        provider.cancel("run-unknown/1/1");
        RecordingSink sink = started(shortRequest("run-1/1/1"));
        sink.awaitFinished();
    }

    /** Turns do not wait for each other. */
    @Test
    public void turnsRunSideBySide() {
        RecordingSink lasting = started(lastingRequest("run-1/1/1"));
        lasting.awaitAnything();
        List<RecordingSink> others = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            others.add(started(shortRequest("run-2/" + (i + 1) + "/1")));
        }
        others.forEach(RecordingSink::awaitFinished);
        assertTrue(lasting.ending().isEmpty(), "the lasting turn ended: " + lasting.events());
        provider.cancel("run-1/1/1");
        lasting.awaitFailed();
    }

    /** When the sink takes no more events, the provider stops and reports nothing further. */
    @Test
    public void stopsWhenTheSinkTakesNoMore() throws Exception {
        RecordingSink sink = RecordingSink.leavingAfter(1);
        provider.start(lastingRequest("run-1/1/1"), sink);
        sink.awaitAnything();
        withdrawNow();
        assertEquals(1, sink.events().size(), sink.events().toString());
    }

    /** A provider that leaves fails its turns first, as worth another try, and ends its threads. */
    @Test
    public void withdrawalFailsRunningTurnsAndEndsTheirThreads() throws Exception {
        RecordingSink sink = started(lastingRequest("run-1/1/1"));
        sink.awaitAnything();
        withdrawNow();
        ModelEvent ending = sink.ending().orElseThrow(() -> new AssertionError("no end was told"));
        ModelEvent.Failed failed = assertInstanceOf(ModelEvent.Failed.class, ending);
        assertTrue(failed.retryable(), "a withdrawn turn is worth another try: " + failed);
        sink.threads().forEach(Await::ended);
    }

    /** A provider that left starts nothing. */
    @Test
    public void refusesTurnsAfterItsWithdrawal() throws Exception {
        withdrawNow();
        RecordingSink sink = new RecordingSink();
        assertThrows(PalyraException.class, () -> provider.start(shortRequest("run-1/1/1"), sink));
        assertEquals(List.of(), sink.events());
    }
}
