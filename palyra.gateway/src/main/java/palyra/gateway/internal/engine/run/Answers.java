package palyra.gateway.internal.engine.run;

import palyra.api.channel.MessageOrigin;
import palyra.api.core.journal.OutboxProgress;
import palyra.api.core.journal.OutboxRow;
import palyra.shared.channel.Outbound;

/** Answers to messages of chat platforms, as the outbox keeps them. Pure. */
public final class Answers {
    private Answers() {}

    /**
     * Returns an answer that goes where the message came from.
     *
     * @param runId run that it answers for; empty for none
     * @param kind {@code answer} or {@code failure}
     * @param text CommonMark; may be blank
     */
    public static OutboxRow row(
            String id,
            String runId,
            String surface,
            MessageOrigin origin,
            String kind,
            String text) {
        Outbound message =
                Outbound.of(
                        kind,
                        origin.responsePrefix() + (text.isBlank() ? "(no text)" : text),
                        origin.conversation(),
                        origin.messageId());
        return new OutboxRow(
                id,
                runId,
                surface,
                MessageOrigin.orderKey(origin.conversation()),
                message.bytes(),
                OutboxRow.State.PENDING,
                OutboxProgress.NONE,
                0,
                0);
    }
}
