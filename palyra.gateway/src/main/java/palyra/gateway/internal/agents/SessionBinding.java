package palyra.gateway.internal.agents;

import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.core.access.Authorized;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.shared.gate.Gate;
import palyra.shared.outcome.Commits;

/** Binds a session to an agent. The session itself keeps it, so there is nothing to remember. */
final class SessionBinding {
    private SessionBinding() {}

    /** NOT_FOUND unless the session is there and live. */
    static void commit(Gate<Journal> journal, Authorized permit, String sessionId, String agentId) {
        Unit unit =
                Unit.of(
                        permit.record(),
                        new Operation.BindSession(Require.orEmpty(sessionId), agentId));
        try {
            Commits.commit(journal, unit);
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CONFLICT && e.code() != ErrorCode.NOT_FOUND) {
                throw e;
            }
            throw new PalyraException(
                    ErrorCode.NOT_FOUND,
                    "Session "
                            + sessionId
                            + " cannot be bound: no live session has that id. List them"
                            + " with: sessions list",
                    e);
        }
    }
}
