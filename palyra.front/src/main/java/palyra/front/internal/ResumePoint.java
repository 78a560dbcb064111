package palyra.front.internal;

import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;

/** Finds the attempt at a place on the tape by reading up to it. Used by one thread. */
final class ResumePoint {
    private int turn;
    private int attempt;
    private boolean inside;
    private long attemptSeq;

    void read(TapeRecord record, TapeEvent event) {
        switch (event) {
            case TapeEvent.TurnStarted started ->
                    enter(started.turn(), started.attempt(), record.seq());
            case TapeEvent.TurnRestarted restarted ->
                    enter(restarted.turn(), restarted.attempt(), record.seq());
            case TapeEvent.TurnFinished finished -> inside = false;
            case TapeEvent.RunStateChanged changed ->
                    inside = inside && !changed.state().terminal();
            default -> {
                // says nothing about turns
            }
        }
    }

    private void enter(int newTurn, int newAttempt, long seq) {
        if (newTurn != turn || newAttempt != attempt) {
            turn = newTurn;
            attempt = newAttempt;
            attemptSeq = seq;
        }
        inside = true;
    }

    int turn() {
        return turn;
    }

    int attempt() {
        return attempt;
    }

    /** Returns whether the turn's attempt was not finished at that position. */
    boolean inside() {
        return inside;
    }

    /** Returns the record with which that attempt began. */
    long attemptSeq() {
        return attemptSeq;
    }
}
