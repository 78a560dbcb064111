package palyra.shared.bundles;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.osgi.framework.Bundle;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.osgi.service.component.runtime.dto.ComponentConfigurationDTO;
import org.osgi.service.component.runtime.dto.ComponentDescriptionDTO;

/** Components that failed to activate, with the reason that the component runtime keeps. */
public final class ComponentFailures {
    private ComponentFailures() {}

    /** Returns a sentence for each component that failed: component, bundle and reason. */
    public static List<String> of(ServiceComponentRuntime runtime) {
        return of(runtime, runtime.getComponentDescriptionDTOs());
    }

    /** Returns the same of the components of one bundle. */
    public static List<String> of(ServiceComponentRuntime runtime, Bundle bundle) {
        return of(runtime, runtime.getComponentDescriptionDTOs(bundle));
    }

    private static List<String> of(
            ServiceComponentRuntime runtime, Collection<ComponentDescriptionDTO> descriptions) {
        List<String> failures = new ArrayList<>();
        for (ComponentDescriptionDTO description : descriptions) {
            for (ComponentConfigurationDTO one :
                    runtime.getComponentConfigurationDTOs(description)) {
                if (one.state == ComponentConfigurationDTO.FAILED_ACTIVATION) {
                    failures.add(sentence(description, one));
                }
            }
        }
        failures.sort(null);
        return failures;
    }

    /** Returns a sentence about a component that failed. */
    public static String sentence(
            ComponentDescriptionDTO description, ComponentConfigurationDTO failed) {
        return description.name
                + " of "
                + description.bundle.symbolicName
                + " failed to activate: "
                + reason(failed);
    }

    /** Returns the innermost cause of a failure, on one line; of our own, the sentence alone. */
    static String reason(ComponentConfigurationDTO failed) {
        return Objects.toString(failed.failure, "")
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .reduce((first, line) -> line.startsWith("Caused by: ") ? line : first)
                .map(line -> line.replaceFirst("^Caused by: ", ""))
                .map(line -> line.replaceFirst("^([a-z]\\w*\\.)+[A-Z]\\w*(Exception|Error): ", ""))
                .orElse("it gave no reason");
    }
}
