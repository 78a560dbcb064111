package palyra.channels.internal.draft;

import palyra.api.channel.ConnectorId;
import palyra.api.channel.MessageOrigin;
import palyra.api.core.journal.RunRow;
import palyra.api.run.Following;
import palyra.api.run.RunEvent;
import palyra.api.run.RunObserver;

/**
 * The answer of one run while it is made. The follower of the run writes its text, bounded; all the
 * rest is used by the thread of {@link Drafts} alone.
 */
final class Draft implements RunObserver {
    private static final int LEAST_CHARACTERS = 40;

    final RunRow run;
    final ConnectorId connector;
    final MessageOrigin origin;
    private final int mostCharacters;
    private final long firstNanos;

    // guarded by this
    private final StringBuilder text = new StringBuilder();
    private int turn;
    private int attempt;
    private long begunNanos;
    private boolean full;
    private boolean over;

    // used by the thread of Drafts
    Following following;
    String outboxId = ""; // empty until its row was written
    String messageId = ""; // the platform's; empty until it was sent
    String shown = "";
    boolean given; // up: nothing of it is shown any more

    // written by the thread that sends
    volatile long nextNanos;
    volatile boolean refused;

    /**
     * Creates one.
     *
     * @param mostCharacters how much text is kept
     * @param firstNanos after which time a text of fewer than 40 characters is shown, too
     */
    Draft(
            RunRow run,
            ConnectorId connector,
            MessageOrigin origin,
            int mostCharacters,
            long firstNanos) {
        this.run = run;
        this.connector = connector;
        this.origin = origin;
        this.mostCharacters = mostCharacters;
        this.firstNanos = firstNanos;
    }

    @Override
    public synchronized void onEvent(RunEvent event) {
        switch (event) {
            case RunEvent.Text piece when !piece.thought() -> add(piece);
            case RunEvent.Dropped dropped -> begin(dropped.turn(), attempt);
            case RunEvent.Ended ended -> over = true;
            default -> {} // no text
        }
    }

    private void add(RunEvent.Text piece) {
        if (piece.turn() != turn || piece.attempt() != attempt) {
            begin(piece.turn(), piece.attempt());
        }
        int room = mostCharacters - text.length();
        text.append(piece.text(), 0, Math.min(Math.max(0, room), piece.text().length()));
    }

    private void begin(int newTurn, int newAttempt) {
        turn = newTurn;
        attempt = newAttempt;
        begunNanos = System.nanoTime();
        full = false;
        text.setLength(0);
    }

    /** Following ended before the run did. */
    @Override
    public synchronized void onInterrupted(String reason) {
        over = true;
    }

    synchronized boolean isOver() {
        return over;
    }

    /**
     * Returns the text of the current turn; blank while there is too little, or no more to show.
     */
    synchronized String due() {
        boolean enough =
                text.length() >= LEAST_CHARACTERS || System.nanoTime() - begunNanos >= firstNanos;
        return full || !enough ? "" : origin.responsePrefix() + text;
    }

    /** The first message cannot take more of the current turn. */
    synchronized void fill() {
        full = true;
    }
}
