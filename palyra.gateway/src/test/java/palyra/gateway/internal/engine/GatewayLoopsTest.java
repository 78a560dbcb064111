package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.journal.Journal;
import palyra.api.core.ops.LoopView;
import palyra.gateway.internal.agents.Agents;
import palyra.gateway.internal.seam.Services;
import palyra.testing.wait.Await;

/** The threads of the engine work on after an Error, and say that there was one. */
@Timeout(60)
class GatewayLoopsTest {
    @TempDir Path folder;

    private final Services services = Services.unbound();
    private final AtomicReference<String> failing = new AtomicReference<>("");
    private final AtomicInteger looks = new AtomicInteger();
    private final CountDownLatch ready = new CountDownLatch(1);
    private final AtomicInteger notReady = new AtomicInteger();
    private final AtomicReference<Error> whenReady = new AtomicReference<>();
    private LightGateway.Surroundings around;
    private EngineHost host;

    @BeforeEach
    void open() {
        around = new LightGateway.Surroundings(folder, "boot");
        services.journal().add(failingOnce(around.journal()), Map.of());
        services.keys().add(around.keys, Map.of());
        host =
                new EngineHost(
                        services,
                        new Agents(services.journal()),
                        LightGateway::settings,
                        "owner",
                        new EngineHost.ReadyListener() {
                            @Override
                            public void ready() {
                                Error error = whenReady.getAndSet(null);
                                if (error != null) {
                                    throw error;
                                }
                                ready.countDown();
                            }

                            @Override
                            public void notReady() {
                                notReady.incrementAndGet();
                            }
                        });
    }

    @AfterEach
    void close() {
        host.close();
        around.close();
    }

    /** A journal that throws an Error at the next call of the method that is named. */
    private Journal failingOnce(Journal real) {
        return (Journal)
                Proxy.newProxyInstance(
                        Journal.class.getClassLoader(),
                        new Class<?>[] {Journal.class},
                        (self, method, arguments) -> {
                            if (failing.compareAndSet(method.getName(), "")) {
                                throw new AssertionError("made up in " + method.getName());
                            }
                            if (method.getName().equals("pendingCommands")) {
                                looks.incrementAndGet();
                            }
                            try {
                                return method.invoke(real, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }

    private LoopView loop(String name) {
        return host.loops().stream()
                .filter(view -> view.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private void awaitReady() throws InterruptedException {
        Await.until("the engine to be ready", () -> ready.getCount() == 0);
    }

    private void assertFailedOnce(String name, String method) {
        LoopView view = loop(name);
        assertEquals(LoopView.State.RUNNING, view.state());
        assertEquals(1, view.restarts());
        assertEquals("AssertionError: made up in " + method, view.lastFailure());
        assertTrue(view.essential());
    }

    @Test
    void allLoopsRunWhenNothingFails() throws Exception {
        host.start();
        awaitReady();
        assertTrue(
                host.loops().stream()
                        .allMatch(
                                view ->
                                        view.state() == LoopView.State.RUNNING
                                                && view.restarts() == 0),
                () -> host.loops().toString());
        assertEquals(3, host.loops().size());
    }

    @Test
    void anErrorWhileTheEngineOpensIsFollowedByAnotherTry() throws Exception {
        failing.set("takeLease");
        host.start();
        awaitReady();
        assertFailedOnce("palyra-engine", "takeLease");
    }

    @Test
    void anErrorOfTheListenerIsFollowedByAnotherOpening() throws Exception {
        whenReady.set(new AssertionError("made up in ready"));
        host.start();
        awaitReady();
        assertFailedOnce("palyra-engine", "ready");
        assertEquals(1, notReady.get(), "what was half registered was taken back");
    }

    @Test
    void theDispatcherLooksAgainAfterAnError() throws Exception {
        host.start();
        awaitReady();
        Await.until("a look before", () -> looks.get() > 0);
        failing.set("inboxIn");
        Await.until("the Error", () -> loop("palyra-dispatcher").restarts() == 1);
        int before = looks.get();
        Await.until("a look after it", () -> looks.get() > before);
        assertFailedOnce("palyra-dispatcher", "inboxIn");
    }

    @Test
    void theLeaseIsRenewedAfterAnError() throws Exception {
        host.start();
        awaitReady();
        failing.set("takeLease");
        Await.until("the Error", () -> loop("palyra-engine-lease").restarts() == 1);
        Await.until(
                "the renewal to go on",
                () -> loop("palyra-engine-lease").state() == LoopView.State.RUNNING);
        assertFailedOnce("palyra-engine-lease", "takeLease");
        host.router();
    }
}
