package palyra.sandbox.internal.egress;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import palyra.api.Require;
import palyra.api.core.egress.EgressProxies.AllowedHost;
import palyra.shared.settings.Bounds;

/**
 * Checked configuration.
 *
 * @param mayBePrivate places that may have private addresses
 * @param allowedRanges private and reserved addresses that servers may have
 * @param extraCaFile PEM file; empty for none
 * @param maxConnections connections at a time of the gateway, and of all proxies together
 * @param proxyMaxBytes bytes that a proxy carries at most
 * @param proxyMaxRequests connections that a proxy makes at most, one after the other
 */
record EgressSettings(
        List<HostPattern> mayBePrivate,
        List<AddressRange> allowedRanges,
        String extraCaFile,
        int maxConnections,
        long proxyMaxBytes,
        int proxyMaxRequests,
        ProxyLimits proxy) {
    EgressSettings {
        mayBePrivate = List.copyOf(mayBePrivate);
        allowedRanges = List.copyOf(allowedRanges);
        extraCaFile = Require.orEmpty(extraCaFile).strip();
        within("maxConnections", maxConnections, 1, 10_000);
        within("proxyMaxBytes", proxyMaxBytes, 1_024, 1L << 40);
        within("proxyMaxRequests", proxyMaxRequests, 1, 1_000_000);
        within("proxyConnections", proxy.connections(), 1, 256);
        within("proxyConnectMillis", proxy.connectMillis(), 100, 120_000);
        within("proxyHeadMillis", proxy.headMillis(), 100, 120_000);
        within("proxyIdleMillis", proxy.idleMillis(), 1_000, 3_600_000);
    }

    static EgressSettings from(EgressConfiguration configuration) {
        return new EgressSettings(
                texts(configuration.allowPrivate()).map(EgressSettings::privatePlace).toList(),
                texts(configuration.allowPrivateRanges()).map(AddressRange::parse).toList(),
                configuration.extraCaFile(),
                configuration.maxConnections(),
                configuration.proxyMaxBytes(),
                configuration.proxyMaxRequests(),
                new ProxyLimits(
                        configuration.proxyConnections(),
                        configuration.proxyHeadMillis(),
                        configuration.proxyConnectMillis(),
                        configuration.proxyIdleMillis()));
    }

    private static Stream<String> texts(String[] given) {
        return Arrays.stream(given == null ? new String[0] : given)
                .map(String::strip)
                .filter(text -> !text.isEmpty());
    }

    private static HostPattern privatePlace(String text) {
        Require.that(
                text.matches(".+:[0-9]{1,5}") && text.indexOf('*') < 0,
                EgressConfiguration.PID
                        + ": allowPrivate has '"
                        + DisplayText.text(text)
                        + "'; use HOST:PORT without wildcards, such as localhost:11434");
        return HostPattern.of(AllowedHost.parse(text));
    }

    private static void within(String name, long value, long least, long most) {
        Bounds.within(EgressConfiguration.PID, name, value, least, most);
    }
}
