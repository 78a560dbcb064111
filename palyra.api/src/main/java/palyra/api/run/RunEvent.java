package palyra.api.run;

import palyra.api.Require;
import palyra.api.tape.TapeEvent;

/** An event for an observer of a run; events come in order, each once. */
public sealed interface RunEvent {
    /**
     * A record became durable. Model text is not repeated here: it comes as {@link Text}, so
     * records of type model_token and model_thought are left out.
     *
     * @param seq position on the tape; follow again from here after a lost connection
     * @param timeMillis unix time in milliseconds
     */
    record Recorded(long seq, long timeMillis, TapeEvent event) implements RunEvent {
        /** Checks. */
        public Recorded {
            Require.present(event, "event");
        }
    }

    /**
     * The next text of the turn's current attempt. Each piece comes once, from the live stream or
     * from the tape.
     *
     * @param thought whether it is thought rather than answer
     * @param offset how many characters of the same turn, attempt and kind came before
     */
    record Text(int turn, int attempt, boolean thought, long offset, String text)
            implements RunEvent {
        /** Checks. */
        public Text {
            Require.present(text, "text");
        }

        /** Returns the number of characters of its kind up to the end of this piece. */
        public long end() {
            return offset + text.length();
        }
    }

    /**
     * The text shown for {@code turn} so far is void: drop it. A {@link Text} of a later attempt
     * may follow.
     */
    record Dropped(int turn, String reason) implements RunEvent {
        /** Checks. */
        public Dropped {
            reason = Require.orEmpty(reason);
        }
    }

    /**
     * The run waits (for a retry of a model, a place in the queue, an approval or something else),
     * or it goes on again. Sent on a change, with about a second of delay; a shorter wait may not
     * be reported.
     *
     * @param state its state
     * @param reason what it waits for and, if known, until when; empty when it goes on
     */
    record Waiting(RunState state, String reason) implements RunEvent {
        /** Checks. */
        public Waiting {
            Require.present(state, "state");
            reason = Require.orEmpty(reason);
        }
    }

    /** The run ended; nothing follows. */
    record Ended(RunState state, String reason) implements RunEvent {
        /** Checks. */
        public Ended {
            Require.present(state, "state");
            reason = Require.orEmpty(reason);
        }
    }
}
