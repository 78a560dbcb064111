package palyra.skills.internal.host;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorCapabilities.Feature;
import palyra.api.channel.Conversation;
import palyra.api.channel.OutboundMessage;
import palyra.api.core.access.Authorized;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.RunRow;
import palyra.shared.channel.Outbound;

/**
 * {@code host_capability_channel_send}, {@code _edit} and {@code _react}: put a message, the change
 * of one, or a reaction into the outbox, from where the connector of the channel sends it. The
 * permission and the row become durable together; the same message of the same call becomes one
 * row, however often it is asked for. Used by the thread of the call.
 */
final class ChannelCapability {
    private static final String SEND = "channel_send";
    private static final String EDIT = "channel_edit";
    private static final String REACT = "channel_react";
    private static final int MOST_TEXT = 65_536;
    private static final int ID = 256;

    private final ChannelDoor door;
    private final HostSeams seams;
    private int sends;
    private int edits;
    private int reactions;

    ChannelCapability(HostCall call, HostSeams seams) {
        this.door = new ChannelDoor(call, seams);
        this.seams = seams;
    }

    private String skill() {
        return door.scope().skill().skill();
    }

    private void requireGranted(String channel) {
        ChannelDoor.requireGranted(door.scope().grants().channels(), channel, "channels");
    }

    private static String key(RequestFields fields, int nth) {
        return fields.optionalText("dedupe", 128).map(key -> "key:" + key).orElse("nth:" + nth);
    }

    private static ObjectNode answer(String outboxId) {
        return JsonNodeFactory.instance.objectNode().put("outbox_id", outboxId);
    }

    ObjectNode send(RequestFields fields) {
        fields.requireOnly(Set.of("channel", "conversation", "thread", "text", "dedupe"));
        String channel = fields.text("channel", ID);
        String text = fields.text("text", MOST_TEXT);
        requireGranted(channel);
        Conversation where = door.where(channel, fields);
        Outbound message = Outbound.ofSkill(skill(), text, where);
        String key = key(fields, ++sends);
        return answer(
                door.put(SEND, channel, message, key, door.permit("channel.send", channel, "")));
    }

    /** Replaces the text of a message that the skill sent, by whichever of its calls. */
    ObjectNode edit(RequestFields fields) {
        fields.requireOnly(Set.of("outbox_id", "text", "dedupe"));
        String id = fields.text("outbox_id", ID);
        String text = fields.text("text", MOST_TEXT);
        OutboxRow row =
                seams.journal()
                        .call(store -> store.outbox(id))
                        .filter(one -> !one.orderKey().isEmpty())
                        .orElseThrow(() -> notFound("No message has the outbox id " + id + "."));
        Outbound sent = Outbound.read(row.payload());
        if (!sent.skill().equals(skill())) {
            throw HostError.denied(
                    "The message " + id + " was not sent by this skill.",
                    "no grant reaches messages of others");
        }
        String channel = row.surface();
        requireGranted(channel);
        requireChangeable(row, sent);
        int most = door.require(channel, Feature.EDITS, "change messages").maxCharacters();
        if (text.length() > most) {
            throw HostError.of(
                    HostError.LIMIT,
                    "'text' has "
                            + text.length()
                            + " characters; a message of "
                            + channel
                            + " has at most "
                            + most
                            + ".");
        }
        Outbound change = Outbound.edit(skill(), id, text, sent.conversation());
        String key = key(fields, ++edits);
        return answer(
                door.put(
                        EDIT,
                        channel,
                        change,
                        key,
                        door.permit("channel.message.edit", channel, sender(row))));
    }

    private static void requireChangeable(OutboxRow row, Outbound sent) {
        if (sent.kind().equals(Outbound.EDIT) || sent.isReaction()) {
            throw HostError.of(
                    HostError.INVALID,
                    row.outboxId() + " is " + sent.kind() + ", not a message; name the message.");
        }
        boolean open =
                switch (row.state()) {
                    case PENDING, SENDING, SENT -> true;
                    case READABLE, UNKNOWN, FAILED, WITHDRAWN -> false;
                };
        int parts = Math.max(sent.parts().size(), row.progress().sentIds().size());
        if (!open || parts > 1) {
            throw HostError.of(
                    HostError.CONFLICT,
                    "The message "
                            + row.outboxId()
                            + (open
                                    ? " has "
                                            + parts
                                            + " parts; only one of a single part can be"
                                            + " changed."
                                    : " is " + row.state() + " and cannot be changed."));
        }
    }

    /** Returns the principal on whose behalf a message was sent. */
    private String sender(OutboxRow row) {
        return row.runId().equals(door.scope().runId())
                ? door.scope().principal()
                : door.run(row.runId())
                        .map(RunRow::principal)
                        .orElseThrow(
                                () ->
                                        notFound(
                                                "The run that sent "
                                                        + row.outboxId()
                                                        + " is not kept any more."));
    }

    private static HostError notFound(String message) {
        return HostError.of(HostError.NOT_FOUND, message);
    }

    /** Reacts to a message that became a run: the named one, or the one that the run answers. */
    ObjectNode react(RequestFields fields) {
        fields.requireOnly(
                Set.of("channel", "conversation", "thread", "message", "reaction", "dedupe"));
        String channel = fields.text("channel", ID);
        String reaction = reaction(fields);
        requireGranted(channel);
        Conversation where = door.where(channel, fields);
        List<InboxRow> rows = door.rows(channel, where);
        Authorized permit =
                door.permit("channel.message.react_add", channel, door.owner(channel, where, rows));
        HeardMessage message = target(fields, channel, where, rows);
        door.require(channel, Feature.REACTIONS, "react to messages");
        Outbound sent = Outbound.reaction(skill(), message.id(), reaction, message.conversation());
        return answer(door.put(REACT, channel, sent, key(fields, ++reactions), permit));
    }

    private static String reaction(RequestFields fields) {
        String reaction = fields.text("reaction", OutboundMessage.MAX_REACTION);
        try {
            OutboundMessage.requireReaction(reaction);
        } catch (PalyraException e) {
            throw HostError.of(HostError.INVALID, e.getMessage());
        }
        return reaction;
    }

    private HeardMessage target(
            RequestFields fields, String channel, Conversation where, List<InboxRow> rows) {
        String named = fields.optionalText("message", ID).orElse("");
        if (named.isEmpty()) {
            return door.asked(channel)
                    .filter(row -> row.conversation().equals(where.id()))
                    .map(HeardMessage::of)
                    .orElseThrow(
                            () ->
                                    HostError.of(
                                            HostError.INVALID,
                                            "The run was not asked for in this conversation; name"
                                                    + " the message."));
        }
        return door.heard(rows, where).stream()
                .filter(one -> one.id().equals(named))
                .findFirst()
                .orElseThrow(
                        () ->
                                notFound(
                                        "No message '"
                                                + named
                                                + "' is among those of the conversation that became"
                                                + " runs lately; channel_read has their ids."));
    }
}
