package palyra.transport.grpc.internal.service;

import java.util.Optional;
import java.util.regex.Pattern;
import palyra.api.Require;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.Conversation;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.Sender;
import palyra.api.core.gateway.MessageRules;
import palyra.api.run.SubmittedMessage;
import palyra.shared.hash.Digests;
import palyra.transport.grpc.internal.call.Caller;
import palyra.transport.grpc.internal.wire.common.EnvelopeOrigin;
import palyra.transport.grpc.internal.wire.common.MessageEnvelope;
import palyra.transport.grpc.internal.wire.gateway.RouteMessageRequest;

/** Derives identity and session of messages from channels. Pure functions. */
final class RoutedMessages {
    private static final String SURFACE = "grpc.route";
    private static final Pattern ACCOUNT = Pattern.compile("[A-Za-z0-9._-]{1,32}");
    private static final Pattern MESSAGE = Pattern.compile("[!-~]{1,96}");
    private static final Pattern SENDER = Pattern.compile("[A-Za-z0-9._@-]{1,64}");
    private static final Pattern PLACE = Pattern.compile("[!-~]{1,128}");

    private RoutedMessages() {}

    /** Returns the message that a request brings. INVALID_ARGUMENT. */
    static SubmittedMessage of(Caller caller, RouteMessageRequest request) {
        Requests.version(request.getV());
        Require.that(request.hasEnvelope(), "envelope is missing");
        MessageEnvelope envelope = request.getEnvelope();
        Envelopes.require(envelope, "envelope");
        String channel =
                Requests.text(
                        Envelopes.channel(envelope, caller, "envelope"), "envelope.origin.channel");
        Requests.atMost(request.getAdapterThreadId(), Requests.MAX_NAME, "adapter_thread_id");
        return new SubmittedMessage(
                SURFACE,
                dedupeKey(channel, request),
                "",
                sessionKey(channel, envelope),
                caller.deviceId(),
                channel,
                "",
                envelope.getContent().getText(),
                "",
                false,
                "",
                request.getSessionLabel(),
                false,
                "",
                false);
    }

    /** Returns what rules call a channel: {@code grpc:CHANNEL}; empty when none can name it. */
    static Optional<ConnectorId> surface(String channel) {
        return ACCOUNT.matcher(channel).matches()
                ? Optional.of(new ConnectorId("grpc", channel))
                : Optional.empty();
    }

    /**
     * Returns the message as rules look at it. Ids with other characters than rules can name, and
     * longer ones, are told by their digest.
     */
    static InboundMessage inbound(SubmittedMessage message, RouteMessageRequest request) {
        EnvelopeOrigin origin = request.getEnvelope().getOrigin();
        String sender =
                Requests.text(
                        Requests.atMost(
                                origin.getSenderHandle(), 128, "envelope.origin.sender_handle"),
                        "envelope.origin.sender_handle");
        String thread = request.getAdapterThreadId();
        String conversation = origin.getConversationId();
        return InboundMessage.written(
                usable(message.dedupeKey(), MESSAGE),
                new Sender(
                        usable(sender, SENDER),
                        Requests.atMost(
                                origin.getSenderDisplay(), 256, "envelope.origin.sender_display"),
                        false,
                        origin.getSenderVerified()),
                new Conversation(
                        conversation.isEmpty() ? "default" : usable(conversation, PLACE),
                        thread.isEmpty() ? "" : usable(thread, PLACE),
                        request.getIsDirectMessage(),
                        message.sessionLabel()),
                message.text(),
                false,
                request.getEnvelope().getTimestampUnixMs());
    }

    private static String usable(String id, Pattern form) {
        return form.matcher(id).matches() ? id : "sha256-" + Digests.sha256Hex(id).substring(0, 32);
    }

    /** Returns the message as a rule routes it, under the id by which rules know it. */
    static SubmittedMessage routed(
            SubmittedMessage message,
            ConnectorId surface,
            InboundMessage inbound,
            MessageRules.Ruling.Routed routed) {
        return new SubmittedMessage(
                surface.toString(),
                inbound.messageId(),
                "",
                routed.sessionKey(),
                message.deviceId(),
                message.channel(),
                routed.agentId(),
                routed.text(),
                message.originKind(),
                false,
                "",
                message.sessionLabel(),
                false,
                "",
                false,
                null,
                routed.whileRunning());
    }

    /** Ids of adapters are unique within their channel; those of envelopes are anyway. */
    private static String dedupeKey(String channel, RouteMessageRequest request) {
        int longest = 128;
        String id = Requests.atMost(request.getAdapterMessageId(), longest, "adapter_message_id");
        MessageEnvelope envelope = request.getEnvelope();
        if (!id.isEmpty()) {
            Requests.idOrEmpty(
                    envelope.hasEnvelopeId(), envelope.getEnvelopeId(), "envelope.envelope_id");
            return channel + "/" + Requests.text(id, "adapter_message_id");
        }
        return Requests.id(
                envelope.hasEnvelopeId(),
                envelope.getEnvelopeId(),
                "adapter_message_id is missing and envelope.envelope_id");
    }

    /** A conversation is a session of its own; without one it is the channel's default session. */
    private static String sessionKey(String channel, MessageEnvelope envelope) {
        int longest = 128;
        String conversation =
                Requests.atMost(
                        envelope.getOrigin().getConversationId(),
                        longest,
                        "envelope.origin.conversation_id");
        return conversation.isEmpty() ? "" : "channel:" + channel + ":conversation:" + conversation;
    }
}
