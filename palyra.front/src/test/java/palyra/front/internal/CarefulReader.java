package palyra.front.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import palyra.api.run.RunEvent;
import palyra.api.run.RunObserver;
import palyra.api.run.RunPosition;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.shared.tape.TapeCodec;

/**
 * Whoever reads a run through lost connections: keeps what it was told and its position, and is cut
 * off where a test says. Each thing it is told must fit exactly what it has. Thread-safe.
 */
final class CarefulReader implements RunObserver {
    /** Ends a following in the middle. */
    static final class Cut extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** The text of one kind of a turn's current attempt. */
    private record Shown(int attempt, StringBuilder text) {}

    private final MemoryTape tape;
    private final Map<Integer, Shown> answers = new TreeMap<>(); // guarded by this, as all else
    private final Map<Integer, Shown> thoughts = new TreeMap<>();
    private final List<Long> seqs = new ArrayList<>();
    private RunPosition position = RunPosition.START;
    private int told;
    private int cutAfter;
    private int dropped;
    private boolean cut;
    private boolean begins;
    private boolean ended;
    private Throwable fault;

    CarefulReader(MemoryTape tape) {
        this.tape = tape;
    }

    /** Begins to follow (again); it is cut off after {@code events} more, -1 for never. */
    synchronized RunPosition attach(int events) {
        cutAfter = events < 0 ? -1 : told + events;
        cut = false;
        begins = true;
        return position;
    }

    @Override
    public synchronized void onEvent(RunEvent event) {
        if (cut) {
            throw new Cut();
        }
        try {
            take(event);
        } catch (AssertionError | RuntimeException e) {
            fault = fault == null ? e : fault;
            throw e;
        }
        position = position.advance(event);
        begins = false;
        told++;
        notifyAll();
        if (told == cutAfter) {
            cut = true;
            throw new Cut();
        }
    }

    @Override
    public synchronized void onInterrupted(String reason) {
        fault = fault == null ? new AssertionError("interrupted: " + reason) : fault;
    }

    private void take(RunEvent event) {
        assertFalse(ended, "nothing follows the end");
        switch (event) {
            case RunEvent.Recorded recorded -> {
                assertTrue(
                        seqs.isEmpty() || recorded.seq() > seqs.getLast(), "a record came again");
                seqs.add(recorded.seq());
            }
            case RunEvent.Text text -> add(text.thought() ? thoughts : answers, text);
            case RunEvent.Dropped drop -> {
                boolean forResuming = drop.reason().startsWith("followed again");
                assertFalse(forResuming && isKnown(), "dropped although all is known");
                assertTrue(begins || !forResuming, "dropped in the middle");
                dropped++;
                answers.remove(drop.turn());
                thoughts.remove(drop.turn());
            }
            case RunEvent.Waiting waiting -> {} // told besides
            case RunEvent.Ended end -> ended = true;
        }
    }

    private static void add(Map<Integer, Shown> shown, RunEvent.Text text) {
        Shown before = shown.get(text.turn());
        if (before == null) {
            before = new Shown(text.attempt(), new StringBuilder());
            shown.put(text.turn(), before);
        }
        assertEquals(before.attempt(), text.attempt(), "text of two attempts is mixed");
        assertEquals(before.text().length(), text.offset(), "a gap or a repeat");
        before.text().append(text.text());
    }

    /**
     * Whether the position lies in the attempt that was under way at its place on the tape, or in a
     * turn before it, which says that there is no text of the attempt yet.
     */
    private boolean isKnown() {
        ResumePoint point = new ResumePoint();
        for (TapeRecord record : tape.records()) {
            if (record.seq() <= position.seq()) {
                point.read(record, TapeCodec.event(record));
            }
        }
        boolean same = point.turn() == position.turn() && point.attempt() == position.attempt();
        boolean before = position.turn() > 0 && position.turn() < point.turn();
        return point.inside() && (same || before);
    }

    synchronized RunPosition position() {
        return position;
    }

    /** Returns whether there is nothing more to wait for. */
    synchronized boolean isOver() {
        return ended || fault != null;
    }

    synchronized int told() {
        return told;
    }

    synchronized int dropped() {
        return dropped;
    }

    /** Gives whoever follows a chance to tell something. */
    synchronized void linger(long millis) throws InterruptedException {
        if (!ended && !cut) {
            wait(millis);
        }
    }

    /** Checks that it has the whole run, each thing once. */
    synchronized void requireWhole(String about) {
        if (fault != null) {
            throw new AssertionError(about + ": " + fault.getMessage(), fault);
        }
        List<Long> expected = new ArrayList<>();
        Map<Integer, String> finished = new TreeMap<>();
        Map<Integer, StringBuilder> thought = new TreeMap<>();
        for (TapeRecord record : tape.records()) {
            TapeEvent event = TapeCodec.event(record);
            switch (event) {
                case TapeEvent.ModelToken token -> {}
                case TapeEvent.ModelThought piece ->
                        thought.computeIfAbsent(piece.turn(), t -> new StringBuilder())
                                .append(piece.text());
                case TapeEvent.TurnRestarted restarted -> {
                    thought.remove(restarted.turn());
                    expected.add(record.seq());
                }
                case TapeEvent.TurnFinished turn -> {
                    finished.put(turn.turn(), turn.text());
                    expected.add(record.seq());
                }
                default -> expected.add(record.seq());
            }
        }
        assertEquals(expected, seqs, about);
        assertEquals(nonEmpty(finished), texts(answers), about);
        Map<Integer, String> thoughtTexts = new TreeMap<>();
        thought.forEach((turn, text) -> thoughtTexts.put(turn, text.toString()));
        assertEquals(nonEmpty(thoughtTexts), texts(thoughts), about);
    }

    private static Map<Integer, String> nonEmpty(Map<Integer, String> texts) {
        texts.values().removeIf(String::isEmpty);
        return texts;
    }

    private static Map<Integer, String> texts(Map<Integer, Shown> shown) {
        Map<Integer, String> texts = new TreeMap<>();
        shown.forEach((turn, each) -> texts.put(turn, each.text().toString()));
        return nonEmpty(texts);
    }
}
