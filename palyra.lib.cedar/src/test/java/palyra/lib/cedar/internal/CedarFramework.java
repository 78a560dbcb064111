package palyra.lib.cedar.internal;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.HashMap;
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
import palyra.lib.cedar.internal.users.CedarUser;

/** A framework with declarative services. Nothing of the engine comes from its class path. */
final class CedarFramework {
    private static final String SHARED =
            "org.osgi.service.component;version=1.5.1,"
                    + "org.osgi.service.component.runtime;version=1.5.0,"
                    + "org.osgi.service.component.runtime.dto;version=1.5.0,"
                    + "org.osgi.util.promise;version=1.3.0,"
                    + "org.osgi.util.function;version=1.2.0";

    private final Framework framework;

    CedarFramework(Path folder, Map<String, String> more) throws Exception {
        Map<String, String> properties = new HashMap<>(more);
        properties.put(Constants.FRAMEWORK_STORAGE, folder.resolve("cache").toString());
        properties.put(Constants.FRAMEWORK_SYSTEMPACKAGES_EXTRA, SHARED);
        properties.put("felix.log.level", "0");
        properties.put("ds.loglevel", "0");
        framework = new FrameworkFactory().newFramework(properties);
        framework.start();
        install(jarOf("org.apache.felix.scr.impl.Activator")).start();
    }

    private static Path jarOf(String className) throws Exception {
        return Path.of(
                Class.forName(className, false, CedarFramework.class.getClassLoader())
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI());
    }

    BundleContext context() {
        return framework.getBundleContext();
    }

    Bundle install(Path jar) throws BundleException {
        return context().installBundle(jar.toUri().toString());
    }

    Bundle installUser(int version) throws BundleException {
        return context().installBundle("test:user", userJar(version));
    }

    /** Returns a bundle that holds nothing but the user. */
    static InputStream userJar(int version) {
        Manifest manifest = new Manifest();
        Attributes headers = manifest.getMainAttributes();
        headers.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        headers.putValue(Constants.BUNDLE_MANIFESTVERSION, "2");
        headers.putValue(Constants.BUNDLE_SYMBOLICNAME, "test.user");
        headers.putValue(Constants.BUNDLE_VERSION, "1.0." + version);
        headers.putValue(Constants.BUNDLE_ACTIVATOR, CedarUser.class.getName());
        headers.putValue(Constants.IMPORT_PACKAGE, "org.osgi.framework,palyra.lib.cedar");
        String file = CedarUser.class.getName().replace('.', '/') + ".class";
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes, manifest);
                InputStream in = CedarUser.class.getClassLoader().getResourceAsStream(file)) {
            jar.putNextEntry(new JarEntry(file));
            jar.write(in.readAllBytes());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return new ByteArrayInputStream(bytes.toByteArray());
    }

    void close() throws Exception {
        framework.stop();
        framework.waitForStop(30_000);
    }
}
