package palyra.connectors.telegram.internal;

import java.util.Optional;
import palyra.api.channel.InboundAction;
import palyra.api.channel.InboundMessage;

/** What one update of Telegram means. */
sealed interface Inbound {
    /** A message. */
    record Message(InboundMessage message) implements Inbound {}

    /**
     * A pressed button.
     *
     * @param queryId by what it is answered
     * @param action what was pressed; empty for a button that this bot did not make
     */
    record Press(String queryId, Optional<InboundAction> action) implements Inbound {}

    /** Nothing for the gateway. */
    record Ignored() implements Inbound {}
}
