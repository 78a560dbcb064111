package palyra.connectors.webhook.internal;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.channel.ConnectorId;
import palyra.api.core.vault.SecretRef;
import palyra.shared.net.Addresses;

/**
 * Validated configuration of one account.
 *
 * @param id the connector
 * @param secrets references to one or two signing secrets
 * @param callbackUrl where answers go
 * @param windowSeconds how far a timestamp may be off
 * @param requestsPerMinute how many requests have their body looked at
 * @param maxCharacters longest text of a callback in UTF-16 units
 * @param receiverDeduplicates whether a callback may be repeated
 * @param receivesReactions whether reactions are posted
 */
record WebhookSettings(
        ConnectorId id,
        List<SecretRef> secrets,
        String callbackUrl,
        int windowSeconds,
        int requestsPerMinute,
        int maxCharacters,
        boolean receiverDeduplicates,
        boolean receivesReactions) {
    static final String KIND = "webhook";

    WebhookSettings {
        secrets = List.copyOf(secrets);
        Require.that(
                !secrets.isEmpty() && secrets.size() <= 2,
                "secrets has "
                        + secrets.size()
                        + " references; give one, or two while the secret is rotated");
        range("windowSeconds", windowSeconds, 10, 3_600);
        range("requestsPerMinute", requestsPerMinute, 1, 60_000);
        range("maxCharacters", maxCharacters, 64, 65_536);
    }

    private static void range(String key, int value, int least, int most) {
        Require.that(
                value >= least && value <= most,
                WebhookConfiguration.PID
                        + ": "
                        + key
                        + " is "
                        + value
                        + "; use "
                        + least
                        + " to "
                        + most);
    }

    static WebhookSettings from(WebhookConfiguration configuration, Map<String, ?> properties) {
        ConnectorId id = new ConnectorId(KIND, account(properties));
        String[] secrets =
                configuration.secrets() == null ? new String[0] : configuration.secrets();
        return new WebhookSettings(
                id,
                Arrays.stream(secrets).map(text -> secret(id, text)).toList(),
                callbackUrl(configuration.callbackUrl()),
                configuration.windowSeconds(),
                configuration.requestsPerMinute(),
                configuration.maxCharacters(),
                configuration.receiverDeduplicates(),
                configuration.receivesReactions());
    }

    /** Returns the path of the account on the HTTP server. */
    String path() {
        return "/hooks/" + id.account();
    }

    /** An account is a segment of a path, which dots alone cannot be. */
    private static String account(Map<String, ?> properties) {
        String pid = properties.get("service.pid") instanceof String one ? one : "";
        int mark = pid.indexOf('~');
        String account = pid.substring(mark + 1);
        Require.that(
                mark > 0 && !account.matches("\\.*"),
                "A webhook account is configured in a file "
                        + WebhookConfiguration.PID
                        + "~ACCOUNT.json with a letter or digit in ACCOUNT, not in '"
                        + pid
                        + "'.");
        return account;
    }

    /** Reads a reference; the message repeats nothing of another text, which may be a secret. */
    private static SecretRef secret(ConnectorId id, String text) {
        String scope = "channel:" + id;
        String given = Require.orEmpty(text).strip();
        Require.that(
                given.startsWith(SecretRef.PREFIX + scope + "/"),
                "secrets has an entry that is no reference to a secret of this account. Put the"
                        + " secret into the vault with palyra vault put "
                        + scope
                        + "/NAME and write vault:"
                        + scope
                        + "/NAME here.");
        return SecretRef.parse(given);
    }

    /** Checks an address; messages name its host alone, because the rest may hold a token. */
    private static String callbackUrl(String text) {
        URI uri = uri(Require.text(text, "callbackUrl").strip());
        String scheme = Require.orEmpty(uri.getScheme()).toLowerCase(Locale.ROOT);
        String host = Require.orEmpty(uri.getHost());
        Require.that(
                (scheme.equals("https") || scheme.equals("http"))
                        && !host.isEmpty()
                        && uri.getPort() != 0
                        && uri.getPort() < 65_536,
                "callbackUrl is not an https or http URL with a host and a port below 65536, such"
                        + " as https://example.org/palyra");
        Require.that(
                uri.getRawUserInfo() == null && uri.getRawFragment() == null,
                "callbackUrl has user information or a fragment; leave them out");
        Require.that(
                scheme.equals("https") || Addresses.isLoopback(host),
                "callbackUrl is http to "
                        + host
                        + ", so answers would travel unprotected; use https");
        return uri.toString();
    }

    private static URI uri(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT, "callbackUrl is not a URL: " + e.getReason() + ".");
        }
    }
}
