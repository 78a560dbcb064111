package palyra.shared.bundles;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.wiring.BundleCapability;
import org.osgi.framework.wiring.BundleRequirement;
import org.osgi.framework.wiring.BundleRevision;
import org.osgi.framework.wiring.BundleWiring;

/** Why a bundle does not resolve, in words. */
public final class Requirements {
    private static final String NATIVE = "osgi.native";
    private static final Pattern ATTRIBUTE = Pattern.compile("\\(([a-z.]+)=([^()]+)\\)");
    private static final Pattern FROM = Pattern.compile("\\(version>=([^)]+)\\)");
    private static final Pattern BELOW = Pattern.compile("\\(!\\(version>=([^)]+)\\)\\)");

    private Requirements() {}

    /**
     * Something that a bundle needs to resolve and does not get.
     *
     * @param platform whether it is about the operating system or processor
     * @param text what it needs, for a sentence
     */
    public record Unmet(boolean platform, String text) {}

    /**
     * Returns the requirements of a bundle that no other bundle, or only unresolved ones, can meet.
     */
    public static List<Unmet> unmet(Bundle bundle, BundleContext context) {
        List<Unmet> unmet = new ArrayList<>();
        BundleRevision revision = bundle.adapt(BundleRevision.class);
        if (revision == null) {
            return unmet;
        }
        for (BundleRequirement requirement : revision.getDeclaredRequirements(null)) {
            if (matters(requirement)) {
                look(requirement, bundle, context, unmet);
            }
        }
        return unmet;
    }

    private static boolean matters(BundleRequirement requirement) {
        Map<String, String> directives = requirement.getDirectives();
        String resolution = directives.getOrDefault(Constants.RESOLUTION_DIRECTIVE, "mandatory");
        String effective = directives.getOrDefault(Constants.EFFECTIVE_DIRECTIVE, "resolve");
        return resolution.equals("mandatory") && effective.equals("resolve");
    }

    private static void look(
            BundleRequirement requirement,
            Bundle bundle,
            BundleContext context,
            List<Unmet> unmet) {
        List<Bundle> offering =
                Arrays.stream(context.getBundles())
                        .filter(other -> offers(other, requirement))
                        .toList();
        boolean platform = requirement.getNamespace().equals(NATIVE);
        if (offering.isEmpty()) {
            unmet.add(new Unmet(platform, describe(requirement)));
            return;
        }
        boolean resolved =
                offering.stream()
                        .anyMatch(
                                other ->
                                        other.equals(bundle)
                                                || other.adapt(BundleWiring.class) != null);
        if (!resolved) {
            String names = String.join(" or ", offering.stream().map(Requirements::name).toList());
            unmet.add(
                    new Unmet(
                            platform,
                            describe(requirement)
                                    + ", which only "
                                    + names
                                    + " offers, itself unresolved"));
        }
    }

    private static boolean offers(Bundle bundle, BundleRequirement requirement) {
        BundleWiring wiring = bundle.adapt(BundleWiring.class);
        BundleRevision revision = bundle.adapt(BundleRevision.class);
        List<BundleCapability> capabilities;
        if (wiring != null) {
            capabilities = wiring.getCapabilities(requirement.getNamespace());
        } else if (revision != null) {
            capabilities = revision.getDeclaredCapabilities(requirement.getNamespace());
        } else {
            return false;
        }
        return capabilities != null && capabilities.stream().anyMatch(requirement::matches);
    }

    private static String name(Bundle bundle) {
        return bundle.getSymbolicName() == null ? bundle.getLocation() : bundle.getSymbolicName();
    }

    private static String describe(BundleRequirement requirement) {
        String filter = requirement.getDirectives().getOrDefault("filter", "");
        return switch (requirement.getNamespace()) {
            case NATIVE -> "another platform " + filter;
            case "osgi.wiring.package" -> "the package " + named(filter) + versions(filter);
            case "osgi.wiring.bundle" -> "the bundle " + named(filter) + versions(filter);
            case "osgi.wiring.host" -> "the host bundle " + named(filter) + versions(filter);
            case "osgi.ee" -> "another version of Java " + filter;
            case "osgi.extender" -> "the extender " + named(filter) + versions(filter);
            default -> requirement.getNamespace() + " " + filter;
        };
    }

    private static String named(String filter) {
        Matcher matcher = ATTRIBUTE.matcher(filter);
        while (matcher.find()) {
            if (!matcher.group(1).equals("version")) {
                return matcher.group(2);
            }
        }
        return filter;
    }

    private static String versions(String filter) {
        Matcher from = FROM.matcher(filter);
        Matcher below = BELOW.matcher(filter);
        String text = from.find() ? " from version " + from.group(1) : "";
        return below.find() ? text + " and below " + below.group(1) : text;
    }
}
