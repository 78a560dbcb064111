package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;
import org.osgi.framework.wiring.FrameworkWiring;
import palyra.itests.Dist;
import palyra.itests.Wait;

/** The measure of what a swap leaves behind: it sees an old class that is held, and only that. */
public class BelongingsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String HELD = "com.google.gson.Gson";
    private static final String LATER = "org.apache.commons.io.IOUtils";

    @Rule public TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void aHeldClassOfAReplacedBundleIsSeenAndANewBundleIsNoLeak() throws Exception {
        Framework framework =
                ServiceLoader.load(FrameworkFactory.class)
                        .findFirst()
                        .orElseThrow()
                        .newFramework(
                                Map.of("org.osgi.framework.storage", folder.getRoot().getPath()));
        framework.start();
        try {
            Path jar = Dist.bundle("gson");
            Bundle replaced = framework.getBundleContext().installBundle(jar.toUri().toString());
            Class<?>[] held = {replaced.loadClass(HELD)};
            Belongings before = here();
            replace(framework, replaced, jar);
            replaced.loadClass(HELD);
            framework
                    .getBundleContext()
                    .installBundle(Dist.bundle("commons-io").toUri().toString())
                    .loadClass(LATER);
            assertEquals(
                    List.of("2 class loaders of " + jar.getFileName() + ", where 1 may be"),
                    loaders(before));
            held[0] = null;
            Wait.until(
                    "the old class to be gone",
                    PATIENCE,
                    () -> loaders(before).isEmpty(),
                    () -> "it is held");
        } finally {
            framework.stop();
            framework.waitForStop(PATIENCE.toMillis());
        }
    }

    private static List<String> loaders(Belongings before) throws Exception {
        return here().moreThan(before).stream()
                .filter(line -> line.contains("class loaders"))
                .toList();
    }

    private static Belongings here() throws Exception {
        return Belongings.of(ProcessHandle.current().pid());
    }

    private static void replace(Framework framework, Bundle bundle, Path jar) throws Exception {
        try (var in = Files.newInputStream(jar)) {
            bundle.update(in);
        }
        CountDownLatch refreshed = new CountDownLatch(1);
        framework
                .adapt(FrameworkWiring.class)
                .refreshBundles(
                        List.of(bundle),
                        event -> {
                            if (event.getType() == FrameworkEvent.PACKAGES_REFRESHED) {
                                refreshed.countDown();
                            }
                        });
        assertTrue(refreshed.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }
}
