package palyra.skills.internal.host;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.Conversation;
import palyra.api.channel.MessageOrigin;
import palyra.api.core.access.Access;
import palyra.api.core.access.Authorized;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.IdempotencyKey;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxProgress;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.Unit;
import palyra.shared.channel.Outbound;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.shared.hash.Ulids;
import palyra.shared.run.SubmissionCodec;

/**
 * {@code host_capability_channel_send}: puts a message into the outbox, from where the connector of
 * the channel sends it. The permission and the row become durable together; the same message of the
 * same call becomes one row, however often it is asked for.
 */
final class ChannelCapability {
    private static final String ACTION = "channel.send";
    private static final String SCOPE = "skill.channel_send";
    private static final int MOST_TEXT = 65_536;

    private final HostCall call;
    private final Gate<Access> access;
    private final Gate<Journal> journal;
    private final Ulids ids = new Ulids();
    private int sends; // on the thread of the call

    ChannelCapability(HostCall call, Gate<Access> access, Gate<Journal> journal) {
        this.call = call;
        this.access = access;
        this.journal = journal;
    }

    ObjectNode send(RequestFields fields) {
        fields.requireOnly(Set.of("channel", "conversation", "thread", "text", "dedupe"));
        String channel = fields.text("channel", 256);
        String text = fields.text("text", MOST_TEXT);
        String dedupe = fields.optionalText("dedupe", 128).orElse("");
        if (!call.scope().grants().channels().contains(channel)) {
            throw HostError.denied(
                    "The manifest does not name the channel " + channel + ".",
                    "capabilities.channels: " + channel);
        }
        Conversation where = where(channel, fields);
        sends++;
        String key = dedupe.isEmpty() ? "nth:" + sends : "key:" + dedupe;
        Authorized permit = permit(channel);
        call.beginEffect();
        return JsonNodeFactory.instance
                .objectNode()
                .put("outbox_id", put(channel, where, text, key, permit));
    }

    private Authorized permit(String channel) {
        try {
            return access.call(
                    front ->
                            front.authorize(
                                    call.scope().question(ACTION, "channel:" + channel, Map.of())));
        } catch (PalyraException e) {
            throw HostError.of(e, "policy " + ACTION + " channel:" + channel);
        }
    }

    /** The named conversation, or the one in which the run was asked for. */
    private Conversation where(String channel, RequestFields fields) {
        String named = fields.optionalText("conversation", 128).orElse("");
        String thread = fields.optionalText("thread", 128).orElse("");
        try {
            ConnectorId.parse(channel);
            if (!named.isEmpty()) {
                return new Conversation(named, thread, false, "");
            }
        } catch (PalyraException e) {
            throw HostError.of(HostError.INVALID, e.getMessage());
        }
        return asked(channel)
                .map(MessageOrigin::conversation)
                .orElseThrow(
                        () ->
                                HostError.of(
                                        HostError.INVALID,
                                        "The run was not asked for on "
                                                + channel
                                                + "; name the conversation."));
    }

    private Optional<MessageOrigin> asked(String channel) {
        String runId = call.scope().runId();
        return journal.call(store -> store.run(runId))
                .filter(run -> run.surface().equals(channel) && !run.messageId().isEmpty())
                .flatMap(run -> journal.call(store -> store.inbox(run.messageId())))
                .map(row -> SubmissionCodec.message(row.payload()).origin());
    }

    private String put(
            String channel, Conversation where, String text, String key, Authorized permit) {
        CallScope scope = call.scope();
        byte[] bytes = Outbound.of("message", text, where, "").bytes();
        String id = ids.next();
        OutboxRow row =
                new OutboxRow(
                        id,
                        scope.runId(),
                        channel,
                        MessageOrigin.orderKey(where),
                        bytes,
                        OutboxRow.State.PENDING,
                        OutboxProgress.NONE,
                        0,
                        0);
        String digest = Digests.sha256Hex(channel + "\0" + Digests.sha256Hex(bytes));
        Unit unit =
                Unit.builder()
                        .once(
                                new IdempotencyKey(SCOPE + "/" + scope.callId(), key, digest),
                                id.getBytes(StandardCharsets.UTF_8))
                        .add(permit.record())
                        .add(new Operation.PutOutbox(row))
                        .build();
        Committed committed = journal.call(store -> store.commit(unit));
        return new String(committed.result(), StandardCharsets.UTF_8);
    }
}
