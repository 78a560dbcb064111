package palyra.transport.grpc.internal.server;

import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import palyra.transport.grpc.internal.call.Caller;
import palyra.transport.grpc.internal.call.Callers;
import palyra.transport.grpc.internal.wire.common.RunStreamEvent;
import palyra.transport.grpc.internal.wire.common.RunStreamRequest;
import palyra.transport.grpc.internal.wire.common.StreamStatus;
import palyra.transport.grpc.internal.wire.gateway.AbortRunRequest;
import palyra.transport.grpc.internal.wire.gateway.AbortRunResponse;
import palyra.transport.grpc.internal.wire.gateway.GatewayServiceGrpc;
import palyra.transport.grpc.internal.wire.gateway.GetRunRequest;
import palyra.transport.grpc.internal.wire.gateway.GetRunResponse;
import palyra.transport.grpc.internal.wire.gateway.HealthRequest;
import palyra.transport.grpc.internal.wire.gateway.HealthResponse;
import palyra.transport.grpc.internal.wire.gateway.Run;

/** Tells who called, fails as it is told, and echoes on streams. */
final class ProbeService extends GatewayServiceGrpc.GatewayServiceImplBase {
    final List<Caller> callers = new CopyOnWriteArrayList<>();
    volatile Supplier<RuntimeException> failure; // null means none

    @Override
    public void getHealth(HealthRequest request, StreamObserver<HealthResponse> observer) {
        observer.onNext(HealthResponse.newBuilder().setV(1).setStatus("ok").build());
        observer.onCompleted();
    }

    @Override
    public void getRun(GetRunRequest request, StreamObserver<GetRunResponse> observer) {
        Caller caller = Callers.current();
        callers.add(caller);
        if (failure != null) {
            throw failure.get();
        }
        Run run = Run.newBuilder().setPrincipal(caller.principal().id()).build();
        observer.onNext(GetRunResponse.newBuilder().setV(1).setRun(run).build());
        observer.onCompleted();
    }

    /** Fails by the observer. */
    @Override
    public void abortRun(AbortRunRequest request, StreamObserver<AbortRunResponse> observer) {
        observer.onError(failure.get());
    }

    /** Answers each message with its session key, after looking the credential up again. */
    @Override
    public StreamObserver<RunStreamRequest> runStream(StreamObserver<RunStreamEvent> observer) {
        Caller caller = Callers.current();
        callers.add(caller);
        return new StreamObserver<>() {
            @Override
            public void onNext(RunStreamRequest request) {
                if (request.getCancelRun()) {
                    caller.reauthenticate();
                }
                StreamStatus echo =
                        StreamStatus.newBuilder().setMessage(request.getSessionKey()).build();
                observer.onNext(RunStreamEvent.newBuilder().setV(1).setStatus(echo).build());
            }

            @Override
            public void onError(Throwable failed) {
                // The client is gone.
            }

            @Override
            public void onCompleted() {
                observer.onCompleted();
            }
        };
    }
}
