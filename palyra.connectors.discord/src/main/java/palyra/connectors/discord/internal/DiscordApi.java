package palyra.connectors.discord.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.OutboundMessage;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.egress.EgressContext;
import palyra.api.core.egress.EgressRequest;
import palyra.api.core.egress.EgressRequest.EgressLimits;
import palyra.api.core.egress.EgressResponse;
import palyra.shared.connector.Multipart;
import palyra.shared.connector.Streams;
import palyra.shared.connector.Texts;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;

/**
 * Makes requests to Discord's API, within its rate limits. The token goes into a header that is
 * recorded nowhere, and what a server says is searched for it. Thread-safe.
 */
final class DiscordApi {
    /** Purpose in policy requests. */
    static final String PURPOSE = "connector";

    static final ObjectMapper JSON = JsonMapper.builder().build();

    /** As Discord asks for: the name of the library, its address and its version. */
    static final String USER_AGENT = "DiscordBot (https://palyra.dev, 0.1)";

    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_.=-]{20,200}");
    private static final int SHOWN = 300;
    private static final long SHORT_WAIT_MILLIS = 2_000;
    private static final long MOST_WAIT_MILLIS = 86_400_000;
    private static final long MAX_BYTES = 32L << 20;

    private final Gate<EgressClient> egress;
    private final DiscordSettings settings;
    private final UnaryOperator<String> secrets;
    private final Supplier<String> principal;
    private final RateLimits limits;

    /**
     * Creates it.
     *
     * @param secrets returns the secret of a reference, as {@link
     *     palyra.api.channel.ConnectorContext#secret}
     * @param principal returns on whose behalf is connected
     */
    DiscordApi(
            Gate<EgressClient> egress,
            DiscordSettings settings,
            UnaryOperator<String> secrets,
            Supplier<String> principal,
            RateLimits limits) {
        this.egress = egress;
        this.settings = settings;
        this.secrets = secrets;
        this.principal = principal;
        this.limits = limits;
    }

    /** Body of a request; of no bytes for none. */
    @SuppressWarnings("ArrayRecordComponent") // bytes as sent
    private record Body(String type, byte[] bytes) {
        static Body of(JsonNode json) {
            return new Body(
                    "application/json",
                    json.isMissingNode() ? new byte[0] : DiscordApi.bytes(json));
        }
    }

    /** Makes a request without a body. */
    ApiAnswer call(Route route, int millis) {
        return call(route, MissingNode.getInstance(), millis);
    }

    /** Makes a request with a body and files. */
    ApiAnswer call(Route route, ObjectNode body, List<OutboundMessage.File> files, int millis)
            throws IOException {
        ArrayNode named = body.putArray("attachments");
        Multipart parts = new Multipart();
        for (int i = 0; i < files.size(); i++) {
            String name = Texts.wellFormed(files.get(i).name());
            named.addObject().put("id", Integer.toString(i)).put("filename", name);
        }
        parts.field("payload_json", "application/json", bytes(body));
        for (int i = 0; i < files.size(); i++) {
            OutboundMessage.File file = files.get(i);
            try (InputStream content = file.content().open()) {
                String name = Texts.wellFormed(file.name());
                parts.file("files[" + i + "]", name, file.mediaType(), content.readAllBytes());
            }
        }
        return call(route, new Body(parts.contentType(), parts.end()), millis);
    }

    /**
     * Makes one request. What a rate limit puts off for less than two seconds is waited for; a
     * longer wait is the answer, as of Discord.
     *
     * @param millis how long it may take
     * @throws TokenException when there is no usable token, or Discord does not know it
     * @throws PalyraException what {@link EgressClient#send} throws: OUTCOME_UNKNOWN, CANCELLED and
     *     INTERNAL when the request may have been done, others when it surely was not
     */
    ApiAnswer call(Route route, JsonNode body, int millis) {
        return call(route, Body.of(body), millis);
    }

    private ApiAnswer call(Route route, Body body, int millis) {
        String token = token();
        long end = now() + millis;
        for (int attempt = 1; ; attempt++) {
            long wait = limits.reserve(route.kind(), route.major(), !route.isInteraction(), now());
            if (wait > 0) {
                if (wait > SHORT_WAIT_MILLIS || now() + wait > end || !slept(wait)) {
                    return limited(route, wait);
                }
                continue;
            }
            int left = (int) Math.max(1_000, end - now());
            ApiAnswer answer = send(token, route, body, left);
            if (answer instanceof ApiAnswer.Refused refused
                    && refused.status() == 401
                    && !route.isInteraction()) {
                throw unknownToken(refused, token);
            }
            if (attempt > 1 || !isBrief(answer) || now() > end) {
                return answer;
            }
        }
    }

    /**
     * Makes a request that may be left out: it waits for no limit, and leaves half of what the
     * account may ask for to others.
     */
    ApiAnswer attempt(Route route, int millis) {
        String token = token();
        long wait =
                limits.isBusy(now())
                        ? 1_000
                        : limits.reserve(route.kind(), route.major(), true, now());
        return wait > 0
                ? limited(route, wait)
                : send(token, route, Body.of(MissingNode.getInstance()), millis);
    }

    private ApiAnswer.Refused limited(Route route, long wait) {
        return new ApiAnswer.Refused(
                429,
                0,
                "the rate limit of " + route + " is used up",
                wait,
                limits.isGlobal(wait, now()));
    }

    private static boolean isBrief(ApiAnswer answer) {
        return answer instanceof ApiAnswer.Refused refused
                && refused.status() == 429
                && refused.retryMillis() <= SHORT_WAIT_MILLIS;
    }

    private static long now() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    private static boolean slept(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private TokenException unknownToken(ApiAnswer.Refused refused, String token) {
        return new TokenException(unknownTokenText(refused.shown()), digest(token));
    }

    /** Says that Discord does not know the token, and what to do. */
    String unknownTokenText(String words) {
        return "Discord does not know the token in "
                + settings.token()
                + " ("
                + words
                + "). Take a new one with Reset Token on the page Bot of the application in the"
                + " Developer Portal, and put it there with palyra vault put "
                + settings.token().scope()
                + "/"
                + settings.token().key()
                + ".";
    }

    /** Returns the digest of the token that would be used now; empty without a token. */
    String tokenDigest() {
        try {
            return digest(token());
        } catch (TokenException e) {
            return e.digest();
        }
    }

    /** Returns the digest by which another token is noticed. */
    static String digest(String token) {
        return Digests.sha256Hex(token.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns whether a text may be a bot's token. */
    static boolean isToken(String text) {
        return TOKEN.matcher(text.strip()).matches();
    }

    /** Returns the token, for the message that logs in; it is kept nowhere. */
    String token() {
        String token;
        try {
            token = secrets.apply(settings.token().toString()).strip();
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.NOT_FOUND || e.code() == ErrorCode.DENIED) {
                throw new TokenException(
                        "The token in " + settings.token() + " cannot be used: " + e.getMessage(),
                        "");
            }
            throw e;
        }
        if (!isToken(token)) {
            throw new TokenException(
                    settings.token()
                            + " has no token of Discord, which is one word of letters, digits and"
                            + " dots; store the one of the page Bot of the Developer Portal with"
                            + " palyra vault put.",
                    digest(token));
        }
        return token;
    }

    private ApiAnswer send(String token, Route route, Body body, int millis) {
        EgressRequest request = request(token, route, body, millis);
        // A call lasts longer than a lease may, so the lease covers the look-up of the client.
        EgressClient client = egress.call(present -> present);
        try (EgressResponse response = client.send(request)) {
            limits.learn(route.kind(), route.major(), response.headers(), now());
            return read(response, route, token);
        } catch (PalyraException e) {
            throw new PalyraException(e.code(), hidden(e.getMessage(), token, route));
        } catch (RuntimeException e) { // its trace may name the request
            throw new PalyraException(
                    ErrorCode.INTERNAL,
                    "The egress client failed: " + hidden(e + "", token, route));
        }
    }

    private EgressRequest request(String token, Route route, Body body, int millis) {
        Map<String, String> headers =
                new HashMap<>(Map.of("Accept", "application/json", "User-Agent", USER_AGENT));
        if (body.bytes().length > 0) {
            headers.put("Content-Type", body.type());
        }
        return new EgressRequest(
                who(),
                route.method(),
                settings.apiUrl() + route.path(),
                headers,
                Map.of("Authorization", "Bot " + token),
                body.bytes(),
                new EgressLimits(
                        Math.min(millis, 5_000), millis, millis, millis, MAX_BYTES, 0, Set.of()));
    }

    /**
     * Downloads a file from one of Discord's servers of files, which get no token.
     *
     * @throws PalyraException NOT_FOUND, RESOURCE_EXHAUSTED for more bytes, and what {@link
     *     EgressClient#send} throws
     */
    void download(String url, OutputStream out, long maxBytes, int millis) throws IOException {
        EgressRequest request =
                new EgressRequest(
                        who(),
                        "GET",
                        url,
                        Map.of("User-Agent", USER_AGENT),
                        Map.of(),
                        new byte[0],
                        new EgressLimits(
                                Math.min(millis, 5_000),
                                millis,
                                millis,
                                millis,
                                maxBytes + 1, // one more tells that there are more
                                0,
                                Set.of()));
        EgressClient client = egress.call(present -> present);
        try (EgressResponse response = client.send(request)) {
            if (Set.of(403, 404, 410).contains(response.status())) {
                throw FileDownload.gone("its server answered " + response.status());
            }
            if (response.status() != 200) {
                throw new PalyraException(
                        ErrorCode.TOOL_UNAVAILABLE,
                        "Discord's server of files answered "
                                + response.status()
                                + "; try again later.");
            }
            Streams.copy(response.body(), out, maxBytes);
        }
    }

    /** On whose behalf is connected. */
    EgressContext who() {
        return new EgressContext(principal.get(), Set.of(), "", "", "", PURPOSE);
    }

    private static byte[] bytes(JsonNode body) {
        try {
            return JSON.writeValueAsBytes(body);
        } catch (JsonProcessingException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT, "The text cannot be written as JSON.", e);
        }
    }

    private ApiAnswer read(EgressResponse response, Route route, String token) {
        JsonNode answer;
        try {
            byte[] bytes = response.body().readAllBytes();
            answer = bytes.length == 0 ? MissingNode.getInstance() : JSON.readTree(bytes);
        } catch (JsonProcessingException e) {
            if (response.status() < 300) {
                return new ApiAnswer.Unreadable("the answer is not one of Discord's API");
            }
            answer = MissingNode.getInstance();
        } catch (IOException e) {
            return new ApiAnswer.Unreadable("the answer broke off");
        }
        if (response.status() >= 200 && response.status() < 300) {
            return new ApiAnswer.Done(answer);
        }
        return refused(response, route, answer, token);
    }

    private ApiAnswer.Refused refused(
            EgressResponse response, Route route, JsonNode answer, String token) {
        String header = RateLimits.header(response.headers(), "retry-after");
        long said = RateLimits.millis(answer.path("retry_after").asText(""));
        long retry = Math.clamp(Math.max(said, RateLimits.millis(header)), 0, MOST_WAIT_MILLIS);
        // What is before the API and keeps an address out speaks no JSON.
        boolean global =
                answer.path("global").asBoolean(false)
                        || answer.isMissingNode()
                        || RateLimits.header(response.headers(), "x-ratelimit-scope")
                                .equals("global");
        if (response.status() == 429) {
            limits.limited(route.kind(), route.major(), global, retry, now());
        }
        return new ApiAnswer.Refused(
                response.status(),
                answer.path("code").asInt(0),
                hidden(words(answer), token, route),
                retry,
                global);
    }

    /** Returns Discord's message with the first of the errors below it. */
    private static String words(JsonNode answer) {
        String message = answer.path("message").asText("");
        JsonNode errors = answer.path("errors").findValue("_errors");
        String detail = errors == null ? "" : errors.path(0).path("message").asText("");
        return detail.isEmpty() ? message : message + ": " + detail;
    }

    /** Returns a short text without the tokens, which servers may echo. */
    private static String hidden(String text, String token, Route route) {
        String without = text.replace(token, "[token]");
        return Texts.line(
                route.isInteraction() ? without.replace(route.secret(), "[token]") : without,
                SHOWN);
    }
}
