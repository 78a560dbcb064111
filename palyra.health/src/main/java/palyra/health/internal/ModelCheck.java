package palyra.health.internal;

import org.apache.felix.hc.api.HealthCheck;
import org.apache.felix.hc.api.Result;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import palyra.api.model.ModelProvider;

/** Readiness check: a model provider is available. */
@Component(
        immediate = true,
        property = {
            HealthCheck.NAME + "=" + ModelCheck.NAME,
            HealthCheck.TAGS + "=" + CheckRunner.READY
        })
public final class ModelCheck implements HealthCheck {
    static final String NAME = "model";

    private final Presence presence =
            new Presence("A model provider", "runs wait: see palyra doctor.");

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindModelProvider(ModelProvider service) {
        presence.add(service);
    }

    /** Called by the component runtime. */
    public void unbindModelProvider(ModelProvider service) {
        presence.remove(service);
    }

    @Override
    public Result execute() {
        return presence.result();
    }
}
