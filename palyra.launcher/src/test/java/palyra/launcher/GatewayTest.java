package palyra.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.SynchronousBundleListener;
import org.osgi.framework.startlevel.BundleStartLevel;

@Timeout(60)
class GatewayTest {
    @TempDir Path folder;

    private TestGateway house;
    private TestBundles bundles;
    private Gateway gateway;

    @BeforeEach
    void makeGateway() throws Exception {
        house = new TestGateway(folder, "--set", "a:b=c", "--set", "d:e=f");
        bundles = house.bundles();
        gateway = house.gateway();
    }

    @AfterEach
    void stop() throws Exception {
        assertTrue(house.stop());
    }

    private Gateway.Started start() throws LaunchException {
        return house.start();
    }

    private Bundle bundle(String name) {
        return house.bundle(name);
    }

    private String onlyBroken() throws LaunchException {
        Resolution resolution = start().resolution();
        assertEquals(1, resolution.broken().size());
        return resolution.broken().get(0).sentence();
    }

    @Test
    void startsWhatResolvesAndTellsBundlesWhereTheyAre() throws Exception {
        bundles.add(1, "log");
        bundles.add(5, "palyra.good", "Import-Package", "org.osgi.framework");
        Gateway.Started started = start();
        assertEquals(List.of(), started.resolution().broken());
        assertEquals(List.of(), started.failures());
        assertEquals(Bundle.ACTIVE, bundle("palyra.good").getState());
        assertEquals(Bundle.ACTIVE, bundle("log").getState());
        assertEquals(house.home().toString(), gateway.context().getProperty("palyra.home"));
        assertEquals("a:b=c\nd:e=f", gateway.context().getProperty("palyra.conf.overrides"));
        assertEquals("127.0.0.1", gateway.context().getProperty("org.apache.felix.http.host"));
        for (String promised : FrameworkProperties.promised()) {
            assertFalse(gateway.context().getProperty(promised).isEmpty(), promised);
        }
    }

    @Test
    void lendsBundlesTheLoggingThatTheLauncherHas() throws Exception {
        bundles.add(5, "palyra.talking", "Import-Package", "org.slf4j;version=\"[2.0,3)\"");
        bundles.add(3, "older", "Import-Package", "org.slf4j;version=\"[1.7,2)\"");
        assertEquals(List.of(), start().resolution().broken());
        assertEquals(Bundle.ACTIVE, bundle("palyra.talking").getState());
        assertEquals(Bundle.ACTIVE, bundle("older").getState());
    }

    @Test
    void lendsNothingElseOfItsClassPath() throws Exception {
        bundles.add(5, "palyra.curious", "Import-Package", "ch.qos.logback.classic");
        assertEquals(
                "palyra.curious does not resolve: no bundle supplies package"
                        + " ch.qos.logback.classic",
                onlyBroken());
    }

    @Test
    void givesOnlyLoggingAStartLevelOfItsOwn() throws Exception {
        bundles.add(1, "log");
        bundles.add(5, "palyra.good");
        start();
        assertEquals(
                BundleSet.LOGGING_LEVEL,
                bundle("log").adapt(BundleStartLevel.class).getStartLevel());
        assertEquals(
                BundleSet.PRODUCT_LEVEL,
                bundle("palyra.good").adapt(BundleStartLevel.class).getStartLevel());
    }

    @Test
    void namesTheMissingPackageAndStartsTheOthers() throws Exception {
        bundles.add(5, "palyra.good");
        bundles.add(5, "palyra.lonely", "Import-Package", "org.example.absent;version=\"[1.2,2)\"");
        assertEquals(
                "palyra.lonely does not resolve: no bundle supplies package org.example.absent of a"
                        + " version in [1.2.0,2.0.0)",
                onlyBroken());
        assertEquals(Bundle.ACTIVE, bundle("palyra.good").getState());
    }

    @Test
    void namesTheMissingCapability() throws Exception {
        bundles.add(
                5,
                "palyra.lonely",
                "Require-Capability",
                "org.example.thing;filter:=\"(size>=3)\"");
        assertEquals(
                "palyra.lonely does not resolve: no bundle supplies capability org.example.thing"
                        + " (size>=3)",
                onlyBroken());
    }

    @Test
    void blamesTheBundleThatABrokenChainStartsAt() throws Exception {
        bundles.add(
                5,
                "palyra.first",
                "Export-Package",
                "a.b;version=1.0",
                "Import-Package",
                "absent.p");
        bundles.add(5, "palyra.second", "Import-Package", "a.b");
        List<String> sentences =
                start().resolution().broken().stream().map(Resolution.Broken::sentence).toList();
        assertTrue(
                sentences.contains(
                        "palyra.first does not resolve: no bundle supplies package absent.p"),
                sentences.toString());
        assertTrue(
                sentences.contains(
                        "palyra.second does not resolve: it needs palyra.first, which does not"
                                + " resolve itself"),
                sentences.toString());
    }

