package palyra.shared.bundles;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.wiring.FrameworkWiring;

/**
 * Asks the framework's own resolver whether a jar would resolve here: a bundle with the jar's
 * requirements, and nothing in it, is installed under another name, resolved and removed.
 */
public final class DryRun {
    private static final String SUFFIX = ".dry-run";
    private static final List<String> KEPT =
            List.of(
                    Constants.IMPORT_PACKAGE,
                    Constants.EXPORT_PACKAGE,
                    Constants.REQUIRE_CAPABILITY,
                    Constants.PROVIDE_CAPABILITY,
                    Constants.REQUIRE_BUNDLE);

    private DryRun() {}

    /**
     * Tries it.
     *
     * @param headers main attributes of the jar's manifest
     * @param symbolicName name without directives
     * @param system context of the framework
     * @param location location for the time of the try; no other bundle may use it
     * @return why it would not resolve, such as {@code it needs the package a.b}; empty when it
     *     would
     * @throws BundleException when the framework does not take the headers
     */
    public static Optional<String> objection(
            Attributes headers, String symbolicName, BundleContext system, String location)
            throws BundleException, IOException {
        Bundle probe = null;
        try {
            byte[] shell = shell(headers, symbolicName);
            probe = system.installBundle(location, new ByteArrayInputStream(shell));
            FrameworkWiring wiring =
                    system.getBundle(Constants.SYSTEM_BUNDLE_LOCATION).adapt(FrameworkWiring.class);
            return wiring.resolveBundles(List.of(probe))
                    ? Optional.empty()
                    : Optional.of(why(Requirements.unmet(probe, system)));
        } finally {
            if (probe != null) {
                probe.uninstall();
            }
        }
    }

    private static String why(List<Requirements.Unmet> unmet) {
        return unmet.isEmpty()
                ? "its requirements contradict each other"
                : "it needs "
                        + String.join("; ", unmet.stream().map(Requirements.Unmet::text).toList());
    }

    private static byte[] shell(Attributes headers, String symbolicName) throws IOException {
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.putValue(Constants.BUNDLE_MANIFESTVERSION, "2");
        main.putValue(Constants.BUNDLE_SYMBOLICNAME, symbolicName + SUFFIX);
        String version = headers.getValue(Constants.BUNDLE_VERSION);
        main.putValue(Constants.BUNDLE_VERSION, version == null ? "0" : version);
        for (String header : KEPT) {
            String value = headers.getValue(header);
            if (value != null) {
                main.putValue(header, value);
            }
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new JarOutputStream(bytes, manifest).close();
        return bytes.toByteArray();
    }
}
