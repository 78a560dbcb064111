package palyra.health.internal;

import org.apache.felix.hc.api.HealthCheck;
import org.apache.felix.hc.api.Result;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import palyra.api.core.access.Access;

/** Readiness check: access control is available. */
@Component(
        immediate = true,
        property = {
            HealthCheck.NAME + "=" + AccessCheck.NAME,
            HealthCheck.TAGS + "=" + CheckRunner.READY
        })
public final class AccessCheck implements HealthCheck {
    static final String NAME = "access";

    private final Presence presence =
            new Presence("Access control", "every request is denied: see palyra doctor.");

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindAccess(Access service) {
        presence.add(service);
    }

    /** Called by the component runtime. */
    public void unbindAccess(Access service) {
        presence.remove(service);
    }

    @Override
    public Result execute() {
        return presence.result();
    }
}