    @Test
    void passesOverABundleForAnotherSystemInSilence() throws Exception {
        bundles.add(
                5,
                "palyra.elsewhere",
                "Require-Capability",
                "osgi.native;filter:=\"(osgi.native.osname=NoSuchSystem)\"");
        Gateway.Started started = start();
        assertEquals(List.of("palyra.elsewhere"), started.resolution().foreign());
        assertEquals(List.of(), started.resolution().broken());
        assertEquals(Bundle.INSTALLED, bundle("palyra.elsewhere").getState());
    }

    @Test
    void reportsABundleForAnotherSystemThatLacksSomethingElseToo() throws Exception {
        bundles.add(
                5,
                "palyra.elsewhere",
                "Require-Capability",
                "osgi.native;filter:=\"(osgi.native.osname=NoSuchSystem)\"",
                "Import-Package",
                "absent.p");
        assertTrue(onlyBroken().contains("package absent.p"));
    }

    @Test
    void reportsABundleWhoseActivatorFails() throws Exception {
        bundles.add(5, "palyra.bad", Constants.BUNDLE_ACTIVATOR, "no.such.Activator");
        List<String> failures = start().failures();
        assertEquals(1, failures.size());
        assertTrue(failures.get(0).startsWith("palyra.bad does not start: "), failures.toString());
        assertFalse(failures.get(0).contains("\n"));
    }

    @Test
    void doesNotStartOnBrokenInfrastructure() throws Exception {
        bundles.add(3, "infra.bad", "Import-Package", "absent.p");
        LaunchException refused = assertThrows(LaunchException.class, this::start);
        assertEquals(ExitCode.BROKEN, refused.exitCode());
        assertTrue(refused.getMessage().contains("infra.bad does not resolve"));
    }

    @Test
    void saysWhenThereIsNoBundleAtAll() throws Exception {
        Files.createDirectories(house.home().resolve("bundles/5"));
        LaunchException refused = assertThrows(LaunchException.class, this::start);
        assertEquals(ExitCode.BROKEN, refused.exitCode());
        assertTrue(refused.getMessage().contains("PALYRA_HOME"));
    }

    @Test
    void isReadyWhenAServiceSaysSoAndReadsTheEndpoints() throws Exception {
        bundles.add(5, "palyra.good");
        start();
        registerJudge(Map::of);
        Readiness readiness = Readiness.watch(gateway.context());
        register(Map.of("palyra.ready", "false"));
        register(
                Map.of(
                        "palyra.endpoint.uri", "http://127.0.0.1:4711",
                        "palyra.endpoint.name", "http"));
        register(Map.of("palyra.ready", "true"));
        assertEquals(Map.of(), readiness.await(TimeUnit.SECONDS.toMillis(20)));
        assertEquals(Map.of("http", "http://127.0.0.1:4711"), readiness.endpoints());
        assertEquals(
                Map.of(),
                Readiness.watch(gateway.context()).await(0),
                "already ready when watched");
    }

    @Test
    void isNotReadyWhileTheJudgeBehindReadyzSaysNo() throws Exception {
        bundles.add(5, "palyra.good");
        start();
        Readiness readiness = Readiness.watch(gateway.context());
        register(Map.of("palyra.ready", "true"));
        assertEquals(Set.of("health"), readiness.await(0).keySet(), "no readiness service");
        AtomicReference<Map<String, String>> verdict =
                new AtomicReference<>(Map.of("journal", "It is DISK_FULL."));
        registerJudge(verdict::get);
        assertEquals(verdict.get(), readiness.await(0));
        verdict.set(Map.of());
        assertEquals(Map.of(), readiness.await(TimeUnit.SECONDS.toMillis(20)));
    }

    @Test
    void waitsForEndpointsThatAreBeingOpened() throws Exception {
        bundles.add(5, "palyra.good");
        start();
        ServiceRegistration<?> before = register(opening("grpc"));
        Readiness readiness = Readiness.watch(gateway.context());
        register(Map.of("palyra.ready", "true"));
        registerJudge(Map::of);
        assertEquals(Map.of(), readiness.await(0));
        assertFalse(readiness.awaitEndpoints(1));
        ServiceRegistration<?> after = register(opening("other"));
        before.setProperties(
                new Hashtable<>(
                        Map.of(
                                "palyra.endpoint.uri", "grpc://127.0.0.1:1",
                                "palyra.endpoint.name", "grpc")));
        assertFalse(readiness.awaitEndpoints(1), "the other one is still being opened");
        assertEquals(Map.of("other", "it is still being opened"), readiness.silent());
        Thread opener = new Thread(after::unregister);
        opener.start();
        assertTrue(readiness.awaitEndpoints(TimeUnit.SECONDS.toMillis(20)));
        opener.join();
        assertEquals(Map.of("grpc", "grpc://127.0.0.1:1"), readiness.endpoints());
        assertEquals(Map.of(), readiness.silent());
    }

