package palyra.gateway.internal.intake;

import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.run.SessionView;
import palyra.api.run.SubmittedMessage;
import palyra.gateway.internal.agents.Agents;
import palyra.gateway.internal.engine.Services;

/**
 * Finds the session that a message goes on with: by id, by key, or by principal, device and
 * channel. Reads only; the router records what follows.
 */
final class Sessions {
    private final Services services;
    private final Agents agents;

    Sessions(Services services, Agents agents) {
        this.services = services;
        this.agents = agents;
    }

    /**
     * Returns the session; empty when a new one is to be made. NOT_FOUND for an id that is not the
     * principal's.
     */
    Optional<SessionView> find(String principal, SubmittedMessage message) {
        if (!message.sessionId().isEmpty()) {
            return Optional.of(byId(message.sessionId(), principal));
        }
        return message.newSession() ? Optional.empty() : named(principal, message);
    }

    /** Returns the live session of the message's key. */
    Optional<SessionView> named(String principal, SubmittedMessage message) {
        return services.journal().call(j -> j.sessionByKey(principal, key(message)));
    }

    private SessionView byId(String sessionId, String principal) {
        return services.journal()
                .call(j -> j.session(sessionId))
                .filter(
                        session ->
                                session.principal().equals(principal)
                                        && session.archivedAtMillis() == 0)
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.NOT_FOUND,
                                        "Session "
                                                + sessionId
                                                + " was asked for; you have no live session of that id."
                                                + " List yours with: sessions list"));
    }

    /** Returns a session to be made for the message. */
    SessionView fresh(String principal, SubmittedMessage message) {
        String agentId =
                message.agentId().isEmpty() ? "" : agents.require(message.agentId()).agentId();
        return new SessionView(
                services.ids().next(),
                key(message),
                message.sessionKey(),
                principal,
                message.deviceId(),
                message.channel(),
                agentId,
                0,
                0,
                0,
                "");
    }

    /**
     * The session's name within the principal; without one, device and channel name it. No chosen
     * key begins with a tilde.
     */
    private static String key(SubmittedMessage message) {
        if (message.sessionKey().isEmpty()) {
            return "~" + message.deviceId() + "~" + message.channel();
        }
        Require.that(
                !message.sessionKey().startsWith("~"),
                "session key '"
                        + message.sessionKey()
                        + "' begins with ~, which is kept for default sessions; choose another");
        return message.sessionKey();
    }
}
