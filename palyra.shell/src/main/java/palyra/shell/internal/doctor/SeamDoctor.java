package palyra.shell.internal.doctor;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.osgi.service.component.runtime.dto.ComponentDescriptionDTO;
import org.osgi.service.component.runtime.dto.ReferenceDTO;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Finding.Severity;

/**
 * Finds services that bundles use and no bundle offers. References across seams are optional, so
 * {@link ComponentDoctor} does not report them.
 */
final class SeamDoctor {
    private static final String AREA = "services";
    private static final String OURS = "palyra.api.";

    /** Services that bundles may contribute but need not. */
    private static final String CONTRIBUTED = "palyra.api.core.ops.";

    private static final Set<String> CONTRIBUTIONS =
            Set.of(
                    "palyra.api.channel.Connector",
                    "palyra.api.command.Command",
                    "palyra.api.console.ConsolePanel",
                    "palyra.api.tool.Tool");

    private SeamDoctor() {}

    static List<Finding> findings(
            Collection<ComponentDescriptionDTO> descriptions, ComponentDoctor components) {
        Map<String, Set<String>> users = new TreeMap<>();
        for (ComponentDescriptionDTO description : descriptions) {
            for (ReferenceDTO reference : description.references) {
                String type = reference.interfaceName;
                if (isSeam(reference)
                        && components.registered(type) == 0
                        && !components.supplierExplains(type)) {
                    users.computeIfAbsent(type, any -> new TreeSet<>())
                            .add(description.bundle.symbolicName);
                }
            }
        }
        List<Finding> findings = new ArrayList<>();
        users.forEach(
                (type, bundles) ->
                        findings.add(
                                new Finding(
                                        Severity.ERROR,
                                        AREA,
                                        "No bundle offers "
                                                + type
                                                + ", which "
                                                + String.join(", ", bundles)
                                                + (bundles.size() == 1 ? " uses." : " use."),
                                        components.remedy(type, ""))));
        return findings;
    }

    private static boolean isSeam(ReferenceDTO reference) {
        return reference.cardinality.startsWith("0")
                && reference.interfaceName.startsWith(OURS)
                && !reference.interfaceName.startsWith(CONTRIBUTED)
                && !CONTRIBUTIONS.contains(reference.interfaceName);
    }
}
