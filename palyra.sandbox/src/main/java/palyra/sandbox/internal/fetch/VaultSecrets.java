package palyra.sandbox.internal.fetch;

import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import palyra.api.ErrorCode;
import palyra.api.core.access.Access;
import palyra.api.core.vault.Secret;
import palyra.api.core.vault.Vault;
import palyra.shared.gate.Gate;
import palyra.shared.vault.SecretLender;
import palyra.shared.vault.SecretUse;

/**
 * Secrets of the vault, each asked about for itself. While the vault or access control is being
 * replaced a call waits for it; when it does not come back the call is refused.
 */
@Component(service = SecretSource.class)
public final class VaultSecrets implements SecretSource {
    private static final long WAIT_MILLIS = 10_000;

    private final Gate<Access> access =
            new Gate<>("access control", ErrorCode.POLICY_UNAVAILABLE, WAIT_MILLIS);
    private final Gate<Vault> vault =
            new Gate<>("the vault", ErrorCode.KEYS_UNAVAILABLE, WAIT_MILLIS);
    private final SecretLender lender = new SecretLender(access, vault);

    /** Called by the component runtime. */
    @Activate
    public VaultSecrets() {
        // The services come and go.
    }

    @Override
    public boolean available() {
        return true;
    }

    @Override
    public Secret lend(SecretUse use) {
        return lender.lend(use);
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindAccess(Access service, Map<String, ?> properties) {
        access.add(service, properties);
    }

    /** Called by the component runtime. */
    public void unbindAccess(Access service) {
        access.remove(service);
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindVault(Vault service, Map<String, ?> properties) {
        vault.add(service, properties);
    }

    /** Called by the component runtime. */
    public void unbindVault(Vault service) {
        vault.remove(service);
    }
}
