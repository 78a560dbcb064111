package palyra.skills.internal.host;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/**
 * The target of a request, rebuilt from its parts, so that every later reader understands the same
 * host.
 *
 * @param scheme {@code http} or {@code https}
 * @param host lower case
 * @param port the port, also when it is the usual one
 * @param path path and query as they were given
 */
record WebTarget(String scheme, String host, int port, String path) {
    static WebTarget of(String url) {
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            throw unusable("it is not a URL: " + e.getReason());
        }
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw unusable("it begins with neither http: nor https:");
        }
        if (uri.getHost() == null || uri.getRawUserInfo() != null) {
            throw unusable("it has no plain host name; give HOST or HOST:PORT in ASCII");
        }
        String host = uri.getHost().toLowerCase(Locale.ROOT);
        if (host.endsWith(".")) {
            throw unusable("the host ends in a dot; leave the dot out");
        }
        int port = uri.getPort() > 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80;
        if (uri.getPort() == 0 || port > 65_535) {
            throw unusable("the port is not usable");
        }
        String path =
                uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return new WebTarget(scheme, host, port, path + query);
    }

    private static HostError unusable(String why) {
        return HostError.of(HostError.INVALID, "The URL is not usable: " + why + ".");
    }

    private boolean usualPort() {
        return port == (scheme.equals("https") ? 443 : 80);
    }

    String text() {
        return scheme + "://" + host + (usualPort() ? "" : ":" + port) + path;
    }

    /** Returns the entry of a manifest that would allow it. */
    String grant() {
        boolean web = port == 80 || port == 443;
        return "capabilities.http_egress_allowlist: " + host + (web ? "" : ":" + port);
    }
}
