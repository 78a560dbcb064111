package palyra.transport.grpc.internal.service;

import io.grpc.Context;
import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.run.ResolvedSession;
import palyra.api.run.RunView;
import palyra.api.run.Runs;
import palyra.api.run.SessionQuery;
import palyra.api.run.SessionView;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.transport.grpc.internal.call.Caller;
import palyra.transport.grpc.internal.wire.gateway.CleanupSessionRequest;
import palyra.transport.grpc.internal.wire.gateway.CleanupSessionResponse;
import palyra.transport.grpc.internal.wire.gateway.ListSessionsRequest;
import palyra.transport.grpc.internal.wire.gateway.ListSessionsResponse;
import palyra.transport.grpc.internal.wire.gateway.ResolveSessionRequest;
import palyra.transport.grpc.internal.wire.gateway.ResolveSessionResponse;

/** Calls about sessions. Thread-safe. */
final class SessionCalls {
    private static final int USUAL_PAGE = 100;
    private static final int LARGEST_PAGE = 500;

    private final Gate<Runs> runs;

    SessionCalls(Gate<Runs> runs) {
        this.runs = runs;
    }

    ListSessionsResponse list(Caller caller, ListSessionsRequest request) {
        Requests.version(request.getV());
        String cursor = request.getAfterSessionKey();
        Require.that(
                cursor.isEmpty() || Ulids.isUlid(cursor),
                "after_session_key is no cursor of this gateway; take next_after_session_key of"
                        + " the last page as it is");
        String text = Requests.atMost(request.getQ(), Requests.MAX_NAME, "q");
        int limit = Requests.limit(request.getLimit(), USUAL_PAGE, LARGEST_PAGE);
        boolean archived = request.getIncludeArchived();
        List<SessionView> page = page(caller, text, cursor, limit, archived);
        ListSessionsResponse.Builder response = ListSessionsResponse.newBuilder().setV(1);
        page.forEach(session -> response.addSessions(ApiMapper.session(session)));
        if (page.size() == limit) {
            String last = page.getLast().sessionId();
            if (!page(caller, text, last, 1, archived).isEmpty()) {
                response.setNextAfterSessionKey(last);
            }
        }
        return response.build();
    }

    private List<SessionView> page(
            Caller caller, String text, String cursor, int limit, boolean archived) {
        return GateCalls.call(
                runs, front -> front.sessions(caller.principal(), text, cursor, limit, archived));
    }

    ResolveSessionResponse resolve(Caller caller, ResolveSessionRequest request) {
        Requests.version(request.getV());
        SessionQuery query =
                new SessionQuery(
                        Requests.idOrEmpty(
                                request.hasSessionId(), request.getSessionId(), "session_id"),
                        key(request.getSessionKey()),
                        caller.deviceId(),
                        caller.channel(),
                        request.getSessionLabel(),
                        request.getRequireExisting(),
                        request.getResetSession());
        ResolvedSession found =
                GateCalls.call(runs, front -> front.resolveSession(caller.principal(), query));
        return ResolveSessionResponse.newBuilder()
                .setV(1)
                .setSession(ApiMapper.session(found.session()))
                .setCreated(found.created())
                .setResetApplied(found.reset())
                .setSessionKeyIgnored(request.hasSessionId() && !request.getSessionKey().isEmpty())
                .build();
    }

    static String key(String sessionKey) {
        return Requests.sessionKey(sessionKey);
    }

    CleanupSessionResponse cleanup(Caller caller, CleanupSessionRequest request) {
        Requests.version(request.getV());
        String id =
                Requests.idOrEmpty(request.hasSessionId(), request.getSessionId(), "session_id");
        String key = key(request.getSessionKey());
        Require.that(
                id.isEmpty() != key.isEmpty(),
                "give either session_id or session_key, not both; "
                        + (id.isEmpty() ? "neither is set" : "both are set"));
        SessionView before =
                id.isEmpty() ? byKey(caller, key) : require(runs, caller.principal(), id);
        boolean live = before.archivedAtMillis() == 0;
        SessionView after =
                live
                        ? GateCalls.call(
                                runs,
                                front ->
                                        front.archiveSession(
                                                caller.principal(), before.sessionId()))
                        : before;
        return CleanupSessionResponse.newBuilder()
                .setV(1)
                .setSession(ApiMapper.session(after))
                .setCleaned(live)
                .setNewlyArchived(live)
                .setPreviousSessionKey(before.key())
                .setRunCount(countRuns(caller, after.sessionId()))
                .build();
    }

    /** Returns a session; NOT_FOUND also for one of another principal. */
    static SessionView require(Gate<Runs> gate, Principal principal, String sessionId) {
        Optional<SessionView> session =
                GateCalls.call(gate, runs -> runs.session(principal, sessionId));
        return session.orElseThrow(
                () ->
                        new PalyraException(
                                ErrorCode.NOT_FOUND,
                                "There is no session "
                                        + sessionId
                                        + " of yours; look for its id with ListSessions."));
    }

    private SessionView byKey(Caller caller, String key) {
        SessionQuery query =
                new SessionQuery("", key, caller.deviceId(), caller.channel(), "", true, false);
        return GateCalls.call(runs, front -> front.resolveSession(caller.principal(), query))
                .session();
    }

    private int countRuns(Caller caller, String sessionId) {
        int count = 0;
        String before = "";
        List<RunView> page;
        do {
            String from = before;
            page =
                    GateCalls.call(
                            runs,
                            front -> front.runs(caller.principal(), sessionId, from, LARGEST_PAGE));
            count += page.size();
            before = page.isEmpty() ? "" : page.getLast().runId();
        } while (page.size() == LARGEST_PAGE && !Context.current().isCancelled());
        return count;
    }
}
