package palyra.connectors.discord.internal;

import palyra.api.channel.InboundMessage;

/** What a message of Discord means. */
sealed interface Inbound {
    /** A message for the gateway. */
    record Message(InboundMessage message) implements Inbound {}

    /**
     * A message of the bot itself.
     *
     * @param key key under which it was sent; empty when Discord does not tell
     */
    record Own(String key) implements Inbound {}

    /** Nothing for the gateway. */
    record Ignored() implements Inbound {}
}
