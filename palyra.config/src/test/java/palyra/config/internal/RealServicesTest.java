package palyra.config.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Dictionary;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.metatype.AttributeDefinition;
import org.osgi.service.metatype.MetaTypeProvider;
import org.osgi.service.metatype.MetaTypeService;
import org.osgi.service.metatype.ObjectClassDefinition;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;

/** The component on a real framework, with the real Configuration Admin and metatype service. */
class RealServicesTest {
    private static final String METATYPE =
            """
            <metatype:MetaData xmlns:metatype="http://www.osgi.org/xmlns/metatype/v1.3.0">
              <OCD id="sample.Settings" name="Sample">
                <AD id="port" type="Integer" default="80" min="1" max="65535"/>
                <AD id="mode" type="String" default="calm">
                  <Option label="Calm" value="calm"/><Option label="Brisk" value="brisk"/>
                </AD>
                <AD id="prefix" type="String" default=""/>
                <AD id="hosts" type="String" cardinality="2147483647"/>
                <AD id="key" type="Password" required="false"/>
                <AD id="url" type="String"/>
              </OCD>
              <Designate pid="sample.one"><Object ocdref="sample.Settings"/></Designate>
              <Designate factoryPid="sample.many"><Object ocdref="sample.Settings"/></Designate>
            </metatype:MetaData>
            """;

    @TempDir Path temp;
    private Path conf;
    private Framework framework;
    private BundleContext context;
    private ConfigurationAdmin admin;
    private ConfigurationComponent component;

    @BeforeEach
    void start() throws Exception {
        conf = Files.createDirectory(temp.resolve("conf"));
        String shared =
                "org.osgi.service.cm;version=1.6.1,org.osgi.service.metatype;version=1.4.1,"
                        + "org.osgi.service.log;version=1.5,org.osgi.service.coordinator;version=1.0";
        framework =
                ServiceLoader.load(FrameworkFactory.class)
                        .findFirst()
                        .orElseThrow()
                        .newFramework(
                                Map.of(
                                        Constants.FRAMEWORK_STORAGE,
                                        temp.resolve("cache").toString(),
                                        Constants.FRAMEWORK_SYSTEMPACKAGES_EXTRA,
                                        shared,
                                        "felix.log.level",
                                        "1",
                                        "palyra.conf",
                                        conf.toString(),
                                        "palyra.conf.overrides",
                                        "sample.one:hosts=x, y"));
        framework.start();
        context = framework.getBundleContext();
        install(jarOf(ConfigurationAdmin.class, "org.apache.felix.cm.impl.ConfigurationManager"));
        install(jarOf(MetaTypeService.class, "org.apache.felix.metatype.MetaData"));
        admin = service(ConfigurationAdmin.class);
    }

