package palyra.testing.discord;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** A session of the gateway: what it was sent, and over which connection. For the lock's holder. */
final class GatewaySession {
    /** An event that was sent, or is due when the session is resumed. */
    record Sent(long seq, String type, ObjectNode data) {}

    final String id;
    final long intents;
    final int shard;
    final int shards;
    final List<Sent> sent = new ArrayList<>();
    GatewayConnection connection; // null without one
    World.Event held; // waits for the next one; null for none
    boolean ready; // READY was sent

    GatewaySession(String id, long intents, int shard, int shards) {
        this.id = id;
        this.intents = intents;
        this.shard = shard;
        this.shards = shards;
    }

    long seq() {
        return sent.size();
    }

    boolean has(Intent intent) {
        return (intents & intent.mask()) != 0;
    }

    /** Returns whether an event is this session's. */
    boolean takes(World.Event event) {
        int its =
                event.guild().isEmpty()
                        ? 0
                        : (int) ((Long.parseUnsignedLong(event.guild()) >> 22) % shards);
        return ready && its == shard && (event.intent() == 0 || (intents & event.intent()) != 0);
    }

    /** Counts an event and sends it, if there is a connection that may say something. */
    void send(String type, ObjectNode data) {
        Sent one = new Sent(seq() + 1, type, data);
        sent.add(one);
        if (connection != null) {
            connection.event(one);
        }
    }
}
