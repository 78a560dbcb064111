package palyra.transport.grpc.internal.service;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.run.AppendedEvent;
import palyra.api.run.RunView;
import palyra.api.run.Runs;
import palyra.shared.gate.Gate;
import palyra.transport.grpc.internal.call.Caller;
import palyra.transport.grpc.internal.wire.common.JournalEvent;
import palyra.transport.grpc.internal.wire.common.JournalEvent.EventActor;
import palyra.transport.grpc.internal.wire.common.JournalEvent.EventKind;
import palyra.transport.grpc.internal.wire.gateway.AbortRunRequest;
import palyra.transport.grpc.internal.wire.gateway.AbortRunResponse;
import palyra.transport.grpc.internal.wire.gateway.AppendEventRequest;
import palyra.transport.grpc.internal.wire.gateway.AppendEventResponse;
import palyra.transport.grpc.internal.wire.gateway.GetRunRequest;
import palyra.transport.grpc.internal.wire.gateway.GetRunResponse;
import palyra.transport.grpc.internal.wire.gateway.ListRunsRequest;
import palyra.transport.grpc.internal.wire.gateway.ListRunsResponse;

/** Calls about runs that answer at once. Thread-safe. */
public final class RunCalls {
    private static final int USUAL_PAGE = 100;
    private static final int LARGEST_PAGE = 500;
    private static final String ACTOR_PREFIX = "EVENT_ACTOR_";
    private static final String KIND_PREFIX = "EVENT_KIND_";

    private final Gate<Runs> runs;

    RunCalls(Gate<Runs> runs) {
        this.runs = runs;
    }

    GetRunResponse get(Caller caller, GetRunRequest request) {
        Requests.version(request.getV());
        String runId = Requests.id(request.hasRunId(), request.getRunId(), "run_id");
        RunView run = require(runs, caller.principal(), runId);
        return GetRunResponse.newBuilder().setV(1).setRun(ApiMapper.run(run)).build();
    }

    /** Returns a run; NOT_FOUND also for one of another principal. */
    public static RunView require(Gate<Runs> gate, Principal principal, String runId) {
        Optional<RunView> run = GateCalls.call(gate, runs -> runs.run(principal, runId));
        return run.orElseThrow(
                () ->
                        new PalyraException(
                                ErrorCode.NOT_FOUND,
                                "There is no run "
                                        + runId
                                        + " of yours; look for its id with ListRuns."));
    }

    ListRunsResponse list(Caller caller, ListRunsRequest request) {
        Requests.version(request.getV());
        String session =
                Requests.idOrEmpty(request.hasSessionId(), request.getSessionId(), "session_id");
        String before =
                Requests.idOrEmpty(
                        request.hasBeforeRunId(), request.getBeforeRunId(), "before_run_id");
        int limit = Requests.limit(request.getLimit(), USUAL_PAGE, LARGEST_PAGE);
        List<RunView> page = page(caller, session, before, limit);
        ListRunsResponse.Builder response = ListRunsResponse.newBuilder().setV(1);
        page.forEach(run -> response.addRuns(ApiMapper.run(run)));
        if (page.size() == limit) {
            String last = page.getLast().runId();
            if (!page(caller, session, last, 1).isEmpty()) {
                response.setNextBeforeRunId(ApiMapper.id(last));
            }
        }
        return response.build();
    }

    private List<RunView> page(Caller caller, String session, String before, int limit) {
        return GateCalls.call(
                runs, front -> front.runs(caller.principal(), session, before, limit));
    }

    AbortRunResponse abort(Caller caller, AbortRunRequest request) {
        Requests.version(request.getV());
        String runId = Requests.id(request.hasRunId(), request.getRunId(), "run_id");
        boolean going =
                GateCalls.call(
                        runs,
                        front -> front.cancel(caller.principal(), runId, request.getReason()));
        return AbortRunResponse.newBuilder()
                .setV(1)
                .setRunId(ApiMapper.id(runId))
                .setCancelRequested(going)
                .setReason(request.getReason())
                .build();
    }

    AppendEventResponse append(Caller caller, AppendEventRequest request) {
        Requests.version(request.getV());
        Require.that(request.hasEvent(), "event is missing");
        JournalEvent event = request.getEvent();
        Requests.version(event.getV(), "event.v");
        String runId = Requests.id(event.hasRunId(), event.getRunId(), "event.run_id");
        String eventId =
                Requests.idOrEmpty(event.hasEventId(), event.getEventId(), "event.event_id");
        String sessionId =
                Requests.idOrEmpty(event.hasSessionId(), event.getSessionId(), "event.session_id");
        String actor = actor(event);
        Requests.gatewayOnly(!event.getHash().isEmpty(), "event.hash");
        Requests.gatewayOnly(!event.getPrevHash().isEmpty(), "event.prev_hash");
        Requests.gatewayOnly(!event.getRecordType().isEmpty(), "event.record_type");
        String kind = kind(event);
        Require.that(
                !event.getPayloadJson().isEmpty(),
                "event.payload_json is missing; it takes a JSON value, such as {}");
        String content = Requests.utf8(event.getPayloadJson(), "event.payload_json");
        requireSession(caller, runId, sessionId);
        AppendedEvent appended =
                GateCalls.call(
                        runs,
                        front ->
                                front.appendEvent(
                                        caller.principal(), runId, eventId, kind, content, actor));
        return AppendEventResponse.newBuilder()
                .setV(1)
                .setEventId(ApiMapper.id(appended.eventId()))
                .setAccepted(true)
                .setOnTape(appended.onTape())
                .setSeq(appended.seq())
                .build();
    }

    /** Returns the actor that the client names; empty when it names none. */
    private static String actor(JournalEvent event) {
        EventActor actor = EventActor.forNumber(event.getActorValue());
        Requests.known(actor, event.getActorValue(), "event.actor");
        if (actor == EventActor.EVENT_ACTOR_AGENT || actor == EventActor.EVENT_ACTOR_SYSTEM) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "event.actor is "
                            + actor
                            + ", which a client cannot be; use EVENT_ACTOR_USER or"
                            + " EVENT_ACTOR_PLUGIN.");
        }
        return actor == EventActor.EVENT_ACTOR_UNSPECIFIED
                ? ""
                : actor.name().substring(ACTOR_PREFIX.length()).toLowerCase(Locale.ROOT);
    }

    private static String kind(JournalEvent event) {
        EventKind kind = EventKind.forNumber(event.getKindValue());
        Requests.known(kind, event.getKindValue(), "event.kind");
        if (!event.getEventKind().isEmpty()) {
            return event.getEventKind();
        }
        Require.that(
                kind != EventKind.EVENT_KIND_UNSPECIFIED,
                "event.kind is missing; set it, or set event.event_kind to a word of your own");
        return kind.name().substring(KIND_PREFIX.length()).toLowerCase(Locale.ROOT);
    }

    private void requireSession(Caller caller, String runId, String sessionId) {
        if (!sessionId.isEmpty()) {
            RunView run = require(runs, caller.principal(), runId);
            Require.that(
                    run.sessionId().equals(sessionId),
                    "event.session_id is not the session of run " + runId + "; leave it out");
        }
    }
}
