package palyra.api.run;

import palyra.api.Require;

/**
 * The current state of a run.
 *
 * @param runId ULID
 * @param sessionId session it belongs to
 * @param principal who started it
 * @param agentId agent that answers
 * @param originKind {@code interactive} or {@code background}
 * @param state its state
 * @param reason why it waits or failed; empty otherwise
 * @param createdAtMillis unix time in milliseconds
 * @param updatedAtMillis unix time in milliseconds
 * @param headSeq last sequence number on its tape
 */
public record RunView(
        String runId,
        String sessionId,
        String principal,
        String agentId,
        String originKind,
        RunState state,
        String reason,
        long createdAtMillis,
        long updatedAtMillis,
        long headSeq) {
    /** Checks. */
    public RunView {
        Require.text(runId, "run id");
        Require.present(state, "state");
        reason = Require.orEmpty(reason);
    }
}
