package palyra.transport.grpc.internal;

import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import palyra.api.core.ops.Endpoint;
import palyra.api.core.ops.Ops;
import palyra.transport.grpc.internal.server.GrpcTransport;

/** Tells everybody where the gRPC server listens: the port that it really got. */
final class GrpcEndpoint implements GrpcTransport.Announcement {
    private final BundleContext context;
    private ServiceRegistration<Endpoint> registration; // only on the transport's thread

    GrpcEndpoint(BundleContext context) {
        this.context = context;
    }

    @Override
    public void listening(String uri) {
        gone();
        registration =
                context.registerService(
                        Endpoint.class,
                        new Endpoint() {},
                        FrameworkUtil.asDictionary(
                                Map.<String, Object>of(
                                        Ops.ENDPOINT_URI, uri, Ops.ENDPOINT_NAME, "grpc")));
    }

    @Override
    public void gone() {
        if (registration != null) {
            registration.unregister();
            registration = null;
        }
    }
}