    /** The jar on the class path that holds a class of the implementation. */
    private static Path jarOf(Class<?> api, String implementation) throws URISyntaxException {
        try {
            Class<?> found = Class.forName(implementation, false, api.getClassLoader());
            return Path.of(found.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private Bundle install(Path jar) throws BundleException {
        Bundle bundle = context.installBundle(jar.toUri().toString());
        bundle.start();
        return bundle;
    }

    private <T> T service(Class<T> type) {
        return context.getService(context.getServiceReference(type));
    }

    private void activate() throws InvalidSyntaxException {
        component = new ConfigurationComponent(context, admin, service(MetaTypeService.class));
        component.activate();
    }

    @AfterEach
    void stop() throws Exception {
        if (component != null) {
            component.deactivate();
        }
        framework.stop();
        framework.waitForStop(10_000);
    }

    /** A bundle that declares PIDs and does nothing else. */
    private Bundle declare() throws IOException, BundleException {
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.putValue(Constants.BUNDLE_MANIFESTVERSION, "2");
        main.putValue(Constants.BUNDLE_SYMBOLICNAME, "sample");
        Path jar = temp.resolve("sample.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out, manifest)) {
            entries.putNextEntry(new ZipEntry("OSGI-INF/metatype/sample.xml"));
            entries.write(METATYPE.getBytes(StandardCharsets.UTF_8));
        }
        return install(jar);
    }

    private Dictionary<String, Object> configuration(String pid) {
        try {
            Configuration[] found = admin.listConfigurations("(service.pid=" + pid + ")");
            return found == null ? null : found[0].getProperties();
        } catch (IOException | InvalidSyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private List<Finding> findings() {
        return service(FindingSource.class).findings();
    }

    private void until(BooleanSupplier condition) {
        Deadline.within(
                Duration.ofSeconds(15), condition, findings() + " " + configuration("sample.one"));
    }

    /**
     * Being resolved on a thread that only looks crosses the bundle's start on another thread, and
     * the component runtime then misses the start.
     */
    @Test
    void looksIntoBundlesWithoutHavingThemResolved() throws Exception {
        Bundle sample = declare();
        sample.stop();
        try (var content = Files.newInputStream(temp.resolve("sample.jar"))) {
            sample.update(content);
        }
        assertEquals(Bundle.INSTALLED, sample.getState());
        MetatypeCatalogue catalogue =
                new MetatypeCatalogue(service(MetaTypeService.class), () -> List.of(sample));
        assertTrue(catalogue.refresh());
        assertEquals(Bundle.INSTALLED, sample.getState(), "left as it was");
        assertEquals(Set.of(), catalogue.pids());

        service(MetaTypeService.class).getMetaTypeInformation(sample);
        assertEquals(Bundle.RESOLVED, sample.getState(), "what asking the framework itself does");
        catalogue.bundlesChanged();
        assertTrue(catalogue.refresh());
        assertEquals(Set.of("sample.one", "sample.many"), catalogue.pids());
    }

    @Test
    void handsTypedValuesToConfigurationAdmin() throws Exception {
        declare();
        Files.writeString(
                conf.resolve("sample.one.json"),
                "{\"port\": 8080, \"prefix\": \"\", \"key\": \"vault:k\", \"url\": \"u\"}");
        Files.writeString(conf.resolve("sample.many~main.json"), "{\"url\": \"v\"}");
        activate();
        assertEquals(List.of(), findings());
        Dictionary<String, Object> one = configuration("sample.one");
        assertEquals(8080, one.get("port"));
        assertEquals("", one.get("prefix"));
        assertEquals("vault:k", one.get("key"));
        assertArrayEquals(new String[] {"x", "y"}, (String[]) one.get("hosts"));
        assertNull(one.get("mode"), "defaults stay with their owner");
        Dictionary<String, Object> many = configuration("sample.many~main");
        assertEquals("v", many.get("url"));
        assertEquals("sample.many", many.get("service.factoryPid"));
    }

    /** Parts that must not begin without their configuration wait for this. */
    @Test
    void saysOnceItLookedWhatIsInForceAndKeepsThatTrue() throws Exception {
        declare();
        Files.writeString(conf.resolve("sample.many~main.json"), "{\"url\": \"v\"}");
        Files.writeString(conf.resolve("sample.many~bad.json"), "{\"port\": 0}");
        assertNull(context.getServiceReference(FindingSource.class));
        activate();
        assertEquals(List.of("sample.many~main"), inForce());
        Files.writeString(conf.resolve("sample.many~late.json"), "{\"url\": \"v\"}");
        until(() -> inForce().equals(List.of("sample.many~late", "sample.many~main")));
        Files.delete(conf.resolve("sample.many~main.json"));
        until(() -> inForce().equals(List.of("sample.many~late")));
    }

    private List<String> inForce() {
        Object told =
                context.getServiceReference(FindingSource.class)
                        .getProperty("palyra.configuration.inForce");
        return List.of((String[]) told);
    }

    @Test
    void knowsTheBoundsOptionsAndRequiredKeysOfTheMetatype() throws Exception {
        declare();
        Files.writeString(
                conf.resolve("sample.one.json"),
                "{\"port\": 0, \"mode\": \"wild\", \"key\": \"k\"}");
        activate();
        String all = findings().toString();
        assertTrue(all.contains("'port' is 0, but it takes a whole number from 1 to 65535"), all);
        assertTrue(all.contains("'mode' is \"wild\", but it takes one of calm, brisk"), all);
        assertTrue(all.contains("only vault: references are allowed"), all);
        assertTrue(all.contains("required but missing in every file: 'url' (text)"), all);
        assertFalse(all.contains("'hosts' (a list"), all);
        assertNull(configuration("sample.one"));
    }

    @Test
    void appliesAFileWhenTheBundleThatDeclaresItArrives() throws Exception {
        Files.writeString(conf.resolve("sample.one.json"), "{\"url\": \"u\"}");
        activate();
        assertNull(configuration("sample.one"));
        assertTrue(findings().toString().contains("no bundle declares PID sample.one"));
        declare();
        until(() -> configuration("sample.one") != null);
        until(() -> findings().isEmpty());
    }

    @Test
    void anotherStartChangesNothingThatIsTheSameAndDeletesWhatHasNoFile() throws Exception {
        declare();
        Files.writeString(conf.resolve("sample.one.json"), "{\"url\": \"u\"}");
        Files.writeString(conf.resolve("sample.many~a.json"), "{\"url\": \"u\"}");
        admin.getConfiguration("of.another.writer", "?")
                .update(FrameworkUtil.asDictionary(Map.of("k", "v")));
        activate();
        component.deactivate();
        long count = admin.getConfiguration("sample.one", "?").getChangeCount();
        Files.delete(conf.resolve("sample.many~a.json"));
        activate();
        assertEquals(count, admin.getConfiguration("sample.one", "?").getChangeCount());
        assertNull(configuration("sample.many~a"));
        assertEquals("v", configuration("of.another.writer").get("k"));
    }

    @Test
    void aBadFileDoesNotUndoWhatAnEarlierStartLeft() throws Exception {
        declare();
        Files.writeString(conf.resolve("sample.one.json"), "{\"url\": \"u\", \"port\": 1}");
        activate();
        component.deactivate();
        Files.writeString(conf.resolve("sample.one.json"), "{\"url\": \"u\", \"port\": -1}");
        activate();
        assertEquals(1, configuration("sample.one").get("port"));
        assertEquals(1, findings().size());
    }

    @Test
    void listensToMetatypeProvidersThatComeLate() throws Exception {
        Files.writeString(conf.resolve("provided.json"), "{\"size\": 3}");
        Files.writeString(conf.resolve("provided.too.json"), "{}");
        activate();
        assertNull(configuration("provided"));
        for (String pid : List.of("provided", "provided.too")) {
            context.registerService(
                    MetaTypeProvider.class,
                    new Provider(),
                    FrameworkUtil.asDictionary(Map.of("metatype.pid", pid, "service.pid", pid)));
        }
        until(() -> configuration("provided") != null);
        assertEquals(3L, configuration("provided").get("size"));
        until(() -> configuration("provided.too") != null);
    }

    /** Declares one PID with one key, the way that older bundles do. */
    private static final class Provider
            implements MetaTypeProvider, ObjectClassDefinition, AttributeDefinition {
        @Override
        public ObjectClassDefinition getObjectClassDefinition(String id, String locale) {
            return this;
        }

        @Override
        public String[] getLocales() {
            return null;
        }

        @Override
        public AttributeDefinition[] getAttributeDefinitions(int filter) {
            return new AttributeDefinition[] {this}; // required too, without a default
        }

        @Override
        public java.io.InputStream getIcon(int size) {
            return null;
        }

        @Override
        public String getName() {
            return "Provided";
        }

        @Override
        public String getID() {
            return "size";
        }

        @Override
        public String getDescription() {
            return "";
        }

        @Override
        public int getCardinality() {
            return 0;
        }

        @Override
        public int getType() {
            return LONG;
        }

        @Override
        public String[] getOptionValues() {
            return null;
        }

        @Override
        public String[] getOptionLabels() {
            return null;
        }

        @Override
        public String validate(String value) {
            return null;
        }

        @Override
        public String[] getDefaultValue() {
            return null;
        }
    }
}
