package palyra.skills.internal.host;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorCapabilities;
import palyra.api.channel.ConnectorCapabilities.Feature;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.Conversation;
import palyra.api.channel.MessageOrigin;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.IdempotencyKey;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxProgress;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.shared.channel.Outbound;
import palyra.shared.hash.Digests;
import palyra.shared.hash.Ulids;
import palyra.shared.run.SubmissionCodec;

/**
 * What the functions about channels share: grants, policy, where a call's run came from, and the
 * outbox. Used by the thread of the call.
 */
final class ChannelDoor {
    /** Of all calls: a change has a higher id than its message, by which it is sent after it. */
    private static final Ulids IDS = new Ulids();

    private final HostCall call;
    private final HostSeams seams;

    ChannelDoor(HostCall call, HostSeams seams) {
        this.call = call;
        this.seams = seams;
    }

    CallScope scope() {
        return call.scope();
    }

    /** Refuses a channel that the manifest does not name; {@code grant} is the manifest's key. */
    static void requireGranted(List<String> granted, String channel, String grant) {
        if (!granted.contains(channel)) {
            throw HostError.denied(
                    "The manifest does not name the channel " + channel + ".",
                    "capabilities." + grant + ": " + channel);
        }
    }

    /** Returns the access request about a channel; {@code owner} empty means of no one else. */
    AccessRequest question(String action, String channel, String owner) {
        return scope().question(action, "channel:" + channel, owner, Map.of());
    }

    /** Authorizes what is put into the outbox. */
    Authorized permit(String action, String channel, String owner) {
        try {
            return seams.access().call(front -> front.authorize(question(action, channel, owner)));
        } catch (PalyraException e) {
            throw denied(e, action, channel);
        }
    }

    static HostError denied(PalyraException e, String action, String channel) {
        return HostError.of(e, "policy " + action + " channel:" + channel);
    }

    /** The named conversation, or the one in which the run was asked for. */
    Conversation where(String channel, RequestFields fields) {
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
                .map(row -> SubmissionCodec.message(row.payload()).origin().conversation())
                .orElseThrow(
                        () ->
                                HostError.of(
                                        HostError.INVALID,
                                        "The run was not asked for on "
                                                + channel
                                                + "; name the conversation."));
    }

    /** Returns the message of the channel by which the run was asked for; empty without one. */
    Optional<InboxRow> asked(String channel) {
        return run(scope().runId())
                .filter(run -> run.surface().equals(channel) && !run.messageId().isEmpty())
                .flatMap(run -> seams.journal().call(store -> store.inbox(run.messageId())))
                .filter(row -> !row.conversation().isEmpty());
    }

    Optional<RunRow> run(String runId) {
        return seams.journal().call(store -> store.run(runId));
    }

    /**
     * Returns whose a conversation is, as policy is asked: of no one else when the run was asked
     * for in it; otherwise that of the principal for which its last message was answered.
     */
    String owner(String channel, Conversation where, List<InboxRow> newestFirst) {
        boolean own =
                asked(channel).filter(row -> row.conversation().equals(where.id())).isPresent();
        return own
                ? ""
                : newestFirst.stream()
                        .filter(row -> row.state() == InboxRow.State.ROUTED)
                        .findFirst()
                        .map(InboxRow::principal)
                        .orElse("service:" + channel + ":in:" + where.id());
    }

    /** Returns the last messages of a conversation that became runs, without those taken back. */
    List<HeardMessage> heard(List<InboxRow> newestFirst, Conversation where) {
        return HeardMessage.of(newestFirst).stream()
                .filter(one -> one.conversation().thread().equals(where.thread()))
                .toList();
    }

    /** Returns the newest rows of a conversation in the inbox. */
    List<InboxRow> rows(String channel, Conversation where) {
        return seams.journal()
                .call(store -> store.inboxOf(channel, where.id(), "", HeardMessage.MOST_ROWS));
    }

    /**
     * Returns what the connector of a channel can do, with a feature.
     *
     * @throws HostError unsupported without the feature, unavailable while no connector is there
     */
    ConnectorCapabilities require(String channel, Feature feature, String what) {
        ConnectorCapabilities capabilities =
                seams.connectors()
                        .apply(channel)
                        .orElseThrow(
                                () ->
                                        HostError.of(
                                                HostError.UNAVAILABLE,
                                                "No connector is there for "
                                                        + channel
                                                        + " at the moment; try again later."));
        if (!capabilities.has(feature)) {
            throw HostError.of(HostError.UNSUPPORTED, channel + " cannot " + what + ".");
        }
        return capabilities;
    }

    /**
     * Puts a message into the outbox, with its permission; the same key of the same call is one
     * row.
     *
     * @param function name of the host function
     */
    String put(String function, String channel, Outbound message, String key, Authorized permit) {
        call.beginEffect();
        byte[] bytes = message.bytes();
        String id = IDS.next();
        OutboxRow row =
                new OutboxRow(
                        id,
                        scope().runId(),
                        channel,
                        MessageOrigin.orderKey(message.conversation()),
                        bytes,
                        OutboxRow.State.PENDING,
                        OutboxProgress.NONE,
                        0,
                        0);
        String digest = Digests.sha256Hex(channel + "\0" + Digests.sha256Hex(bytes));
        Unit unit =
                Unit.builder()
                        .once(
                                new IdempotencyKey(
                                        "skill." + function + "/" + scope().callId(), key, digest),
                                id.getBytes(StandardCharsets.UTF_8))
                        .add(permit.record())
                        .add(new Operation.PutOutbox(row))
                        .build();
        Committed committed = seams.journal().call(store -> store.commit(unit));
        return new String(committed.result(), StandardCharsets.UTF_8);
    }
}
