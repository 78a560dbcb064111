package palyra.connectors.discord.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import palyra.api.channel.InboundMessage;

/**
 * Messages that came while their conversation's history was to be fetched first. The history brings
 * them as well; when Discord refuses it, they are what there is. At most 4 MiB of all conversations
 * together, by an upper estimate. Guarded by the lock of the {@link Ledger}.
 */
final class Deferred {
    static final long MOST_BYTES = 4 << 20;
    private static final long BYTES_EACH = 1_024; // ids, names, and what holds them
    private static final int BYTES_CHAR = 2;

    /**
     * A message that waits.
     *
     * @param id its id
     * @param message what it is to the gateway
     * @param release lets a later life do without its event
     */
    record Waiting(long id, InboundMessage message, Runnable release) {
        private long bytes() {
            return BYTES_EACH * (1 + message.attachments().size() + message.mentions().size())
                    + (long) BYTES_CHAR * message.text().length();
        }
    }

    private final Map<String, List<Waiting>> waiting = new HashMap<>();
    private long bytes;

    /** Returns whether there is room for a message. */
    boolean hasRoom(InboundMessage message) {
        return bytes + new Waiting(0, message, () -> {}).bytes() <= MOST_BYTES;
    }

    void add(String channel, Waiting one) {
        waiting.computeIfAbsent(channel, unused -> new ArrayList<>()).add(one);
        bytes += one.bytes();
    }

    /** Returns what waits for a conversation, in the order in which it came. */
    List<Waiting> of(String channel) {
        return List.copyOf(waiting.getOrDefault(channel, List.of()));
    }

    /** One waits no more. */
    void settle(String channel, Waiting one) {
        List<Waiting> of = waiting.get(channel);
        if (of == null || !of.remove(one)) {
            return; // it was forgotten meanwhile
        }
        bytes -= one.bytes();
        one.release().run();
        if (of.isEmpty()) {
            waiting.remove(channel);
        }
    }

    /** A conversation is forgotten. */
    void forget(String channel) {
        of(channel).forEach(one -> settle(channel, one));
    }

    /** All conversations are forgotten. */
    void forgetAll() {
        List.copyOf(waiting.keySet()).forEach(this::forget);
    }
}
