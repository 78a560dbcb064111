package palyra.launcher;

import com.sun.security.auth.module.UnixSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.Bundle;

/** A gateway on bundles that the test makes, with a state folder of its own. */
final class TestGateway {
    private final Path home;
    private final TestBundles bundles;
    private final Gateway gateway;

    /** Makes one that does not run yet; its HTTP server would take any port. */
    TestGateway(Path folder, String... options) throws Exception {
        home = Files.createDirectory(folder.resolve("home"));
        bundles = new TestBundles(home);
        StateFolder state =
                StateFolder.open(
                        folder.resolve("state"), home, Math.toIntExact(new UnixSystem().getUid()));
        state.prepare();
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of("--http-port", "0"));
        Map<String, String> environment =
                Map.of("PALYRA_HOME", home.toString(), "PALYRA_STATE", state.path().toString());
        gateway =
                new Gateway(
                        FrameworkProperties.of(Options.parse(arguments, environment), state, 1, 2));
    }

    Path home() {
        return home;
    }

    TestBundles bundles() {
        return bundles;
    }

    Gateway gateway() {
        return gateway;
    }

    /** Returns the bundles that were made, as the launcher reads them. */
    List<BundleSet.Item> items() throws LaunchException {
        return BundleSet.scan(home.resolve("bundles"));
    }

    Gateway.Started start() throws LaunchException {
        return gateway.start(items(), BundleStarter::early);
    }

    /** Returns an installed bundle. */
    Bundle bundle(String name) {
        for (Bundle bundle : gateway.context().getBundles()) {
            if (name.equals(bundle.getSymbolicName())) {
                return bundle;
            }
        }
        throw new AssertionError("not installed: " + name);
    }

    /** Returns whether it stopped in time. */
    boolean stop() throws InterruptedException {
        return gateway.stop(TimeUnit.SECONDS.toMillis(20));
    }
}
