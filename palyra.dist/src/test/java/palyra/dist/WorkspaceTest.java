package palyra.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The bnd workspace in cnf/ and the Maven reactor describe one tree. */
class WorkspaceTest {
    private static final Pattern PROPERTY = Pattern.compile("<([\\w.-]+\\.version)>([^<$]+)</\\1>");
    private static final Pattern DEPENDENCY =
            Pattern.compile(
                    "<dependency>\\s*<groupId>([^<]+)</groupId>\\s*<artifactId>([^<]+)</artifactId>"
                            + "\\s*<version>\\$\\{([^}]+)}</version>");

    private static Map<String, String> poms() throws Exception {
        String root = Files.readString(Product.root().resolve("pom.xml"));
        Map<String, String> properties = new HashMap<>();
        Matcher property = PROPERTY.matcher(root);
        while (property.find()) {
            properties.put(property.group(1), property.group(2));
        }
        Map<String, String> versions = new HashMap<>();
        String all = root + Files.readString(Product.root().resolve("palyra.dist/pom.xml"));
        Matcher dependency = DEPENDENCY.matcher(all);
        while (dependency.find()) {
            String version = properties.get(dependency.group(3));
            if (version != null) {
                versions.put(dependency.group(1) + ":" + dependency.group(2), version);
            }
        }
        return versions;
    }

    private static List<String> central() throws Exception {
        return Files.readAllLines(Product.root().resolve("cnf/central.mvn")).stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList();
    }

    @Test
    void namesEveryLibraryWithTheVersionOfThePom() throws Exception {
        Map<String, String> poms = poms();
        assertTrue(poms.size() > 20, poms.toString());
        TreeSet<String> listed = new TreeSet<>();
        for (String line : central()) {
            int last = line.lastIndexOf(':');
            String name = line.substring(0, last);
            assertEquals(poms.get(name), line.substring(last + 1), name);
            assertTrue(listed.add(name), "listed twice: " + name);
        }
        TreeSet<String> shipped = new TreeSet<>();
        Matcher dependency =
                DEPENDENCY.matcher(Files.readString(Product.root().resolve("palyra.dist/pom.xml")));
        while (dependency.find()) {
            if (!dependency.group(1).equals("dev.palyra")) {
                shipped.add(dependency.group(1) + ":" + dependency.group(2));
            }
        }
        shipped.removeAll(listed);
        assertEquals(new TreeSet<String>(), shipped, "ships and is not in cnf/central.mvn");
    }

    @Test
    void everyBundleOfOursIsAModuleOfTheReactorWithItsName() throws Exception {
        String reactor = Files.readString(Product.root().resolve("pom.xml"));
        for (Path jar : Product.bundles()) {
            String name = Product.header(jar, "Bundle-SymbolicName");
            if (name.startsWith("palyra.")) {
                assertTrue(reactor.contains("<module>" + name + "</module>"), name);
                assertTrue(Files.exists(Product.root().resolve(name + "/bnd.bnd")), name);
            }
        }
    }

    @Test
    void saysTheReleaseAndTheVersionOfThePom() throws Exception {
        String build = Files.readString(Product.root().resolve("cnf/build.bnd"));
        String reactor = Files.readString(Product.root().resolve("pom.xml"));
        Matcher release = Pattern.compile("<maven.compiler.release>(\\d+)<").matcher(reactor);
        assertTrue(release.find());
        assertTrue(build.contains("javac.source: " + release.group(1)));
        assertTrue(build.contains("javac.target: " + release.group(1)));
        assertTrue(build.contains("Bundle-Version: " + Product.version().replace('-', '.')), build);
    }
}
