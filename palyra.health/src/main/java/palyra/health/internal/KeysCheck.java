package palyra.health.internal;

import org.apache.felix.hc.api.HealthCheck;
import org.apache.felix.hc.api.Result;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import palyra.api.core.keys.Keys;

/** Readiness check: the key store is available. */
@Component(
        immediate = true,
        property = {
            HealthCheck.NAME + "=" + KeysCheck.NAME,
            HealthCheck.TAGS + "=" + CheckRunner.READY
        })
public final class KeysCheck implements HealthCheck {
    static final String NAME = "keys";

    private final Presence presence =
            new Presence("The key store", "nothing can be signed: see palyra doctor.");

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindKeys(Keys service) {
        presence.add(service);
    }

    /** Called by the component runtime. */
    public void unbindKeys(Keys service) {
        presence.remove(service);
    }

    @Override
    public Result execute() {
        return presence.result();
    }
}
