package palyra.transport.grpc.internal.service;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkUtil;
import palyra.api.run.Runs;
import palyra.shared.gate.Gate;
import palyra.transport.grpc.internal.wire.gateway.HealthRequest;
import palyra.transport.grpc.internal.wire.gateway.HealthResponse;

/** Returns the health of the gateway to any caller. Thread-safe. */
final class HealthCalls {
    private static final String GIT_HEADER = "Git-SHA";

    private final Gate<Runs> runs;
    private final BooleanSupplier ready;

    HealthCalls(Gate<Runs> runs, BooleanSupplier ready) {
        this.runs = runs;
        this.ready = ready;
    }

    HealthResponse health(HealthRequest request) {
        Requests.version(request.getV());
        HealthResponse.Builder response =
                HealthResponse.newBuilder()
                        .setV(1)
                        .setService("palyra")
                        .setStatus(status())
                        .setUptimeSeconds(
                                TimeUnit.MILLISECONDS.toSeconds(
                                        ManagementFactory.getRuntimeMXBean().getUptime()));
        Bundle bundle = FrameworkUtil.getBundle(HealthCalls.class);
        if (bundle != null) {
            String version = bundle.getVersion().toString();
            String revision = bundle.getHeaders().get(GIT_HEADER);
            response.setVersion(version)
                    .setGitHash(revision == null ? "" : revision)
                    .setBuildProfile(version.contains("SNAPSHOT") ? "snapshot" : "release");
        }
        return response.build();
    }

    private String status() {
        if (!runs.isPresent()) {
            return "unavailable";
        }
        return ready.getAsBoolean() ? "ok" : "degraded";
    }
}
