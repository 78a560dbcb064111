package palyra.transport.grpc.internal;

import java.util.HashMap;
import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import palyra.api.core.ops.Endpoint;
import palyra.api.core.ops.Ops;
import palyra.transport.grpc.internal.server.GrpcTransport;

/**
 * Publishes the address that the gRPC server listens on as a service, or that the port is being
 * opened or failed to open. For one thread at a time.
 */
final class GrpcEndpoint implements GrpcTransport.Announcement {
    private final BundleContext context;
    private ServiceRegistration<Endpoint> registration;
    private Map<String, Object> told = Map.of();

    GrpcEndpoint(BundleContext context) {
        this.context = context;
    }

    @Override
    public void opening() {
        tell(Map.of(Ops.ENDPOINT_STATE, Ops.ENDPOINT_OPENING));
    }

    @Override
    public void listening(String uri) {
        tell(Map.of(Ops.ENDPOINT_URI, uri));
    }

    @Override
    public void failed(String why) {
        tell(Map.of(Ops.ENDPOINT_STATE, Ops.ENDPOINT_FAILED, Ops.ENDPOINT_PROBLEM, why));
    }

    private void tell(Map<String, Object> what) {
        Map<String, Object> properties = new HashMap<>(what);
        properties.put(Ops.ENDPOINT_NAME, "grpc");
        if (registration == null) {
            registration =
                    context.registerService(
                            Endpoint.class,
                            new Endpoint() {},
                            FrameworkUtil.asDictionary(properties));
        } else if (!what.equals(told)) {
            registration.setProperties(FrameworkUtil.asDictionary(properties));
        }
        told = what;
    }

    @Override
    public void gone() {
        if (registration != null) {
            registration.unregister();
            registration = null;
        }
    }
}
