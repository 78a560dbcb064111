package palyra.connectors.discord.internal;

import java.util.Set;
import palyra.api.channel.ConnectorId;
import palyra.api.core.vault.SecretRef;
import palyra.testing.discord.FakeDiscord;

/** Settings for tests. */
final class Settings {
    static final String TOKEN = "vault:global/discord_main";

    private Settings() {}

    static DiscordSettings of(String url) {
        return of(url, false, 1, Set.of());
    }

    static DiscordSettings of(String url, boolean content, int shards, Set<String> bots) {
        return of(url, "", content, shards, bots, 1_000, true);
    }

    static DiscordSettings uncompressed(String url) {
        return of(url, "", false, 1, Set.of(), 1_000, false);
    }

    /** Returns settings with the fake's server of files. */
    static DiscordSettings of(FakeDiscord discord, boolean content, int shards, Set<String> bots) {
        return of(discord.restBase(), discord.cdnUrl(), content, shards, bots, 10 << 20, true);
    }

    private static DiscordSettings of(
            String url,
            String filesUrl,
            boolean content,
            int shards,
            Set<String> bots,
            long maxAttachmentBytes,
            boolean compress) {
        return new DiscordSettings(
                new ConnectorId("discord", "main"),
                SecretRef.parse(TOKEN),
                url,
                filesUrl,
                content,
                shards,
                bots,
                true,
                false,
                maxAttachmentBytes,
                24,
                compress);
    }
}
