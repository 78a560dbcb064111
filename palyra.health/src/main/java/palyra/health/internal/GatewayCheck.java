package palyra.health.internal;

import org.apache.felix.hc.api.HealthCheck;
import org.apache.felix.hc.api.Result;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import palyra.api.core.ops.Ops;
import palyra.api.core.ops.Readiness;

/** Readiness check: the gateway has resumed its runs and takes new ones. */
@Component(
        immediate = true,
        property = {
            HealthCheck.NAME + "=" + GatewayCheck.NAME,
            HealthCheck.TAGS + "=" + CheckRunner.READY
        })
public final class GatewayCheck implements HealthCheck {
    static final String NAME = "gateway";

    private final Presence presence =
            new Presence(
                    "The gateway",
                    "messages wait, and are accepted only while the journal is OPEN: see palyra"
                            + " doctor.");

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            target = "(" + Ops.READY + "=true)")
    public void bindReadiness(Readiness service) {
        presence.add(service);
    }

    /** Called by the component runtime. */
    public void unbindReadiness(Readiness service) {
        presence.remove(service);
    }

    @Override
    public Result execute() {
        return presence.result();
    }
}
