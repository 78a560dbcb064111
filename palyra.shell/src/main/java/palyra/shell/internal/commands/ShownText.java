package palyra.shell.internal.commands;

/**
 * The part of the current turn's text of one kind that was shown. Dropped text that comes again is
 * left out as far as it agrees; only a difference voids what was shown. Not thread-safe.
 */
final class ShownText {
    /** Where text goes. */
    interface Screen {
        void text(int turn, String text);

        void dropped(int turn, String reason);
    }

    private final Screen screen;
    private final StringBuilder shown = new StringBuilder();
    private int turn;
    private int attempt;
    private int received; // characters received since the text was last dropped
    private String doubt = ""; // why what is shown may be void; empty while it is not in doubt

    ShownText(Screen screen) {
        this.screen = screen;
    }

    void text(int ofTurn, int ofAttempt, String text) {
        if (ofTurn < turn || (ofTurn == turn && ofAttempt < attempt)) {
            return;
        }
        if (ofTurn != turn || ofAttempt != attempt) {
            if (ofTurn == turn) {
                drop(doubt.isEmpty() ? "the turn began again" : doubt);
            } else {
                settle();
            }
            begin(ofTurn, ofAttempt);
        }
        add(text);
    }

    private void begin(int newTurn, int newAttempt) {
        turn = newTurn;
        attempt = newAttempt;
        shown.setLength(0);
        received = 0;
        doubt = "";
    }

    private void add(String text) {
        int overlap = Math.min(text.length(), shown.length() - received);
        boolean agrees = text.startsWith(shown.substring(received, received + overlap));
        if (!agrees) {
            String again = shown.substring(0, received) + text;
            drop(doubt.isEmpty() ? "the text is another" : doubt);
            begin(turn, attempt);
            show(again);
            return;
        }
        received += overlap;
        if (received == shown.length()) {
            doubt = "";
            show(text.substring(overlap));
        }
    }

    private void show(String text) {
        if (!text.isEmpty()) {
            shown.append(text);
            received = shown.length();
            screen.text(turn, text);
        }
    }

    /** The text of a turn is void; it may come again, perhaps the same. */
    void dropped(int ofTurn, String reason) {
        if (ofTurn == turn) {
            received = 0;
            doubt = reason;
        }
    }

    /** Another attempt of a turn begins. */
    void restarted(int ofTurn, int newAttempt, String reason) {
        if (ofTurn == turn && newAttempt > attempt) {
            drop(reason);
            begin(turn, newAttempt);
        }
    }

    /** No more text of the turn comes: what is in doubt still is void. */
    void settle() {
        if (!doubt.isEmpty() && received < shown.length()) {
            String rest = shown.substring(0, received);
            drop(doubt);
            begin(turn, attempt);
            show(rest);
        }
    }

    private void drop(String reason) {
        if (!shown.isEmpty()) {
            screen.dropped(turn, reason);
        }
    }
}
