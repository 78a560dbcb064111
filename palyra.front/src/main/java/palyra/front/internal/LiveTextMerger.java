package palyra.front.internal;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.Consumer;
import palyra.api.core.journal.FeedItem;
import palyra.api.run.RunEvent;
import palyra.api.run.RunPosition;

/**
 * Makes one stream of text from two: live text and the tape. A piece is identified by turn,
 * attempt, kind and offset, and told once, whichever way it came first; live text that is ahead of
 * a gap waits until the tape has closed it. Used by one thread.
 */
final class LiveTextMerger {
    /** Most bytes of live text that wait for the tape. */
    static final int MOST_WAITING_BYTES = 128 * 1_024;

    /** One kind of text of the current attempt. */
    private static final class Flow {
        private long taped; // characters that were on the tape
        private long told; // characters that the observer knows
    }

    private final Consumer<RunEvent> observer;
    private final Deque<FeedItem.LiveText> waiting = new ArrayDeque<>();
    private int waitingBytes;
    private int turn;
    private int attempt;
    private boolean open; // the current attempt has not finished
    private boolean again; // the current attempt was dropped because its text was another
    private Flow answer = new Flow();
    private Flow thought = new Flow();

    LiveTextMerger(Consumer<RunEvent> observer) {
        this.observer = observer;
    }

    /** An attempt begins; what was told of an earlier one of the same turn is void. */
    void begin(int newTurn, int newAttempt, String reason) {
        if (!isNewer(newTurn, newAttempt)) {
            return;
        }
        if (newTurn == turn && answer.told + thought.told > 0) {
            observer.accept(new RunEvent.Dropped(turn, reason));
        }
        turn = newTurn;
        attempt = newAttempt;
        open = true;
        again = false;
        answer = new Flow();
        thought = new Flow();
        tellWaiting();
    }

    private boolean isNewer(int otherTurn, int otherAttempt) {
        return otherTurn > turn || (otherTurn == turn && otherAttempt > attempt);
    }

    private boolean isCurrent(int otherTurn, int otherAttempt) {
        return open && otherTurn == turn && otherAttempt == attempt;
    }

    /** A piece was read from the tape. */
    void taped(int ofTurn, int ofAttempt, boolean isThought, String text) {
        begin(ofTurn, ofAttempt, "another attempt began");
        if (isCurrent(ofTurn, ofAttempt)) {
            Flow flow = isThought ? thought : answer;
            tell(flow, isThought, flow.taped, text);
            flow.taped += text.length();
            tellWaiting();
        }
    }

    /** A piece came live. */
    void live(FeedItem.LiveText piece) {
        if (isCurrent(piece.turn(), piece.attempt())) {
            Flow flow = piece.thought() ? thought : answer;
            if (piece.offset() <= flow.told) {
                tell(flow, piece.thought(), piece.offset(), piece.text());
                return;
            }
        } else if (!isNewer(piece.turn(), piece.attempt())) {
            return;
        }
        waiting.add(piece);
        waitingBytes += HintQueue.bytesOf(piece);
        while (waitingBytes > MOST_WAITING_BYTES) {
            waitingBytes -= HintQueue.bytesOf(waiting.remove());
        }
    }

    /**
     * The turn is complete: missing text is delivered from the complete text. Returns false, once
     * for an attempt, when the observer has more than there is: then its text is void, and is to be
     * taped again from the attempt's beginning before the turn is finished again.
     */
    boolean finish(int ofTurn, int ofAttempt, String whole) {
        begin(ofTurn, ofAttempt, "another attempt began");
        if (!isCurrent(ofTurn, ofAttempt)) {
            return true;
        }
        if (answer.told > whole.length() || thought.told > thought.taped) {
            drop("the recorded text is another");
            if (!again) {
                again = true;
                return false;
            }
        }
        tell(answer, false, 0, whole);
        open = false;
        tellWaiting();
        return true;
    }

    private void drop(String reason) {
        observer.accept(new RunEvent.Dropped(turn, reason));
        answer = new Flow();
        thought = new Flow();
    }

    /**
     * Following begins in the middle, where the tape is at {@code atTurn} and {@code atAttempt}.
     * When that attempt is under way and {@code from} tells how much of it the observer has, its
     * text goes on from there; who had text of an earlier turn last has nothing of it yet. What the
     * observer has otherwise of an unfinished turn is unknown: it must be dropped, and is delivered
     * again from the start.
     */
    void resume(RunPosition from, int atTurn, int atAttempt, boolean inside) {
        turn = atTurn;
        attempt = atAttempt;
        open = inside;
        if (inside && from.turn() == turn && from.attempt() == attempt) {
            answer.told = from.answerChars();
            thought.told = from.thoughtChars();
        } else if (inside && !isOfEarlierTurn(from)) {
            drop("followed again from inside the turn");
        }
        if (from.turn() > turn) {
            observer.accept(new RunEvent.Dropped(from.turn(), "the turn has not begun there"));
        }
    }

    private boolean isOfEarlierTurn(RunPosition from) {
        return from.turn() > 0 && from.turn() < turn;
    }

    private void tell(Flow flow, boolean isThought, long offset, String text) {
        long end = offset + text.length();
        if (end > flow.told) {
            long from = flow.told;
            flow.told = end;
            String rest = text.substring((int) (from - offset));
            observer.accept(new RunEvent.Text(turn, attempt, isThought, from, rest));
        }
    }

    /** Returns how many bytes wait for the tape. */
    int waitingBytes() {
        return waitingBytes;
    }

    private void tellWaiting() {
        for (Iterator<FeedItem.LiveText> each = waiting.iterator(); each.hasNext(); ) {
            FeedItem.LiveText piece = each.next();
            boolean current = isCurrent(piece.turn(), piece.attempt());
            Flow flow = piece.thought() ? thought : answer;
            if (current && piece.offset() <= flow.told) {
                tell(flow, piece.thought(), piece.offset(), piece.text());
            } else if (current || isNewer(piece.turn(), piece.attempt())) {
                continue;
            }
            each.remove();
            waitingBytes -= HintQueue.bytesOf(piece);
        }
    }
}
