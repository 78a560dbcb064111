package palyra.transport.grpc.internal.service;

import java.nio.charset.StandardCharsets;
import palyra.api.Require;
import palyra.transport.grpc.internal.call.Caller;
import palyra.transport.grpc.internal.wire.common.EnvelopeOrigin.OriginType;
import palyra.transport.grpc.internal.wire.common.MessageEnvelope;
import palyra.transport.grpc.internal.wire.common.SecurityContext.TrustLevel;

/** Checks of messages for an agent. */
public final class Envelopes {
    private Envelopes() {}

    /**
     * Refuses a message that cannot be taken: INVALID_ARGUMENT.
     *
     * @param field what the request calls it
     */
    public static void require(MessageEnvelope envelope, String field) {
        Requests.version(envelope.getV(), field + ".v");
        Requests.known(
                OriginType.forNumber(envelope.getOrigin().getTypeValue()),
                envelope.getOrigin().getTypeValue(),
                field + ".origin.type");
        Requests.known(
                TrustLevel.forNumber(envelope.getSecurity().getTrustValue()),
                envelope.getSecurity().getTrustValue(),
                field + ".security.trust");
        Requests.unsupported(
                envelope.getContent().getAttachmentsCount() > 0, field + ".content.attachments");
        String text = Requests.text(envelope.getContent().getText(), field + ".content.text");
        long most = envelope.getMaxPayloadBytes();
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        Require.that(
                most == 0 || Long.compareUnsigned(bytes, most) <= 0,
                field
                        + ".content has "
                        + bytes
                        + " bytes, more than the "
                        + Long.toUnsignedString(most)
                        + " of its own max_payload_bytes");
    }

    /** Returns the channel of a message: that of the call, else that of its origin. */
    public static String channel(MessageEnvelope envelope, Caller caller, String field) {
        String said =
                Requests.channel(envelope.getOrigin().getChannel(), field + ".origin.channel");
        return caller.channel().isEmpty() ? said : caller.channel();
    }
}
