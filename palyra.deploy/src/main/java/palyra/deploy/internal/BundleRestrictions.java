package palyra.deploy.internal;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.regex.Pattern;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;

/** Bundles that the drop-in folder never installs, even when pinned. */
final class BundleRestrictions {
    private static final List<String> OWN = List.of("palyra.api", "palyra.api.core");
    private static final String HOLDERS = "palyra.lib.";
    private static final Pattern QUOTED = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"");

    private final BundleContext system;

    BundleRestrictions(BundleContext system) {
        this.system = system;
    }

    /**
     * Reason for a refusal.
     *
     * @param reason a sentence
     * @param remedy a sentence
     */
    record Restriction(String reason, String remedy) {}

    /** Returns why a bundle must not be installed; empty when it may. */
    Optional<Restriction> objection(JarFacts facts) {
        return byName(facts.symbolicName())
                .or(() -> byHeaders(facts))
                .or(() -> byPresence(facts.symbolicName()));
    }

    private static Optional<Restriction> byName(String name) {
        if (OWN.contains(name) || name.startsWith(HOLDERS)) {
            return refused(
                    name + " is a base bundle of the gateway.",
                    "Replace its jar in the installation and restart.");
        }
        return Optional.empty();
    }

    private static Optional<Restriction> byHeaders(JarFacts facts) {
        Attributes headers = facts.headers();
        if (headers.getValue(Constants.FRAGMENT_HOST) != null) {
            return refused(
                    facts.symbolicName() + " is a fragment, which becomes part of another bundle.",
                    "Only complete bundles can be deployed.");
        }
        if (headers.getValue(Constants.BUNDLE_NATIVECODE) != null) {
            return refused(
                    facts.symbolicName() + " contains native code, which cannot be unloaded.",
                    "Put its jar into the installation and restart.");
        }
        if (exportsApi(headers.getValue(Constants.EXPORT_PACKAGE))) {
            return refused(
                    facts.symbolicName() + " exports packages of the gateway's API.",
                    "Import them; do not pack them.");
        }
        return Optional.empty();
    }

    private static boolean exportsApi(String header) {
        if (header == null) {
            return false;
        }
        String bare = QUOTED.matcher(header).replaceAll("");
        return Arrays.stream(bare.split("[,;]"))
                .map(String::strip)
                .anyMatch(each -> each.equals("palyra.api") || each.startsWith("palyra.api."));
    }

    private Optional<Restriction> byPresence(String name) {
        if (name.equals(Constants.SYSTEM_BUNDLE_SYMBOLICNAME)
                || name.equals(system.getBundle().getSymbolicName())) {
            return refused(
                    name + " is the framework itself.",
                    "Replace its jar in the installation and restart.");
        }
        for (Bundle bundle : system.getBundles()) {
            boolean other = name.equals(bundle.getSymbolicName());
            if (other && !bundle.getLocation().equals(DeployedBundle.location(name))) {
                return refused(
                        name + " is already installed, and not from this folder.",
                        "To replace it, use palyra swap " + name + " FILE.");
            }
        }
        return Optional.empty();
    }

    private static Optional<Restriction> refused(String reason, String remedy) {
        return Optional.of(new Restriction(reason, remedy));
    }
}
