package palyra.itests.stories;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.Bundle;
import org.osgi.framework.wiring.BundleWiring;

/** The framework, and nothing else, picks the sandbox that fits this host. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class PlatformIT {
    @Configuration
    public Option[] configuration() {
        return ProductOptions.product();
    }

    @Test
    public void onlyTheSandboxOfThisSystemIsActive() throws Exception {
        House house = House.ready();
        Sandboxes.of(house).expect("palyra.sandbox.tierc.linux");
        String doctor = house.client().run("doctor").ok().out();
        for (String foreign : List.of("macos", "windows")) {
            assertTrue(
                    doctor,
                    doctor.contains(
                            "palyra.sandbox.tierc."
                                    + foreign
                                    + " is for another platform and stays off: it needs"));
        }
        assertTrue(doctor, doctor.contains("this framework runs on linux"));
    }

    /** The bundles of Tier C as the framework has them. */
    record Sandboxes(House house) {
        private static final List<String> ALL =
                List.of(
                        "palyra.sandbox.tierc.linux",
                        "palyra.sandbox.tierc.macos",
                        "palyra.sandbox.tierc.windows");

        /** Returns whether a bundle is for another system than the one that tests run on. */
        static boolean isForeign(Bundle bundle) {
            return ALL.contains(bundle.getSymbolicName())
                    && !bundle.getSymbolicName().equals("palyra.sandbox.tierc.linux");
        }

        static Sandboxes of(House house) {
            return new Sandboxes(house);
        }

        /** Expects that one is active and the others are installed and unresolved. */
        void expect(String active) {
            for (String name : ALL) {
                Bundle bundle = bundle(name);
                if (name.equals(active)) {
                    assertEquals(name, Bundle.ACTIVE, bundle.getState());
                } else {
                    assertEquals(name, Bundle.INSTALLED, bundle.getState());
                    assertEquals(name, null, bundle.adapt(BundleWiring.class));
                }
            }
        }

        private Bundle bundle(String name) {
            for (Bundle bundle : house.context().getBundles()) {
                if (name.equals(bundle.getSymbolicName())) {
                    return bundle;
                }
            }
            throw new AssertionError(name + " is not installed");
        }
    }
}
