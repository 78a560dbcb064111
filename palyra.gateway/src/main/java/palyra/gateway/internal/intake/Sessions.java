package palyra.gateway.internal.intake;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.run.ResolvedSession;
import palyra.api.run.RunState;
import palyra.api.run.SessionQuery;
import palyra.api.run.SessionView;
import palyra.api.run.SubmittedMessage;
import palyra.gateway.internal.agents.Agents;
import palyra.gateway.internal.seam.Services;
import palyra.shared.outcome.Commits;

/**
 * Finds the session of a message or of a query: by id, by key, or by principal, device and channel.
 * Thread-safe: the journal decides between two who make the same.
 */
final class Sessions {
    private static final int TRIES = 5;

    /** What keys of default sessions begin with, and no chosen key. */
    private static final String DEFAULT = "~";

    private static final Set<RunState> NOT_ENDED =
            Set.of(RunState.ACCEPTED, RunState.RUNNING, RunState.AWAITING_APPROVAL);

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
     * @param taken what it becomes the default session of; empty when it is no default session or
     *     there already
     */
    record Plan(
            SessionView session,
            boolean created,
            Optional<SessionView> before,
            Optional<DefaultSession> taken) {
        static Plan found(SessionView session) {
            return new Plan(session, false, Optional.empty(), Optional.empty());
        }

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
            taken.ifPresent(place -> place.addTo(unit, session));
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
     * Plans; reads only. A fresh default session is begun beside one whose run has not ended; that
     * one goes on and is found by its id.
     *
     * @param agentId agent that a new session is bound to; empty means none
     * @throws PalyraException NOT_FOUND for an id that is not the principal's, and for what must
     *     exist and does not; CONFLICT for a reset of another than the default session while a run
     *     of it has not ended
     */
    Plan plan(String principal, SessionQuery query, String agentId) {
        if (!query.sessionId().isEmpty()) {
            return ofId(principal, query, agentId);
        }
        String key = key(query);
        if (query.sessionKey().isEmpty()) {
            DefaultSession place = place(principal, key);
            return found(query, place.current())
                    .orElseGet(() -> at(place, principal, query, agentId));
        }
        Optional<SessionView> there = services.journal().call(j -> j.sessionByKey(principal, key));
        return found(query, there).orElseGet(() -> afresh(principal, query, there, agentId));
    }

    private DefaultSession place(String principal, String key) {
        return services.journal().call(j -> DefaultSession.read(j, principal, key));
    }

    /** Returns the session that is there, unless a fresh one is asked for. */
    private static Optional<Plan> found(SessionQuery query, Optional<SessionView> there) {
        if (there.isEmpty() && query.requireExisting()) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND,
                    (query.sessionKey().isEmpty()
                                    ? "You have no session for this device and channel"
                                    : "You have no session called '" + query.sessionKey() + "'")
                            + ", and the request requires an existing one. List yours with: sessions"
                            + " list");
        }
        return there.filter(session -> !query.reset()).map(Plan::found);
    }

    private Plan ofId(String principal, SessionQuery query, String agentId) {
        SessionView there = byId(query.sessionId(), principal);
        if (!query.reset()) {
            return Plan.found(there);
        }
        if (there.key().startsWith(DEFAULT)) {
            DefaultSession place = place(principal, key(there.deviceId(), there.channel()));
            if (place.current().equals(Optional.of(there))) {
                return at(place, principal, query, agentId);
            }
        }
        return afresh(principal, query, Optional.of(there), agentId);
    }

    /** Plans a fresh default session. */
    private Plan at(DefaultSession place, String principal, SessionQuery query, String agentId) {
        Optional<SessionView> idle = place.current().filter(session -> !isBusy(session));
        String freshId = services.ids().next();
        SessionView fresh =
                fresh(
                        principal,
                        query,
                        place.current(),
                        agentId,
                        freshId,
                        place.keyOf(freshId, idle));
        return new Plan(fresh, true, idle, Optional.of(place));
    }

    /** Plans a fresh session under the name of another, if there is one. */
    private Plan afresh(
            String principal, SessionQuery query, Optional<SessionView> there, String agentId) {
        there.filter(this::isBusy).ifPresent(Sessions::refuse);
        String key = there.map(SessionView::key).orElseGet(() -> key(query));
        SessionView fresh = fresh(principal, query, there, agentId, services.ids().next(), key);
        return new Plan(fresh, true, there, Optional.empty());
    }

    private boolean isBusy(SessionView session) {
        return !services.journal()
                .call(j -> j.runsIn(NOT_ENDED, session.sessionId(), "", 1))
                .isEmpty();
    }

    private static void refuse(SessionView busy) {
        throw new PalyraException(
                ErrorCode.CONFLICT,
                "Session "
                        + (busy.key().startsWith(DEFAULT)
                                ? busy.sessionId()
                                : "'" + busy.key() + "'")
                        + " cannot be started afresh: a run of it has not ended. Wait for it, cancel it"
                        + " (run cancel), or name another session.");
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
                                                + " not found among your live sessions."
                                                + " List yours with: sessions list"));
    }

    /** One that takes the place of another, named by its id, takes over its context. */
    private SessionView fresh(
            String principal,
            SessionQuery query,
            Optional<SessionView> before,
            String agentId,
            String sessionId,
            String key) {
        Optional<SessionView> heir = before.filter(old -> !query.sessionId().isEmpty());
        return new SessionView(
                sessionId,
                key,
                query.label().isEmpty() && !key.startsWith(DEFAULT) ? key : query.label(),
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
            return key(query.deviceId(), query.channel());
        }
        Require.that(
                !query.sessionKey().startsWith(DEFAULT),
                "session key '"
                        + query.sessionKey()
                        + "' begins with ~, which is kept for default sessions; choose another");
        return query.sessionKey();
    }

    private static String key(String deviceId, String channel) {
        return DEFAULT + deviceId + DEFAULT + channel;
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
                // Another caller changed it in between, so it is looked for again.
                if (!isPassing(e.code()) || i == TRIES) {
                    throw e;
                }
            }
        }
    }

    private static boolean isPassing(ErrorCode code) {
        return code == ErrorCode.ALREADY_EXISTS || code == ErrorCode.CONFLICT;
    }

    private SessionView stored(SessionView made) {
        return services.journal().call(j -> j.session(made.sessionId())).orElse(made);
    }
}
