package palyra.itests.stories;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.Bundle;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.osgi.service.component.runtime.dto.ComponentConfigurationDTO;
import org.osgi.service.component.runtime.dto.ComponentDescriptionDTO;
import palyra.itests.Wait;

/** Every component that failed over its configuration begins again when the file is corrected. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class CorrectionIT {
    /** By file: values that fit the schema, and that the component itself refuses. */
    private static final Map<String, String> REFUSED =
            new TreeMap<>(
                    Map.ofEntries(
                            Map.entry(
                                    "palyra.channels.route~bad", "{\"connectors\":[\"No Name\"]}"),
                            Map.entry("palyra.connectors.discord~bad", "{\"token\":\"plain\"}"),
                            Map.entry("palyra.connectors.telegram~bad", "{\"token\":\"plain\"}"),
                            Map.entry(
                                    "palyra.connectors.webhook~bad",
                                    "{\"callbackUrl\":\"ftp://x\"}"),
                            Map.entry("palyra.gateway", "{\"currency\":\"U S\"}"),
                            Map.entry("palyra.health", "{\"allowedHosts\":[\"a:1\"]}"),
                            Map.entry("palyra.models.anthropic~bad", "{\"baseUrl\":\"ftp://x\"}"),
                            Map.entry("palyra.models.openai~bad", "{\"baseUrl\":\"ftp://x\"}"),
                            Map.entry("palyra.sandbox", "{\"commandRowsFile\":\"x\"}"),
                            Map.entry("palyra.sandbox.egress", "{\"allowPrivate\":[\"*\"]}"),
                            Map.entry("palyra.sandbox.tierb", "{\"readOnlyPaths\":[\"/proc\"]}"),
                            Map.entry(
                                    "palyra.sandbox.tierc.linux",
                                    "{\"readOnlyPaths\":[\"/proc\"]}"),
                            Map.entry("palyra.console", "{\"publicUrls\":[\"http://x\"]}"),
                            Map.entry("palyra.skills", "{\"reauditMillis\":5}"),
                            Map.entry("palyra.skills.runtime", "{\"engine\":\"A B\"}"),
                            Map.entry("palyra.tracing", "{\"endpoint\":\"ftp://x\"}"),
                            Map.entry(
                                    "palyra.vault",
                                    "{\"keySource\":\"passphrase\",\"passphraseFrom\":\"me\"}")));

    /**
     * Configurations over which no component fails: the schema refuses bad values, or the component
     * leaves them out and tells them itself.
     */
    private static final Set<String> KNOWN_BY_SCHEMA =
            Set.of(
                    "palyra.access",
                    "palyra.channels",
                    "palyra.deploy",
                    "palyra.front",
                    "palyra.gateway.budget",
                    "palyra.gateway.model",
                    "palyra.gateway.price",
                    "palyra.gateway.prompt",
                    "palyra.journal",
                    "palyra.lib.cedar",
                    "palyra.models.deterministic",
                    "palyra.policy",
                    "palyra.retention",
                    "palyra.shell",
                    "palyra.skills.engine.endive",
                    "palyra.skills.engine.wasmtime",
                    "palyra.tools",
                    "palyra.transport.grpc",
                    "palyra.transport.openai");

    private House house;

    @Configuration
    public Option[] configuration() {
        return ProductOptions.product();
    }

    private Path file(String name) {
        return house.state().resolve("conf").resolve(name + ".json");
    }

    private void write(String name, String text) throws IOException {
        Path draft = Files.writeString(house.state().resolve("tmp/draft.json"), text);
        Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rw-------"));
        Files.move(draft, file(name), StandardCopyOption.ATOMIC_MOVE);
    }

    private static String pid(String name) {
        return name.contains("~") ? name.substring(0, name.indexOf('~')) : name;
    }

    private static List<ComponentDescriptionDTO> components(
            ServiceComponentRuntime runtime, String pid) {
        return runtime.getComponentDescriptionDTOs().stream()
                .filter(one -> Arrays.asList(one.configurationPid).contains(pid))
                .toList();
    }

    private boolean hasFailed(String pid) throws Exception {
        return house.with(
                ServiceComponentRuntime.class,
                runtime ->
                        components(runtime, pid).stream()
                                .flatMap(one -> runtime.getComponentConfigurationDTOs(one).stream())
                                .anyMatch(
                                        one ->
                                                one.state
                                                        == ComponentConfigurationDTO
                                                                .FAILED_ACTIVATION));
    }

    private Bundle bundle(String pid) throws Exception {
        long id =
                house.with(
                        ServiceComponentRuntime.class,
                        runtime -> components(runtime, pid).get(0).bundle.id);
        return house.context().getBundle(id);
    }

    /** Returns the configurations that are listed, by the names of their files. */
    private Set<String> listed(String... options) throws IOException {
        List<String> argv = new ArrayList<>(List.of("config", "list"));
        argv.addAll(List.of(options));
        Set<String> names = new TreeSet<>();
        house.client()
                .run(argv.toArray(String[]::new))
                .out()
                .lines()
                .map(line -> line.split(" ")[0])
                .filter(name -> name.startsWith("palyra."))
                .forEach(names::add);
        return names;
    }

    @Test
    public void everyConfigurationIsGoneThrough() throws Exception {
        house = House.ready();
        Set<String> known = new TreeSet<>(KNOWN_BY_SCHEMA);
        REFUSED.keySet().forEach(name -> known.add(pid(name)));
        Set<String> ours = new TreeSet<>();
        listed("--all").forEach(name -> ours.add(pid(name)));
        assertEquals(known, ours);
    }

    @Test
    public void whatFailedOverItsConfigurationBeginsAgainWhenItIsCorrected() throws Exception {
        house = House.ready();
        for (Map.Entry<String, String> one : REFUSED.entrySet()) {
            String pid = pid(one.getKey());
            try {
                write(one.getKey(), one.getValue());
                if (one.getKey().equals(pid)) {
                    Wait.until(pid + " to be read", () -> listed().contains(pid));
                    Bundle bundle = bundle(pid);
                    bundle.stop();
                    bundle.start();
                }
                Wait.until(pid + " to fail", () -> hasFailed(pid));
            } finally {
                Files.deleteIfExists(file(one.getKey()));
            }
            Wait.until(pid + " to begin again", () -> !hasFailed(pid));
        }
        house = House.ready();
        Wait.until("no findings", () -> house.client().run("doctor").exit() == 0);
    }

    @Test
    public void aKeyThatNoSchemaHasIsToldUntilItIsTakenOut() throws Exception {
        house = House.ready();
        Set<String> names = new TreeSet<>();
        for (String pid : KNOWN_BY_SCHEMA) {
            names.add(pid.startsWith("palyra.gateway.") ? pid + "~bad" : pid);
        }
        try {
            for (String name : names) {
                write(name, "{\"nonsense\":1}");
            }
            for (String name : names) {
                Wait.until(
                        name + " to be told",
                        () -> house.client().run("doctor").out().contains(name + ".json"));
            }
        } finally {
            for (String name : names) {
                Files.deleteIfExists(file(name));
            }
        }
        Wait.until("no findings", () -> house.client().run("doctor").exit() == 0);
    }
}
