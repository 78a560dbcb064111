package palyra.deploy.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;
import org.osgi.framework.startlevel.BundleStartLevel;
import org.osgi.framework.startlevel.FrameworkStartLevel;
import org.osgi.framework.wiring.FrameworkWiring;
import palyra.deploy.internal.parts.Clinger;
import palyra.deploy.internal.parts.Follower;
import palyra.deploy.internal.parts.Sleeper;
import palyra.shared.bundles.BundleContent;
import palyra.testing.wait.Await;

/** Bundles are started and uninstalled on the calling thread, with a timeout. */
@Timeout(300)
class BundleInstallerTest {
    private static final String NAME = "acme.one";
    private static final long MILLIS = 500;

    @TempDir Path state;
    private Gateway gateway;

    @BeforeEach
    void open() throws Exception {
        gateway = new Gateway(state);
        gateway.boot();
    }

    @AfterEach
    void close() throws Exception {
        gateway.stop();
    }

    private BundleInstaller work(int startLevel) {
        return new BundleInstaller(gateway.system(), gateway.runtime(), startLevel);
    }

    private Path jar(String name, Class<?> activator) throws Exception {
        byte[] bytes =
                new TestJar(name, "1.0.0")
                        .type(activator)
                        .header("Bundle-Activator", activator.getName())
                        .header("Import-Package", "org.osgi.framework")
                        .bytes();
        return Files.write(state.resolve(name + ".jar"), bytes);
    }

    private FrameworkStartLevel levels() {
        return gateway.system().getBundle().adapt(FrameworkStartLevel.class);
    }

    /**
     * The framework's own thread must have no reason to start it: no timeout guards a start of that
     * one. It is kept busy until ours is under way, and would come right after it.
     */
    @Test
    void aStartThatWasEndedIsNotBegunAgainByTheFramework() throws Exception {
        gateway.stop();
        gateway.boot(Map.of("org.osgi.framework.startlevel.beginning", "9"));
        int usual = levels().getInitialBundleStartLevel();
        keepTheFrameworkBusy();
        BundleInstaller work = work(7);
        Outcome outcome = work.put(NAME, jar(NAME, Sleeper.class), Optional.empty(), MILLIS);
        assertEquals(Outcome.Result.WITHDRAWN, outcome.result(), outcome.message());
        assertEquals(Optional.empty(), work.find(NAME));
        assertEquals(usual, levels().getInitialBundleStartLevel());
    }

    private void keepTheFrameworkBusy() throws Exception {
        Path jar = jar("test.busy", Follower.class);
        Bundle busy = gateway.system().installBundle(jar.toUri().toString());
        BundleStartLevel level = busy.adapt(BundleStartLevel.class);
        level.setStartLevel(12);
        busy.start();
        level.setStartLevel(5);
        Await.until("the framework to start it", () -> busy.getState() == Bundle.STARTING);
    }

    @Test
    void aBundleGetsTheStartLevelThatWasAskedFor() throws Exception {
        gateway.stop();
        gateway.boot(Map.of("org.osgi.framework.startlevel.beginning", "9"));
        BundleInstaller work = work(7);
        assertTrue(work.put(NAME, jar(NAME, Follower.class), Optional.empty(), MILLIS).isDone());
        Bundle bundle = work.find(NAME).orElseThrow();
        assertEquals(7, bundle.adapt(BundleStartLevel.class).getStartLevel());
    }

    @Test
    void whoeverHoldsOnToABundleIsNotWaitedForForEver() throws Exception {
        BundleInstaller work = work(1);
        Path jar = jar(NAME, Sleeper.class);
        Bundle bundle =
                gateway.system()
                        .installBundle(DeployedBundle.location(NAME), Files.newInputStream(jar));
        Thread starter = new Thread(() -> startAnyway(bundle));
        starter.start();
        Await.until("its start", () -> bundle.getState() == Bundle.STARTING);
        Outcome outcome = work.remove(NAME, MILLIS);
        assertEquals(Outcome.Result.FAILED, outcome.result());
        assertTrue(outcome.message().contains("did not end within 500 ms"), outcome.message());
        assertFalse(Thread.currentThread().isInterrupted());
        starter.interrupt();
        starter.join();
        assertTrue(work.remove(NAME, MILLIS).isDone());
    }

    @Test
    void aStopThatNeverEndsKeepsNoNewContentOut() throws Exception {
        Bundle bundle = gateway.system().installBundle(jar(NAME, Clinger.class).toUri().toString());
        bundle.start();
        byte[] next =
                new TestJar(NAME, "2.0.0").header("Import-Package", "org.osgi.framework").bytes();
        String problem =
                BundleContent.put(
                        bundle,
                        Files.write(state.resolve("next.jar"), next),
                        false,
                        true,
                        gateway.system().getBundle().adapt(FrameworkWiring.class),
                        new BundleContent.Limits(MILLIS, MILLIS));
        assertEquals("", problem);
        assertEquals("2.0.0", bundle.getVersion().toString());
        assertEquals(Bundle.ACTIVE, bundle.getState());
        assertFalse(Thread.currentThread().isInterrupted());
    }

    private static void startAnyway(Bundle bundle) {
        try {
            bundle.start();
        } catch (BundleException e) {
            // it is interrupted in the end
        }
    }
}
