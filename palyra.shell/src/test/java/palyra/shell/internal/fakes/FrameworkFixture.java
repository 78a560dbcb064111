package palyra.shell.internal.fakes;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.apache.felix.framework.FrameworkFactory;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.launch.Framework;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.osgi.service.component.runtime.dto.ComponentConfigurationDTO;
import palyra.api.core.ops.Ops;
import palyra.testing.wait.Await;

/** A real framework with declarative services, and bundles made on the spot. */
public final class FrameworkFixture {
    private static final String SHARED =
            String.join(
                    ",",
                    "org.osgi.service.component;version=1.5.1",
                    "org.osgi.service.component.runtime;version=1.5.0",
                    "org.osgi.service.component.runtime.dto;version=1.5.0",
                    "org.osgi.util.promise;version=1.3.0",
                    "org.osgi.util.function;version=1.2.0",
                    "org.apache.felix.service.command;version=1.0.0",
                    "palyra.api",
                    "palyra.api.access",
                    "palyra.api.command",
                    "palyra.api.run",
                    "palyra.api.tape",
                    "palyra.api.tool",
                    "palyra.api.core.access",
                    "palyra.api.core.gateway",
                    "palyra.api.core.journal",
                    "palyra.api.core.keys",
                    "palyra.api.core.ops",
                    "palyra.shared.gate",
                    "palyra.shared.hash",
                    "palyra.shared.json",
                    "palyra.shared.tape",
                    "org.slf4j",
                    "com.fasterxml.jackson.core",
                    "com.fasterxml.jackson.databind",
                    "com.fasterxml.jackson.databind.json",
                    "com.fasterxml.jackson.databind.node",
                    "com.fasterxml.jackson.databind.cfg");

    private final Framework framework;
    private final ServiceComponentRuntime runtime;

    public FrameworkFixture(Path folder) throws Exception {
        Map<String, String> properties = new HashMap<>();
        properties.put(Constants.FRAMEWORK_STORAGE, folder.resolve("cache").toString());
        properties.put(Constants.FRAMEWORK_SYSTEMPACKAGES_EXTRA, SHARED);
        properties.put(Ops.STATE_FOLDER, folder.resolve("state").toString());
        properties.put(Ops.BOOT_ID, "this-boot");
        properties.put("felix.log.level", "0");
        properties.put("ds.loglevel", "0");
        framework = new FrameworkFactory().newFramework(properties);
        framework.start();
        installLibrary("org.apache.felix.scr.impl.Activator").start();
        runtime =
                context().getService(context().getServiceReference(ServiceComponentRuntime.class));
    }

    /** Installs the jar that a class of the test's class path comes from. */
    public Bundle installLibrary(String className) throws Exception {
        Path jar =
                Path.of(
                        Class.forName(className, false, getClass().getClassLoader())
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI());
        return context().installBundle(jar.toUri().toString());
    }

    public BundleContext context() {
        return framework.getBundleContext();
    }

    public ServiceComponentRuntime runtime() {
        return runtime;
    }

    public Bundle install(Jar jar) throws BundleException {
        return context().installBundle("test:" + jar.name, new ByteArrayInputStream(jar.bytes()));
    }

    /** Starts a bundle and waits until its components are up, waiting or failed. */
    public Bundle start(Jar jar) throws BundleException {
        Bundle bundle = install(jar);
        bundle.start();
        Await.until("the components of " + jar.name, () -> settled(bundle));
        return bundle;
    }

    private boolean settled(Bundle bundle) {
        return runtime.getComponentDescriptionDTOs(bundle).stream()
                .map(runtime::getComponentConfigurationDTOs)
                .allMatch(
                        each ->
                                !each.isEmpty()
                                        && each.stream()
                                                .noneMatch(
                                                        one ->
                                                                one.state
                                                                        == ComponentConfigurationDTO
                                                                                .SATISFIED));
    }

    public void close() throws Exception {
        framework.stop();
        framework.waitForStop(10_000);
    }

    /** A bundle in the making. */
    public static final class Jar {
        private final String name;
        private final Manifest manifest = new Manifest();
        private final Map<String, byte[]> entries = new LinkedHashMap<>();

        public Jar(String name, String version) {
            this.name = name;
            manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
            header(Constants.BUNDLE_MANIFESTVERSION, "2");
            header(Constants.BUNDLE_SYMBOLICNAME, name);
            header(Constants.BUNDLE_VERSION, version);
        }

        public Jar header(String header, String value) {
            manifest.getMainAttributes().putValue(header, value);
            return this;
        }

        public Jar entry(String path, String text) {
            return entry(path, text.getBytes(StandardCharsets.UTF_8));
        }

        public Jar entry(String path, byte[] bytes) {
            entries.put(path, bytes);
            return this;
        }

        /** Adds a component of a class of the tests, which travels along. */
        public Jar component(Class<?> type, String body) {
            String path = "OSGI-INF/" + type.getSimpleName() + ".xml";
            String before = manifest.getMainAttributes().getValue("Service-Component");
            header("Service-Component", before == null ? path : before + "," + path);
            String file = type.getName().replace('.', '/') + ".class";
            try (InputStream in = type.getClassLoader().getResourceAsStream(file)) {
                entries.put(file, in.readAllBytes());
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            return entry(
                    path,
                    "<scr:component xmlns:scr=\"http://www.osgi.org/xmlns/scr/v1.3.0\" name=\""
                            + type.getSimpleName()
                            + "\" immediate=\"true\"><implementation class=\""
                            + type.getName()
                            + "\"/>"
                            + body
                            + "</scr:component>");
        }

        public byte[] bytes() {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (JarOutputStream jar = new JarOutputStream(bytes, manifest)) {
                for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                    jar.putNextEntry(new JarEntry(entry.getKey()));
                    jar.write(entry.getValue());
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            return bytes.toByteArray();
        }
    }
}
