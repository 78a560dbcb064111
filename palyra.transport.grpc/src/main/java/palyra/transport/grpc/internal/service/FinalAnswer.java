package palyra.transport.grpc.internal.service;

import java.util.Optional;
import palyra.api.run.RunEvent;
import palyra.api.tape.TapeEvent;
import palyra.shared.follow.ResumingRunFollower;

/** Keeps the final answer of a run. Thread-safe. */
final class FinalAnswer implements ResumingRunFollower.Reader {
    private String text = ""; // this and the next guarded by this
    private RunEvent.Ended end;

    @Override
    public synchronized void take(RunEvent event) {
        if (event instanceof RunEvent.Recorded recorded
                && recorded.event() instanceof TapeEvent.Message message
                && message.role() == TapeEvent.Role.AGENT) {
            text = message.text();
        } else if (event instanceof RunEvent.Ended ended) {
            end = ended;
        }
    }

    /** Returns the answer; empty before the agent has answered. */
    synchronized String text() {
        return text;
    }

    /** Returns how the run ended; empty while it goes on. */
    synchronized Optional<RunEvent.Ended> end() {
        return Optional.ofNullable(end);
    }
}
