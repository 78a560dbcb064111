package palyra.gateway.internal.intake;

import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.run.ResolvedSession;
import palyra.api.run.SessionQuery;
import palyra.api.run.SessionView;
import palyra.api.run.SubmittedMessage;
import palyra.gateway.internal.agents.Agents;
import palyra.gateway.internal.engine.Services;
import palyra.shared.outcome.Commits;

/**
 * Finds the session that a message goes on with, or that somebody asks for: by id, by key, or by
 * principal, device and channel. Thread-safe: the journal decides between two who make the same.
 */
final class Sessions {
    private static final int TRIES = 5;

    private final Services services;
    private final Agents agents;

    Sessions(Services services, Agents agents) {
        this.services = services;
        this.agents = agents;
    }

    /**
     * What is to happen so that a session is there.
     *
     * @param session the one to use
     * @param created whether it is to be inserted
     * @param before the one to archive for it; empty when none is
     */
    record Plan(SessionView session, boolean created, Optional<SessionView> before) {
        /** Returns the session if it was there already. */
        Optional<SessionView> found() {
            return created ? Optional.empty() : Optional.of(session);
        }

        /** Adds what changes, if anything does. */
        void addTo(Unit.Builder unit) {
            before.ifPresent(old -> unit.add(new Operation.ArchiveSession(old.sessionId())));
            if (created) {
                unit.add(new Operation.InsertSession(session));
            }
        }
    }

    /** Returns what a message asks for. */
    static SessionQuery query(SubmittedMessage message) {
        return new SessionQuery(
                message.sessionId(),
                message.sessionKey(),
                message.deviceId(),
                message.channel(),
                message.sessionLabel(),
                message.requireExisting(),
                message.newSession());
    }

    /**
     * Plans; reads only.
     *
     * @param agentId agent that a new session is bound to; empty means none
     * @throws PalyraException NOT_FOUND for an id that is not the principal's, and for what must
     *     exist and does not
     */
    Plan plan(String principal, SessionQuery query, String agentId) {
        Optional<SessionView> there =
                query.sessionId().isEmpty()
                        ? named(principal, query)
                        : Optional.of(byId(query.sessionId(), principal));
        if (there.isPresent() && !query.reset()) {
            return new Plan(there.get(), false, Optional.empty());
        }
        return new Plan(fresh(principal, query, there, agentId), true, there);
    }

    private Optional<SessionView> named(String principal, SessionQuery query) {
        String key = key(query);
        Optional<SessionView> there = services.journal().call(j -> j.sessionByKey(principal, key));
        if (there.isEmpty() && query.requireExisting()) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND,
                    (query.sessionKey().isEmpty()
                                    ? "You have no session for this device and channel"
                                    : "You have no session called '" + query.sessionKey() + "'")
                            + ", and it was asked to exist already. List yours with: sessions"
                            + " list");
        }
        return there;
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

    /** One that takes the place of another, named by its id, takes over its name and context. */
    private SessionView fresh(
            String principal, SessionQuery query, Optional<SessionView> before, String agentId) {
        Optional<SessionView> heir = before.filter(old -> !query.sessionId().isEmpty());
        String key = heir.map(SessionView::key).orElseGet(() -> key(query));
        return new SessionView(
                services.ids().next(),
                key,
                query.label().isEmpty() && !key.startsWith("~") ? key : query.label(),
                principal,
                heir.map(SessionView::deviceId).orElse(query.deviceId()),
                heir.map(SessionView::channel).orElse(query.channel()),
                agentId.isEmpty() ? "" : agents.require(agentId).agentId(),
                0,
                0,
                0,
                "");
    }

    /**
     * The session's name within the principal; without one, device and channel name it. No chosen
     * key begins with a tilde.
     */
    private static String key(SessionQuery query) {
        if (query.sessionKey().isEmpty()) {
            return "~" + query.deviceId() + "~" + query.channel();
        }
        Require.that(
                !query.sessionKey().startsWith("~"),
                "session key '"
                        + query.sessionKey()
                        + "' begins with ~, which is kept for default sessions; choose another");
        return query.sessionKey();
    }

    /** Finds or makes a session; {@code records} are committed with what changes, if it does. */
    ResolvedSession resolve(String principal, SessionQuery query, List<Operation> records) {
        for (int i = 1; ; i++) {
            Plan plan = plan(principal, query, "");
            if (!plan.created()) {
                return new ResolvedSession(plan.session(), false, false);
            }
            Unit.Builder unit = Unit.builder().addAll(records);
            plan.addTo(unit);
            try {
                Commits.commit(services.journal(), unit.build());
                return new ResolvedSession(stored(plan.session()), true, plan.before().isPresent());
            } catch (PalyraException e) {
                // Somebody else made it in between, so it is looked for again.
                if (e.code() != ErrorCode.ALREADY_EXISTS || i == TRIES) {
                    throw e;
                }
            }
        }
    }

    private SessionView stored(SessionView made) {
        return services.journal().call(j -> j.session(made.sessionId())).orElse(made);
    }
}
