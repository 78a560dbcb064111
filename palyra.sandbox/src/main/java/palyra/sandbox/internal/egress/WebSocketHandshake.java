package palyra.sandbox.internal.egress;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.api.core.egress.WebSocketRequest;

/**
 * The opening handshake of a WebSocket (RFC 6455, section 4.1).
 *
 * @param url where to, with {@code http} for {@code ws} and {@code https} for {@code wss}
 * @param fields fields of the request beside those of the handshake
 * @param protocols subprotocols to offer
 * @param key what the server proves that it speaks WebSocket by
 */
record WebSocketHandshake(WebUrl url, List<Head.Field> fields, List<String> protocols, String key) {
    private static final String PROOF = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Pattern URL = Pattern.compile("(?i)ws(s?)(://.*)", Pattern.DOTALL);
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 ([1-5][0-9]{2})( .*)?");

    /**
     * Prepares it.
     *
     * @throws RefusedException when the URL or a header is not usable
     */
    static WebSocketHandshake of(WebSocketRequest request) {
        Matcher url = URL.matcher(request.url());
        if (!url.matches()) {
            throw RefusedException.unusable(
                    Reason.HOST, "The URL of a WebSocket is no absolute wss or ws URL.");
        }
        TreeMap<String, String> all = new TreeMap<>(request.headers());
        all.putAll(request.secretHeaders());
        for (String name : all.keySet()) {
            if (name.toLowerCase(Locale.ROOT).startsWith("sec-websocket-")) {
                throw RefusedException.unusable(
                        Reason.REQUEST,
                        "The header '" + DisplayText.text(name) + "' is set by the gateway alone.");
            }
        }
        byte[] key = new byte[16];
        RANDOM.nextBytes(key);
        return new WebSocketHandshake(
                WebUrl.parse("http" + url.group(1) + url.group(2)),
                RequestFields.of(request.headers(), request.secretHeaders()).to(true, false),
                request.protocols(),
                Base64.getEncoder().encodeToString(key));
    }

    /**
     * Does it.
     *
     * @throws MalformedException when the server does not open a WebSocket, or answers otherwise
     *     than it may
     */
    OpenWebSocket over(OpenTunnel tunnel, int maxMessageBytes) throws IOException {
        tunnel.out().write(head().bytes());
        ConnectionInput in = new ConnectionInput(tunnel.in());
        return new OpenWebSocket(tunnel, in, protocol(Head.read(in)), maxMessageBytes);
    }

    private Head head() {
        List<Head.Field> all = new ArrayList<>();
        all.add(new Head.Field("Host", url.hostField()));
        all.addAll(fields);
        all.add(new Head.Field("Upgrade", "websocket"));
        all.add(new Head.Field("Connection", "Upgrade"));
        all.add(new Head.Field("Sec-WebSocket-Version", "13"));
        all.add(new Head.Field("Sec-WebSocket-Key", key));
        if (!protocols.isEmpty()) {
            all.add(new Head.Field("Sec-WebSocket-Protocol", String.join(", ", protocols)));
        }
        return new Head("GET " + url.target() + " HTTP/1.1", all);
    }

    /** Checks the answer and returns the subprotocol that was chosen; empty for none. */
    private String protocol(Head answer) throws MalformedException {
        Matcher status = STATUS.matcher(answer.start());
        if (!status.matches()) {
            throw new MalformedException("the answer is not HTTP/1.1");
        }
        if (!status.group(1).equals("101")) {
            throw new MalformedException(
                    "the server opened no WebSocket but answered with status " + status.group(1));
        }
        boolean upgraded =
                answer.only("upgrade").equalsIgnoreCase("websocket")
                        && answer.all("connection").stream()
                                .flatMap(value -> Arrays.stream(value.split(",", -1)))
                                .anyMatch(option -> option.strip().equalsIgnoreCase("upgrade"));
        if (!upgraded || !answer.only("sec-websocket-accept").equals(accept())) {
            throw new MalformedException("the server does not prove that it speaks WebSocket");
        }
        if (!answer.all("sec-websocket-extensions").isEmpty()) {
            throw new MalformedException("the server uses an extension that was not offered");
        }
        String chosen = answer.only("sec-websocket-protocol");
        if (!chosen.isEmpty() && !protocols.contains(chosen)) {
            throw new MalformedException("the server chose a subprotocol that was not offered");
        }
        return chosen;
    }

    private String accept() {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            return Base64.getEncoder()
                    .encodeToString(sha1.digest((key + PROOF).getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }

    @Override
    public String toString() {
        return "WebSocketHandshake[" + url + "]"; // the fields may hold credentials
    }
}
