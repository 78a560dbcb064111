package palyra.itests.stories;

import static org.junit.Assert.assertTrue;
import static org.ops4j.pax.exam.CoreOptions.frameworkProperty;

import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;

/**
 * Told that it runs on macOS, the framework picks the other sandbox, which then says what it is.
 */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class ForeignPlatformIT {
    @Configuration
    public Option[] configuration() {
        return ProductOptions.product(
                frameworkProperty("org.osgi.framework.os.name").value("MacOSX"));
    }

    @Test
    public void theSandboxOfThatSystemIsActiveAndRefusesOnThisOne() throws Exception {
        House house = House.ready();
        PlatformIT.Sandboxes.of(house).expect("palyra.sandbox.tierc.macos");
        String doctor = house.client().run("doctor").exits(1).out();
        assertTrue(doctor, doctor.contains("Tier C of macOS refuses every command"));
        assertTrue(
                doctor,
                doctor.contains(
                        "palyra.sandbox.tierc.linux is for another platform and stays off"));
        assertTrue(doctor, doctor.contains("this framework runs on MacOSX"));
    }
}
