package palyra.testing.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import palyra.api.run.RunEvent;
import palyra.api.run.RunObserver;
import palyra.api.tape.TapeEvent;
import palyra.testing.wait.Await;

/**
 * An observer that keeps what it was told and can be slow on purpose. Thread-safe.
 *
 * <p>{@link #text()} is what a person would see: text that was dropped is gone.
 */
public final class RecordingObserver implements RunObserver {
    private static final long HELD_MILLIS = 60_000;

    private final List<RunEvent> events = new ArrayList<>(); // guarded by this
    private final List<String> interruptions = new ArrayList<>(); // guarded by this
    private boolean held; // guarded by this

    @Override
    public synchronized void onEvent(RunEvent event) {
        events.add(event);
        long deadline = System.nanoTime() + HELD_MILLIS * 1_000_000;
        while (held && System.nanoTime() - deadline < 0) {
            try {
                wait(1_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    @Override
    public synchronized void onInterrupted(String reason) {
        interruptions.add(reason);
    }

    /** From now on {@link #onEvent} does not return until {@link #release}: a very slow reader. */
    public synchronized void hold() {
        held = true;
    }

    /** Ends {@link #hold}. */
    public synchronized void release() {
        held = false;
        notifyAll();
    }

    /** Returns everything it was told so far. */
    public synchronized List<RunEvent> events() {
        return List.copyOf(events);
    }

    /** Returns why following stopped before the run ended; empty when it did not. */
    public synchronized List<String> interruptions() {
        return List.copyOf(interruptions);
    }

    /** Returns the records it was told of, in order. */
    public List<TapeEvent> records() {
        List<TapeEvent> records = new ArrayList<>();
        for (RunEvent event : events()) {
            if (event instanceof RunEvent.Recorded recorded) {
                records.add(recorded.event());
            }
        }
        return records;
    }

    /** Returns the records of one sort, in order. */
    public <T extends TapeEvent> List<T> records(Class<T> type) {
        return records().stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** Returns the last sequence number it was told; 0 before the first record. */
    public long lastSeq() {
        long last = 0;
        for (RunEvent event : events()) {
            if (event instanceof RunEvent.Recorded recorded) {
                last = recorded.seq();
            }
        }
        return last;
    }

    /** Returns the answer text of all turns as it would be seen now. */
    public String text() {
        return text(false);
    }

    /** Returns the thoughts of all turns as they would be seen now. */
    public String thoughts() {
        return text(true);
    }

    private String text(boolean thought) {
        Map<Integer, StringBuilder> turns = new TreeMap<>();
        for (RunEvent event : events()) {
            if (event instanceof RunEvent.Text text && text.thought() == thought) {
                turns.computeIfAbsent(text.turn(), turn -> new StringBuilder()).append(text.text());
            } else if (event instanceof RunEvent.Dropped dropped) {
                turns.remove(dropped.turn());
            }
        }
        return String.join("", turns.values());
    }

    /** Returns how the run ended; empty while it goes on. */
    public Optional<RunEvent.Ended> ended() {
        return events().stream()
                .filter(RunEvent.Ended.class::isInstance)
                .map(RunEvent.Ended.class::cast)
                .findFirst();
    }

    /** Waits for the end of the run. */
    public RunEvent.Ended awaitEnded() {
        return awaitEnded(Await.PATIENCE);
    }

    /** Waits at most {@code limit} for the end of the run. */
    public RunEvent.Ended awaitEnded(Duration limit) {
        return Await.value("the end of the run", limit, this::ended);
    }

    /** Waits for the first event that fits. */
    public RunEvent awaitEvent(String what, Predicate<RunEvent> wanted) {
        return Await.value(what, () -> events().stream().filter(wanted).findFirst());
    }

    /** Waits for the first record of one sort. */
    public <T extends TapeEvent> T awaitRecord(Class<T> type) {
        return Await.value(
                "a record " + type.getSimpleName(), () -> records(type).stream().findFirst());
    }

    /** Waits until the text that would be seen holds {@code part}. */
    public void awaitText(String part) {
        Await.until("the text '" + part + "'", () -> text().contains(part));
    }
}
