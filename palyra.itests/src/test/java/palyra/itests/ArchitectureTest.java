package palyra.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import org.junit.BeforeClass;
import org.junit.Test;
import org.w3c.dom.Element;

/** The rules of the house (docs/architecture.md), checked on what was built. */
public class ArchitectureTest {
    private static final Set<String> API = Set.of("palyra.api", "palyra.api.core");
    private static final Set<String> EXPORTERS =
            Set.of("palyra.api", "palyra.api.core", "palyra.testing", "palyra.testing.discord");

    /** The third-party packages that belong to one bundle each. */
    private static final Map<String, List<String>> LIBRARIES =
            Map.ofEntries(
                    Map.entry("palyra.journal", List.of("org.sqlite")),
                    Map.entry(
                            "palyra.shell", List.of("org.apache.felix.service.command", "jdk.net")),
                    Map.entry(
                            "palyra.health",
                            List.of(
                                    "jakarta.servlet",
                                    "org.apache.felix.hc",
                                    "org.apache.felix.http.jetty",
                                    "org.eclipse.jetty")),
                    Map.entry("palyra.connectors.webhook", List.of("jakarta.servlet")),
                    Map.entry("palyra.transport.openai", List.of("jakarta.servlet")),
                    Map.entry(
                            "palyra.console",
                            List.of("jakarta.servlet", "org.apache.felix.webconsole.spi")),
                    Map.entry("palyra.policy", List.of("palyra.lib.cedar")),
                    Map.entry("palyra.sandbox.posix", List.of("com.sun.jna")),
                    Map.entry("palyra.sandbox.tierc.macos", List.of("com.sun.jna")),
                    Map.entry("palyra.sandbox.tierc.windows", List.of("com.sun.jna")),
                    Map.entry("palyra.lib.grpc", List.of("com.google.", "sun.misc", "org.slf4j")),
                    Map.entry("palyra.transport.grpc", List.of("io.grpc", "com.google.")),
                    Map.entry(
                            "palyra.testing",
                            List.of("org.junit", "org.opentest4j", "com.networknt")),
                    Map.entry("palyra.testing.discord", List.of("com.networknt")));

    /**
     * What is imported when it comes: the guard of a bundle that an operator may add while the
     * gateway runs (ADR 0072).
     */
    private static final Map<String, String> IMPORTED_WHEN_IT_COMES =
            Map.of("palyra.console", "org.apache.felix.webconsole.spi;version=\"[1.3,2)\"");

    /** Third-party code that a bundle holds for itself. */
    private static final Map<String, List<String>> EMBEDDED =
            Map.of(
                    "palyra.keys",
                    List.of("org/bouncycastle/"),
                    "palyra.vault",
                    List.of("org/bouncycastle/"),
                    "palyra.access",
                    List.of("org/bouncycastle/"),
                    "palyra.console",
                    List.of("gg/jte/"),
                    "palyra.skills",
                    List.of(
                            "com/networknt/",
                            "com/ethlo/time/",
                            "com/fasterxml/jackson/dataformat/toml/"),
                    "palyra.tools",
                    List.of("com/networknt/", "com/ethlo/time/"),
                    "palyra.tracing",
                    List.of("io/opentelemetry/"),
                    "palyra.skills.engine.endive",
                    List.of("run/endive/", "org/objectweb/asm/"));

    private static List<BuiltBundle> bundles;

