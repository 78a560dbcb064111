package palyra.launcher;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.wiring.BundleCapability;
import org.osgi.framework.wiring.BundleRequirement;
import org.osgi.framework.wiring.BundleRevision;
import org.osgi.framework.wiring.FrameworkWiring;

/**
 * Why bundles do not resolve, each in one sentence.
 *
 * @param foreign names of the bundles for another operating system or processor
 * @param broken the others that do not resolve
 */
record Resolution(List<String> foreign, List<Broken> broken) {
    private static final String NATIVE = "osgi.native";
    private static final String PACKAGE = "osgi.wiring.package";
    private static final String BUNDLE = "osgi.wiring.bundle";

    Resolution {
        foreign = List.copyOf(foreign);
        broken = List.copyOf(broken);
    }

    /** A bundle that will not run, and the reason, a sentence without its full stop. */
    record Broken(BundleSet.Installed installed, String reason) {
        String sentence() {
            return installed.bundle().getSymbolicName() + " does not resolve: " + reason;
        }
    }

    /** Resolves all bundles and collects those that do not resolve. */
    static Resolution of(Bundle system, List<BundleSet.Installed> installed) {
        FrameworkWiring wiring = system.adapt(FrameworkWiring.class);
        wiring.resolveBundles(installed.stream().map(BundleSet.Installed::bundle).toList());
        List<String> foreign = new ArrayList<>();
        List<Broken> broken = new ArrayList<>();
        for (BundleSet.Installed one : installed) {
            if (one.bundle().getState() == Bundle.INSTALLED) {
                List<BundleRequirement> missing = missing(wiring, one.bundle());
                if (!missing.isEmpty() && missing.stream().allMatch(Resolution::isNative)) {
                    foreign.add(one.bundle().getSymbolicName());
                } else {
                    broken.add(new Broken(one, reason(wiring, one.bundle(), missing)));
                }
            }
        }
        return new Resolution(foreign, broken);
    }

    private static boolean isNative(BundleRequirement requirement) {
        return requirement.getNamespace().equals(NATIVE);
    }

    private static List<BundleRequirement> missing(FrameworkWiring wiring, Bundle bundle) {
        return mandatory(bundle)
                .filter(requirement -> wiring.findProviders(requirement).isEmpty())
                .toList();
    }

    private static Stream<BundleRequirement> mandatory(Bundle bundle) {
        return bundle.adapt(BundleRevision.class).getDeclaredRequirements(null).stream()
                .filter(Resolution::countsForResolving);
    }

    private static boolean countsForResolving(BundleRequirement requirement) {
        Map<String, String> directives = requirement.getDirectives();
        String effective = directives.getOrDefault(Constants.EFFECTIVE_DIRECTIVE, "resolve");
        String resolution = directives.getOrDefault(Constants.RESOLUTION_DIRECTIVE, "mandatory");
        return effective.equals("resolve") && resolution.equals("mandatory");
    }

    private static String reason(
            FrameworkWiring wiring, Bundle bundle, List<BundleRequirement> missing) {
        if (!missing.isEmpty()) {
            return String.join(" and ", missing.stream().map(Resolution::lacking).toList());
        }
        return mandatory(bundle)
                .filter(requirement -> onlyUnresolved(wiring, bundle, requirement))
                .findFirst()
                .map(requirement -> throughAnother(wiring, requirement))
                .orElseGet(() -> frameworkSays(bundle));
    }

    private static String lacking(BundleRequirement requirement) {
        String what =
                switch (requirement.getNamespace()) {
                    case PACKAGE -> "package";
                    case BUNDLE -> "bundle";
                    default -> "capability " + requirement.getNamespace();
                };
        String filter = requirement.getDirectives().getOrDefault(Constants.FILTER_DIRECTIVE, "");
        return "no bundle supplies " + what + " " + readable(filter, requirement.getNamespace());
    }

    /** {@code (&(osgi.wiring.package=a.b)(version>=1.0)(!(version>=2.0)))} as "a.b [1.0,2.0)". */
    private static String readable(String filter, String namespace) {
        String name = valueOf(filter, "(" + namespace + "=");
        if (name.isEmpty()) {
            return filter.isEmpty() ? "(any)" : filter;
        }
        String least = valueOf(filter, "(version>=");
        String most = valueOf(filter, "(!(version>=");
        if (least.isEmpty()) {
            return name;
        }
        return most.isEmpty()
                ? name + " from version " + least
                : name + " of a version in [" + least + "," + most + ")";
    }

    private static String valueOf(String filter, String start) {
        int from = filter.indexOf(start);
        int end = from < 0 ? -1 : filter.indexOf(')', from + start.length());
        return end < 0 ? "" : filter.substring(from + start.length(), end);
    }

    private static boolean onlyUnresolved(
            FrameworkWiring wiring, Bundle self, BundleRequirement requirement) {
        return wiring.findProviders(requirement).stream()
                .map(capability -> capability.getRevision().getBundle())
                .allMatch(bundle -> bundle.getState() == Bundle.INSTALLED && !bundle.equals(self));
    }

    private static String throughAnother(FrameworkWiring wiring, BundleRequirement requirement) {
        BundleCapability supplier = wiring.findProviders(requirement).iterator().next();
        return "it needs "
                + supplier.getRevision().getSymbolicName()
                + ", which does not resolve itself";
    }

    /** The framework's own message: the only source for a conflict between packages. */
    private static String frameworkSays(Bundle bundle) {
        try {
            bundle.start(Bundle.START_TRANSIENT);
            return "it resolved only when it was started";
        } catch (BundleException e) {
            return Problems.oneLine(e);
        }
    }
}
