package palyra.api.core.access;

import palyra.api.Require;

/**
 * A session that just began.
 *
 * @param secret what the browser sends with each request; stored nowhere
 * @param device what the browser shows at its next sign-in, so that wrong passwords of others do
 *     not make it wait; proves nothing else
 */
public record IssuedSession(ConsoleSession session, String secret, String device) {
    /** Checks. */
    public IssuedSession {
        Require.present(session, "session");
        Require.text(secret, "secret");
        device = Require.orEmpty(device);
    }

    @Override
    public String toString() {
        return "IssuedSession[" + session.sessionId() + ", secret withheld]";
    }
}
