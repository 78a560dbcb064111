package palyra.api.run;

import palyra.api.Require;

/**
 * A message for an agent.
 *
 * @param surface where it came in: {@code shell}, {@code grpc}, a connector's id; part of the
 *     dedupe key
 * @param dedupeKey the surface's own id of the message: the same key with the same content is
 *     accepted once and answered with the first run; empty means that every submission is a new
 *     message
 * @param sessionId session to go on with; empty means resolve by key
 * @param sessionKey name of the session within the principal; empty means the default session of
 *     principal, device and channel
 * @param deviceId device it came from; empty when unknown
 * @param channel channel it came from; empty when none
 * @param agentId agent asked for; empty means the one bound to the session or the default
 * @param text what was said; 1 to 262,144 characters
 * @param originKind {@code interactive} or {@code background}; empty means interactive
 * @param newSession whether to archive the resolved session first and begin a fresh one
 */
public record SubmittedMessage(
        String surface,
        String dedupeKey,
        String sessionId,
        String sessionKey,
        String deviceId,
        String channel,
        String agentId,
        String text,
        String originKind,
        boolean newSession) {
    /** Longest text in characters. */
    public static final int MAX_TEXT = 262_144;

    /** Checks. */
    public SubmittedMessage {
        Require.text(surface, "surface");
        Require.text(text, "message text");
        Require.that(
                text.length() <= MAX_TEXT,
                "the message has "
                        + text.length()
                        + " characters; at most "
                        + MAX_TEXT
                        + " are taken");
        dedupeKey = Require.orEmpty(dedupeKey);
        sessionId = Require.orEmpty(sessionId);
        sessionKey = Require.orEmpty(sessionKey);
        deviceId = Require.orEmpty(deviceId);
        channel = Require.orEmpty(channel);
        agentId = Require.orEmpty(agentId);
        originKind = Require.orEmpty(originKind).isEmpty() ? "interactive" : originKind;
        Require.that(
                originKind.equals("interactive") || originKind.equals("background"),
                "origin kind '" + originKind + "' is not known: use interactive or background");
    }

    /** Returns an interactive message to the default session. */
    public static SubmittedMessage of(String surface, String text) {
        return new SubmittedMessage(surface, "", "", "", "", "", "", text, "", false);
    }
}
