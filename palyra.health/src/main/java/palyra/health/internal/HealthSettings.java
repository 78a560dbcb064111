package palyra.health.internal;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import palyra.api.Require;

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
        allowedHosts = Set.copyOf(allowedHosts);
        Require.that(
                maxConcurrentRequests >= 1 && maxConcurrentRequests <= 256,
                "maxConcurrentRequests is " + maxConcurrentRequests + ": give 1 to 256");
        allowedHosts.forEach(
                host ->
                        Require.that(
                                host.matches("[a-z0-9.-]{1,253}"),
                                "allowedHosts holds '"
                                        + host
                                        + "': give a host name without port"));
    }

    static HealthSettings of(HealthConfiguration configuration) {
        return new HealthSettings(
                configuration.anonymousMetrics(),
                Arrays.stream(configuration.allowedHosts())
                        .map(host -> host.strip().toLowerCase(Locale.ROOT))
                        .filter(host -> !host.isEmpty())
                        .collect(Collectors.toUnmodifiableSet()),
                configuration.maxConcurrentRequests());
    }
}
