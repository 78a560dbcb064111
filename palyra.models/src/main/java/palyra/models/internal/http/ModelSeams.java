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
 * What a provider needs of other bundles, each of which may be replaced at any moment: the way out,
 * who decides, and the vault. Thread-safe.
 */
public final class ModelSeams {
    private static final long WAIT_MILLIS = 5_000;

    private final Gate<EgressClient> egress =
            new Gate<>("The way out to the network", ErrorCode.MODEL_UNAVAILABLE, WAIT_MILLIS);
    private final Gate<Access> access =
            new Gate<>("Access control", ErrorCode.POLICY_UNAVAILABLE, WAIT_MILLIS);
    private final Gate<Vault> vault =
            new Gate<>("The vault", ErrorCode.KEYS_UNAVAILABLE, WAIT_MILLIS);
    private final ModelKeys keys = new ModelKeys(access, vault);

    /** Returns the gate of the way out. */
    public Gate<EgressClient> egress() {
        return egress;
    }

    /** Returns the gate of who decides. */
    public Gate<Access> access() {
        return access;
    }

    /** Returns the gate of the vault. */
    public Gate<Vault> vault() {
        return vault;
    }

    /**
     * Sends a request. The answer of a model takes longer than a lease may last, so only the client
     * is taken under it: one that leaves meanwhile cuts its connections, which ends the turn.
     */
    EgressResponse send(EgressRequest request) {
        return egress.call(present -> present).send(request);
    }

    /** Returns a key; see {@link ModelKeys#key}. */
    String key(SecretRef ref, ModelRequest request) {
        return keys.key(ref, request);
    }
}
