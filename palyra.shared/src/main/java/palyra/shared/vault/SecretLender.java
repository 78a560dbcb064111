package palyra.shared.vault;

import palyra.api.access.Permit;
import palyra.api.core.access.Access;
import palyra.api.core.vault.Secret;
import palyra.api.core.vault.Vault;
import palyra.shared.gate.Gate;

/**
 * Lends secrets: policy decides, the decision is recorded, and only then is the vault asked.
 * Nothing is kept. Thread-safe; a call may block for synced writes and, as long as the two gates
 * allow, for a service that is being replaced.
 */
public final class SecretLender {
    private final Gate<Access> access;
    private final Gate<Vault> vault;

    /** Creates a desk behind two gates; their owner binds and unbinds. */
    public SecretLender(Gate<Access> access, Gate<Vault> vault) {
        this.access = access;
        this.vault = vault;
    }

    /** Returns whether there is a vault now. */
    public boolean available() {
        return vault.isPresent();
    }

    /**
     * Lends a secret; close it as soon as it was used.
     *
     * @throws palyra.api.PalyraException DENIED when policy says no, POLICY_UNAVAILABLE when it
     *     says nothing, NOT_FOUND when there is no such secret, and what {@link Vault} throws; the
     *     message never holds the value
     */
    public Secret lend(SecretUse use) {
        Permit permit = access.call(present -> present.authorizeAndRecord(use.question()));
        return vault.call(present -> present.get(permit, use.ref()));
    }
}
