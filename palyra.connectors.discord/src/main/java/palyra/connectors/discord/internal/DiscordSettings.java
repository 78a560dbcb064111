package palyra.connectors.discord.internal;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
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
 * @param apiUrl address of the API without a slash at its end
 * @param filesUrl address of the server of files without a slash at its end; empty for Discord's
 * @param messageContent whether the content of all messages is asked for
 * @param shards number of connections
 * @param acceptBots ids of bots and webhooks that are heard
 * @param slashCommands whether slash commands are offered
 * @param linkPreviews whether links are previewed
 * @param maxAttachmentBytes largest file that is referred to
 * @param backfillHours how far back is caught up
 * @param compress whether Discord is asked to compress what it sends over connections
 */
record DiscordSettings(
        ConnectorId id,
        SecretRef token,
        String apiUrl,
        String filesUrl,
        boolean messageContent,
        int shards,
        Set<String> acceptBots,
        boolean slashCommands,
        boolean linkPreviews,
        long maxAttachmentBytes,
        int backfillHours,
        boolean compress) {
    static final String KIND = "discord";
    private static final Set<String> FILES = Set.of("cdn.discordapp.com", "media.discordapp.net");
    private static final int GUILDS = 1;
    private static final int GUILD_MESSAGES = 1 << 9;
    private static final int DIRECT_MESSAGES = 1 << 12;
    private static final int MESSAGE_CONTENT = 1 << 15;

    DiscordSettings {
        Require.that(
                filesUrl.isEmpty() || !apiUrl.startsWith("https://discord.com/"),
                DiscordConfiguration.PID
                        + ": filesUrl is for a test server and goes with an apiUrl of its own;"
                        + " leave it out, and files come from Discord's own servers");
        within("shards", shards, 1, 64);
        within("backfillHours", backfillHours, 0, 168);
        within("maxAttachmentBytes", maxAttachmentBytes, 0, Long.MAX_VALUE);
        acceptBots = Set.copyOf(acceptBots);
        for (String bot : acceptBots) {
            Require.that(
                    Snowflakes.isOne(bot),
                    DiscordConfiguration.PID
                            + ": acceptBots has '"
                            + bot
                            + "', which is no id; turn on the Developer Mode of Discord and copy"
                            + " the id of the bot or webhook");
        }
    }

    private static void within(String name, long value, long least, long most) {
        Require.that(
                value >= least && value <= most,
                DiscordConfiguration.PID
                        + ": "
                        + name
                        + " is "
                        + value
                        + "; use "
                        + least
                        + (most == Long.MAX_VALUE ? " or more" : " to " + most));
    }

    static DiscordSettings from(DiscordConfiguration configuration, Map<String, ?> properties) {
        return new DiscordSettings(
                new ConnectorId(KIND, account(properties)),
                token(configuration.token()),
                url("apiUrl", configuration.apiUrl()),
                filesUrl(configuration.filesUrl()),
                configuration.messageContent(),
                configuration.shards(),
                Set.copyOf(List.of(configuration.acceptBots())),
                configuration.slashCommands(),
                configuration.linkPreviews(),
                configuration.maxAttachmentBytes(),
                configuration.backfillHours(),
                configuration.compress());
    }

    /** Returns what a single question to the API needs. */
    static DiscordSettings toAsk(ConnectorId id, SecretRef token, String apiUrl) {
        return new DiscordSettings(
                id, token, apiUrl, "", false, 1, Set.of(), false, false, 0, 0, false);
    }

    private static String account(Map<String, ?> properties) {
        String pid = properties.get("service.pid") instanceof String one ? one : "";
        int mark = pid.indexOf('~');
        Require.that(
                mark > 0,
                "A Discord account is configured in a file "
                        + DiscordConfiguration.PID
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
                "token is no reference to a secret. Put the bot's token into the vault with palyra"
                        + " vault put channel:discord:ACCOUNT/token and write"
                        + " vault:channel:discord:ACCOUNT/token here.");
        return SecretRef.parse(given);
    }

    /** Checks an address; messages name its host alone. */
    private static String url(String name, String text) {
        URI uri = uri(name, Require.text(text, name).strip());
        String scheme = Require.orEmpty(uri.getScheme()).toLowerCase(Locale.ROOT);
        String host = Require.orEmpty(uri.getHost()).toLowerCase(Locale.ROOT);
        Require.that(
                (scheme.equals("https") || scheme.equals("http"))
                        && !host.isEmpty()
                        && uri.getPort() != 0
                        && uri.getPort() < 65_536,
                name
                        + " is not an https or http URL with a host and a port below 65536, such as"
                        + " https://discord.com/api/v10");
        Require.that(
                uri.getRawUserInfo() == null
                        && uri.getRawQuery() == null
                        && uri.getRawFragment() == null,
                name
                        + " has user information, a query or a fragment; leave them out, and put the"
                        + " token into the vault");
        Require.that(
                scheme.equals("https") || Addresses.isLoopback(host),
                name
                        + " is http to "
                        + host
                        + ", so token and messages would travel unprotected; use https");
        return uri.toString().replaceAll("/+$", "");
    }

    /** Checks the address of the API. */
    static String apiUrl(String text) {
        return url("apiUrl", text);
    }

    private static String filesUrl(String text) {
        return Require.orEmpty(text).isBlank() ? "" : url("filesUrl", text);
    }

    private static URI uri(String name, String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT, name + " is not a URL: " + e.getReason() + ".");
        }
    }

    /** Returns what is subscribed to, as Discord's bits. */
    int intents() {
        return GUILDS | GUILD_MESSAGES | DIRECT_MESSAGES | (messageContent ? MESSAGE_CONTENT : 0);
    }

    /** Returns whether an address is one of a server of files. */
    boolean isOfFiles(String url) {
        if (!filesUrl.isEmpty()) {
            return url.startsWith(filesUrl + "/");
        }
        try {
            URI uri = new URI(url);
            return "https".equals(uri.getScheme())
                    && FILES.contains(uri.getHost())
                    && uri.getRawUserInfo() == null
                    && (uri.getPort() == -1 || uri.getPort() == 443);
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
