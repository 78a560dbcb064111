package palyra.gateway.internal.engine.turn;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import palyra.api.core.journal.FeedItem;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.engine.run.RunLog;
import palyra.gateway.internal.settings.EngineSettings;
import palyra.shared.secrets.SecretStream;

/**
 * Streamed text of one attempt, without its secrets, on its two ways: to followers, at once; to the
 * tape in chunks on the bulk lane, one write under way at a time. While a write takes its time the
 * text that comes is collected, within a bound, so that a slow disk holds up no follower. What is
 * not on the tape when the turn ends goes with the turn's own unit.
 */
final class TextStream {
    /** What is collected at most while a write is under way; at 3 bytes each 192 KiB. */
    static final int MOST_HELD_CHARS = 64 << 10;

    /** What a chunk costs besides its text, in characters. */
    private static final int CHUNK_CHARS = 64;

    /** How often the worker looks whether a write that others wait for is done. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final RunLog log;
    private final Consumer<FeedItem.LiveText> live;
    private final String runId;
    private final int turn;
    private final int attempt;
    private final long flushNanos;
    private final int flushChars;
    private final SecretStream words;
    private final SecretStream thoughts;
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder waiting = new StringBuilder();
    private boolean waitingIsThought;
    private long waitingSince;
    private final Deque<TapeEvent> whole = new ArrayDeque<>(); // chunks before what waits
    private int wholeChars;
    private long thoughtChars;
    private RunLog.StreamedText underWay; // null when no write is
    private final List<TapeEvent> unwritten =
            new ArrayList<>(); // not empty once a chunk was refused

    TextStream(
            RunLog log,
            Consumer<FeedItem.LiveText> live,
            TapeEvent.TurnStarted started,
            String runId,
            EngineSettings settings) {
        this.log = log;
        this.live = live;
        this.runId = runId;
        this.turn = started.turn();
        this.attempt = started.attempt();
        this.flushNanos = TimeUnit.MILLISECONDS.toNanos(settings.tokenFlushMillis());
        this.flushChars = settings.tokenFlushChars();
        this.words = log.secrets().stream();
        this.thoughts = log.secrets().stream();
    }

    void text(String piece) {
        publish(words.add(piece));
    }

    /** Streamed text that holds no secret goes on its two ways. */
    private void publish(String piece) {
        if (piece.isEmpty()) {
            return;
        }
        live.accept(new FeedItem.LiveText(runId, turn, attempt, false, text.length(), piece));
        text.append(piece);
        queue(piece, false);
    }

    void thought(String piece) {
        tellThought(thoughts.add(piece));
    }

    private void tellThought(String piece) {
        if (piece.isEmpty()) {
            return;
        }
        live.accept(new FeedItem.LiveText(runId, turn, attempt, true, thoughtChars, piece));
        thoughtChars += piece.length();
        queue(piece, true);
    }

    private void queue(String piece, boolean thought) {
        if (waiting.length() > 0 && waitingIsThought != thought) {
            cut();
            flush();
        }
        if (waiting.length() == 0) {
            waitingSince = System.nanoTime();
            waitingIsThought = thought;
        }
        waiting.append(piece);
        if (waiting.length() >= flushChars) {
            flush();
        }
    }

    /** Returns how long the worker may wait before it has to call {@link #flushIfDue}. */
    long nanosUntilDue(long atMost) {
        if (isEmpty()) {
            return atMost;
        }
        long due = whole.isEmpty() ? waitingSince + flushNanos - System.nanoTime() : 0;
        return Math.min(atMost, Math.max(isWriting() ? LOOK_NANOS : 0, due));
    }

    void flushIfDue() {
        boolean due = waiting.length() > 0 && System.nanoTime() - waitingSince >= flushNanos;
        if (due || !whole.isEmpty()) {
            flush();
        }
    }

    private boolean isEmpty() {
        return whole.isEmpty() && waiting.length() == 0;
    }

    private boolean isWriting() {
        return underWay != null && !underWay.written().toCompletableFuture().isDone();
    }

    /** Begins a write; while another is under way only when no more may be collected. */
    private void flush() {
        if (!isWriting() || wholeChars + waiting.length() >= MOST_HELD_CHARS) {
            write();
        }
    }

    private void write() {
        settle();
        TapeEvent chunk = next();
        if (unwritten.isEmpty()) {
            underWay = log.append(chunk);
        } else {
            unwritten.add(chunk);
        }
    }

    private TapeEvent next() {
        if (whole.isEmpty()) {
            cut();
        }
        TapeEvent next = whole.remove();
        wholeChars -= cost(next);
        return next;
    }

    /** Makes a chunk of what waits. */
    private void cut() {
        TapeEvent chunk = chunk();
        waiting.setLength(0);
        whole.add(chunk);
        wholeChars += cost(chunk);
    }

    private static int cost(TapeEvent chunk) {
        return CHUNK_CHARS
                + switch (chunk) {
                    case TapeEvent.ModelThought thought -> thought.text().length();
                    case TapeEvent.ModelToken token -> token.text().length();
                    default -> throw new IllegalArgumentException("not streamed text: " + chunk);
                };
    }

    /** Puts what waits onto the tape; for a turn that ends without a record of its own. */
    void leave() {
        while (!isEmpty()) {
            write();
        }
        settle();
    }

    private TapeEvent chunk() {
        String piece = waiting.toString();
        return waitingIsThought
                ? new TapeEvent.ModelThought(turn, attempt, piece)
                : new TapeEvent.ModelToken(turn, attempt, piece);
    }

    /**
     * Waits for the write under way, so that the next record comes after it. A refused chunk goes
     * with the turn's own unit, and all that follow it too, so that their order holds.
     */
    private void settle() {
        if (underWay == null) {
            return;
        }
        RunLog.StreamedText write = underWay;
        underWay = null;
        if (!log.isWritten(write)) {
            unwritten.add(write.event());
        }
    }

    /**
     * Ends the text: what could have become a secret and did not is passed on. Returns the records
     * of the text that is not on the tape yet, for the turn's own unit.
     */
    List<TapeEvent> rest() {
        tellThought(thoughts.end());
        publish(words.end());
        settle();
        List<TapeEvent> rest = new ArrayList<>(unwritten);
        while (!isEmpty()) {
            rest.add(next());
        }
        return rest;
    }

    /** Returns the text without its secrets; whole once {@link #rest} was called. */
    String wholeText() {
        return text.toString();
    }
}
