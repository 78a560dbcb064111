package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.PalyraException;
import palyra.gateway.internal.agents.Agents;
import palyra.gateway.internal.seam.Services;
import palyra.testing.wait.Await;

/** No run begins or goes on before the settings are there, and none waits for ever. */
class SettingsWaitTest {
    private static final long LONG = 60_000;

    @TempDir Path folder;

    private final AtomicReference<Optional<String>> missing =
            new AtomicReference<>(Optional.of("palyra.gateway.budget~daily"));
    private final CountDownLatch ready = new CountDownLatch(1);
    private final Services services = Services.unbound();
    private LightGateway.Surroundings around;
    private EngineHost host;

    @BeforeEach
    void open() {
        around = new LightGateway.Surroundings(folder, "boot");
        services.journal().add(around.journal(), Map.of());
        services.keys().add(around.keys, Map.of());
    }

    @AfterEach
    void close() {
        host.close();
        around.close();
    }

    private void start(long waitMillis) {
        host =
                new EngineHost(
                        services,
                        new Agents(services.journal()),
                        LightGateway::settings,
                        "owner",
                        new EngineHost.ReadyListener() {
                            @Override
                            public void ready() {
                                ready.countDown();
                            }

                            @Override
                            public void notReady() {
                                // it ends with the test
                            }
                        },
                        missing::get,
                        waitMillis);
        host.start();
    }

    @Test
    void takesNoLeaseBeforeWhatItMissesIsThereAndSaysWhatItWaitsFor() throws Exception {
        start(LONG);
        Await.until(
                "a refusal that says why",
                () -> {
                    var refused = assertThrows(PalyraException.class, () -> host.router());
                    return refused.getMessage().contains("palyra.gateway.budget~daily");
                });
        assertFalse(ready.await(200, TimeUnit.MILLISECONDS));
        assertEquals(Optional.of("palyra.gateway.budget~daily"), host.waitsFor());
        missing.set(Optional.empty());
        assertTrue(ready.await(LONG, TimeUnit.MILLISECONDS));
        host.router();
        assertEquals(Optional.empty(), host.waitsFor());
        assertEquals(Optional.empty(), host.beganWithout());
    }

    @Test
    void beginsInTheEndAndSaysWhatItBeganWithout() throws Exception {
        start(50);
        assertTrue(ready.await(LONG, TimeUnit.MILLISECONDS));
        assertEquals(Optional.of("palyra.gateway.budget~daily"), host.beganWithout());
    }

    @Test
    void endsWhileItWaits() {
        start(LONG);
        host.close();
        assertEquals(Optional.empty(), host.beganWithout());
        assertEquals(1, ready.getCount());
    }
}
