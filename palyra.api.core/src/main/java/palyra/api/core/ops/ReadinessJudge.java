package palyra.api.core.ops;

import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Says whether a message that arrives now is accepted and answered: the one answer behind {@code
 * /readyz}, {@code palyra status}, {@code palyra doctor} and the gRPC health calls. Thread-safe.
 */
@ProviderType
public interface ReadinessJudge {
    /**
     * Runs the readiness checks and returns each one that fails: the name of the check with one or
     * more sentences, in the order of the names; empty when the gateway is ready. The answer comes
     * from a run of the checks that began after this call did. It takes a few milliseconds, and at
     * most 4 seconds when a check hangs, so call it neither under a lease nor under a lock. Never
     * throws; a check that is missing or late counts as failed.
     */
    Map<String, String> notReady();
}
