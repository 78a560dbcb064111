package palyra.console.internal.session;

import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import palyra.api.Require;
import palyra.api.core.access.SessionTimes;

/**
 * The checked settings of the console.
 *
 * @param times when sessions end
 * @param passwords whether passwords count
 * @param publicOrigins origins of a proxy with TLS, such as {@code https://palyra.example}
 * @param trustedProxies addresses whose X-Forwarded-For counts
 */
public record ConsoleSettings(
        SessionTimes times,
        boolean passwords,
        Set<String> publicOrigins,
        Set<String> trustedProxies) {
    /** Copies. */
    public ConsoleSettings {
        publicOrigins = Set.copyOf(publicOrigins);
        trustedProxies = Set.copyOf(trustedProxies);
    }

    /** Checks what an operator set. */
    public static ConsoleSettings of(
            int idleMinutes, int hours, boolean passwords, String[] publicUrls, String[] proxies) {
        Set<String> origins = new TreeSet<>();
        for (String url : publicUrls) {
            if (!url.isBlank()) {
                origins.add(origin(url.strip()));
            }
        }
        return new ConsoleSettings(
                new SessionTimes(
                        TimeUnit.MINUTES.toMillis(idleMinutes), TimeUnit.HOURS.toMillis(hours)),
                passwords,
                origins,
                new TreeSet<>(
                        Arrays.stream(proxies)
                                .map(String::strip)
                                .filter(p -> !p.isEmpty())
                                .toList()));
    }

    private static String origin(String url) {
        String text = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        URI uri = URI.create(text);
        Require.that(
                "https".equals(uri.getScheme())
                        && uri.getHost() != null
                        && uri.getRawUserInfo() == null
                        && uri.getRawPath().isEmpty()
                        && uri.getRawQuery() == null
                        && uri.getRawFragment() == null,
                "publicUrls of palyra.console has '"
                        + url
                        + "': write https://host or https://host:port, without a path");
        return text.toLowerCase(Locale.ROOT);
    }
}
