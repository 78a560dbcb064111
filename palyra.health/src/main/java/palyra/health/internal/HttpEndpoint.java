package palyra.health.internal;

import java.util.Map;
import java.util.Optional;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.servlet.runtime.HttpServiceRuntime;
import palyra.api.core.ops.Endpoint;
import palyra.api.core.ops.Ops;

/** Publishes the actual address of the HTTP server as an {@link Endpoint} service. */
@Component(
        immediate = true,
        service = {})
public final class HttpEndpoint {
    static final String ENDPOINT = "http";

    private final BundleContext context;
    private HttpServiceRuntime runtime; // guarded by this
    private ServiceRegistration<Endpoint> registration; // guarded by this

    /** Called by the component runtime. */
    @Activate
    public HttpEndpoint(BundleContext context) {
        this.context = context;
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            updated = "bindRuntime")
    public synchronized void bindRuntime(HttpServiceRuntime service, Map<String, ?> properties) {
        runtime = service;
        publish(ListenAddresses.of(properties).preferred());
    }

    /** Called by the component runtime. */
    public synchronized void unbindRuntime(HttpServiceRuntime service) {
        if (runtime == service) { // a successor is bound before its predecessor goes
            runtime = null;
            publish(Optional.empty());
        }
    }

    private void publish(Optional<String> uri) {
        if (uri.isEmpty()) {
            withdraw();
            return;
        }
        var properties =
                FrameworkUtil.asDictionary(
                        Map.<String, Object>of(
                                Ops.ENDPOINT_URI, uri.get(), Ops.ENDPOINT_NAME, ENDPOINT));
        if (registration == null) {
            registration = context.registerService(Endpoint.class, new Endpoint() {}, properties);
        } else {
            registration.setProperties(properties);
        }
    }

    private void withdraw() {
        if (registration != null) {
            registration.unregister();
            registration = null;
        }
    }

    /** Called by the component runtime. */
    @Deactivate
    public synchronized void deactivate() {
        withdraw();
    }
}
