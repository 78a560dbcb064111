package palyra.shared.bundles;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.osgi.service.component.runtime.dto.ComponentConfigurationDTO;
import org.osgi.service.component.runtime.dto.ComponentDescriptionDTO;
import org.osgi.service.component.runtime.dto.ReferenceDTO;
import org.osgi.service.component.runtime.dto.UnsatisfiedReferenceDTO;

/**
 * The services that a component uses and offers, as names of service types.
 *
 * @param uses service types of its references
 * @param lacks unsatisfied ones of {@code uses}
 * @param offers service types that it offers when it is active
 */
record ComponentUses(Set<String> uses, Set<String> lacks, Set<String> offers) {
    static final ComponentUses NONE = new ComponentUses(Set.of(), Set.of(), Set.of());

    static ComponentUses of(
            ComponentDescriptionDTO description,
            Collection<ComponentConfigurationDTO> configurations) {
        Map<String, String> types = new HashMap<>();
        for (ReferenceDTO reference : description.references) {
            types.put(reference.name, reference.interfaceName);
        }
        Set<String> lacks = new HashSet<>();
        for (ComponentConfigurationDTO configuration : configurations) {
            for (UnsatisfiedReferenceDTO missing : configuration.unsatisfiedReferences) {
                lacks.add(types.getOrDefault(missing.name, missing.name));
            }
        }
        return new ComponentUses(
                Set.copyOf(types.values()),
                lacks,
                Set.copyOf(List.of(description.serviceInterfaces)));
    }
}
