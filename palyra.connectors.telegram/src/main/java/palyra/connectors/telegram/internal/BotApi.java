package palyra.connectors.telegram.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorContext;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.egress.EgressContext;
import palyra.api.core.egress.EgressRequest;
import palyra.api.core.egress.EgressRequest.EgressLimits;
import palyra.api.core.egress.EgressResponse;
import palyra.shared.connector.Texts;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;

/**
 * Calls methods of the Bot API. The token is part of the path of each URL, so nothing that names a
 * URL leaves this class, and what a server says is searched for the token. Thread-safe.
 */
final class BotApi {
    /** Purpose in policy requests. */
    static final String PURPOSE = "connector";

    private static final ObjectMapper JSON = JsonMapper.builder().build();
    private static final Pattern TOKEN = Pattern.compile("[0-9]{1,20}:[A-Za-z0-9_-]{16,128}");
    private static final int SHOWN = 200;

    private final Gate<EgressClient> egress;
    private final TelegramSettings settings;
    private final ConnectorContext context;

    BotApi(Gate<EgressClient> egress, TelegramSettings settings, ConnectorContext context) {
        this.egress = egress;
        this.settings = settings;
        this.context = context;
    }

    /**
     * Makes one call.
     *
     * @throws TokenException when there is no usable token, or Telegram does not know it
     * @throws PalyraException what {@link EgressClient#send} throws: OUTCOME_UNKNOWN, CANCELLED and
     *     INTERNAL when the call may have been done, others when it surely was not
     */
    ApiAnswer call(String method, ObjectNode parameters, EgressLimits limits) {
        String token = token();
        ApiAnswer answer = send(token, method, parameters, limits);
        if (answer instanceof ApiAnswer.Refused refused
                && (refused.code() == 401 || refused.code() == 404)) {
            throw new TokenException(
                    "Telegram does not know the token in "
                            + settings.token()
                            + " ("
                            + refused.shown()
                            + "). Ask @BotFather for the token of the bot, put it there with palyra"
                            + " vault put "
                            + settings.token().scope()
                            + "/"
                            + settings.token().key()
                            + ", and check apiUrl.",
                    digest(token));
        }
        return answer;
    }

    /** Returns the digest of the token that would be used now; empty without a token. */
    String tokenDigest() {
        try {
            return digest(token());
        } catch (TokenException e) {
            return e.digest();
        }
    }

    private static String digest(String token) {
        return Digests.sha256Hex(token.getBytes(StandardCharsets.UTF_8));
    }

    private String token() {
        String token;
        try {
            token = context.secret(settings.token().toString()).strip();
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.NOT_FOUND || e.code() == ErrorCode.DENIED) {
                throw new TokenException(
                        "The token in " + settings.token() + " cannot be used: " + e.getMessage(),
                        "");
            }
            throw e;
        }
        if (!TOKEN.matcher(token).matches()) {
            throw new TokenException(
                    settings.token()
                            + " has no token of Telegram, which has digits, a colon and letters;"
                            + " store the one of @BotFather with palyra vault put.",
                    digest(token));
        }
        return token;
    }

    private ApiAnswer send(String token, String method, ObjectNode body, EgressLimits limits) {
        EgressRequest request =
                new EgressRequest(
                        new EgressContext(context.principal(), Set.of(), "", "", "", PURPOSE),
                        "POST",
                        settings.apiUrl() + "/bot" + token + "/" + method,
                        Map.of("Content-Type", "application/json", "Accept", "application/json"),
                        Map.of(),
                        bytes(body),
                        limits);
        // A call lasts longer than a lease may, so the lease covers the look-up of the client.
        EgressClient client = egress.call(present -> present);
        try (EgressResponse response = client.send(request)) {
            return read(response, token);
        } catch (PalyraException e) {
            throw new PalyraException(e.code(), hidden(e.getMessage(), token));
        } catch (RuntimeException e) { // its trace may name the URL
            throw new PalyraException(
                    ErrorCode.INTERNAL, "The egress client failed: " + hidden(e + "", token));
        }
    }

    private static byte[] bytes(ObjectNode body) {
        try {
            return JSON.writeValueAsBytes(body);
        } catch (JsonProcessingException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT, "The text cannot be written as JSON.", e);
        }
    }

    private static ApiAnswer read(EgressResponse response, String token) {
        JsonNode answer;
        try {
            answer = JSON.readTree(response.body().readAllBytes());
        } catch (JsonProcessingException e) {
            answer = MissingNode.getInstance();
        } catch (IOException e) {
            return new ApiAnswer.Unreadable("the answer broke off");
        }
        if (answer.path("ok").asBoolean(false)) {
            return new ApiAnswer.Done(answer.path("result"));
        }
        int code = answer.path("error_code").asInt(response.status());
        if (code < 300) {
            return new ApiAnswer.Unreadable("the answer is not one of the Bot API");
        }
        JsonNode parameters = answer.path("parameters");
        return new ApiAnswer.Refused(
                code,
                hidden(answer.path("description").asText(""), token),
                retryMillis(parameters, response.headers()),
                parameters.path("migrate_to_chat_id").asText(""));
    }

    private static long retryMillis(JsonNode parameters, Map<String, List<String>> headers) {
        String header = headers.getOrDefault("retry-after", List.of("")).get(0).strip();
        long seconds =
                parameters
                        .path("retry_after")
                        .asLong(header.matches("[0-9]{1,6}") ? Long.parseLong(header) : 0);
        return Math.clamp(seconds, 0, 86_400) * 1_000;
    }

    /** Returns a short text without the secret part of the token, which servers may echo. */
    private static String hidden(String text, String token) {
        String secret = token.substring(token.indexOf(':') + 1);
        return Texts.line(text.replace(secret, "[token]"), SHOWN);
    }
}
