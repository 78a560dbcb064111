package palyra.deploy.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import palyra.api.command.Command;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.MetricSource;
import palyra.api.core.ops.Ops;
import palyra.api.core.ops.Readiness;

/** The component with its own settings, seams and services. */
@Timeout(300)
class DeployComponentTest {
    @TempDir Path state;
    private Gateway gateway;
    private BundleContext context;
    private DeployComponent component;

    @BeforeEach
    void open() throws Exception {
        gateway = new Gateway(state);
        gateway.boot(Map.of(Ops.STATE_FOLDER, state.toString(), Ops.BOOT_ID, "b"));
        context = gateway.bundle("org.apache.felix.scr").orElseThrow().getBundleContext();
    }

    @AfterEach
    void close() throws Exception {
        component.deactivate();
        gateway.stop();
    }

    private static DeployConfiguration configuration(boolean enabled, String... pins) {
        return Samples.configuration(Map.of("enabled", enabled, "pins", pins));
    }

    private void activate(DeployConfiguration configuration) {
        ServiceComponentRuntime runtime =
                context.getService(context.getServiceReference(ServiceComponentRuntime.class));
        component = new DeployComponent(context, runtime, configuration);
        component.bindJournal(gateway.journal, Map.of());
        component.bindAccess(gateway.access, Map.of());
        component.activate();
    }

    @Test
    void isOffUnlessItIsSwitchedOnAndWaitsForTheGateway() throws Exception {
        byte[] jar = new TestJar("acme.one", "1.0.0").bytes();
        activate(configuration(false, TestJar.pin(jar)));
        assertEquals(6, context.getServiceReferences(Command.class, null).size());
        assertEquals(1, context.getServiceReferences(FindingSource.class, null).size());
        assertEquals(1, context.getServiceReferences(MetricSource.class, null).size());
        assertTrue(Files.notExists(state.resolve("deploy")), "nothing is made while it is off");
        component.modified(configuration(true, TestJar.pin(jar)));
        gateway.drop("one.jar", jar);
        FindingSource findings =
                context.getService(context.getServiceReference(FindingSource.class));
        gateway.await(
                "it to wait for the gateway",
                () ->
                        findings.findings().stream()
                                .anyMatch(f -> f.message().contains("the start of the gateway")));
        assertTrue(gateway.bundle("acme.one").isEmpty());
        Readiness ready = () -> 1;
        context.registerService(
                Readiness.class, ready, FrameworkUtil.asDictionary(Map.of(Ops.READY, true)));
        gateway.awaitActive("acme.one", "1.0.0");
        component.deactivate();
        assertEquals(Bundle.ACTIVE, gateway.bundle("acme.one").orElseThrow().getState());
        assertNull(context.getServiceReference(Command.class));
        activate(configuration(false));
        gateway.awaitGone("acme.one");
    }
}
