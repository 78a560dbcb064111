package palyra.api.run;

import palyra.api.Require;

/**
 * A session that was found or created.
 *
 * @param created whether it was created now
 * @param reset whether an earlier one of its key was archived for it
 */
public record ResolvedSession(SessionView session, boolean created, boolean reset) {
    /** Checks. */
    public ResolvedSession {
        Require.present(session, "session");
    }
}
