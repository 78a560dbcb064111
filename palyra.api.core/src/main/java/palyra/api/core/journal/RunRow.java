package palyra.api.core.journal;

import java.util.Optional;
import palyra.api.Require;
import palyra.api.run.RunState;
import palyra.api.run.RunView;

/**
 * A run as the journal keeps it. Its order among runs is that in which they were recorded, which is
 * not that of their ids: those may be chosen by whoever sends the message.
 *
 * @param messageId inbox entry it answers
 * @param surface where the message came in
 * @param epoch epoch of the engine that holds it; 0 while no engine ever did
 * @param seal signed head, once it has ended
 * @param attempts how often in a row an engine could not go on with it, or died while it was
 *     RUNNING; 0 once something of it is done
 */
public record RunRow(
        String runId,
        String sessionId,
        String principal,
        String agentId,
        String originKind,
        String messageId,
        String surface,
        RunState state,
        String reason,
        long epoch,
        long createdAtMillis,
        long updatedAtMillis,
        long headSeq,
        Optional<Seal> seal,
        int attempts) {
    /** Makes one that was never tried in vain. */
    public RunRow(
            String runId,
            String sessionId,
            String principal,
            String agentId,
            String originKind,
            String messageId,
            String surface,
            RunState state,
            String reason,
            long epoch,
            long createdAtMillis,
            long updatedAtMillis,
            long headSeq,
            Optional<Seal> seal) {
        this(
                runId,
                sessionId,
                principal,
                agentId,
                originKind,
                messageId,
                surface,
                state,
                reason,
                epoch,
                createdAtMillis,
                updatedAtMillis,
                headSeq,
                seal,
                0);
    }

    /** Checks. */
    public RunRow {
        Require.text(runId, "run id");
        Require.text(sessionId, "session id");
        Require.text(principal, "principal");
        agentId = Require.orEmpty(agentId);
        originKind = Require.orEmpty(originKind);
        messageId = Require.orEmpty(messageId);
        surface = Require.orEmpty(surface);
        Require.present(state, "state");
        reason = Require.orEmpty(reason);
    }

    /** Returns the run as surfaces see it. */
    public RunView view() {
        return new RunView(
                runId,
                sessionId,
                principal,
                agentId,
                originKind,
                state,
                reason,
                createdAtMillis,
                updatedAtMillis,
                headSeq);
    }
}
