package palyra.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.Constants;
import org.osgi.framework.SynchronousBundleListener;

class BundleStarterTest {
    private static final String HTTP = "org.apache.felix.http.jetty12";

    @TempDir Path folder;

    private TestGateway house;
    private TestBundles bundles;

    @BeforeEach
    void makeGateway() throws Exception {
        house = new TestGateway(folder);
        bundles = house.bundles();
    }

    @AfterEach
    void stop() throws Exception {
        assertTrue(house.stop());
    }

    private Gateway.Started start() throws LaunchException {
        return house.start();
    }

    private List<String> early() throws Exception {
        List<BundleSet.Item> items = house.items();
        house.gateway().start(List.of(), all -> all);
        return BundleStarter.early(BundleSet.install(house.gateway().context(), items)).stream()
                .map(one -> one.bundle().getSymbolicName())
                .toList();
    }

    @Test
    void startsInfrastructureThenWhoAsksToBeEarlyThenTheOthers() throws Exception {
        bundles.add(1, "log");
        bundles.add(3, "z.infrastructure", BundleStarter.EARLY, "true");
        bundles.add(3, "y.infrastructure");
        bundles.add(5, "a");
        bundles.add(5, "b", BundleStarter.EARLY, "false");
        bundles.add(5, "c", BundleStarter.EARLY, "true");
        bundles.add(5, "d", BundleStarter.EARLY, "true");
        assertEquals(
                List.of("log", "y.infrastructure", "z.infrastructure", "c", "d", "a", "b"),
                early());
    }

    @Test
    void isOverWhenTheHttpServerHasStarted() throws Exception {
        bundles.add(3, HTTP);
        bundles.add(5, "a");
        assertEquals(List.of(), start().failures());
        for (Bundle bundle : house.gateway().context().getBundles()) {
            assertEquals(Bundle.ACTIVE, bundle.getState(), bundle.toString());
        }
    }

    /** A request in between would meet a server that knows no path. */
    @Test
    void theHttpServerStartsAfterTheBundleThatAnswersThere() throws Exception {
        bundles.add(3, HTTP);
        bundles.add(5, "a");
        bundles.add(5, "palyra.health");
        List<String> started = new CopyOnWriteArrayList<>();
        house.gateway()
                .start(
                        house.items(),
                        all -> {
                            house.gateway()
                                    .context()
                                    .addBundleListener(
                                            (SynchronousBundleListener)
                                                    event -> started.add(name(event)));
                            return all;
                        });
        assertTrue(started.indexOf("palyra.health") < started.indexOf(HTTP), started.toString());
    }

    private static String name(BundleEvent event) {
        return event.getType() == BundleEvent.STARTING ? event.getBundle().getSymbolicName() : "";
    }

    @Test
    void endsTheStartWhenTheHttpServerDoesNot() throws Exception {
        bundles.add(3, HTTP, Constants.BUNDLE_ACTIVATOR, "no.such.Activator");
        bundles.add(5, "a");
        LaunchException broken = assertThrows(LaunchException.class, this::start);
        assertEquals(ExitCode.BROKEN, broken.exitCode());
        assertTrue(broken.getMessage().contains(HTTP + " does not start: "), broken.getMessage());
    }

    @Test
    void namesAnHttpServerOfSomebodyElseThatDoesNotStart() throws Exception {
        bundles.add(5, HTTP, Constants.BUNDLE_ACTIVATOR, "no.such.Activator");
        bundles.add(5, "z");
        List<String> failures = start().failures();
        assertEquals(1, failures.size());
        assertTrue(failures.get(0).startsWith(HTTP + " does not start: "), failures.toString());
    }
}
