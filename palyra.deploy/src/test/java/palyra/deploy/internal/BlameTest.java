package palyra.deploy.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.SynchronousBundleListener;
import org.osgi.service.component.runtime.dto.ComponentConfigurationDTO;
import palyra.deploy.internal.parts.Greeter;
import palyra.deploy.internal.parts.Moody;
import palyra.deploy.internal.parts.Relay;

/**
 * A drop answers for itself and for what it breaks, and for nothing else that happens meanwhile.
 */
@Timeout(300)
class BlameTest {
    private static final String NAME = "acme.one";

    @TempDir Path state;
    private Gateway gateway;
    private ServiceRegistration<?>
            mood; // what the moody component needs; not from the drop-in folder

    @BeforeEach
    void open() throws Exception {
        gateway = new Gateway(state);
        gateway.boot();
        mood = registerMood();
        install(
                new TestJar("test.moody", "1.0.0")
                        .component(Moody.class, TestJar.needs(Supplier.class, "mood")));
        gateway.await("the moody component", () -> stateOf("Moody") == GOOD);
    }

    @AfterEach
    void close() throws Exception {
        System.clearProperty(Moody.BAD);
        gateway.stop();
    }

    private static final int GOOD = ComponentConfigurationDTO.ACTIVE;

    private ServiceRegistration<?> registerMood() {
        return gateway.system()
                .registerService(
                        Supplier.class,
                        () -> "fine",
                        FrameworkUtil.asDictionary(Map.of("kind", "mood")));
    }

    private Bundle install(TestJar jar) throws Exception {
        byte[] bytes = jar.bytes();
        Bundle bundle =
                gateway.system()
                        .installBundle(
                                "test:" + bytes.length + Arrays.hashCode(bytes),
                                new ByteArrayInputStream(bytes));
        bundle.start();
        return bundle;
    }

    /** Returns the state of a component's one configuration; 0 without one. */
    private int stateOf(String component) {
        return gateway.runtime().getComponentDescriptionDTOs().stream()
                .filter(each -> each.name.equals(component))
                .flatMap(each -> gateway.runtime().getComponentConfigurationDTOs(each).stream())
                .mapToInt(each -> each.state)
                .findFirst()
                .orElse(0);
    }

    /** Does something while the dropped bundle starts: after others were looked at. */
    private void whileItStarts(Runnable step) {
        gateway.system()
                .addBundleListener(
                        (SynchronousBundleListener)
                                event -> {
                                    if (event.getType() == BundleEvent.STARTING
                                            && NAME.equals(event.getBundle().getSymbolicName())) {
                                        step.run();
                                    }
                                });
    }

    private void watch(byte[]... pinned) {
        gateway.watch(
                Samples.settings(
                        state, Arrays.stream(pinned).map(TestJar::pin).toArray(String[]::new)));
    }

    private static byte[] harmless() {
        return new TestJar(NAME, "1.0.0").component(Greeter.class, "").bytes();
    }

    @Test
    void aComponentThatLosesItsServiceMeanwhileIsNotBlamedOnTheDrop() throws Exception {
        whileItStarts(mood::unregister);
        byte[] jar = harmless();
        watch(jar);
        gateway.drop("one.jar", jar);
        gateway.awaitRow("one.jar", Row.State.ACTIVE);
        assertEquals(ComponentConfigurationDTO.UNSATISFIED_REFERENCE, stateOf("Moody"));
        assertTrue(gateway.isActive(NAME, "1.0.0"));
    }

    @Test
    void aComponentThatFailsMeanwhileIsNotBlamedOnTheDrop() throws Exception {
        whileItStarts(
                () -> {
                    System.setProperty(Moody.BAD, "true");
                    mood.unregister();
                    registerMood();
                });
        byte[] jar = harmless();
        watch(jar);
        gateway.drop("one.jar", jar);
        gateway.awaitRow("one.jar", Row.State.ACTIVE);
        assertEquals(ComponentConfigurationDTO.FAILED_ACTIVATION, stateOf("Moody"));
        assertTrue(gateway.isActive(NAME, "1.0.0"));
    }

    @Test
    void aComponentThatFailsWithTheServiceOfTheDropIsBlamedOnIt() throws Exception {
        whileItStarts(
                () -> {
                    System.setProperty(Moody.BAD, "true");
                    mood.unregister();
                });
        byte[] jar =
                new TestJar(NAME, "1.0.0")
                        .component(Greeter.class, TestJar.offers(Supplier.class, "mood"))
                        .bytes();
        watch(jar);
        gateway.drop("one.jar", jar);
        String said = gateway.awaitRow("one.jar", Row.State.FAILED).explanation();
        assertTrue(said.contains("Moody of test.moody"), said);
        assertTrue(gateway.bundle(NAME).isEmpty());
    }

    @Test
    void whoWaitsForWhatAnUpdateNoLongerOffersIsBlamedOnItWithAllThatFollows() throws Exception {
        byte[] good =
                new TestJar(NAME, "1.0.0")
                        .component(Greeter.class, TestJar.offers(Supplier.class, "greeting"))
                        .bytes();
        byte[] bad = new TestJar(NAME, "2.0.0").component(Greeter.class, "").bytes();
        watch(good, bad);
        gateway.drop("one.jar", good);
        gateway.awaitRow("one.jar", Row.State.ACTIVE);
        install(
                new TestJar("test.second", "1.0.0")
                        .component(
                                Relay.class,
                                TestJar.offers(Runnable.class, "relay")
                                        + TestJar.needs(Supplier.class, "greeting")));
        install(
                new TestJar("test.third", "1.0.0")
                        .component(Moody.class, TestJar.needs(Runnable.class, "relay")));
        gateway.await("the relay", () -> stateOf("Relay") == GOOD);
        gateway.drop("one.jar", bad);
        String said = gateway.awaitRow("one.jar", Row.State.FAILED).explanation();
        assertTrue(said.contains("Relay of test.second waits for a service"), said);
        assertTrue(said.contains("Moody of test.third waits for a service"), said);
        assertTrue(gateway.isActive(NAME, "1.0.0"));
        gateway.await("the relay again", () -> stateOf("Relay") == GOOD);
    }
}
