package palyra.testing.discord;

/**
 * Which message.
 *
 * @param channel id of its channel
 * @param id its own
 */
public record Message(String channel, String id) {}
