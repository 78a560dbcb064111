package palyra.testing.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.run.RunEvent;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.testing.wait.Await;

class RecordingObserverTest {
    private final RecordingObserver observer = new RecordingObserver();

    @Test
    void showsTheTextThatAPersonWouldSee() {
        observer.onEvent(new RunEvent.Text(1, 1, false, 0, "half "));
        observer.onEvent(new RunEvent.Dropped(1, "model failed"));
        observer.onEvent(new RunEvent.Text(1, 2, true, 0, "hm"));
        observer.onEvent(new RunEvent.Text(1, 2, false, 0, "whole "));
        observer.onEvent(new RunEvent.Text(2, 1, false, 0, "answer"));
        assertEquals("whole answer", observer.text());
        assertEquals("hm", observer.thoughts());
        observer.awaitText("answer");
    }

    @Test
    void findsRecordsAndTheEnd() {
        TapeEvent note = new TapeEvent.Unknown("note", 7);
        observer.onEvent(new RunEvent.Recorded(3, 1_000, note));
        observer.onEvent(new RunEvent.Ended(RunState.SUCCEEDED, ""));
        observer.onInterrupted("the journal left");
        assertEquals(note, observer.awaitRecord(TapeEvent.Unknown.class));
        assertEquals(3, observer.lastSeq());
        assertEquals(RunState.SUCCEEDED, observer.awaitEnded().state());
        assertEquals(List.of("the journal left"), observer.interruptions());
        observer.awaitEvent("the record", event -> event instanceof RunEvent.Recorded);
    }

    @Test
    void readsSlowlyOnPurpose() {
        observer.hold();
        Thread teller =
                Thread.ofPlatform()
                        .start(() -> observer.onEvent(new RunEvent.Text(1, 1, false, 0, "a")));
        Await.until("the observer to be told", () -> !observer.events().isEmpty());
        Await.until("the teller to wait", () -> teller.getState() == Thread.State.TIMED_WAITING);
        assertTrue(teller.isAlive());
        observer.release();
        Await.ended(teller);
    }
}
