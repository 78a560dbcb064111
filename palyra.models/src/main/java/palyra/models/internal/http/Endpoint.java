package palyra.models.internal.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.core.egress.EgressRequest;
import palyra.api.core.vault.SecretRef;

/**
 * Validated configuration of one server.
 *
 * @param id name of the provider in model profiles
 * @param baseUrl address without a slash at its end
 * @param key reference to its key; null for a server without keys
 * @param defaultModel model of requests that name none; may be empty
 * @param headers further headers, without credentials
 * @param times time limits
 * @param maxTurns most turns at a time
 * @param breakerFailures consecutive failures that open the circuit
 * @param breakerOpenMillis how long the circuit stays open
 * @param visionModels models that see images: names, or patterns in which a star matches any text
 */
public record Endpoint(
        String id,
        String baseUrl,
        SecretRef key,
        String defaultModel,
        Map<String, String> headers,
        Times times,
        int maxTurns,
        int breakerFailures,
        int breakerOpenMillis,
        List<String> visionModels) {
    /** Headers that carry credentials, which the vault keeps. */
    private static final Set<String> SECRET =
            Set.of(
                    "authorization",
                    "proxy-authorization",
                    "api-key",
                    "x-api-key",
                    "x-goog-api-key",
                    "cookie");

    /**
     * Time limits in milliseconds.
     *
     * @param connect for name, connection and TLS together
     * @param firstToken added to {@code connect}, from the start until the model says something
     * @param betweenTokens longest silence after that
     * @param total for all of it; 0 means no limit but the engine's
     */
    public record Times(int connect, int firstToken, int betweenTokens, int total) {
        /** Checks. */
        public Times {
            Require.that(
                    connect > 0 && firstToken > 0 && betweenTokens > 0 && total >= 0,
                    "the time limits of a model provider are greater than 0");
        }
    }

    /** Checks and copies. */
    public Endpoint {
        Require.that(
                id != null && id.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}"),
                "the id of a model provider is the NAME in its file name PID~NAME.json: 1 to 64 letters, digits and . _ -");
        Require.that(
                !id.equals("deterministic"),
                "the id deterministic is reserved for the built-in model; use another");
        headers = Map.copyOf(headers);
        visionModels = visionModels.stream().map(String::strip).toList();
        Require.that(
                visionModels.stream().noneMatch(String::isEmpty),
                "visionModels has an empty entry; use names of models, or patterns with *");
        Require.that(maxTurns >= 1, "maxTurns is at least 1");
        Require.that(
                breakerFailures >= 1 && breakerOpenMillis >= 1,
                "breakerFailures and breakerOpenMillis are at least 1");
    }

    /** Returns whether a model sees images; an empty name means the default model. */
    public boolean sees(String model) {
        String name = model.isBlank() ? defaultModel : model;
        return visionModels.stream().anyMatch(pattern -> fits(pattern, name));
    }

    private static boolean fits(String pattern, String name) {
        String[] parts = pattern.split("\\*", -1);
        String expression = Stream.of(parts).map(Pattern::quote).collect(Collectors.joining(".*"));
        return Pattern.matches("(?s)" + expression, name);
    }

    /** Returns the name in the PID of a factory configuration, {@code PID~NAME}. */
    public static String name(Map<String, ?> properties) {
        Object pid = properties.get("service.pid");
        String text = pid instanceof String one ? one : "";
        return text.substring(text.indexOf('~') + 1);
    }

    /**
     * Reads {@code vault:SCOPE/KEY}; null for an empty text.
     *
     * @throws PalyraException INVALID_ARGUMENT for a literal key, which the message does not repeat
     */
    public static SecretRef key(String text) {
        if (Require.orEmpty(text).isBlank()) {
            return null;
        }
        if (!SecretRef.isReference(text.strip())) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "apiKey contains a key instead of a reference. Put the key into the vault with palyra vault put global/NAME and write vault:global/NAME here.");
        }
        return SecretRef.parse(text.strip());
    }

    /**
     * Checks an address and returns it without a slash at its end.
     *
     * @param plainHttp whether http may be used beyond this machine
     */
    public static String baseUrl(String text, boolean plainHttp) {
        URI uri = uri(Require.text(text, "baseUrl").strip());
        String scheme = Require.orEmpty(uri.getScheme()).toLowerCase(Locale.ROOT);
        String host = Require.orEmpty(uri.getHost()).toLowerCase(Locale.ROOT);
        Require.that(
                (scheme.equals("https") || scheme.equals("http")) && !host.isEmpty(),
                "baseUrl is not an https or http URL with a host, such as https://api.example.com/v1");
        Require.that(
                uri.getRawUserInfo() == null
                        && uri.getRawQuery() == null
                        && uri.getRawFragment() == null,
                "baseUrl has user information, a query or a fragment; leave them out, and put keys"
                        + " into the vault");
        Require.that(
                scheme.equals("https") || plainHttp || isLoopback(host),
                "baseUrl is http to "
                        + host
                        + ", so key and conversation would travel unprotected; use https, or set"
                        + " allowPlainHttp for a network that you trust");
        return uri.toString().replaceAll("/+$", "");
    }

    private static URI uri(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT, "baseUrl is not a URL: " + e.getReason() + ".", e);
        }
    }

    private static boolean isLoopback(String host) {
        return host.equals("localhost")
                || host.endsWith(".localhost")
                || host.matches("127(\\.[0-9]{1,3}){3}")
                || host.equals("[::1]");
    }

    /** Reads lines {@code Name: value}. */
    public static Map<String, String> headers(String[] lines) {
        Map<String, String> headers = new TreeMap<>();
        for (String line : lines) {
            int colon = line.indexOf(':');
            String name = colon < 0 ? "" : line.substring(0, colon).strip();
            String value = line.substring(colon + 1).strip();
            Require.that(
                    name.matches("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}")
                            && value.matches("[\\x20-\\x7E]{1,1024}"),
                    "a header is written 'Name: value', in ASCII");
            String lower = name.toLowerCase(Locale.ROOT);
            Require.that(
                    !SECRET.contains(lower),
                    "header " + name + " carries a credential: use apiKey with the vault");
            Require.that(
                    !EgressRequest.RESERVED_HEADERS.contains(lower)
                            && !Set.of("content-type", "accept", "accept-encoding").contains(lower),
                    "header " + name + " is made by the gateway itself; leave it out");
            headers.put(name, value);
        }
        return headers;
    }
}
