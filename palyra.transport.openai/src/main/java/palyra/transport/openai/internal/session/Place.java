package palyra.transport.openai.internal.session;

/**
 * Where a message goes.
 *
 * @param sessionId session that goes on; empty when it is named by its key
 * @param sessionKey name of the session; empty when it is given by its id
 * @param isNew whether the session does not exist yet, so that its first message tells what came
 *     before
 * @param byTranscript whether the next request finds it by its transcript
 * @param fingerprint of the transcript by which it was found; empty otherwise
 */
public record Place(
        String sessionId,
        String sessionKey,
        boolean isNew,
        boolean byTranscript,
        String fingerprint) {}
