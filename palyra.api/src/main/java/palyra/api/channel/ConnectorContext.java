package palyra.api.channel;

import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * What the gateway offers one connector, from {@link Connector#start} to {@link Connector#stop};
 * later every call fails with GATEWAY_UNAVAILABLE. Thread-safe; calls block until the journal has
 * written.
 */
@ProviderType
public interface ConnectorContext {
    /** Longest reason for a pressed button in characters. */
    int MAX_REASON = 500;

    /**
     * Takes a message in. Only after this returned may the connector confirm it to the platform.
     * Hand in the messages of a conversation one after the other. A message that was handed in
     * before, also before a crash, is {@link Acceptance.Outcome#KNOWN}.
     *
     * @throws palyra.api.PalyraException when it is not durable: do not confirm it, and hand it in
     *     again later. RESOURCE_EXHAUSTED while too many messages wait; JOURNAL_UNAVAILABLE,
     *     DISK_FULL and the like
     */
    Acceptance accept(InboundMessage message);

    /**
     * Takes a message in, as {@link #accept(InboundMessage)} does, and keeps in the same write
     * where the connector is in the platform's stream of events, so that the position costs nothing
     * and is never ahead of the message nor behind it. Whatever is answered, the position is kept.
     *
     * @param position where the next life goes on, as {@link #keepPosition} takes it: hand in every
     *     message up to there first; empty leaves the position as it is
     */
    default Acceptance accept(InboundMessage message, byte[] position) {
        Acceptance acceptance = accept(message);
        if (position.length > 0) {
            keepPosition(position);
        }
        return acceptance;
    }

    /**
     * Takes a message in of a sender who can be told something alone and at once, such as one who
     * gave a command of the platform's. It does as {@link #accept(InboundMessage, byte[])} does,
     * but what the gateway itself answers is {@link Acceptance#said} and no message in the
     * conversation: tell it. The same message is answered with the same again. What an agent
     * answers is a message all the same.
     */
    default Acceptance acceptAside(InboundMessage message, byte[] position) {
        return accept(message, position);
    }

    /**
     * Keeps where the connector is in the platform's stream of events, for its next life: hand in
     * every message up to there first.
     *
     * @param position whatever the connector needs; at most 16 KiB
     */
    void keepPosition(byte[] position);

    /** Returns the position that was kept last; empty when none was. */
    Optional<byte[]> position();

    /**
     * Passes a pressed button on.
     *
     * @return what to show to who pressed it: one line
     */
    String press(InboundAction action);

    /**
     * Passes a pressed button on, with the reason that was given for it.
     *
     * @param reason why; empty for none. What is longer than {@link #MAX_REASON} is cut
     * @return what to show to who pressed it: one line
     */
    default String press(InboundAction action, String reason) {
        return press(action);
    }

    /**
     * Returns whether who presses a button may say why, where the platform can ask: ask before the
     * button is passed on, and pass it on without a reason where it cannot be asked. Answers at
     * once.
     *
     * @param data {@link OutboundMessage.Button#data} of the button
     */
    default boolean asksReason(String data) {
        return false;
    }

    /**
     * Returns why someone who pressed a button may not do what it is for, in one line to show to
     * them; empty when nothing is known against it. Ask before anything else is asked of them, such
     * as a reason. It is no leave: {@link #press} looks again.
     *
     * @param data {@link OutboundMessage.Button#data} of the button
     * @param sender who pressed it
     */
    default String refusal(String data, Sender sender) {
        return "";
    }

    /**
     * Returns a secret that the connector's configuration names. Ask for it each time it is needed
     * and keep it nowhere.
     *
     * @param reference {@code vault:SCOPE/NAME}
     * @throws palyra.api.PalyraException DENIED, NOT_FOUND, VAULT_UNAVAILABLE
     */
    String secret(String reference);

    /** Returns the principal of the connector itself, on whose behalf it connects. */
    String principal();
}
