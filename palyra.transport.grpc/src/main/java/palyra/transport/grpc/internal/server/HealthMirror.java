package palyra.transport.grpc.internal.server;

import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The standard health service: says whether the gateway is ready. A check asks at that moment, as
 * {@code /readyz} does; a watch hears of a change when {@link #mirror} is called. Thread-safe.
 */
final class HealthMirror extends HealthGrpc.HealthImplBase {
    private static final List<String> SERVICES =
            List.of(
                    HealthStatusManager.SERVICE_NAME_ALL_SERVICES,
                    "palyra.gateway.v1.GatewayService",
                    "palyra.gateway.v1.ApprovalsService",
                    "palyra.gateway.v1.VaultService");

    private final HealthStatusManager manager = new HealthStatusManager();
    private final HealthGrpc.AsyncService statuses =
            (HealthGrpc.AsyncService) manager.getHealthService();
    private final BooleanSupplier ready;

    HealthMirror(BooleanSupplier ready) {
        this.ready = ready;
        mirror();
    }

    void mirror() {
        ServingStatus status =
                ready.getAsBoolean() ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
        SERVICES.forEach(service -> manager.setStatus(service, status));
    }

    /** Reports NOT_SERVING for good. */
    void end() {
        manager.enterTerminalState();
    }

    @Override
    public void check(HealthCheckRequest request, StreamObserver<HealthCheckResponse> response) {
        mirror();
        statuses.check(request, response);
    }

    @Override
    public void watch(HealthCheckRequest request, StreamObserver<HealthCheckResponse> response) {
        mirror();
        statuses.watch(request, response);
    }
}
