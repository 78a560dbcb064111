package palyra.testing.discord;

/**
 * A server, as people call it.
 *
 * @param id snowflake; also of its role {@code @everyone}
 * @param name its name
 */
public record Guild(String id, String name) {}
