package palyra.deploy.internal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.Deflater;
import org.osgi.framework.Constants;
import palyra.shared.hash.Digests;

/** A bundle in the making. */
final class TestJar {
    private final Manifest manifest = new Manifest();
    private int level = Deflater.DEFAULT_COMPRESSION;
    private final Map<String, byte[]> entries = new LinkedHashMap<>();

    TestJar(String name, String version) {
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        header(Constants.BUNDLE_MANIFESTVERSION, "2");
        header(Constants.BUNDLE_SYMBOLICNAME, name);
        header(Constants.BUNDLE_VERSION, version);
    }

    TestJar header(String header, String value) {
        manifest.getMainAttributes().putValue(header, value);
        return this;
    }

    TestJar without(String header) {
        manifest.getMainAttributes().remove(new Attributes.Name(header));
        return this;
    }

    TestJar entry(String path, byte[] bytes) {
        entries.put(path, bytes);
        return this;
    }

    TestJar entry(String path, String text) {
        return entry(path, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Makes its length depend on the lengths of what is in it alone. */
    TestJar uncompressed() {
        level = Deflater.NO_COMPRESSION;
        return this;
    }

    /** Adds a class of the tests. */
    TestJar type(Class<?> type) {
        String file = type.getName().replace('.', '/') + ".class";
        try (InputStream in = type.getClassLoader().getResourceAsStream(file)) {
            return entry(file, in.readAllBytes());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Adds a component of a class of the tests. */
    TestJar component(Class<?> type, String body) {
        String path = "OSGI-INF/" + type.getSimpleName() + ".xml";
        String before = manifest.getMainAttributes().getValue("Service-Component");
        header("Service-Component", before == null ? path : before + "," + path);
        return type(type)
                .entry(
                        path,
                        "<scr:component xmlns:scr=\"http://www.osgi.org/xmlns/scr/v1.3.0\" name=\""
                                + type.getSimpleName()
                                + "\" immediate=\"true\"><implementation class=\""
                                + type.getName()
                                + "\"/>"
                                + body
                                + "</scr:component>");
    }

    /** Returns the body of a component that offers a service with a property {@code kind}. */
    static String offers(Class<?> service, String kind) {
        return "<service><provide interface=\""
                + service.getName()
                + "\"/></service><property name=\"kind\" value=\""
                + kind
                + "\"/>";
    }

    /** Returns the body of a component that needs such a service. */
    static String needs(Class<?> service, String kind) {
        return "<reference name=\"needed\" interface=\""
                + service.getName()
                + "\" target=\"(kind="
                + kind
                + ")\"/>";
    }

    byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes)) {
            jar.setLevel(level);
            add(jar, "META-INF/MANIFEST.MF", manifestBytes());
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                add(jar, entry.getKey(), entry.getValue());
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return bytes.toByteArray();
    }

    /** The time is fixed: the same jar has the same bytes each time. */
    private static void add(JarOutputStream jar, String path, byte[] bytes) throws IOException {
        JarEntry header = new JarEntry(path);
        header.setTime(315_619_200_000L);
        jar.putNextEntry(header);
        jar.write(bytes);
    }

    private byte[] manifestBytes() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        manifest.write(bytes);
        return bytes.toByteArray();
    }

    static String pin(byte[] jar) {
        return "sha256:" + Digests.sha256Hex(jar);
    }
}
