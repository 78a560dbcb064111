package palyra.models.internal.http;

import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import palyra.api.core.access.Access;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.vault.Vault;

/**
 * Base of the components that offer one HTTP provider per configuration: its references and its
 * service registration. The component runtime finds the references by the bnd option {@code
 * inherit}.
 */
public abstract class HttpModelComponent {
    /** Services of other bundles. */
    protected final ModelSeams seams = new ModelSeams();

    private ModelService service;

    /** Registers the provider under its configured id. */
    protected void register(BundleContext context, String id, HttpModel model) {
        service = ModelService.open(context, id, model);
    }

    /** Withdraws the provider, fails its running turns and waits for their threads. */
    protected void unregister() {
        service.close();
    }

    /** Adds a service of the egress gate. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    protected void bindEgress(EgressClient service, Map<String, ?> properties) {
        seams.egress().add(service, properties);
    }

    /** Removes a service of the egress gate. */
    protected void unbindEgress(EgressClient service) {
        seams.egress().remove(service);
    }

    /** Adds a service of the access gate. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    protected void bindAccess(Access service, Map<String, ?> properties) {
        seams.access().add(service, properties);
    }

    /** Removes a service of the access gate. */
    protected void unbindAccess(Access service) {
        seams.access().remove(service);
    }

    /** Adds a service of the vault gate. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    protected void bindVault(Vault service, Map<String, ?> properties) {
        seams.vault().add(service, properties);
    }

    /** Removes a service of the vault gate. */
    protected void unbindVault(Vault service) {
        seams.vault().remove(service);
    }
}
