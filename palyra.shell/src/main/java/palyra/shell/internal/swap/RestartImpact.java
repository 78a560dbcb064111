package palyra.shell.internal.swap;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.osgi.framework.dto.ServiceReferenceDTO;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.osgi.service.component.runtime.dto.ComponentConfigurationDTO;
import org.osgi.service.component.runtime.dto.ComponentDescriptionDTO;
import org.osgi.service.component.runtime.dto.ReferenceDTO;
import org.osgi.service.component.runtime.dto.SatisfiedReferenceDTO;

/**
 * Which components a swap restarts: those of the bundle, and those that hold one of their services,
 * or of the restarted ones', by a static reference. Dynamic references go on.
 */
final class RestartImpact {
    private static final String COMPONENT_ID = "component.id";

    private RestartImpact() {}

    static List<String> of(ServiceComponentRuntime runtime, long targetId) {
        List<ComponentConfigurationDTO> working = working(runtime);
        Map<Long, ComponentConfigurationDTO> restarting = new HashMap<>();
        for (ComponentConfigurationDTO each : working) {
            if (each.description.bundle.id == targetId) {
                restarting.put(each.id, each);
            }
        }
        int before;
        do {
            before = restarting.size();
            for (ComponentConfigurationDTO each : working) {
                if (!restarting.containsKey(each.id)
                        && holds(each, restarting.keySet(), targetId)) {
                    restarting.put(each.id, each);
                }
            }
        } while (restarting.size() > before);
        return restarting.values().stream()
                .map(each -> each.description.name + " of " + each.description.bundle.symbolicName)
                .sorted()
                .toList();
    }

    private static List<ComponentConfigurationDTO> working(ServiceComponentRuntime runtime) {
        List<ComponentConfigurationDTO> working = new ArrayList<>();
        for (ComponentDescriptionDTO description : runtime.getComponentDescriptionDTOs()) {
            for (ComponentConfigurationDTO each :
                    runtime.getComponentConfigurationDTOs(description)) {
                if (each.state == ComponentConfigurationDTO.ACTIVE) {
                    working.add(each);
                }
            }
        }
        return working;
    }

    private static boolean holds(
            ComponentConfigurationDTO component, Set<Long> restarting, long targetId) {
        Set<String> fixed = new HashSet<>();
        for (ReferenceDTO reference : component.description.references) {
            if (reference.policy.equals("static")) {
                fixed.add(reference.name);
            }
        }
        for (SatisfiedReferenceDTO bound : component.satisfiedReferences) {
            if (!fixed.contains(bound.name)) {
                continue;
            }
            for (ServiceReferenceDTO service : bound.boundServices) {
                Object id = service.properties.get(COMPONENT_ID);
                if (service.bundle == targetId
                        || (id instanceof Long number && restarting.contains(number))) {
                    return true;
                }
            }
        }
        return false;
    }
}