    @BeforeClass
    public static void readBundles() throws IOException {
        bundles = BuiltBundle.all();
        Set<String> names = new TreeSet<>();
        bundles.forEach(b -> names.add(b.name()));
        assertTrue(
                "built bundles: " + names,
                names.containsAll(
                        Set.of(
                                "palyra.api",
                                "palyra.api.core",
                                "palyra.keys",
                                "palyra.journal",
                                "palyra.policy",
                                "palyra.lib.cedar",
                                "palyra.access",
                                "palyra.front",
                                "palyra.models",
                                "palyra.tools",
                                "palyra.sandbox",
                                "palyra.sandbox.posix",
                                "palyra.sandbox.tierb",
                                "palyra.sandbox.tierc.linux",
                                "palyra.sandbox.tierc.macos",
                                "palyra.sandbox.tierc.windows",
                                "palyra.gateway",
                                "palyra.config",
                                "palyra.health",
                                "palyra.transport.grpc",
                                "palyra.transport.openai",
                                "palyra.backup",
                                "palyra.retention",
                                "palyra.connectors.discord",
                                "palyra.connectors.telegram",
                                "palyra.connectors.webhook",
                                "palyra.tracing",
                                "palyra.deploy",
                                "palyra.vault",
                                "palyra.skills",
                                "palyra.skills.engine.endive",
                                "palyra.skills.engine.wasmtime",
                                "palyra.shell")));
    }

    private static boolean isLibrary(BuiltBundle bundle) {
        return bundle.name().startsWith("palyra.lib.");
    }

    private static void none(List<String> breaches) {
        assertEquals("", String.join("\n", breaches));
    }

    @Test
    public void theFolderIsTheSymbolicNameAndTheBasePackage() {
        List<String> breaches = new ArrayList<>();
        for (BuiltBundle bundle : bundles) {
            if (!bundle.folder().equals(bundle.name())) {
                breaches.add(bundle + " lies in folder " + bundle.folder());
            }
            String base = bundle.name().replace('.', '/') + "/";
            for (String file : bundle.classes()) {
                boolean own =
                        file.startsWith(
                                base + (EXPORTERS.contains(bundle.name()) ? "" : "internal/"));
                boolean copied =
                        file.startsWith("palyra/shared/")
                                || EMBEDDED.getOrDefault(bundle.name(), List.of()).stream()
                                        .anyMatch(file::startsWith);
                // What a library's bundle is for is to hold somebody else's code.
                if (!own && !copied && !isLibrary(bundle)) {
                    breaches.add(bundle + " holds " + file);
                }
            }
        }
        none(breaches);
    }

    @Test
    public void onlyApiAndTestingAndLibrariesExport() {
        List<String> breaches = new ArrayList<>();
        for (BuiltBundle bundle : bundles) {
            boolean may = EXPORTERS.contains(bundle.name()) || isLibrary(bundle);
            if (!may && bundle.has("Export-Package")) {
                breaches.add(bundle + " exports " + bundle.packages("Export-Package"));
            }
            if (EXPORTERS.contains(bundle.name()) && !bundle.has("Export-Package")) {
                breaches.add(bundle + " exports nothing");
            }
        }
        none(breaches);
    }

    @Test
    public void bundlesImportApisAndTheirOwnLibraryOnly() {
        List<String> breaches = new ArrayList<>();
        for (BuiltBundle bundle : bundles) {
            for (String imported : bundle.packages("Import-Package")) {
                if (!mayImport(bundle, imported.replace("?", ""))) {
                    breaches.add(bundle + " imports " + imported);
                }
            }
        }
        none(breaches);
    }

    /** Parts of the tests of integrators may use each other; no product's bundle may use them. */
    private static boolean isTesting(BuiltBundle bundle, String imported) {
        return bundle.name().startsWith("palyra.testing.")
                && imported.startsWith("palyra.testing.");
    }

    private static boolean mayImport(BuiltBundle bundle, String imported) {
        boolean exporterItself = bundle.packages("Export-Package").contains(imported);
        if (imported.startsWith("palyra.") && !imported.startsWith("palyra.lib.")) {
            return imported.equals("palyra.api")
                    || imported.startsWith("palyra.api.")
                    || isTesting(bundle, imported)
                    || exporterItself;
        }
        if (imported.startsWith("java.")
                || imported.equals("org.apache.felix.hc.api") // how any bundle says it is not ready
                || imported.startsWith("org.osgi.")
                || imported.startsWith("javax.")) {
            return true;
        }
        if (imported.equals("org.slf4j") || imported.startsWith("com.fasterxml.jackson.")) {
            return !API.contains(bundle.name());
        }
        return exporterItself
                || LIBRARIES.getOrDefault(bundle.name(), List.of()).stream()
                        .anyMatch(imported::startsWith);
    }

