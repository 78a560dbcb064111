package palyra.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** Bundles of a manifest alone, for what the framework makes of manifests. */
final class TestBundles {
    private final Path bundles;

    TestBundles(Path home) {
        this.bundles = home.resolve("bundles");
    }

    Path add(int folder, String name, String... headersAndValues) throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Bundle-ManifestVersion", "2");
        attributes.putValue("Bundle-SymbolicName", name);
        attributes.putValue("Bundle-Version", "1.0.0");
        for (int i = 0; i < headersAndValues.length; i += 2) {
            attributes.putValue(headersAndValues[i], headersAndValues[i + 1]);
        }
        Path jar =
                Files.createDirectories(bundles.resolve(Integer.toString(folder)))
                        .resolve(name + ".jar");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return jar;
    }
}
