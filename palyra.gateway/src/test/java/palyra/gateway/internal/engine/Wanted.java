package palyra.gateway.internal.engine;

import palyra.api.run.SessionQuery;
import palyra.api.run.SubmittedMessage;

/** A message that a test puts together; begins as one to the session {@code work}. */
record Wanted(
        String dedupeKey,
        String sessionId,
        String sessionKey,
        String text,
        boolean newSession,
        String runId,
        String label,
        boolean requireExisting) {
    static Wanted saying(String text) {
        return new Wanted("", "", "work", text, false, "", "", false);
    }

    Wanted once(String key) {
        return new Wanted(
                key, sessionId, sessionKey, text, newSession, runId, label, requireExisting);
    }

    Wanted as(String chosenRunId) {
        return new Wanted(
                dedupeKey,
                sessionId,
                sessionKey,
                text,
                newSession,
                chosenRunId,
                label,
                requireExisting);
    }

    Wanted in(String key) {
        return new Wanted(dedupeKey, "", key, text, newSession, runId, label, requireExisting);
    }

    Wanted inId(String id) {
        return new Wanted(dedupeKey, id, "", text, newSession, runId, label, requireExisting);
    }

    Wanted afresh() {
        return new Wanted(
                dedupeKey, sessionId, sessionKey, text, true, runId, label, requireExisting);
    }

    Wanted called(String sessionLabel) {
        return new Wanted(
                dedupeKey,
                sessionId,
                sessionKey,
                text,
                newSession,
                runId,
                sessionLabel,
                requireExisting);
    }

    Wanted existing() {
        return new Wanted(dedupeKey, sessionId, sessionKey, text, newSession, runId, label, true);
    }

    SubmittedMessage message() {
        return new SubmittedMessage(
                "chat",
                dedupeKey,
                sessionId,
                sessionKey,
                "",
                "",
                "",
                text,
                "",
                newSession,
                runId,
                label,
                requireExisting,
                "",
                false);
    }

    /** Returns a question about the same session. */
    SessionQuery query() {
        return new SessionQuery(sessionId, sessionKey, "", "", label, requireExisting, newSession);
    }
}