    @Test
    public void nothingIsWiredByHand() {
        List<String> breaches = new ArrayList<>();
        for (BuiltBundle bundle : bundles) {
            for (String header :
                    List.of(
                            "Require-Bundle",
                            "DynamicImport-Package",
                            "Bundle-Activator",
                            "Fragment-Host")) {
                boolean allowed =
                        header.equals("DynamicImport-Package")
                                && bundle.has(header)
                                && bundle.header(header)
                                        .equals(IMPORTED_WHEN_IT_COMES.get(bundle.name()));
                if (bundle.has(header) && !allowed) {
                    breaches.add(bundle + " has " + header + ": " + bundle.header(header));
                }
            }
        }
        none(breaches);
    }

    /**
     * {@code Bundle.findEntries} and its like resolve a bundle that is being updated, on the thread
     * of whoever looks, and the component runtime may then miss its start.
     */
    @Test
    public void nobodyHasOtherBundlesResolvedByLookingIntoThem() throws IOException {
        Set<String> resolving = new HashSet<>();
        for (String method : List.of("findEntries", "getResource", "getResources", "loadClass")) {
            resolving.add("org/osgi/framework/Bundle." + method);
        }
        List<String> breaches = new ArrayList<>();
        boolean looked = false;
        for (BuiltBundle bundle : bundles) {
            try (JarFile jar = new JarFile(bundle.jar().toFile())) {
                for (String name : bundle.classes()) {
                    if (name.startsWith("palyra/")
                            && !name.endsWith("/swap/ClassPreloader.class")) {
                        Set<String> uses =
                                MethodUses.of(
                                        jar.getInputStream(jar.getEntry(name)).readAllBytes());
                        looked |= uses.contains("org/osgi/framework/Bundle.getState");
                        uses.retainAll(resolving);
                        uses.forEach(use -> breaches.add(bundle + ": " + name + " uses " + use));
                    }
                }
            }
        }
        assertTrue("the search finds what is there", looked);
        none(breaches);
    }

    /**
     * A delayed component would go with its last user: swapping the gateway would end the tools
     * that run.
     */
    @Test
    public void whatOtherBundlesUseIsImmediate() {
        List<String> breaches = new ArrayList<>();
        for (BuiltBundle bundle : bundles) {
            for (Element component : bundle.components()) {
                boolean crosses = false;
                var provided = component.getElementsByTagName("provide");
                for (int i = 0; i < provided.getLength(); i++) {
                    crosses |= isSeam(((Element) provided.item(i)).getAttribute("interface"));
                }
                if (crosses && !component.getAttribute("immediate").equals("true")) {
                    breaches.add(
                            bundle
                                    + ": component "
                                    + component.getAttribute("name")
                                    + " is delayed");
                }
            }
        }
        none(breaches);
    }

    private static boolean isSeam(String service) {
        boolean core =
                service.startsWith("palyra.api.core.")
                        && !service.startsWith("palyra.api.core.ops.");
        return core
                || service.startsWith("palyra.api.run.")
                || service.equals("palyra.api.model.ModelProvider");
    }

    /** Otherwise a swap of one bundle would restart the component. */
    @Test
    public void noMandatoryReferenceCrossesASeam() {
        List<String> breaches = new ArrayList<>();
        for (BuiltBundle bundle : bundles) {
            for (Element component : bundle.components()) {
                var references = component.getElementsByTagName("reference");
                for (int i = 0; i < references.getLength(); i++) {
                    Element reference = (Element) references.item(i);
                    boolean ours = reference.getAttribute("interface").startsWith("palyra.api.");
                    boolean dynamic = reference.getAttribute("policy").equals("dynamic");
                    boolean optional = reference.getAttribute("cardinality").startsWith("0");
                    // What a bundle offers itself goes and comes with it: that is no seam.
                    boolean own = bundle.provided().contains(reference.getAttribute("interface"));
                    if (ours && !own && !(dynamic && optional)) {
                        breaches.add(
                                bundle
                                        + ": "
                                        + component.getAttribute("name")
                                        + " needs "
                                        + reference.getAttribute("interface"));
                    }
                }
            }
        }
        none(breaches);
    }

