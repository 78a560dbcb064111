package palyra.sandbox.internal.egress;

import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import palyra.api.core.ops.Ops;

/**
 * The ports on which this gateway listens, as its endpoints tell. Thread-safe. Endpoints come and
 * go with {@link #put} and {@link #remove}, known by their {@code service.id}.
 */
final class OwnPorts {
    private final Map<Object, Integer> ports = new ConcurrentHashMap<>();

    void put(Map<String, ?> properties) {
        Object endpoint = id(properties);
        Optional<Integer> port =
                properties.get(Ops.ENDPOINT_URI) instanceof String uri
                        ? port(uri)
                        : Optional.empty();
        port.ifPresentOrElse(each -> ports.put(endpoint, each), () -> ports.remove(endpoint));
    }

    void remove(Map<String, ?> properties) {
        ports.remove(id(properties));
    }

    private static Object id(Map<String, ?> properties) {
        return Objects.requireNonNull(properties.get("service.id"), "service.id");
    }

    boolean contains(int port) {
        return ports.containsValue(port);
    }

    private static Optional<Integer> port(String uri) {
        try {
            URI parsed = URI.create(uri);
            if (parsed.getPort() > 0) {
                return Optional.of(parsed.getPort());
            }
            return switch (String.valueOf(parsed.getScheme()).toLowerCase(Locale.ROOT)) {
                case "http" -> Optional.of(80);
                case "https" -> Optional.of(443);
                default -> Optional.empty();
            };
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // no place on the network
        }
    }
}
