package palyra.console.internal.run.text;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

/** The addresses that become links, and where each of them leads. Pure functions. */
final class Links {
    /** Longest address that becomes a link. */
    static final int MAX_LENGTH = 2_000;

    private Links() {}

    /**
     * Returns where an address leads; empty when it must not become a link: another scheme than
     * http, https and mailto, a name and password before the host, or anything but plain ASCII.
     */
    static Optional<String> target(String address) {
        if (address.length() > MAX_LENGTH
                || address.chars()
                        .anyMatch(c -> c <= ' ' || c >= 0x7f || "\"<>`\\".indexOf(c) >= 0)) {
            return Optional.empty();
        }
        try {
            URI uri = new URI(address);
            String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
            return switch (scheme) {
                case "http", "https" ->
                        uri.getHost() == null || uri.getRawUserInfo() != null
                                ? Optional.empty()
                                : Optional.of(host(uri));
                case "mailto" -> Optional.of(uri.getSchemeSpecificPart().split("\\?", 2)[0]);
                default -> Optional.empty();
            };
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    private static String host(URI uri) {
        return uri.getPort() < 0 ? uri.getHost() : uri.getHost() + ":" + uri.getPort();
    }
}
