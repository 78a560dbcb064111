package palyra.shell.internal.doctor;

import java.util.ArrayList;
import java.util.List;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.startlevel.BundleStartLevel;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Finding.Severity;
import palyra.shared.bundles.Requirements;
import palyra.shell.internal.commands.BundlesCommand;

/** Explains bundles that are not active. */
final class BundleDoctor {
    private static final String AREA = "bundles";

    private BundleDoctor() {}

    static List<Finding> findings(BundleContext context) {
        List<Finding> findings = new ArrayList<>();
        for (Bundle bundle : context.getBundles()) {
            switch (bundle.getState()) {
                case Bundle.INSTALLED -> findings.add(unresolved(bundle, context));
                case Bundle.RESOLVED -> notStarted(bundle, findings);
                case Bundle.STARTING -> starting(bundle, findings);
                default -> {
                    // Active, or on its way out.
                }
            }
        }
        return findings;
    }

    private static Finding unresolved(Bundle bundle, BundleContext context) {
        String name = BundlesCommand.name(bundle);
        List<Requirements.Unmet> unmet = Requirements.unmet(bundle, context);
        if (unmet.isEmpty()) {
            return new Finding(
                    Severity.WARNING,
                    AREA,
                    name
                            + " is installed and not resolved, although its requirements seem to be"
                            + " met.",
                    "Start it to see the error: " + start(bundle));
        }
        if (unmet.stream().allMatch(Requirements.Unmet::platform)) {
            String wants = String.join("; ", unmet.stream().map(Requirements.Unmet::text).toList());
            return new Finding(
                    Severity.INFO,
                    AREA,
                    name
                            + " is for another platform and stays off: it needs "
                            + wants
                            + ", and this framework runs on "
                            + context.getProperty(Constants.FRAMEWORK_OS_NAME)
                            + " "
                            + context.getProperty(Constants.FRAMEWORK_PROCESSOR)
                            + ".",
                    "");
        }
        String needs = String.join("; ", unmet.stream().map(Requirements.Unmet::text).toList());
        return new Finding(
                Severity.ERROR,
                AREA,
                name + " is not resolved: it needs " + needs + ".",
                "Install a bundle that offers it in the required version.");
    }

    private static void notStarted(Bundle bundle, List<Finding> findings) {
        boolean fragment = bundle.getHeaders().get(Constants.FRAGMENT_HOST) != null;
        if (fragment) {
            return;
        }
        String name = BundlesCommand.name(bundle);
        BundleStartLevel level = bundle.adapt(BundleStartLevel.class);
        boolean wanted = level != null && level.isPersistentlyStarted();
        findings.add(
                new Finding(
                        Severity.WARNING,
                        AREA,
                        name
                                + (wanted
                                        ? " is marked to be started but its start failed."
                                        : " is installed but not started."),
                        "Start it: " + start(bundle) + (wanted ? ", and see palyra logs" : "")));
    }

    private static void starting(Bundle bundle, List<Finding> findings) {
        boolean lazy =
                String.valueOf(bundle.getHeaders().get(Constants.BUNDLE_ACTIVATIONPOLICY))
                        .startsWith(Constants.ACTIVATION_LAZY);
        if (!lazy) {
            findings.add(
                    new Finding(
                            Severity.WARNING,
                            AREA,
                            BundlesCommand.name(bundle) + " is still starting.",
                            "Wait a moment and ask again."));
        }
    }

    /** Uses the id, which is unique. */
    static String start(Bundle bundle) {
        return "palyra bundle start " + bundle.getBundleId();
    }
}
