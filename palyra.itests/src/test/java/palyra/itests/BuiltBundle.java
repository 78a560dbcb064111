package palyra.itests;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** A bundle as it was built: its manifest, its classes, its components. */
final class BuiltBundle {
    private static final Pattern SERVICE =
            Pattern.compile("osgi\\.service;objectClass:List<String>=\"([^\"]+)\"");

    private final Path jar;
    private final Attributes manifest;
    private final List<String> classes = new ArrayList<>();
    private final List<Element> components = new ArrayList<>();

    private BuiltBundle(Path jar, Attributes manifest) {
        this.jar = jar;
        this.manifest = manifest;
    }

    /** Returns the bundles of this project that were built, by the folders that hold them. */
    static List<BuiltBundle> all() throws IOException {
        List<BuiltBundle> bundles = new ArrayList<>();
        for (Path folder : modules()) {
            Path jar = jarOf(folder);
            if (jar != null) {
                read(jar, bundles);
            }
        }
        return bundles;
    }

    /** Returns the folders of the modules of the build, in its order. */
    static List<Path> modules() throws IOException {
        Element pom = parse(Files.newInputStream(root().resolve("pom.xml")));
        NodeList modules = pom.getElementsByTagName("module");
        List<Path> folders = new ArrayList<>();
        for (int i = 0; i < modules.getLength(); i++) {
            folders.add(root().resolve(modules.item(i).getTextContent()));
        }
        return folders;
    }

    static Path root() {
        Path here = Path.of("").toAbsolutePath();
        while (!Files.exists(here.resolve("run.bndrun"))) {
            here = here.getParent();
        }
        return here;
    }

    private static Path jarOf(Path folder) throws IOException {
        Path target = folder.resolve("target");
        if (!Files.isDirectory(target)) {
            return null;
        }
        String prefix = folder.getFileName() + "-";
        try (Stream<Path> files = Files.list(target)) {
            return files.filter(f -> f.getFileName().toString().startsWith(prefix))
                    .filter(f -> f.getFileName().toString().matches(".*\\d(-SNAPSHOT)?\\.jar"))
                    .findFirst()
                    .orElse(null);
        }
    }

    private static void read(Path path, List<BuiltBundle> bundles) throws IOException {
        try (JarFile jar = new JarFile(path.toFile())) {
            Attributes manifest = jar.getManifest().getMainAttributes();
            if (manifest.getValue("Bundle-SymbolicName") == null) {
                return;
            }
            BuiltBundle bundle = new BuiltBundle(path, manifest);
            for (var entry : (Iterable<java.util.jar.JarEntry>) jar.stream()::iterator) {
                if (entry.getName().endsWith(".class")) {
                    bundle.classes.add(entry.getName());
                } else if (entry.getName().matches("OSGI-INF/[^/]+\\.xml")) {
                    bundle.components.add(parse(jar.getInputStream(entry)));
                }
            }
            bundles.add(bundle);
        }
    }

    /** Returns the root of an XML document, and closes the stream. */
    static Element parse(InputStream xml) throws IOException {
        try (xml) {
            Document document =
                    DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().parse(xml);
            return document.getDocumentElement();
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException(e);
        }
    }

    Path jar() {
        return jar;
    }

    /** Returns the folder that holds the bundle. */
    String folder() {
        return jar.getParent().getParent().getFileName().toString();
    }

    String name() {
        return manifest.getValue("Bundle-SymbolicName").split(";", 2)[0];
    }

    boolean has(String header) {
        return manifest.getValue(header) != null;
    }

    String header(String name) {
        return manifest.getValue(name) == null ? "" : manifest.getValue(name);
    }

    List<String> classes() {
        return classes;
    }

    List<Element> components() {
        return components;
    }

    /**
     * Returns the package names of an import or export header, without attributes; optional ones
     * end in a question mark.
     */
    Set<String> packages(String header) {
        Set<String> names = new TreeSet<>();
        for (String clause : header(header).split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)")) {
            String name = clause.split(";", 2)[0].trim();
            if (!name.isEmpty()) {
                names.add(clause.contains("resolution:=optional") ? name + "?" : name);
            }
        }
        return names;
    }

    /** Returns the interfaces that this bundle provides, by components or by code that says so. */
    Set<String> provided() {
        Set<String> services = attributes("provide", "interface");
        Matcher declared = SERVICE.matcher(header("Provide-Capability"));
        while (declared.find()) {
            services.addAll(List.of(declared.group(1).split(",")));
        }
        return services;
    }

    /** Returns the interfaces that components of this bundle refer to. */
    Set<String> referenced() {
        return attributes("reference", "interface");
    }

    private Set<String> attributes(String element, String attribute) {
        Set<String> values = new TreeSet<>();
        for (Element component : components) {
            NodeList nodes = component.getElementsByTagName(element);
            for (int i = 0; i < nodes.getLength(); i++) {
                values.add(((Element) nodes.item(i)).getAttribute(attribute));
            }
        }
        return values;
    }

    @Override
    public String toString() {
        return name();
    }
}
