package palyra.transport.grpc.internal.server;

import io.grpc.BindableService;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import java.util.List;

/** The standard health service: says whether the gateway is ready. */
final class HealthMirror {
    private static final List<String> SERVICES =
            List.of(
                    HealthStatusManager.SERVICE_NAME_ALL_SERVICES,
                    "palyra.gateway.v1.GatewayService",
                    "palyra.gateway.v1.ApprovalsService",
                    "palyra.gateway.v1.VaultService");

    private final HealthStatusManager manager = new HealthStatusManager();

    HealthMirror(boolean ready) {
        ready(ready);
    }

    void ready(boolean ready) {
        ServingStatus status = ready ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
        SERVICES.forEach(service -> manager.setStatus(service, status));
    }

    /** Reports NOT_SERVING for good. */
    void end() {
        manager.enterTerminalState();
    }

    BindableService service() {
        return manager.getHealthService();
    }
}
