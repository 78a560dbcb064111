package palyra.sandbox.internal.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.annotation.Annotation;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceFactory;
import org.osgi.framework.ServiceRegistration;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Access;
import palyra.api.core.egress.EgressConnection;
import palyra.api.core.egress.EgressProxies.AllowedHost;
import palyra.api.core.egress.EgressProxies.EgressProxy;
import palyra.api.core.egress.EgressResponse;
import palyra.api.core.egress.EgressTunnelRequest;
import palyra.api.core.egress.EgressTunnelRequest.Security;
import palyra.api.core.egress.EgressTunnelRequest.TunnelLimits;
import palyra.api.core.egress.EgressTunnels;
import palyra.api.core.journal.Journal;
import palyra.api.core.ops.Endpoint;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Ops;
import palyra.testing.access.FakeAccess;
import palyra.testing.access.FakeAccess.Use;
import palyra.testing.journal.MemoryJournal;

class EgressComponentTest {
    @TempDir Path state;

    private final Map<String, Object> values = new HashMap<>();
    private ServiceFactory<EgressTunnels> tunnels;

    private EgressConfiguration configuration() {
        return (EgressConfiguration)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {EgressConfiguration.class},
                        (proxy, method, arguments) ->
                                method.getName().equals("annotationType")
                                        ? (Class<? extends Annotation>) EgressConfiguration.class
                                        : values.getOrDefault(
                                                method.getName(), method.getDefaultValue()));
    }

    private BundleContext context(String folder) {
        return (BundleContext)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {BundleContext.class},
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "registerService" ->
                                            registered((ServiceFactory<?>) arguments[1]);
                                    case "getProperty" ->
                                            Ops.STATE_FOLDER.equals(arguments[0]) ? folder : null;
                                    default -> null;
                                });
    }

    @SuppressWarnings("unchecked")
    private ServiceRegistration<?> registered(ServiceFactory<?> factory) {
        tunnels = (ServiceFactory<EgressTunnels>) factory;
        return (ServiceRegistration<?>)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {ServiceRegistration.class},
                        (proxy, method, arguments) -> null);
    }

    private Bundle bundle(String name) {
        return (Bundle)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {Bundle.class},
                        (proxy, method, arguments) -> name);
    }

    /** A swap of the bundle that uses tunnels, and of this one. */
    @Test
    void tunnelsEndWithTheBundleThatOpenedThemAndWithThisOne() throws Exception {
        MemoryJournal store = new MemoryJournal();
        try (WebServer server = WebServer.start((head, in, out) -> in.transferTo(out))) {
            values.put("allowPrivate", new String[] {"127.0.0.1:" + server.port()});
            EgressComponent component =
                    new EgressComponent(context(state.toString()), configuration());
            component.bindAccess(new FakeAccess(Use.READ), Map.of());
            component.bindJournal(store, Map.of());
            EgressTunnelRequest request =
                    new EgressTunnelRequest(
                            Stage.ANNA,
                            "127.0.0.1",
                            server.port(),
                            Security.PLAIN,
                            List.of(),
                            TunnelLimits.DEFAULT);
            EgressTunnels first = tunnels.getService(bundle("org.first"), null);
            EgressTunnels second = tunnels.getService(bundle("org.second"), null);
            EgressConnection ofFirst = first.connect(request);
            EgressConnection ofSecond = second.connect(request);

            tunnels.ungetService(bundle("org.first"), null, first);
            String why = "the bundle org.first stopped, or gave the service back";
            assertEquals(why, ofFirst.closed().orElseThrow());
            assertEquals(
                    ErrorCode.TOOL_UNAVAILABLE,
                    assertThrows(PalyraException.class, () -> first.connect(request)).code());
            assertTrue(ofSecond.closed().isEmpty(), "the other bundle's goes on");
            ofSecond.out().write(1);

            component.deactivate();
            assertEquals("egress was shut down", ofSecond.closed().orElseThrow());
            assertThrows(PalyraException.class, () -> second.connect(request));
        }
        assertEquals(
                List.of(
                        "the bundle org.first stopped, or gave the service back",
                        "egress was shut down"),
                store.events(ConnectionRecord.CLOSED).stream()
                        .map(event -> event.path("reason").asText())
                        .toList());
        Stage.awaitNoThreads();
    }

    @Test
    void anUntouchedComponentConnectsToNothingPrivate() throws Exception {
        FakeAccess access = new FakeAccess(Use.READ);
        EgressComponent component = new EgressComponent(context(state.toString()), configuration());
        Access policy = access;
        Journal store = new MemoryJournal();
        component.bindAccess(policy, Map.of());
        component.bindJournal(store, Map.of());
        try (WebServer server = WebServer.saying("model")) {
            String place = "127.0.0.1:" + server.port();
            PalyraException denied =
                    assertThrows(
                            PalyraException.class,
                            () -> component.send(Stage.ofModel("http://" + place + "/")));
            assertEquals(ErrorCode.DENIED, denied.code());
            assertTrue(
                    denied.getMessage()
                            .endsWith(
                                    "add \""
                                            + place
                                            + "\" to allowPrivate, or its range to"
                                            + " allowPrivateRanges, in"
                                            + " conf/palyra.sandbox.egress.json."),
                    denied.getMessage());
            denied =
                    assertThrows(
                            PalyraException.class,
                            () -> component.send(Stage.ofModel("http://169.254.169.254/")));
            assertTrue(
                    !denied.getMessage().contains("allowPrivate"),
                    "what no setting allows is not proposed: " + denied.getMessage());

            values.put("allowPrivate", new String[] {place});
            component.modified(configuration());
            try (EgressResponse response = component.send(Stage.get("http://" + place + "/"))) {
                assertEquals(
                        "model",
                        new String(response.body().readAllBytes(), StandardCharsets.UTF_8));
            }

            Endpoint endpoint = new Endpoint() {};
            Map<String, Object> properties =
                    Map.of("service.id", 9L, Ops.ENDPOINT_URI, "http://" + place);
            component.bindEndpoint(endpoint, properties);
            assertThrows(
                    PalyraException.class,
                    () -> component.send(Stage.ofModel("http://" + place + "/")));
            component.updatedEndpoint(endpoint, Map.of("service.id", 9L));
            component.send(Stage.get("http://" + place + "/")).close();
            component.bindEndpoint(endpoint, properties);
            component.unbindEndpoint(endpoint);
            component.send(Stage.get("http://" + place + "/")).close();
            assertEquals(3, server.connections.get());
        }
        EgressProxy proxy =
                component.open(Stage.ANNA, List.of(new AllowedHost("a.test", 443)), 1_000);
        assertTrue(proxy.alive());
        assertTrue(
                component.metrics().stream()
                        .anyMatch(
                                metric ->
                                        metric.name().equals("palyra_egress_refused_total")
                                                && metric.labels().get("reason").equals("address")
                                                && metric.value() == 2));
        component.unbindJournal(store);
        component.unbindAccess(policy);
        assertEquals(Finding.Severity.WARNING, component.findings().get(0).severity());
        component.deactivate();
        assertTrue(!proxy.alive());
        Stage.awaitNoThreads();
    }

    @Test
    void badConfigurationIsNamed() {
        for (Map<String, Object> bad :
                List.<Map<String, Object>>of(
                        Map.of("allowPrivate", new String[] {"localhost"}),
                        Map.of("allowPrivate", new String[] {"*.local.test:80"}),
                        Map.of("allowPrivate", new String[] {"2130706433:80"}),
                        Map.of("maxConnections", 0),
                        Map.of("proxyMaxBytes", 1L),
                        Map.of("proxyHeadMillis", 1),
                        Map.of("proxyIdleMillis", 1),
                        Map.of("proxyConnections", 1_000))) {
            values.clear();
            values.putAll(bad);
            assertEquals(
                    ErrorCode.INVALID_ARGUMENT,
                    assertThrows(PalyraException.class, () -> EgressSettings.from(configuration()))
                            .code(),
                    bad.toString());
        }
        assertThrows(
                PalyraException.class, () -> new EgressComponent(context(""), configuration()));
    }
}