    @Test
    public void servicesFormADag() {
        Map<String, Set<String>> uses = new ServiceGraph(bundles).uses();
        for (String start : uses.keySet()) {
            assertEquals(
                    "a cycle of services through " + start,
                    List.of(),
                    cycle(start, start, uses, new ArrayList<>()));
        }
        assertEquals(
                "what decides asks those below it alone",
                Set.of("palyra.journal", "palyra.lib.cedar"),
                uses.get("palyra.policy"));
        assertTrue(
                "palyra.access uses " + uses.get("palyra.access"),
                Set.of("palyra.keys", "palyra.journal", "palyra.policy")
                        .containsAll(uses.get("palyra.access")));
        Set<String> below =
                Set.of(
                        "palyra.keys",
                        "palyra.journal",
                        "palyra.access",
                        "palyra.vault",
                        "palyra.models",
                        "palyra.tools");
        assertTrue(
                "palyra.gateway uses " + uses.get("palyra.gateway"),
                below.containsAll(uses.get("palyra.gateway")));
        for (String backend : List.of("tierb", "tierc.linux", "tierc.macos", "tierc.windows")) {
            Set<String> used = uses.get("palyra.sandbox." + backend);
            assertTrue(
                    "palyra.sandbox." + backend + " uses " + used,
                    Set.of("palyra.sandbox.posix").containsAll(used));
        }
    }

    private static List<String> cycle(
            String at, String start, Map<String, Set<String>> uses, List<String> path) {
        for (String next : uses.getOrDefault(at, Set.of())) {
            if (next.equals(start)) {
                List<String> found = new ArrayList<>(path);
                found.add(at);
                found.add(next);
                return found;
            }
            if (!path.contains(next)) {
                path.add(at);
                List<String> found = cycle(next, start, uses, path);
                path.remove(path.size() - 1);
                if (!found.isEmpty()) {
                    return found;
                }
            }
        }
        return List.of();
    }

    @Test
    public void noThirdPartyTypeAppearsInAnApi() throws Exception {
        List<URL> urls = new ArrayList<>();
        for (BuiltBundle bundle : bundles) {
            if (API.contains(bundle.name())) {
                urls.add(bundle.jar().toUri().toURL());
            }
        }
        List<String> breaches = new ArrayList<>();
        try (URLClassLoader loader =
                new URLClassLoader(
                        urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            for (BuiltBundle bundle : bundles) {
                if (API.contains(bundle.name())) {
                    for (String file : bundle.classes()) {
                        String name =
                                file.substring(0, file.length() - ".class".length())
                                        .replace('/', '.');
                        if (!name.endsWith("package-info")) {
                            look(Class.forName(name, false, loader), breaches);
                        }
                    }
                }
            }
        }
        none(breaches);
    }

    private static void look(Class<?> type, List<String> breaches) {
        Set<Class<?>> seen = new HashSet<>();
        for (Method method : type.getDeclaredMethods()) {
            if (!Modifier.isPrivate(method.getModifiers())) {
                seen.add(method.getReturnType());
                seen.addAll(List.of(method.getParameterTypes()));
            }
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            seen.addAll(List.of(constructor.getParameterTypes()));
        }
        for (Field field : type.getDeclaredFields()) {
            seen.add(field.getType());
        }
        for (Class<?> other : seen) {
            Class<?> element = other;
            while (element.isArray()) {
                element = element.getComponentType();
            }
            String name = element.getName();
            if (!element.isPrimitive()
                    && !name.startsWith("java.")
                    && !name.startsWith("palyra.api.")) {
                breaches.add(type.getName() + " shows " + name);
            }
        }
    }
}
