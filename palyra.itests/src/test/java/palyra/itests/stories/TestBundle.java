package palyra.itests.stories;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/** A bundle made of headers and texts, for a story that needs a strange one. */
public final class TestBundle {
    private final Map<String, String> headers = new TreeMap<>();
    private final Map<String, byte[]> entries = new TreeMap<>();

    /** Begins a bundle of a symbolic name. */
    public TestBundle(String name) {
        headers.put("Bundle-ManifestVersion", "2");
        headers.put("Bundle-SymbolicName", name);
        headers.put("Bundle-Version", "1.0.0");
    }

    /** Sets a header of the manifest. */
    public TestBundle header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    /**
     * Adds a component with one mandatory reference. Its class is never loaded while that lacks.
     */
    TestBundle component(String name, String reference) {
        return component(name, "absent.Component", reference);
    }

    /** Adds a component of a class of ours, offered as a Runnable, with one mandatory reference. */
    TestBundle component(Class<? extends Runnable> type, String reference) throws IOException {
        String path = type.getName().replace('.', '/') + ".class";
        try (InputStream bytes = type.getClassLoader().getResourceAsStream(path)) {
            entries.put(path, bytes.readAllBytes());
        }
        return component(type.getSimpleName(), type.getName(), reference);
    }

    /** Adds a component of a class of ours, offered as a service, with no reference. */
    <T> TestBundle offering(Class<? extends T> type, Class<T> service) throws IOException {
        return offering(type, service, "");
    }

    /**
     * Adds a component of a class of ours, offered as a service once for each configuration of a
     * factory, which its method {@code activate} takes and which has one text.
     */
    public <T> TestBundle configured(
            Class<? extends T> type, Class<T> service, String pid, String setting)
            throws IOException {
        String metatype =
                "<metatype:MetaData xmlns:metatype=\"http://www.osgi.org/xmlns/metatype/v1.3.0\">"
                        + "<OCD id=\"%1$s\" name=\"%1$s\"><AD id=\"%2$s\" type=\"String\"/></OCD>"
                        + "<Designate factoryPid=\"%1$s\"><Object ocdref=\"%1$s\"/></Designate>"
                        + "</metatype:MetaData>";
        entries.put(
                "OSGI-INF/metatype/" + pid + ".xml",
                String.format(metatype, pid, setting).getBytes(StandardCharsets.UTF_8));
        return offering(
                type,
                service,
                " configuration-policy=\"require\" activate=\"activate\" configuration-pid=\""
                        + pid
                        + "\"");
    }

    private <T> TestBundle offering(Class<? extends T> type, Class<T> service, String attributes)
            throws IOException {
        String path = type.getName().replace('.', '/') + ".class";
        try (InputStream bytes = type.getClassLoader().getResourceAsStream(path)) {
            entries.put(path, bytes.readAllBytes());
        }
        header("Service-Component", "OSGI-INF/offering.xml");
        String xml =
                "<scr:component xmlns:scr=\"http://www.osgi.org/xmlns/scr/v1.3.0\" name=\""
                        + type.getSimpleName()
                        + "\" immediate=\"true\""
                        + attributes
                        + "><implementation class=\""
                        + type.getName()
                        + "\"/><service><provide interface=\""
                        + service.getName()
                        + "\"/></service></scr:component>";
        entries.put("OSGI-INF/offering.xml", xml.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    private TestBundle component(String name, String type, String reference) {
        header("Service-Component", "OSGI-INF/" + name + ".xml");
        String xml =
                "<scr:component xmlns:scr=\"http://www.osgi.org/xmlns/scr/v1.3.0\" name=\""
                        + name
                        + "\" immediate=\"true\"><implementation class=\""
                        + type
                        + "\"/><service><provide interface=\"java.lang.Runnable\"/></service>"
                        + "<reference name=\"wanted\" interface=\""
                        + reference
                        + "\"/></scr:component>";
        entries.put("OSGI-INF/" + name + ".xml", xml.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    /** Returns the jar. */
    public InputStream jar() throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        headers.forEach((name, value) -> manifest.getMainAttributes().putValue(name, value));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes, manifest)) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                jar.putNextEntry(new ZipEntry(entry.getKey()));
                jar.write(entry.getValue());
                jar.closeEntry();
            }
        }
        return new ByteArrayInputStream(bytes.toByteArray());
    }
}
