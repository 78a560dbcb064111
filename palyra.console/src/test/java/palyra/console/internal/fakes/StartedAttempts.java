package palyra.console.internal.fakes;

import palyra.api.run.RunEvent;
import palyra.api.run.RunPosition;
import palyra.api.tape.TapeEvent;

/** Counts as followers do: after the start of an attempt, no text of it was received yet. */
final class StartedAttempts {
    private StartedAttempts() {}

    static RunPosition advance(RunPosition position, RunEvent event) {
        RunPosition next = position.advance(event);
        if (event instanceof RunEvent.Recorded recorded
                && recorded.event() instanceof TapeEvent.TurnStarted started
                && (next.turn() != started.turn() || next.attempt() != started.attempt())) {
            return new RunPosition(next.seq(), started.turn(), started.attempt(), 0, 0);
        }
        return next;
    }
}
