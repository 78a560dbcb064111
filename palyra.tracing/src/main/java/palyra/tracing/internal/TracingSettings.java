package palyra.tracing.internal;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.core.vault.SecretRef;
import palyra.shared.net.Addresses;

/**
 * Where traces go.
 *
 * @param endpoint address that spans are posted to; empty for none
 * @param headers further headers by name
 * @param secretHeaders references to the values of headers with credentials, by name
 * @param sampleRatio share of the messages that traces are made of
 */
record TracingSettings(
        String endpoint,
        Map<String, String> headers,
        Map<String, SecretRef> secretHeaders,
        double sampleRatio) {
    private static final Set<String> CREDENTIALS =
            Set.of("authorization", "proxy-authorization", "api-key", "x-api-key", "cookie");

    /** Checks and copies. */
    TracingSettings {
        headers = Map.copyOf(headers);
        secretHeaders = Map.copyOf(secretHeaders);
        Require.that(
                sampleRatio >= 0 && sampleRatio <= 1,
                "sampleRatio is " + sampleRatio + "; use 0 to 1");
    }

    static TracingSettings from(TracingConfiguration configuration) {
        Map<String, String> plain = new TreeMap<>();
        Map<String, SecretRef> secret = new TreeMap<>();
        String[] lines = configuration.headers();
        for (String line : lines == null ? new String[0] : lines) {
            header(line, plain, secret);
        }
        return new TracingSettings(
                endpoint(Require.orEmpty(configuration.endpoint()).strip(), !secret.isEmpty()),
                plain,
                secret,
                configuration.sampleRatio());
    }

    /** Returns whether traces are sent at all. */
    boolean on() {
        return !endpoint.isEmpty();
    }

    /** Reads a header; messages repeat no value, which may be a credential. */
    private static void header(
            String line, Map<String, String> plain, Map<String, SecretRef> secret) {
        int colon = line.indexOf(':');
        String name = line.substring(0, Math.max(0, colon)).strip();
        String value = line.substring(colon + 1).strip();
        Require.that(
                name.matches("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}")
                        && value.matches("[\\x20-\\x7E]{1,1024}"),
                "headers has an entry that is not written 'Name: value' in ASCII");
        if (SecretRef.isReference(value)) {
            secret.put(name, SecretRef.parse(value));
            return;
        }
        Require.that(
                !CREDENTIALS.contains(name.toLowerCase(Locale.ROOT)),
                "headers has "
                        + name
                        + " with a value that is no reference. Put the whole value into the vault"
                        + " with palyra vault put global/NAME and write '"
                        + name
                        + ": vault:global/NAME'.");
        plain.put(name, value);
    }

    /** Checks an address; messages name its host alone, because the rest may hold a credential. */
    private static String endpoint(String text, boolean secrets) {
        if (text.isEmpty()) {
            return "";
        }
        URI uri = uri(text);
        String scheme = Require.orEmpty(uri.getScheme()).toLowerCase(Locale.ROOT);
        String host = Require.orEmpty(uri.getHost());
        Require.that(
                (scheme.equals("https") || scheme.equals("http"))
                        && !host.isEmpty()
                        && uri.getPort() != 0
                        && uri.getPort() < 65_536,
                "endpoint is not an https or http URL with a host, such as"
                        + " http://127.0.0.1:4318/v1/traces");
        Require.that(
                uri.getRawUserInfo() == null && uri.getRawFragment() == null,
                "endpoint has user information or a fragment; use headers for credentials");
        Require.that(
                !secrets || scheme.equals("https") || Addresses.isLoopback(host),
                "endpoint is http to "
                        + host
                        + ", so the credential in headers would travel unprotected; use https");
        return uri.toString();
    }

    private static URI uri(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT, "endpoint is not a URL: " + e.getReason() + ".");
        }
    }
}
