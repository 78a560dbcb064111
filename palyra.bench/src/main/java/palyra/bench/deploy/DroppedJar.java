package palyra.bench.deploy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import palyra.shared.hash.Digests;

/**
 * A bundle with one service in it.
 *
 * @param name its symbolic name
 * @param bytes the jar
 */
record DroppedJar(String name, byte[] bytes) {
    private static final String PREFIX = "bench.dropped.b";

    /** Makes one that differs from those with other numbers. */
    static DroppedJar of(int number) throws IOException {
        String name = PREFIX + number;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes, manifest(name))) {
            String file = DroppedMetric.class.getName().replace('.', '/') + ".class";
            jar.putNextEntry(new JarEntry(file));
            try (InputStream in = DroppedJar.class.getClassLoader().getResourceAsStream(file)) {
                in.transferTo(jar);
            }
        }
        return new DroppedJar(name, bytes.toByteArray());
    }

    private static Manifest manifest(String name) {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Bundle-ManifestVersion", "2");
        attributes.putValue("Bundle-SymbolicName", name);
        attributes.putValue("Bundle-Version", "1.0.0");
        attributes.putValue("Bundle-Activator", DroppedMetric.class.getName());
        attributes.putValue("Import-Package", "org.osgi.framework,palyra.api.core.ops");
        return manifest;
    }

    /** Returns the name of its metric. */
    String metric() {
        return DroppedMetric.of(name);
    }

    /** Returns what pins exactly this jar. */
    String pin() {
        return "sha256:" + Digests.sha256Hex(bytes);
    }
}
