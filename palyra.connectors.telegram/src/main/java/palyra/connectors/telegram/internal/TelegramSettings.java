package palyra.connectors.telegram.internal;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.channel.ConnectorId;
import palyra.api.core.vault.SecretRef;
import palyra.shared.net.Addresses;

/**
 * Validated configuration of one bot.
 *
 * @param id the connector
 * @param token reference to the bot's token
 * @param apiUrl address of the Bot API without a slash at its end
 * @param pollSeconds how long a request for messages is held open
 * @param linkPreviews whether links are previewed
 */
record TelegramSettings(
        ConnectorId id, SecretRef token, String apiUrl, int pollSeconds, boolean linkPreviews) {
    static final String KIND = "telegram";

    TelegramSettings {
        Require.that(
                pollSeconds >= 1 && pollSeconds <= 50,
                TelegramConfiguration.PID
                        + ": pollSeconds is "
                        + pollSeconds
                        + "; use 1 to 50, which is the most that Telegram holds");
    }

    static TelegramSettings from(TelegramConfiguration configuration, Map<String, ?> properties) {
        return new TelegramSettings(
                new ConnectorId(KIND, account(properties)),
                token(configuration.token()),
                apiUrl(configuration.apiUrl()),
                configuration.pollSeconds(),
                configuration.linkPreviews());
    }

    private static String account(Map<String, ?> properties) {
        String pid = properties.get("service.pid") instanceof String one ? one : "";
        int mark = pid.indexOf('~');
        Require.that(
                mark > 0,
                "A Telegram account is configured in a file "
                        + TelegramConfiguration.PID
                        + "~ACCOUNT.json, not in '"
                        + pid
                        + "'.");
        return pid.substring(mark + 1);
    }

    /** Reads a reference; the message repeats nothing of another text, which may be a token. */
    private static SecretRef token(String text) {
        String given = Require.orEmpty(text).strip();
        Require.that(
                SecretRef.isReference(given),
                "token is no reference to a secret. Put the token of @BotFather into the vault with"
                        + " palyra vault put global/NAME and write vault:global/NAME here.");
        return SecretRef.parse(given);
    }

    /** Checks an address; messages name its host alone, because its path may hold a token. */
    private static String apiUrl(String text) {
        URI uri = uri(Require.text(text, "apiUrl").strip());
        String scheme = Require.orEmpty(uri.getScheme()).toLowerCase(Locale.ROOT);
        String host = Require.orEmpty(uri.getHost()).toLowerCase(Locale.ROOT);
        Require.that(
                (scheme.equals("https") || scheme.equals("http"))
                        && !host.isEmpty()
                        && uri.getPort() != 0
                        && uri.getPort() < 65_536,
                "apiUrl is not an https or http URL with a host and a port below 65536, such as"
                        + " https://api.telegram.org");
        Require.that(
                uri.getRawUserInfo() == null
                        && uri.getRawQuery() == null
                        && uri.getRawFragment() == null
                        && !uri.getRawPath().matches(".*/bot[0-9]+:.*"),
                "apiUrl has user information, a query, a fragment or a token; leave them out, and"
                        + " put the token into the vault");
        Require.that(
                scheme.equals("https") || Addresses.isLoopback(host),
                "apiUrl is http to "
                        + host
                        + ", so token and messages would travel unprotected; use https");
        return uri.toString().replaceAll("/+$", "");
    }

    private static URI uri(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT, "apiUrl is not a URL: " + e.getReason() + ".");
        }
    }
}
