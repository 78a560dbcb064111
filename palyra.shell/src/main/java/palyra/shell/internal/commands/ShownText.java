package palyra.shell.internal.commands;

/**
 * What a person has seen of the current turn's text of one kind. Text that is told again, because a
 * run is followed anew, is left out as far as it agrees; only what differs makes the old void. Not
 * thread-safe.
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
    private int told; // how much of it was told since the run is being followed this time
    private String doubt = ""; // why what is shown may be void; empty while it is not in doubt

    ShownText(Screen screen) {
        this.screen = screen;
    }

    /** The run is followed anew: the turn's text comes again from its beginning. */
    void attached() {
        told = 0;
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
        told = 0;
        doubt = "";
    }

    private void add(String text) {
        int overlap = Math.min(text.length(), shown.length() - told);
        boolean agrees = text.startsWith(shown.substring(told, told + overlap));
        if (!agrees) {
            String again = shown.substring(0, told) + text;
            drop(doubt.isEmpty() ? "the text is another" : doubt);
            begin(turn, attempt);
            show(again);
            return;
        }
        told += overlap;
        if (told == shown.length()) {
            doubt = "";
            show(text.substring(overlap));
        }
    }

    private void show(String text) {
        if (!text.isEmpty()) {
            shown.append(text);
            told = shown.length();
            screen.text(turn, text);
        }
    }

    /** What was told of a turn is void; it may be told again, perhaps the same. */
    void dropped(int ofTurn, String reason) {
        if (ofTurn == turn) {
            told = 0;
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
        if (!doubt.isEmpty() && told < shown.length()) {
            String rest = shown.substring(0, told);
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
