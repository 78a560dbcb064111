package palyra.transport.grpc.internal.service;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.function.LongSupplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.transport.grpc.internal.Seams;
import palyra.transport.grpc.internal.call.Callers;
import palyra.transport.grpc.internal.service.stream.RunStreamCall;
import palyra.transport.grpc.internal.wire.common.RunStreamEvent;
import palyra.transport.grpc.internal.wire.common.RunStreamRequest;
import palyra.transport.grpc.internal.wire.gateway.AbortRunRequest;
import palyra.transport.grpc.internal.wire.gateway.AbortRunResponse;
import palyra.transport.grpc.internal.wire.gateway.AppendEventRequest;
import palyra.transport.grpc.internal.wire.gateway.AppendEventResponse;
import palyra.transport.grpc.internal.wire.gateway.BindAgentForContextRequest;
import palyra.transport.grpc.internal.wire.gateway.BindAgentForContextResponse;
import palyra.transport.grpc.internal.wire.gateway.CleanupSessionRequest;
import palyra.transport.grpc.internal.wire.gateway.CleanupSessionResponse;
import palyra.transport.grpc.internal.wire.gateway.CreateAgentRequest;
import palyra.transport.grpc.internal.wire.gateway.CreateAgentResponse;
import palyra.transport.grpc.internal.wire.gateway.DeleteAgentRequest;
import palyra.transport.grpc.internal.wire.gateway.DeleteAgentResponse;
import palyra.transport.grpc.internal.wire.gateway.ExplainCallRequest;
import palyra.transport.grpc.internal.wire.gateway.GatewayServiceGrpc;
import palyra.transport.grpc.internal.wire.gateway.GetAgentRequest;
import palyra.transport.grpc.internal.wire.gateway.GetAgentResponse;
import palyra.transport.grpc.internal.wire.gateway.GetRunRequest;
import palyra.transport.grpc.internal.wire.gateway.GetRunResponse;
import palyra.transport.grpc.internal.wire.gateway.HealthRequest;
import palyra.transport.grpc.internal.wire.gateway.HealthResponse;
import palyra.transport.grpc.internal.wire.gateway.ListAgentBindingsRequest;
import palyra.transport.grpc.internal.wire.gateway.ListAgentBindingsResponse;
import palyra.transport.grpc.internal.wire.gateway.ListAgentsRequest;
import palyra.transport.grpc.internal.wire.gateway.ListAgentsResponse;
import palyra.transport.grpc.internal.wire.gateway.ListRunsRequest;
import palyra.transport.grpc.internal.wire.gateway.ListRunsResponse;
import palyra.transport.grpc.internal.wire.gateway.ListSessionsRequest;
import palyra.transport.grpc.internal.wire.gateway.ListSessionsResponse;
import palyra.transport.grpc.internal.wire.gateway.ReadTapeRequest;
import palyra.transport.grpc.internal.wire.gateway.ResolveAgentForContextRequest;
import palyra.transport.grpc.internal.wire.gateway.ResolveAgentForContextResponse;
import palyra.transport.grpc.internal.wire.gateway.ResolveSessionRequest;
import palyra.transport.grpc.internal.wire.gateway.ResolveSessionResponse;
import palyra.transport.grpc.internal.wire.gateway.RouteMessageRequest;
import palyra.transport.grpc.internal.wire.gateway.RouteMessageResponse;
import palyra.transport.grpc.internal.wire.gateway.SetDefaultAgentRequest;
import palyra.transport.grpc.internal.wire.gateway.SetDefaultAgentResponse;
import palyra.transport.grpc.internal.wire.gateway.TapeRecord;
import palyra.transport.grpc.internal.wire.gateway.UnbindAgentForContextRequest;
import palyra.transport.grpc.internal.wire.gateway.UnbindAgentForContextResponse;
import palyra.transport.grpc.internal.wire.gateway.VerifyRunRequest;
import palyra.transport.grpc.internal.wire.gateway.VerifyRunResponse;

/**
 * The rpcs of {@code GatewayService}. Failures are thrown as {@link PalyraException}, and the
 * server makes statuses of them. Calls may block and run on virtual threads. Thread-safe.
 */
public final class GatewayServiceImpl extends GatewayServiceGrpc.GatewayServiceImplBase {
    private final Seams seams;
    private final HealthCalls health;
    private final RunCalls runs;
    private final SessionCalls sessions;
    private final RouteCalls routes;
    private final AgentCalls agents;
    private final BindingCalls bindings;
    private final ResolutionCalls resolutions;
    private final TapeCalls tapes;
    private final LongSupplier firstMessageMillis;

    /**
     * Creates the service; nothing behind the seams needs to be there.
     *
     * @param firstMessageMillis within which the first message of a {@code RunStream} must come
     */
    public GatewayServiceImpl(Seams seams, LongSupplier firstMessageMillis) {
        this.firstMessageMillis = firstMessageMillis;
        Permissions permissions = new Permissions(seams.access());
        this.seams = seams;
        this.health = new HealthCalls(seams.runs(), seams.ready());
        this.runs = new RunCalls(seams.runs());
        this.sessions = new SessionCalls(seams.runs());
        this.routes = new RouteCalls(seams);
        this.agents = new AgentCalls(seams.agents(), permissions);
        this.bindings = new BindingCalls(seams.agents(), seams.runs(), permissions);
        this.resolutions = new ResolutionCalls(seams.agents(), seams.runs(), permissions);
        this.tapes = new TapeCalls(seams.runs(), seams.verifier(), permissions);
    }

