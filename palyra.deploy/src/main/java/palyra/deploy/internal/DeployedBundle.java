package palyra.deploy.internal;

import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.osgi.framework.Version;

/**
 * A bundle of the folder that started successfully: the last good state of its name.
 *
 * @param symbolicName its name
 * @param version its version
 * @param file the file it came from
 * @param sha256 digest of the jar, of which a copy is kept
 * @param signers signers of all of it
 */
record DeployedBundle(
        String symbolicName, Version version, String file, String sha256, Set<String> signers) {
    private static final String LOCATION = "palyra:deploy/";

    DeployedBundle {
        signers = Set.copyOf(signers);
    }

    static DeployedBundle of(String file, JarFacts facts) {
        return new DeployedBundle(
                facts.symbolicName(),
                facts.version(),
                file,
                facts.sha256(),
                facts.signers().keySet());
    }

    /** Returns the location under which the framework knows the bundle of a name. */
    static String location(String symbolicName) {
        return LOCATION + symbolicName;
    }

    /** Returns whether a location belongs to the drop-in folder. */
    static boolean isLocation(String location) {
        return location.startsWith(LOCATION);
    }

    /** Returns the bundle name in such a location. */
    static String nameAt(String location) {
        return location.substring(LOCATION.length());
    }

    String title() {
        return symbolicName + " " + version;
    }

    DeployedBundle from(String otherFile) {
        return new DeployedBundle(symbolicName, version, otherFile, sha256, signers);
    }

    Properties asProperties() {
        Properties properties = new Properties();
        properties.setProperty("symbolicName", symbolicName);
        properties.setProperty("version", version.toString());
        properties.setProperty("file", file);
        properties.setProperty("sha256", sha256);
        properties.setProperty("signers", String.join(" ", new TreeSet<>(signers)));
        return properties;
    }

    /**
     * Reads what {@link #asProperties} wrote.
     *
     * @throws IllegalArgumentException when the properties are incomplete
     */
    static DeployedBundle of(Properties properties) {
        List<String> signers = Arrays.asList(text(properties, "signers").split(" "));
        return new DeployedBundle(
                text(properties, "symbolicName"),
                Version.parseVersion(text(properties, "version")),
                text(properties, "file"),
                text(properties, "sha256"),
                signers.equals(List.of("")) ? Set.of() : Set.copyOf(signers));
    }

    private static String text(Properties properties, String key) {
        String value = properties.getProperty(key);
        if (value == null) {
            throw new IllegalArgumentException("it lacks " + key);
        }
        return value;
    }
}
