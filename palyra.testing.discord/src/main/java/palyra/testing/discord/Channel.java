package palyra.testing.discord;

/**
 * Where messages are: a text channel, a forum, a thread, a post of a forum, or direct messages.
 *
 * @param id snowflake
 * @param guild id of its guild; empty for direct messages
 * @param name its name; empty for direct messages
 */
public record Channel(String id, String guild, String name) {}