    @Override
    public StreamObserver<RunStreamRequest> runStream(StreamObserver<RunStreamEvent> client) {
        return RunStreamCall.open(
                seams,
                Callers.current(),
                (ServerCallStreamObserver<RunStreamEvent>) client,
                firstMessageMillis.getAsLong());
    }

    @Override
    public void readTape(ReadTapeRequest request, StreamObserver<TapeRecord> client) {
        tapes.read(
                Callers.current(),
                seams.streams(),
                request,
                (ServerCallStreamObserver<TapeRecord>) client);
    }

    @Override
    public void explainCall(ExplainCallRequest request, StreamObserver<TapeRecord> client) {
        tapes.explain(
                Callers.current(),
                seams.streams(),
                request,
                (ServerCallStreamObserver<TapeRecord>) client);
    }

    @Override
    public void getHealth(HealthRequest request, StreamObserver<HealthResponse> client) {
        ApiMapper.reply(client, health.health(request));
    }

    @Override
    public void appendEvent(
            AppendEventRequest request, StreamObserver<AppendEventResponse> client) {
        ApiMapper.reply(client, runs.append(Callers.current(), request));
    }

    @Override
    public void abortRun(AbortRunRequest request, StreamObserver<AbortRunResponse> client) {
        ApiMapper.reply(client, runs.abort(Callers.current(), request));
    }

    @Override
    public void listSessions(
            ListSessionsRequest request, StreamObserver<ListSessionsResponse> client) {
        ApiMapper.reply(client, sessions.list(Callers.current(), request));
    }

    @Override
    public void resolveSession(
            ResolveSessionRequest request, StreamObserver<ResolveSessionResponse> client) {
        ApiMapper.reply(client, sessions.resolve(Callers.current(), request));
    }

    @Override
    public void cleanupSession(
            CleanupSessionRequest request, StreamObserver<CleanupSessionResponse> client) {
        ApiMapper.reply(client, sessions.cleanup(Callers.current(), request));
    }

    @Override
    public void routeMessage(
            RouteMessageRequest request, StreamObserver<RouteMessageResponse> client) {
        try {
            ApiMapper.reply(client, routes.route(Callers.current(), request));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PalyraException(
                    ErrorCode.CANCELLED, "The call was interrupted; send it again.", e);
        }
    }

    @Override
    public void listAgents(ListAgentsRequest request, StreamObserver<ListAgentsResponse> client) {
        ApiMapper.reply(client, agents.list(Callers.current(), request));
    }

    @Override
    public void getAgent(GetAgentRequest request, StreamObserver<GetAgentResponse> client) {
        ApiMapper.reply(client, agents.get(Callers.current(), request));
    }

    @Override
    public void createAgent(
            CreateAgentRequest request, StreamObserver<CreateAgentResponse> client) {
        ApiMapper.reply(client, agents.create(Callers.current(), request));
    }

    @Override
    public void deleteAgent(
            DeleteAgentRequest request, StreamObserver<DeleteAgentResponse> client) {
        ApiMapper.reply(client, agents.delete(Callers.current(), request));
    }

    @Override
    public void setDefaultAgent(
            SetDefaultAgentRequest request, StreamObserver<SetDefaultAgentResponse> client) {
        ApiMapper.reply(client, agents.setDefault(Callers.current(), request));
    }

    @Override
    public void listAgentBindings(
            ListAgentBindingsRequest request, StreamObserver<ListAgentBindingsResponse> client) {
        ApiMapper.reply(client, bindings.list(Callers.current(), request));
    }

    @Override
    public void bindAgentForContext(
            BindAgentForContextRequest request,
            StreamObserver<BindAgentForContextResponse> client) {
        ApiMapper.reply(client, bindings.bind(Callers.current(), request));
    }

    @Override
    public void unbindAgentForContext(
            UnbindAgentForContextRequest request,
            StreamObserver<UnbindAgentForContextResponse> client) {
        ApiMapper.reply(client, bindings.unbind(Callers.current(), request));
    }

    @Override
    public void resolveAgentForContext(
            ResolveAgentForContextRequest request,
            StreamObserver<ResolveAgentForContextResponse> client) {
        ApiMapper.reply(client, resolutions.resolve(Callers.current(), request));
    }

    @Override
    public void getRun(GetRunRequest request, StreamObserver<GetRunResponse> client) {
        ApiMapper.reply(client, runs.get(Callers.current(), request));
    }

    @Override
    public void listRuns(ListRunsRequest request, StreamObserver<ListRunsResponse> client) {
        ApiMapper.reply(client, runs.list(Callers.current(), request));
    }

    @Override
    public void verifyRun(VerifyRunRequest request, StreamObserver<VerifyRunResponse> client) {
        ApiMapper.reply(client, tapes.verify(Callers.current(), request));
    }
}