    @Test
    void doesNotWaitForAnEndpointThatFailedButSaysWhy() throws Exception {
        bundles.add(5, "palyra.good");
        start();
        Readiness readiness = Readiness.watch(gateway.context());
        ServiceRegistration<?> grpc = register(opening("grpc"));
        grpc.setProperties(
                new Hashtable<>(
                        Map.of(
                                "palyra.endpoint.state", "failed",
                                "palyra.endpoint.problem", "The port is taken.",
                                "palyra.endpoint.name", "grpc")));
        assertTrue(readiness.awaitEndpoints(0));
        assertEquals(Map.of("grpc", "The port is taken."), readiness.silent());
        grpc.setProperties(new Hashtable<>(opening("grpc")));
        assertFalse(readiness.awaitEndpoints(1), "it is tried again");
    }

    private static Map<String, String> opening(String name) {
        return Map.of("palyra.endpoint.state", "opening", "palyra.endpoint.name", name);
    }

    private void registerJudge(Supplier<Map<String, String>> judge) {
        Dictionary<String, Object> properties =
                new Hashtable<>(Map.of("palyra.readiness", "judge"));
        gateway.context().registerService(Supplier.class, judge, properties);
    }

    private ServiceRegistration<?> register(Map<String, String> properties) {
        Dictionary<String, Object> dictionary = new Hashtable<>(properties);
        return gateway.context().registerService(Object.class, new Object(), dictionary);
    }

    @Test
    void saysThatWithoutTheComponentRuntimeNothingIsActive() throws Exception {
        bundles.add(5, "palyra.good");
        Gateway.Started started = start();
        Components components = Components.read(gateway.context());
        List<String> lines =
                StartupReport.lines(
                        Map.of("journal", "It is DISK_FULL."),
                        20_000,
                        components,
                        new StartupReport.Listening(Map.of(), Map.of("grpc", "why")),
                        started);
        assertTrue(lines.get(0).startsWith("palyra is NOT ready after 20000 ms: 0 components"));
        assertEquals("  not ready: journal: It is DISK_FULL.", lines.get(1));
        assertEquals("  not listening: grpc: why", lines.get(2));
        assertTrue(lines.get(3).contains("component runtime is not running"));
    }

    @Test
    void shufflesEverythingButLogging() throws Exception {
        bundles.add(1, "log");
        for (int i = 0; i < 20; i++) {
            bundles.add(i % 2 == 0 ? 3 : 5, "b" + i);
        }
        List<BundleSet.Item> items = house.items();
        List<BundleSet.Item> once = BundleSet.shuffled(items, 11);
        assertEquals(1, once.get(0).folder());
        assertEquals(once, BundleSet.shuffled(items, 11));
        assertFalse(once.equals(items));
        assertTrue(once.containsAll(items));
        gateway.start(once, all -> all);
    }

    /** Installed in the order in which the framework by itself would stop them wrongly. */
    @Test
    void stopsWhoUsesServicesBeforeWhoOffersThem() throws Exception {
        bundles.add(5, "palyra.a.surface");
        bundles.add(5, "palyra.b.engine");
        bundles.add(5, "palyra.c.store");
        start();
        uses("palyra.b.engine", "palyra.c.store", "store");
        uses("palyra.a.surface", "palyra.b.engine", "engine");
        uses("palyra.a.surface", "palyra.c.store", "store");
        List<String> stopped = new CopyOnWriteArrayList<>();
        gateway.context()
                .addBundleListener(
                        (SynchronousBundleListener)
                                event -> {
                                    boolean over = event.getType() == BundleEvent.STOPPED;
                                    if (over && event.getBundle().getBundleId() != 0) {
                                        stopped.add(event.getBundle().getSymbolicName());
                                    }
                                });
        assertTrue(house.stop());
        assertEquals(List.of("palyra.a.surface", "palyra.b.engine", "palyra.c.store"), stopped);
    }

    private void uses(String user, String provider, String service) throws Exception {
        BundleContext offers = bundle(provider).getBundleContext();
        BundleContext takes = bundle(user).getBundleContext();
        ServiceReference<?> reference =
                offers.registerService(String.class, service, null).getReference();
        assertEquals(service, takes.getService(reference));
    }
}
