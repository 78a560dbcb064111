package palyra.skills.internal.trycommand;

import palyra.shared.hash.Ulids;

/**
 * The ids of an operator's call. It is the only call of its own run, in its own session, so that
 * its records are those of any call.
 *
 * @param runId the run
 * @param sessionId the session
 */
record OperatorCall(String runId, String sessionId) {
    /** Turn of the call; turns count from 1. */
    static final int TURN = 1;

    /** Place of the call within the turn. */
    static final int INDEX = 0;

    static OperatorCall next(Ulids ids) {
        return new OperatorCall(ids.next(), ids.next());
    }

    /** Returns the id of the call, as in any run. */
    String callId() {
        return runId + "." + TURN + "." + INDEX;
    }
}
