package palyra.shell.internal.doctor;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.osgi.service.component.runtime.dto.ComponentConfigurationDTO;
import org.osgi.service.component.runtime.dto.ComponentDescriptionDTO;
import org.osgi.service.component.runtime.dto.ReferenceDTO;
import org.osgi.service.component.runtime.dto.UnsatisfiedReferenceDTO;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Finding.Severity;
import palyra.shared.bundles.ComponentFailures;
import palyra.shared.bundles.Requirements;
import palyra.shell.internal.commands.BundlesCommand;

/** Explains every inactive component: what it waits for and which bundle would supply it. */
final class ComponentDoctor {
    private static final String AREA = "components";

    private final ServiceComponentRuntime runtime;
    private final BundleContext context;
    private final Suppliers suppliers;
    private final Collection<ComponentDescriptionDTO> descriptions;
    private final Set<Long> explaining;
    private int working;

    /**
     * Creates it.
     *
     * @param explaining ids of the bundles that reported an error of their own
     */
    ComponentDoctor(ServiceComponentRuntime runtime, BundleContext context, Set<Long> explaining) {
        this.explaining = Set.copyOf(explaining);
        this.runtime = runtime;
        this.context = context;
        this.suppliers = new Suppliers(context);
        this.descriptions = runtime.getComponentDescriptionDTOs();
    }

    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        for (ComponentDescriptionDTO description : descriptions) {
            for (ComponentConfigurationDTO configuration :
                    runtime.getComponentConfigurationDTOs(description)) {
                look(description, configuration, findings);
            }
        }
        findings.addAll(SeamDoctor.findings(descriptions, this));
        return findings;
    }

    int registered(String type) {
        return suppliers.registered(type);
    }

    /**
     * Returns whether every bundle that would supply the service is active and says itself why it
     * does not.
     */
    boolean supplierExplains(String type) {
        List<Bundle> candidates = suppliers.of(type);
        return !candidates.isEmpty()
                && candidates.stream()
                        .allMatch(
                                each ->
                                        each.getState() == Bundle.ACTIVE
                                                && explaining.contains(each.getBundleId()));
    }

    /** Returns how many components are active, or would be on request. */
    int working() {
        return working;
    }

    private void look(
            ComponentDescriptionDTO description,
            ComponentConfigurationDTO configuration,
            List<Finding> findings) {
        switch (configuration.state) {
            case ComponentConfigurationDTO.ACTIVE, ComponentConfigurationDTO.SATISFIED -> working++;
            case ComponentConfigurationDTO.UNSATISFIED_REFERENCE -> {
                for (UnsatisfiedReferenceDTO reference : configuration.unsatisfiedReferences) {
                    findings.add(waiting(description, reference));
                }
            }
            case ComponentConfigurationDTO.UNSATISFIED_CONFIGURATION ->
                    findings.add(unconfigured(description));
            default -> findings.add(failed(description, configuration));
        }
    }

    private static String who(ComponentDescriptionDTO description) {
        return description.name + " of " + description.bundle.symbolicName;
    }

    private Finding waiting(
            ComponentDescriptionDTO description, UnsatisfiedReferenceDTO unsatisfied) {
        ReferenceDTO reference = declared(description, unsatisfied.name);
        String type = reference == null ? "unknown" : reference.interfaceName;
        String target = Objects.toString(unsatisfied.target, "");
        String many =
                reference != null && reference.cardinality.endsWith("n") ? "at least one" : "a";
        String message =
                who(description)
                        + " waits for its reference "
                        + unsatisfied.name
                        + ": "
                        + many
                        + " service "
                        + type
                        + (target.isEmpty() ? "" : " with " + target)
                        + ".";
        return new Finding(Severity.ERROR, AREA, message, remedy(type, target));
    }

    private static ReferenceDTO declared(ComponentDescriptionDTO description, String name) {
        for (ReferenceDTO reference : description.references) {
            if (reference.name.equals(name)) {
                return reference;
            }
        }
        return null;
    }

    /** Returns who would supply a service and what to do about it. */
    String remedy(String type, String target) {
        int registered = suppliers.registered(type);
        if (registered > 0 && !target.isEmpty()) {
            return registered
                    + (registered == 1 ? " service" : " services")
                    + " of this type are there, but none has these properties; correct the target"
                    + " in the component's configuration, or the supplier's.";
        }
        List<Bundle> candidates = suppliers.of(type);
        if (candidates.isEmpty()) {
            return "No installed bundle supplies it; install one that does.";
        }
        return String.join(" ", candidates.stream().map(each -> advice(each, type)).toList());
    }

    private String advice(Bundle supplier, String type) {
        String name = BundlesCommand.name(supplier);
        return switch (supplier.getState()) {
            case Bundle.ACTIVE -> activeAdvice(supplier, name, type);
            case Bundle.RESOLVED ->
                    name
                            + " would supply it and is not started: "
                            + BundleDoctor.start(supplier)
                            + ".";
            case Bundle.INSTALLED -> name + " would supply it but " + unresolved(supplier) + ".";
            default -> name + " would supply it and is being started or stopped: wait a moment.";
        };
    }

    private String unresolved(Bundle supplier) {
        List<String> needs =
                Requirements.unmet(supplier, context).stream()
                        .map(Requirements.Unmet::text)
                        .toList();
        return needs.isEmpty()
                ? "is not resolved: " + BundleDoctor.start(supplier)
                : "needs " + String.join("; ", needs);
    }

    private String activeAdvice(Bundle supplier, String name, String type) {
        Optional<ComponentDescriptionDTO> component =
                descriptions.stream()
                        .filter(each -> each.bundle.id == supplier.getBundleId())
                        .filter(each -> List.of(each.serviceInterfaces).contains(type))
                        .findFirst();
        if (component.isEmpty()) {
            return name + " would supply it and is active, but has not done so: see palyra logs.";
        }
        ComponentDescriptionDTO description = component.get();
        if (!runtime.isComponentEnabled(description)) {
            return description.name + " of " + name + " would supply it but is not enabled.";
        }
        int state =
                runtime.getComponentConfigurationDTOs(description).stream()
                        .mapToInt(each -> each.state)
                        .max()
                        .orElse(ComponentConfigurationDTO.UNSATISFIED_CONFIGURATION);
        return description.name + " of " + name + " would supply it but " + stateText(state) + ".";
    }

    private static String stateText(int state) {
        return switch (state) {
            case ComponentConfigurationDTO.UNSATISFIED_REFERENCE -> "waits itself: see there";
            case ComponentConfigurationDTO.UNSATISFIED_CONFIGURATION -> "has no configuration";
            case ComponentConfigurationDTO.ACTIVE, ComponentConfigurationDTO.SATISFIED ->
                    "is only just there: ask again in a moment";
            default -> "failed to activate: see there";
        };
    }

    private static Finding unconfigured(ComponentDescriptionDTO description) {
        return new Finding(
                Severity.INFO,
                AREA,
                who(description)
                        + " waits for a configuration "
                        + String.join(" or ", description.configurationPid)
                        + ".",
                "If it is wanted, write conf/" + description.configurationPid[0] + ".json.");
    }

    private static Finding failed(
            ComponentDescriptionDTO description, ComponentConfigurationDTO configuration) {
        return new Finding(
                Severity.ERROR,
                AREA,
                ComponentFailures.sentence(description, configuration) + ".",
                configured(configuration)
                                .map(
                                        pid ->
                                                "If its configuration is the cause, correct conf/"
                                                        + pid
                                                        + ".json: the component begins again by itself."
                                                        + " Otherwise ")
                                .orElse("Fix the cause, then: ")
                        + "palyra bundle update "
                        + description.bundle.symbolicName
                        + "; palyra logs has the details.");
    }

    /** Returns the PID whose file configures the component; empty when none does. */
    private static Optional<String> configured(ComponentConfigurationDTO configuration) {
        return configuration.properties.get("service.pid") instanceof String pid
                ? Optional.of(pid)
                : Optional.empty();
    }
}
