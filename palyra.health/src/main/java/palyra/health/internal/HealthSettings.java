package palyra.health.internal;

import java.util.Set;
import palyra.api.Require;
import palyra.shared.http.AllowedHosts;

/**
 * Validated settings.
 *
 * @param anonymousMetrics whether callers on this machine need no token for metrics
 * @param allowedHosts further host names, lower case
 * @param maxConcurrentRequests most requests at a time, per address
 */
record HealthSettings(
        boolean anonymousMetrics, Set<String> allowedHosts, int maxConcurrentRequests) {
    HealthSettings {
        allowedHosts = new AllowedHosts(allowedHosts).names();
        Require.that(
                maxConcurrentRequests >= 1 && maxConcurrentRequests <= 256,
                "maxConcurrentRequests is " + maxConcurrentRequests + ": give 1 to 256");
    }

    AllowedHosts hosts() {
        return new AllowedHosts(allowedHosts);
    }

    static HealthSettings of(HealthConfiguration configuration) {
        return new HealthSettings(
                configuration.anonymousMetrics(),
                AllowedHosts.of(configuration.allowedHosts()).names(),
                configuration.maxConcurrentRequests());
    }
}
