package palyra.api.core.journal;

import java.util.Optional;
import palyra.api.Require;
import palyra.api.run.RunState;
import palyra.api.run.RunView;

/**
 * A run as the journal keeps it. Its order among runs is that in which they were recorded, which is
 * not that of their ids: a sender may choose them.
 *
 * @param messageId inbox entry it answers
 * @param surface where the message came in
 * @param epoch epoch of the engine that holds it; 0 while no engine ever did
 * @param seal signed head, once it has ended
 * @param attempts how often in a row an engine could not go on with it, or died while it was
 *     RUNNING; 0 once something of it is done
 * @param headLost whether the journal lost where its tape ends; {@code headSeq} is then the last
 *     record that is there, and nothing can be appended until the journal has repaired it
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
        int attempts,
        boolean headLost) {
    /** Reason of a run whose head is lost. */
    private static final String HEAD_LOST =
            "the journal lost the row that says where the tape of this run ends (table heads); see"
                    + " palyra doctor";

    /** Creates a run whose head is present. */
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
            Optional<Seal> seal,
            int attempts) {
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
                attempts,
                false);
    }

    /** Creates a run without failed attempts. */
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
                headLost ? (reason.isEmpty() ? HEAD_LOST : reason + "; " + HEAD_LOST) : reason,
                createdAtMillis,
                updatedAtMillis,
                headSeq);
    }
}
