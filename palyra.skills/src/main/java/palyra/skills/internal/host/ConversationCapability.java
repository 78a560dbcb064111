package palyra.skills.internal.host;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.api.PalyraException;
import palyra.api.channel.Conversation;
import palyra.api.channel.MessageOrigin;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.OutboxRow;
import palyra.shared.channel.Outbound;

/**
 * {@code host_capability_channel_read}: the last messages of a conversation, as the gateway has
 * them: what people wrote and became runs, and the answers that were sent. Never what was ignored,
 * and no question or notice of the gateway. Used by the thread of the call.
 */
final class ConversationCapability {
    private static final String ACTION = "channel.message.read";
    private static final int USUAL = 20;
    private static final int MOST = 50;
    private static final int MOST_TEXT = 16_384; // characters of one message
    private static final int MOST_BYTES = 256 << 10;
    private static final Set<String> SHOWN = Set.of("answer", "failure", "message");

    private final ChannelDoor door;
    private final HostSeams seams;

    /** A message of either direction; {@code id} orders them by time. */
    private record Entry(String id, String text, ObjectNode json) {}

    ConversationCapability(HostCall call, HostSeams seams) {
        this.door = new ChannelDoor(call, seams);
        this.seams = seams;
    }

    ObjectNode read(RequestFields fields) {
        fields.requireOnly(Set.of("channel", "conversation", "thread", "limit"));
        String channel = fields.text("channel", 256);
        int limit = (int) fields.number("limit", USUAL, 1, MOST);
        ChannelDoor.requireGranted(door.scope().grants().readChannels(), channel, "read_channels");
        Conversation where = door.where(channel, fields);
        List<InboxRow> rows = door.rows(channel, where);
        requireAllowed(channel, door.owner(channel, where, rows));
        List<Entry> entries = new ArrayList<>();
        door.heard(rows, where).forEach(message -> entries.add(entry(message)));
        entries.addAll(sent(channel, where));
        entries.sort(Comparator.comparing(Entry::id).reversed());
        return answer(entries, limit);
    }

    private void requireAllowed(String channel, String owner) {
        try {
            seams.access()
                    .call(front -> front.authorizeAndRecord(door.question(ACTION, channel, owner)));
        } catch (PalyraException e) {
            throw ChannelDoor.denied(e, ACTION, channel);
        }
    }

    private static Entry entry(HeardMessage message) {
        ObjectNode json =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("id", message.id())
                        .put("time", message.row().createdAtMillis());
        json.putObject("from")
                .put("id", message.sender().id())
                .put("name", message.sender().name());
        return entry(message.row().messageId(), json, message.text());
    }

    private static Entry entry(String id, ObjectNode json, String text) {
        int end = Math.min(text.length(), MOST_TEXT);
        if (end < text.length()) {
            end -= Character.isHighSurrogate(text.charAt(end - 1)) ? 1 : 0;
            json.put("cut", true);
        }
        String shown = text.substring(0, end);
        return new Entry(id, shown, json.put("text", shown));
    }

    /** Changed messages have their last text. */
    private List<Entry> sent(String channel, Conversation where) {
        String key = MessageOrigin.orderKey(where);
        List<OutboxRow> rows =
                seams.journal()
                        .call(store -> store.outboxSent(channel, key, "", HeardMessage.MOST_ROWS));
        Map<String, String> changes = new HashMap<>();
        List<Entry> entries = new ArrayList<>();
        for (OutboxRow row : rows) {
            Outbound message = Outbound.read(row.payload());
            if (!message.editsOutboxId().isEmpty()) {
                changes.putIfAbsent(message.editsOutboxId(), message.text());
            } else if (SHOWN.contains(message.kind())) {
                entries.add(entry(row, message, changes));
            }
        }
        return entries;
    }

    private static Entry entry(OutboxRow row, Outbound message, Map<String, String> changes) {
        ObjectNode json =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("outbox_id", row.outboxId())
                        .put("time", row.createdAtMillis());
        if (!message.skill().isEmpty()) {
            json.put("skill", message.skill());
        }
        return entry(row.outboxId(), json, changes.getOrDefault(row.outboxId(), message.text()));
    }

    /** Takes from the newest, as many as have room, and turns them round. */
    private static ObjectNode answer(List<Entry> newestFirst, int limit) {
        List<ObjectNode> taken = new ArrayList<>();
        long bytes = 0;
        for (Entry entry : newestFirst) {
            bytes += entry.text().getBytes(StandardCharsets.UTF_8).length;
            if (taken.size() == limit || bytes > MOST_BYTES) {
                break;
            }
            taken.add(entry.json());
        }
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        ArrayNode messages = answer.putArray("messages");
        taken.reversed().forEach(messages::add);
        return answer.put("more", taken.size() < newestFirst.size());
    }
}
