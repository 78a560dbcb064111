package palyra.models.internal.http;

import palyra.api.ErrorCode;
import palyra.api.core.access.Access;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.egress.EgressRequest;
import palyra.api.core.egress.EgressResponse;
import palyra.api.core.vault.SecretRef;
import palyra.api.core.vault.Vault;
import palyra.api.model.ModelRequest;
import palyra.shared.gate.Gate;

/**
 * Gates to the services of other bundles that a provider uses: egress, access and vault.
 * Thread-safe.
 */
public final class ModelSeams {
    private static final long WAIT_MILLIS = 5_000;

    private final Gate<EgressClient> egress =
            new Gate<>("The egress client", ErrorCode.MODEL_UNAVAILABLE, WAIT_MILLIS);
    private final Gate<Access> access =
            new Gate<>("Access control", ErrorCode.POLICY_UNAVAILABLE, WAIT_MILLIS);
    private final Gate<Vault> vault =
            new Gate<>("The vault", ErrorCode.KEYS_UNAVAILABLE, WAIT_MILLIS);
    private final ModelKeys keys = new ModelKeys(access, vault);

    /** Returns the egress gate. */
    public Gate<EgressClient> egress() {
        return egress;
    }

    /** Returns the access gate. */
    public Gate<Access> access() {
        return access;
    }

    /** Returns the vault gate. */
    public Gate<Vault> vault() {
        return vault;
    }

    /**
     * Sends a request. An answer takes longer than a lease may last, so the lease covers only the
     * look-up of the client. A client that is withdrawn closes its connections, which ends the
     * turn.
     */
    EgressResponse send(EgressRequest request) {
        return egress.call(present -> present).send(request);
    }

    /** Returns a key; see {@link ModelKeys#key}. */
    String key(SecretRef ref, ModelRequest request) {
        return keys.key(ref, request);
    }
}
