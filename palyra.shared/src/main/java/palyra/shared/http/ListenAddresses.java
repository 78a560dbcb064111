package palyra.shared.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import palyra.shared.net.Addresses;

/**
 * Addresses that the HTTP server listens on, from the properties of its runtime service.
 *
 * @param uris absolute URIs without path, in the order given
 */
public record ListenAddresses(List<String> uris) {
    /** No address is known. */
    public static final ListenAddresses UNKNOWN = new ListenAddresses(List.of());

    private static final String PROPERTY = "osgi.http.endpoint";

    /** Copies. */
    public ListenAddresses {
        uris = List.copyOf(uris);
    }

    /** From where the server can be reached. */
    public enum Reach {
        /** This machine only. */
        LOOPBACK,
        /** Other machines too. */
        NETWORK,
        /** Not known. */
        UNKNOWN
    }

    /** Reads the service properties of the HTTP runtime. */
    public static ListenAddresses of(Map<String, ?> properties) {
        List<String> uris = new ArrayList<>();
        texts(properties.get(PROPERTY))
                .forEach(
                        text ->
                                normalised(text)
                                        .filter(u -> !uris.contains(u))
                                        .ifPresent(uris::add));
        return new ListenAddresses(uris);
    }

    private static List<String> texts(Object value) {
        if (value instanceof String text) {
            return List.of(text);
        }
        if (value instanceof String[] texts) {
            return List.of(texts);
        }
        return value instanceof Collection<?> many
                ? many.stream().map(String::valueOf).toList()
                : List.of();
    }

    private static Optional<String> normalised(String text) {
        try {
            URI uri = new URI(text.strip());
            boolean usable =
                    uri.getHost() != null
                            && uri.getPort() > 0
                            && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()));
            return usable
                    ? Optional.of(uri.getScheme() + "://" + host(uri) + ":" + uri.getPort())
                    : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    /** Removes a zone ({@code %eth0}), which has a meaning on this machine only. */
    private static String host(URI uri) {
        String host = uri.getHost().replaceFirst("%[^\\]]*", "");
        return host.equals("localhost") ? "127.0.0.1" : host;
    }

    /** Returns from where the server can be reached. */
    public Reach reach() {
        if (uris.isEmpty()) {
            return Reach.UNKNOWN;
        }
        return uris.stream().allMatch(uri -> Addresses.isLoopback(URI.create(uri).getHost()))
                ? Reach.LOOPBACK
                : Reach.NETWORK;
    }

    /** Returns whether another machine can reach it without TLS. */
    public boolean exposesPlainHttp() {
        return uris.stream()
                .map(URI::create)
                .anyMatch(u -> u.getScheme().equals("http") && !Addresses.isLoopback(u.getHost()));
    }

    /**
     * Returns the URI to show: loopback first, IPv4 before IPv6; empty when no address is known.
     */
    public Optional<String> preferred() {
        Comparator<String> loopbackFirst =
                Comparator.comparing(uri -> !Addresses.isLoopback(URI.create(uri).getHost()));
        return uris.stream().min(loopbackFirst.thenComparing(uri -> uri.contains("[")));
    }
}
