package palyra.skills.internal.audit;

import java.util.Optional;
import palyra.api.core.access.AccessRequest;

/** The decision of the operator's policies on a request that a skill would make. Thread-safe. */
public interface CapabilityPolicy {
    /**
     * Returns why the request is forbidden for every principal; empty when it is allowed or depends
     * on that.
     *
     * @throws palyra.api.PalyraException POLICY_UNAVAILABLE without a policy engine
     */
    Optional<String> definiteDenial(AccessRequest request);
}
