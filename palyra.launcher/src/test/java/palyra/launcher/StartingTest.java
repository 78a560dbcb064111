package palyra.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.security.auth.module.UnixSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.Constants;

class StartingTest {
    private static final String HTTP = "org.apache.felix.http.jetty12";

    @TempDir Path folder;

    private Path home;
    private TestBundles bundles;
    private Gateway gateway;

    @BeforeEach
    void makeGateway() throws Exception {
        home = Files.createDirectory(folder.resolve("home"));
        bundles = new TestBundles(home);
        StateFolder state =
                StateFolder.open(
                        folder.resolve("state"), home, Math.toIntExact(new UnixSystem().getUid()));
        state.prepare();
        Map<String, String> environment =
                Map.of("PALYRA_HOME", home.toString(), "PALYRA_STATE", state.path().toString());
        Options options = Options.parse(List.of("--http-port", "0"), environment);
        gateway = new Gateway(FrameworkProperties.of(options, state, 1, 2));
    }

    @AfterEach
    void stop() throws Exception {
        assertTrue(gateway.stop(TimeUnit.SECONDS.toMillis(20)));
    }

    private Gateway.Started start() throws LaunchException {
        return gateway.start(BundleSet.scan(home.resolve("bundles")), Starting::early);
    }

    private List<String> early() throws Exception {
        List<BundleSet.Item> items = BundleSet.scan(home.resolve("bundles"));
        gateway.start(List.of(), all -> all);
        return Starting.early(BundleSet.install(gateway.context(), items)).stream()
                .map(one -> one.bundle().getSymbolicName())
                .toList();
    }

    @Test
    void startsInfrastructureThenWhoAsksToBeEarlyThenTheOthers() throws Exception {
        bundles.add(1, "log");
        bundles.add(3, "z.infrastructure", Starting.EARLY, "true");
        bundles.add(3, "y.infrastructure");
        bundles.add(5, "a");
        bundles.add(5, "b", Starting.EARLY, "false");
        bundles.add(5, "c", Starting.EARLY, "true");
        bundles.add(5, "d", Starting.EARLY, "true");
        assertEquals(
                List.of("log", "y.infrastructure", "z.infrastructure", "c", "d", "a", "b"),
                early());
    }

    @Test
    void isOverWhenTheHttpServerHasStarted() throws Exception {
        bundles.add(3, HTTP);
        bundles.add(5, "a");
        assertEquals(List.of(), start().failures());
        for (Bundle bundle : gateway.context().getBundles()) {
            assertEquals(Bundle.ACTIVE, bundle.getState(), bundle.toString());
        }
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
