package palyra.transport.grpc.internal.service;

import palyra.api.Require;
import palyra.api.run.SubmittedMessage;
import palyra.transport.grpc.internal.call.Caller;
import palyra.transport.grpc.internal.wire.common.MessageEnvelope;
import palyra.transport.grpc.internal.wire.gateway.RouteMessageRequest;

/** Derives identity and session of messages from channels. Pure functions. */
final class RoutedMessages {
    private static final String SURFACE = "grpc.route";

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
