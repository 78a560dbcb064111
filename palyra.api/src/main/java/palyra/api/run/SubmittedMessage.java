package palyra.api.run;

import palyra.api.Require;
import palyra.api.channel.MessageOrigin;

/**
 * A message for an agent.
 *
 * @param surface the surface that received it: {@code shell}, {@code grpc.route}, or a chat
 *     platform as {@code KIND:ACCOUNT}, whose dedupe keys count for the surface; those of others
 *     count for surface and principal
 * @param dedupeKey the surface's own id of the message: the same key with the same content is
 *     accepted once and answered with the first run; empty means that every submission is a new
 *     message
 * @param sessionId session to go on with; empty means resolve by key
 * @param sessionKey name of the session within the principal; empty means the default session of
 *     principal, device and channel
 * @param deviceId device it came from; empty when unknown
 * @param channel channel it came from; empty when none
 * @param agentId agent asked for; empty means the one bound to the session or the default
 * @param text the message text; 1 to 262,144 characters
 * @param originKind {@code interactive} or {@code background}; empty means interactive
 * @param newSession whether to archive the resolved session first and begin a fresh one; a default
 *     session with a run that has not ended is left as it is
 * @param runId ULID for the run, chosen by the caller so that it can follow the run even if this
 *     call fails; empty means that the gateway chooses. Refused with ALREADY_EXISTS when another
 *     message has it
 * @param sessionLabel display name for a session that this message creates; empty means its key
 * @param requireExisting whether a session that does not exist is refused with NOT_FOUND instead of
 *     being made
 * @param originRunId ULID of the run that started this one; empty otherwise. It must belong to the
 *     same principal
 * @param allowSensitiveTools whether the caller requests sensitive tools. Effective only for an
 *     entitled principal; it is recorded and never replaces an approval
 * @param origin where on a chat platform it was written, and its answer goes; null for none. Its
 *     surface is then the connector
 * @param whileRunning what becomes of it while a run of the session has not ended; null means that
 *     it waits
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
        boolean newSession,
        String runId,
        String sessionLabel,
        boolean requireExisting,
        String originRunId,
        boolean allowSensitiveTools,
        MessageOrigin origin,
        WhileRunning whileRunning) {
    /** Longest text in characters. */
    public static final int MAX_TEXT = 262_144;

    /** Longest session label in characters. */
    public static final int MAX_LABEL = 256;

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
        runId = Require.orEmpty(runId);
        sessionLabel = Require.orEmpty(sessionLabel);
        Require.that(
                sessionLabel.length() <= MAX_LABEL,
                "the session label has "
                        + sessionLabel.length()
                        + " characters; at most "
                        + MAX_LABEL
                        + " are taken");
        originRunId = Require.orEmpty(originRunId);
        whileRunning = whileRunning == null ? WhileRunning.QUEUE : whileRunning;
    }

    /** Creates a message that comes from no chat platform. */
    public SubmittedMessage(
            String surface,
            String dedupeKey,
            String sessionId,
            String sessionKey,
            String deviceId,
            String channel,
            String agentId,
            String text,
            String originKind,
            boolean newSession,
            String runId,
            String sessionLabel,
            boolean requireExisting,
            String originRunId,
            boolean allowSensitiveTools) {
        this(
                surface,
                dedupeKey,
                sessionId,
                sessionKey,
                deviceId,
                channel,
                agentId,
                text,
                originKind,
                newSession,
                runId,
                sessionLabel,
                requireExisting,
                originRunId,
                allowSensitiveTools,
                null,
                WhileRunning.QUEUE);
    }

    /** Creates a message without the members that only some surfaces use. */
    public SubmittedMessage(
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
        this(
                surface,
                dedupeKey,
                sessionId,
                sessionKey,
                deviceId,
                channel,
                agentId,
                text,
                originKind,
                newSession,
                "",
                "",
                false,
                "",
                false);
    }

    /** Returns the same with another text, label and right to sensitive tools. */
    public SubmittedMessage with(String otherText, String label, boolean allowSensitive) {
        return new SubmittedMessage(
                surface,
                dedupeKey,
                sessionId,
                sessionKey,
                deviceId,
                channel,
                agentId,
                otherText,
                originKind,
                newSession,
                runId,
                label,
                requireExisting,
                originRunId,
                allowSensitive,
                origin,
                whileRunning);
    }

    /** Returns an interactive message to the default session. */
    public static SubmittedMessage of(String surface, String text) {
        return new SubmittedMessage(surface, "", "", "", "", "", "", text, "", false);
    }
}
