package palyra.health.internal;

import org.apache.felix.hc.api.HealthCheck;
import org.apache.felix.hc.api.Result;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import palyra.api.core.vault.KnownSecrets;

/** Readiness check: the vault is open, so that kept secrets are found in texts. */
@Component(
        immediate = true,
        property = {
            HealthCheck.NAME + "=" + VaultCheck.NAME,
            HealthCheck.TAGS + "=" + CheckRunner.READY
        })
public final class VaultCheck implements HealthCheck {
    static final String NAME = "vault";

    private final Presence presence =
            new Presence(
                    "The vault",
                    "no message is accepted, since kept secrets could not be found in it: see palyra"
                            + " doctor.");

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindSecrets(KnownSecrets service) {
        presence.add(service);
    }

    /** Called by the component runtime. */
    public void unbindSecrets(KnownSecrets service) {
        presence.remove(service);
    }

    @Override
    public Result execute() {
        return presence.result();
    }
}
