package palyra.health.internal;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.Ops;
import palyra.shared.http.ListenAddresses;

/** Publishes the actual address of the HTTP server as an {@link Endpoint} service. */
@Component(
        immediate = true,
        service = {FindingSource.class})
public final class HttpEndpoint implements FindingSource {
    static final String ENDPOINT = "http";

    /** How long a server may take to listen before that is a failure. */
    private static final long PATIENCE_MILLIS = 3_000;

    private final BundleContext context;
    private final long patienceMillis;
    private HttpServiceRuntime runtime; // guarded by this; null while none listens
    private boolean over; // guarded by this
    private Object problem; // guarded by this; null unless it failed
    private ServiceRegistration<Endpoint> registration; // guarded by this

    /** Called by the component runtime. */
    @Activate
    public HttpEndpoint(BundleContext context) {
        this(context, PATIENCE_MILLIS);
    }

    HttpEndpoint(BundleContext context, long patienceMillis) {
        this.context = context;
        this.patienceMillis = patienceMillis;
        tell(Map.of(Ops.ENDPOINT_STATE, Ops.ENDPOINT_OPENING));
        await();
    }

    private void await() {
        CompletableFuture.delayedExecutor(patienceMillis, TimeUnit.MILLISECONDS)
                .execute(this::giveUp);
    }

    /** Felix only logs that its server cannot listen, mostly because the port is taken. */
    private synchronized void giveUp() {
        if (!over && runtime == null) {
            tell(
                    Map.of(
                            Ops.ENDPOINT_STATE,
                            Ops.ENDPOINT_FAILED,
                            Ops.ENDPOINT_PROBLEM,
                            "it cannot listen on port "
                                    + context.getProperty("org.osgi.service.http.port")
                                    + "; free the port, or choose another with --http-port"));
        }
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            updated = "bindRuntime")
    public synchronized void bindRuntime(HttpServiceRuntime service, Map<String, ?> properties) {
        Optional<String> uri = ListenAddresses.of(properties).preferred();
        if (uri.isPresent()) {
            runtime = service;
            tell(Map.of(Ops.ENDPOINT_URI, uri.get()));
        } else if (runtime == service || runtime == null) {
            gone();
        }
    }

    /** Called by the component runtime. */
    public synchronized void unbindRuntime(HttpServiceRuntime service) {
        if (runtime == service) { // a successor is bound before its predecessor goes
            gone();
        }
    }

    private void gone() {
        runtime = null;
        withdraw();
        await();
    }

    private void tell(Map<String, Object> what) {
        Map<String, Object> properties = new HashMap<>(what);
        properties.put(Ops.ENDPOINT_NAME, ENDPOINT);
        if (registration == null) {
            registration =
                    context.registerService(
                            Endpoint.class,
                            new Endpoint() {},
                            FrameworkUtil.asDictionary(properties));
        } else {
            registration.setProperties(FrameworkUtil.asDictionary(properties));
        }
        problem = what.get(Ops.ENDPOINT_PROBLEM);
    }

    private void withdraw() {
        if (registration != null) {
            registration.unregister();
            registration = null;
        }
    }

    @Override
    public synchronized List<Finding> findings() {
        return problem == null
                ? List.of()
                : List.of(
                        new Finding(
                                Finding.Severity.ERROR,
                                "http",
                                "The HTTP server does not listen, so /healthz, /readyz and"
                                        + " /metrics cannot be asked: "
                                        + problem
                                        + ".",
                                "palyra logs has the reason."));
    }

    /** Called by the component runtime. */
    @Deactivate
    public synchronized void deactivate() {
        over = true;
        withdraw();
    }
}
