package palyra.connectors.webhook.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorContext;
import palyra.api.channel.Delivery;
import palyra.api.channel.OutboundMessage;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.egress.EgressContext;
import palyra.api.core.egress.EgressRequest;
import palyra.api.core.egress.EgressRequest.EgressLimits;
import palyra.api.core.egress.EgressResponse;
import palyra.shared.connector.Texts;
import palyra.shared.gate.Gate;

/** Posts messages to the callback address, signed as requests are. Thread-safe. */
final class CallbackSender {
    /** Purpose in policy requests. */
    static final String PURPOSE = "connector";

    private static final ObjectMapper JSON = JsonMapper.builder().build();
    private static final int READ_BYTES = 64 << 10; // of an answer; the rest is not looked at
    private static final long ANY_BYTES = 1L << 40;
    // Of the 30 s that a connector has. A receiver that has the message is not cut off for its
    // talk.
    private static final EgressLimits LIMITS =
            new EgressLimits(5_000, 20_000, 25_000, 5_000, ANY_BYTES, 0, Set.of());
    private static final int SHOWN = 200;

    private final WebhookSettings settings;
    private final Gate<EgressClient> egress;
    private final ConnectorContext context;
    private final SigningKeys keys;
    private final WebhookStatus status;

    CallbackSender(
            WebhookSettings settings,
            Gate<EgressClient> egress,
            ConnectorContext context,
            SigningKeys keys,
            WebhookStatus status) {
        this.settings = settings;
        this.egress = egress;
        this.context = context;
        this.keys = keys;
        this.status = status;
    }

    Delivery send(OutboundMessage message) {
        try {
            EgressRequest request = request(message, status.watch(keys::all));
            // A call lasts longer than a lease may, so the lease covers the look-up of the client.
            EgressClient client = egress.call(present -> present);
            try (EgressResponse response = client.send(request)) {
                return delivery(response);
            }
        } catch (SecretException e) {
            return new Delivery.RetryAfter(0, false, e.getMessage());
        } catch (PalyraException e) {
            boolean unclear =
                    e.code() == ErrorCode.OUTCOME_UNKNOWN
                            || e.code() == ErrorCode.CANCELLED
                            || e.code() == ErrorCode.INTERNAL;
            return unclear
                    ? new Delivery.Unknown(e.getMessage())
                    : new Delivery.RetryAfter(0, false, e.getMessage());
        }
    }

    private EgressRequest request(OutboundMessage message, List<byte[]> signingKeys) {
        byte[] body = body(message);
        long seconds = TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis());
        String signatures =
                signingKeys.stream()
                        .map(key -> Signatures.sign(key, message.key(), seconds, body))
                        .collect(Collectors.joining(" "));
        return new EgressRequest(
                new EgressContext(context.principal(), Set.of(), "", "", "", PURPOSE),
                "POST",
                settings.callbackUrl(),
                Map.of(
                        "Content-Type",
                        "application/json",
                        SignedHead.ID,
                        message.key(),
                        SignedHead.TIMESTAMP,
                        Long.toString(seconds)),
                Map.of(SignedHead.SIGNATURE, signatures),
                body,
                LIMITS);
    }

    private static byte[] body(OutboundMessage message) {
        ObjectNode body =
                JSON.createObjectNode()
                        .put("id", message.key())
                        .put("conversation", message.conversation().id());
        if (!message.conversation().thread().isEmpty()) {
            body.put("thread", message.conversation().thread());
        }
        if (!message.replyTo().isEmpty()) {
            body.put("reply_to", message.replyTo());
        }
        String text = Texts.wellFormed(message.text());
        if (message.reactionTo().isEmpty()) {
            body.put("text", text);
        } else {
            body.put("event", "reaction")
                    .put("message", message.reactionTo())
                    .put("reaction", text);
        }
        return body.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static Delivery delivery(EgressResponse response) {
        int code = response.status();
        if (code >= 200 && code < 300) {
            return new Delivery.Delivered(id(response));
        }
        String told = "the receiver of callbacks answered " + code;
        return switch (code) {
            case 502, 504 -> // a server on the way gave up: what is behind it may have acted
                    new Delivery.Unknown(told);
            case 401, 403 ->
                    new Delivery.RetryAfter(
                            0, false, told + "; compare its secret and its clock with ours");
            case 408, 425, 429, 503 ->
                    new Delivery.RetryAfter(retryMillis(response.headers()), false, told);
            default -> {
                if (code >= 500) {
                    yield Delivery.RetryAfter.of(0, told);
                }
                yield new Delivery.Refused(
                        code >= 300 && code < 400
                                ? told + ", a redirect; set callbackUrl to where it leads"
                                : told);
            }
        };
    }

    private static long retryMillis(Map<String, List<String>> headers) {
        String after = headers.getOrDefault("retry-after", List.of("")).get(0).strip();
        long seconds = after.matches("[0-9]{1,6}") ? Long.parseLong(after) : 0;
        return TimeUnit.SECONDS.toMillis(Math.min(seconds, 86_400));
    }

    /** A receiver that has the message needs not say how it calls it. */
    private static String id(EgressResponse response) {
        try {
            JsonNode id = JSON.readTree(response.body().readNBytes(READ_BYTES)).path("id");
            String text = id.isTextual() || id.isIntegralNumber() ? id.asText() : "";
            return text.length() <= SHOWN ? Texts.line(text, SHOWN) : "";
        } catch (JsonProcessingException e) {
            return "";
        } catch (IOException e) {
            return "";
        }
    }
}
