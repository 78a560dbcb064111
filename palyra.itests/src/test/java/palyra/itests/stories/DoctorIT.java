package palyra.itests.stories;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;
import palyra.itests.Wait;

/** {@code doctor} says what is missing, why, and what to do. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class DoctorIT {
    private House house;
    private Bundle strange;

    @Configuration
    public Option[] configuration() {
        return ProductOptions.product();
    }

    @Before
    public void open() throws Exception {
        house = House.ready();
        doctor(0);
    }

    @After
    public void cure() throws Exception {
        if (strange != null) {
            strange.uninstall();
        }
        doctor(0);
    }

    private JsonNode doctor(int exit) throws Exception {
        return house.client().run("doctor", "--json").exits(exit).json();
    }

    private void install(TestBundle bundle) throws IOException, BundleException {
        try (InputStream jar = bundle.jar()) {
            strange = house.context().installBundle("memory:strange", jar);
        }
    }

    private static void says(JsonNode findings, String severity, String message, String remedy) {
        for (JsonNode finding : findings) {
            if (finding.path("severity").asText().equals(severity)
                    && finding.path("message").asText().contains(message)
                    && finding.path("remedy").asText().contains(remedy)) {
                return;
            }
        }
        fail("no " + severity + " '" + message + "' / '" + remedy + "' in " + findings);
    }

    /** What lives as long as its bundle is told of; a loop of the list that is gone is a fault. */
    @Test
    public void theLoopsOfAllBundlesAreShownAndRunWithoutFailure() throws Exception {
        JsonNode each = house.client().run("status", "--json").json().at("/loops/each");
        for (String loop :
                List.of(
                        "palyra-access",
                        "palyra-command-socket",
                        "palyra-config",
                        "palyra-deploy",
                        "palyra-dispatcher",
                        "palyra-engine",
                        "palyra-grpc",
                        "palyra-journal-writer",
                        "palyra-policy",
                        "palyra-policy-watch",
                        "palyra-sandbox-background-clock",
                        "palyra-sandbox-canary",
                        "palyra-sandbox-egress-journal",
                        "palyra-sandbox-egress-policy",
                        "palyra-sandbox-egress-watch",
                        "palyra-shell-deadlines",
                        "palyra-skills-audit",
                        "palyra-skills-retire",
                        "palyra-skills-watch",
                        "palyra-tools-clock",
                        "palyra-vault-work",
                        "palyra-wasm-endive-watch",
                        "palyra-wasm-wasmtime-watch")) {
            JsonNode found = MissingNode.getInstance();
            for (JsonNode one : each) {
                found = one.path("name").asText().equals(loop) ? one : found;
            }
            assertEquals(loop + " in " + each, "RUNNING", found.path("state").asText());
            assertEquals(found.toString(), 0, found.path("restarts").asInt(-1));
        }
    }

    @Test
    public void aBundleForAnotherPlatformIsNoFault() throws Exception {
        install(
                new TestBundle("story.foreign")
                        .header(
                                "Require-Capability",
                                "osgi.native;filter:=\"(osgi.native.osname~=win32)\""));
        assertThrows(BundleException.class, () -> strange.start());
        assertEquals(Bundle.INSTALLED, strange.getState());
        says(doctor(0), "INFO", "story.foreign is for another platform and stays off", "");
    }

    @Test
    public void aBundleThatLacksAPackageIsExplained() throws Exception {
        install(
                new TestBundle("story.lonely")
                        .header("Import-Package", "org.example.absent;version=\"[1.2,2)\""));
        assertThrows(BundleException.class, () -> strange.start());
        says(
                doctor(1),
                "ERROR",
                "story.lonely is not resolved: it needs the package org.example.absent from version"
                        + " 1.2",
                "Install a bundle that offers it");
    }

    @Test
    public void aComponentThatWaitsForAServiceIsExplained() throws Exception {
        install(new TestBundle("story.waiting").component("story.waiter", "org.example.Absent"));
        strange.start();
        Wait.until("doctor to notice", () -> house.client().run("doctor").exit() == 1);
        says(
                doctor(1),
                "ERROR",
                "story.waiter of story.waiting waits for its reference wanted: a service"
                        + " org.example.Absent",
                "No installed bundle supplies it");
    }

    @Test
    public void aComponentThatWaitsForABundleOfOursNamesIt() throws Exception {
        Bundle models = house.bundle("palyra.models");
        models.stop();
        try {
            install(
                    new TestBundle("story.waiting")
                            .component("story.waiter", "palyra.api.model.ModelProvider"));
            strange.start();
            JsonNode findings = doctor(1);
            says(
                    findings,
                    "ERROR",
                    "story.waiter of story.waiting waits for its reference wanted",
                    "palyra.models would supply it and is not started: palyra bundle start "
                            + models.getBundleId());
            says(findings, "WARNING", "palyra.models is installed but not started", "start");
        } finally {
            strange.stop(); // it has no class to start with
            models.start();
        }
    }

    @Test
    public void itsRemedyWorks() throws Exception {
        house.bundle("palyra.models").stop();
        String remedy = doctor(1).get(0).path("remedy").asText();
        Matcher command = Pattern.compile("palyra bundle start ([0-9]+)").matcher(remedy);
        assertTrue(remedy, command.find());
        house.client().run("bundle", "start", command.group(1)).ok();
        Wait.until("doctor to be content", () -> house.client().run("doctor").exit() == 0);
        assertTrue(house.client().run("ask", "still there?").ok().out().contains("still there?"));
    }
}
