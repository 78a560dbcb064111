package palyra.shell.internal.swap;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.wiring.FrameworkWiring;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shell.internal.doctor.Requirements;

/**
 * Asks the framework's own resolver whether a jar would resolve here: a bundle with the jar's
 * requirements, and nothing in it, is installed under another name, resolved and removed.
 */
final class DryRun {
    private static final List<String> KEPT =
            List.of(
                    Constants.IMPORT_PACKAGE,
                    Constants.EXPORT_PACKAGE,
                    Constants.REQUIRE_CAPABILITY,
                    Constants.PROVIDE_CAPABILITY,
                    Constants.REQUIRE_BUNDLE);

    private DryRun() {}

    /**
     * Refuses a jar that would not resolve.
     *
     * @throws PalyraException INVALID_ARGUMENT naming what it needs
     */
    static void requireResolves(Candidate candidate, BundleContext context, String operationId) {
        Bundle probe = null;
        try {
            probe =
                    context.installBundle(
                            "palyra:swap-check/" + operationId,
                            new ByteArrayInputStream(shell(candidate)));
            FrameworkWiring wiring =
                    context.getBundle(Constants.SYSTEM_BUNDLE_LOCATION)
                            .adapt(FrameworkWiring.class);
            if (!wiring.resolveBundles(List.of(probe))) {
                throw refused(candidate, Requirements.unmet(probe, context));
            }
        } catch (BundleException | IOException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The framework does not take the jar: " + e.getMessage() + ".",
                    e);
        } finally {
            remove(probe);
        }
    }

    private static PalyraException refused(Candidate candidate, List<Requirements.Unmet> unmet) {
        String needs =
                unmet.isEmpty()
                        ? "its requirements contradict each other"
                        : "it needs "
                                + String.join(
                                        "; ", unmet.stream().map(each -> each.text()).toList());
        return new PalyraException(
                ErrorCode.INVALID_ARGUMENT,
                candidate.symbolicName()
                        + " "
                        + candidate.version()
                        + " would not resolve here: "
                        + needs
                        + ". Nothing was changed.");
    }

    private static byte[] shell(Candidate candidate) throws IOException {
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.putValue(Constants.BUNDLE_MANIFESTVERSION, "2");
        main.putValue(Constants.BUNDLE_SYMBOLICNAME, candidate.symbolicName() + ".swap-check");
        main.putValue(Constants.BUNDLE_VERSION, candidate.version().toString());
        for (String header : KEPT) {
            String value = candidate.manifest().getMainAttributes().getValue(header);
            if (value != null) {
                main.putValue(header, value);
            }
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new JarOutputStream(bytes, manifest).close();
        return bytes.toByteArray();
    }

    private static void remove(Bundle probe) {
        if (probe == null) {
            return;
        }
        try {
            probe.uninstall();
        } catch (BundleException e) {
            throw new PalyraException(
                    ErrorCode.INTERNAL, "The bundle of the dry run could not be removed.", e);
        }
    }
}
