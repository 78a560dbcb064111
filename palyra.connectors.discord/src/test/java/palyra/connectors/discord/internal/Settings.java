package palyra.connectors.discord.internal;

import java.util.Set;
import palyra.api.channel.ConnectorId;
import palyra.api.core.vault.SecretRef;

/** Settings for tests. */
final class Settings {
    static final String TOKEN = "vault:global/discord_main";

    private Settings() {}

    static DiscordSettings of(String url) {
        return of(url, false, 1, Set.of());
    }

    static DiscordSettings of(String url, boolean content, int shards, Set<String> bots) {
        return of(url, content, shards, bots, true);
    }

    static DiscordSettings uncompressed(String url) {
        return of(url, false, 1, Set.of(), false);
    }

    private static DiscordSettings of(
            String url, boolean content, int shards, Set<String> bots, boolean compress) {
        return new DiscordSettings(
                new ConnectorId("discord", "main"),
                SecretRef.parse(TOKEN),
                url,
                content,
                shards,
                bots,
                true,
                false,
                1_000,
                24,
                compress);
    }
}
