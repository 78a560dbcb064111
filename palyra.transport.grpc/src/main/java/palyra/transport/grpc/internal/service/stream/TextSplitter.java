package palyra.transport.grpc.internal.service.stream;

import java.util.ArrayList;
import java.util.List;
import palyra.api.run.RunEvent;

/**
 * Splits text into pieces for single messages: not longer than a limit, and never half of a
 * surrogate pair, which has no form in UTF-8. A half at the end of a piece waits for its other
 * half; one that never finds it becomes U+FFFD, which is as long. Used by one thread at a time.
 */
final class TextSplitter {
    /** Longest piece in UTF-16 code units. */
    static final int LONGEST = 16_384;

    private static final char REPLACEMENT = '\uFFFD';

    private RunEvent.Text waitingAnswer; // the first half of a pair, or null
    private RunEvent.Text waitingThought;

    /** Returns what can be told now. */
    List<RunEvent.Text> add(RunEvent.Text text) {
        List<RunEvent.Text> pieces = new ArrayList<>();
        RunEvent.Text waiting = text.thought() ? waitingThought : waitingAnswer;
        RunEvent.Text whole = text;
        if (waiting != null) {
            if (continues(waiting, text)) {
                whole = with(text, waiting.offset(), waiting.text() + text.text());
            } else {
                pieces.add(with(waiting, waiting.offset(), repaired(waiting.text())));
            }
        }
        int length = whole.text().length();
        boolean half = length > 0 && Character.isHighSurrogate(whole.text().charAt(length - 1));
        keep(text.thought(), half ? part(whole, length - 1, length) : null);
        cut(half ? part(whole, 0, length - 1) : whole, pieces);
        return pieces;
    }

    private static boolean continues(RunEvent.Text waiting, RunEvent.Text text) {
        return waiting.turn() == text.turn()
                && waiting.attempt() == text.attempt()
                && waiting.end() == text.offset();
    }

    private void keep(boolean thought, RunEvent.Text half) {
        if (thought) {
            waitingThought = half;
        } else {
            waitingAnswer = half;
        }
    }

    /** Returns what still waits, because nothing follows in its turn. */
    List<RunEvent.Text> rest() {
        List<RunEvent.Text> rest = new ArrayList<>();
        for (RunEvent.Text half : new RunEvent.Text[] {waitingThought, waitingAnswer}) {
            if (half != null) {
                rest.add(with(half, half.offset(), repaired(half.text())));
            }
        }
        drop();
        return rest;
    }

    /** Forgets what waits. */
    void drop() {
        waitingAnswer = null;
        waitingThought = null;
    }

    private static void cut(RunEvent.Text whole, List<RunEvent.Text> pieces) {
        int length = whole.text().length();
        int from = 0;
        while (from < length) {
            int to = Math.min(length, from + LONGEST);
            if (to < length && Character.isHighSurrogate(whole.text().charAt(to - 1))) {
                to--;
            }
            RunEvent.Text piece = part(whole, from, to);
            pieces.add(with(piece, piece.offset(), repaired(piece.text())));
            from = to;
        }
    }

    private static RunEvent.Text part(RunEvent.Text whole, int from, int to) {
        return with(whole, whole.offset() + from, whole.text().substring(from, to));
    }

    private static RunEvent.Text with(RunEvent.Text text, long offset, String changed) {
        return new RunEvent.Text(text.turn(), text.attempt(), text.thought(), offset, changed);
    }

    /** Returns the text with halves that have no other half replaced. */
    private static String repaired(String text) {
        StringBuilder repaired = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean pair =
                    Character.isHighSurrogate(c)
                            && i + 1 < text.length()
                            && Character.isLowSurrogate(text.charAt(i + 1));
            if (pair) {
                i++;
            } else if (Character.isSurrogate(c)) {
                repaired = repaired == null ? new StringBuilder(text) : repaired;
                repaired.setCharAt(i, REPLACEMENT);
            }
        }
        return repaired == null ? text : repaired.toString();
    }
}
