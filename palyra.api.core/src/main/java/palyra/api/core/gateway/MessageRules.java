package palyra.api.core.gateway;

import java.util.Optional;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.InboundMessage;
import palyra.api.run.WhileRunning;

/**
 * The configured rules for messages of chat platforms, for a surface that submits such messages
 * itself and answers its caller: what a connector hands in goes through them anyway. Thread-safe.
 */
public interface MessageRules {
    /** What the rules say of a message. */
    sealed interface Ruling {
        /**
         * The message is not answered, which is recorded.
         *
         * @param reason reason code, such as {@code sender_denied}
         * @param explanation the same as a sentence; empty for a message that was ignored before
         * @param reply what its sender is to be told; empty for nothing
         * @param sessionKey the session that it would be answered in
         */
        record Ignored(String reason, String explanation, String reply, String sessionKey)
                implements Ruling {}

        /**
         * The message was accepted before, by the rules as they were: it is answered by its run.
         *
         * @param principal on whose behalf it was submitted
         * @param sessionKey its session
         * @param messageId ULID of the accepted message
         * @param responsePrefix what the answer begins with by the rules of now; may be empty
         */
        record Known(String principal, String sessionKey, String messageId, String responsePrefix)
                implements Ruling {}

        /**
         * The message gets an answer. Nothing was stored yet.
         *
         * @param principal on whose behalf it is submitted
         * @param sessionKey its session
         * @param agentId agent that answers; empty for the one bound to the session, or the default
         * @param text the text as the model reads it
         * @param responsePrefix what the answer begins with; may be empty
         * @param whileRunning what becomes of it while a run of the session goes on
         * @param rule name of the rule
         */
        record Routed(
                String principal,
                String sessionKey,
                String agentId,
                String text,
                String responsePrefix,
                WhileRunning whileRunning,
                String rule)
                implements Ruling {}
    }

    /**
     * Returns whether a rule is for a surface. Without one the surface decides by itself.
     *
     * @param surface named as a connector would be: {@code grpc:CHANNEL}
     * @throws palyra.api.PalyraException GATEWAY_UNAVAILABLE while a rule is being read
     */
    boolean governs(ConnectorId surface);

    /**
     * Decides about a message that was written. The same message that is asked about again is what
     * it was, ignored or accepted, whatever rules changed meanwhile. Its surface submits it with
     * the message's id as the dedupe key.
     *
     * @param surface where it came from; a rule is for it
     * @param broadcast whether it addresses everyone, besides what its text says
     * @throws palyra.api.PalyraException ALREADY_EXISTS when its id belongs to a message of another
     *     conversation or sender, GATEWAY_UNAVAILABLE while a rule is being read and when none is
     *     for the surface, kinds of UNAVAILABLE while the journal is away
     */
    Ruling rule(ConnectorId surface, InboundMessage message, boolean broadcast);

    /**
     * Returns what was ruled about a message, also when no rule is for its surface any more; empty
     * when it did not come before.
     *
     * @throws palyra.api.PalyraException ALREADY_EXISTS when its id belongs to a message of another
     *     conversation or sender, kinds of UNAVAILABLE while the journal is away
     */
    Optional<Ruling> before(ConnectorId surface, InboundMessage message);
}
