package palyra.console.internal.session;

import palyra.api.access.Principal;
import palyra.api.core.access.ConsoleSession;

/**
 * The person at a browser, as the request's session says.
 *
 * @param session the session
 * @param csrf token that every mutating request of the session carries
 */
public record Viewer(ConsoleSession session, String csrf) {
    /** Returns who it is. */
    public Principal principal() {
        return session.principal();
    }

    /** Returns when the person last showed a factor, in unix milliseconds. */
    public long provenMillis() {
        return session.provenAtMillis();
    }

    @Override
    public String toString() {
        return "Viewer[" + principal().id() + "]";
    }
}
