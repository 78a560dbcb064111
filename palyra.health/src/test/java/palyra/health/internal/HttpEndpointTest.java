package palyra.health.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Dictionary;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.servlet.runtime.HttpServiceRuntime;
import palyra.api.core.ops.Ops;

class HttpEndpointTest {
    private final AtomicReference<Dictionary<?, ?>> registered = new AtomicReference<>();
    private final ServiceRegistration<?> registration =
            Fakes.of(
                    ServiceRegistration.class,
                    Map.of(
                            "setProperties",
                            a -> {
                                registered.set((Dictionary<?, ?>) a[0]);
                                return null;
                            },
                            "unregister",
                            a -> {
                                registered.set(null);
                                return null;
                            }));
    private final BundleContext context =
            Fakes.of(
                    BundleContext.class,
                    Map.of(
                            "getProperty",
                            a -> "7142",
                            "registerService",
                            a -> {
                                registered.set((Dictionary<?, ?>) a[2]);
                                return registration;
                            }));
    private final HttpServiceRuntime runtime = Fakes.of(HttpServiceRuntime.class, Map.of());
    private final HttpEndpoint endpoint = new HttpEndpoint(context);

    private void bound(String uri) {
        endpoint.bindRuntime(runtime, Map.of("osgi.http.endpoint", new String[] {uri}));
    }

    private Object uri() {
        return registered.get() == null ? null : registered.get().get(Ops.ENDPOINT_URI);
    }

    @Test
    void tellsThePortThatTheServerReallyGotAndFollowsIt() {
        bound("http://127.0.0.1:40123/");
        assertEquals("http://127.0.0.1:40123", uri());
        assertEquals("http", registered.get().get(Ops.ENDPOINT_NAME));
        bound("http://127.0.0.1:40124/");
        assertEquals("http://127.0.0.1:40124", uri());
        endpoint.unbindRuntime(runtime);
        assertNull(uri());
        bound("http://127.0.0.1:40125/");
        endpoint.deactivate();
        assertNull(uri());
    }

    @Test
    void aSuccessorStaysWhenItsPredecessorGoes() {
        bound("http://127.0.0.1:1/");
        HttpServiceRuntime successor = Fakes.of(HttpServiceRuntime.class, Map.of());
        endpoint.bindRuntime(successor, Map.of("osgi.http.endpoint", "http://127.0.0.1:2/"));
        endpoint.unbindRuntime(runtime);
        assertEquals("http://127.0.0.1:2", uri());
    }

    @Test
    void saysThatTheServerDoesNotListenWhenItTakesTooLong() throws Exception {
        HttpEndpoint impatient = new HttpEndpoint(context, 1);
        for (int i = 0; i < 600 && impatient.findings().isEmpty(); i++) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
        assertEquals(1, impatient.findings().size());
        assertEquals(Ops.ENDPOINT_FAILED, registered.get().get(Ops.ENDPOINT_STATE));
        impatient.bindRuntime(runtime, Map.of("osgi.http.endpoint", "http://127.0.0.1:7/"));
        assertEquals("http://127.0.0.1:7", uri());
        assertEquals(List.of(), impatient.findings());
        assertEquals(List.of(), endpoint.findings());
    }

    @Test
    void tellsNothingWhileItKnowsNothing() {
        endpoint.bindRuntime(runtime, Map.of());
        assertNull(uri());
    }
}
