package palyra.sandbox.internal.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.egress.EgressContext;
import palyra.api.core.egress.EgressTunnelRequest.TunnelLimits;
import palyra.api.core.egress.WebSocketConnection;
import palyra.api.core.egress.WebSocketConnection.Message;
import palyra.api.core.egress.WebSocketRequest;
import palyra.testing.wait.Await;

/** WebSockets against servers that keep to the protocol, and against those that do not. */
class WebSocketTest extends SenderFixture {
    private static final EgressContext CONNECTOR =
            new EgressContext("connector:a", Set.of(), "", "", "", "connector");
    private static final TunnelLimits LIMITS = new TunnelLimits(5_000, 20_000, 1 << 24, 1 << 24);
    private static final int MOST = 1_000;

    /** What a server says once the WebSocket is open. */
    private interface Talk {
        void talk(InputStream in, OutputStream out) throws IOException;
    }

    private static WebServer serve(Talk talk) throws IOException {
        return WebServer.start(
                (head, in, out) -> {
                    out.write(opened(head, ""));
                    talk.talk(in, out);
                });
    }

    private static byte[] opened(String head, String more) {
        return ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\nConnection: keep-alive,"
                        + " Upgrade\r\nSec-WebSocket-Accept: "
                        + accept(head)
                        + "\r\n"
                        + more
                        + "\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String accept(String head) {
        Matcher key = Pattern.compile("Sec-WebSocket-Key: (\\S+)").matcher(head);
        assertTrue(key.find(), head);
        try {
            return Base64.getEncoder()
                    .encodeToString(
                            MessageDigest.getInstance("SHA-1")
                                    .digest(
                                            (key.group(1) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")
                                                    .getBytes(StandardCharsets.US_ASCII)));
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private WebSocketRequest request(int port) {
        return new WebSocketRequest(
                CONNECTOR,
                "ws://allowed.test:" + port + "/gateway?token=s3cret",
                Map.of("X-Kind", "test"),
                Map.of("Authorization", "Bearer t0p"),
                List.of(),
                LIMITS,
                MOST);
    }

    private WebSocketConnection open(WebSocketRequest request) {
        return stage.core.tunnelsOf("org.example").webSocket(request);
    }

    private PalyraException refusedSocket(WebSocketRequest request) {
        return assertThrows(PalyraException.class, () -> open(request));
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    private static byte[] frame(int first, byte[] payload) {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.write(first);
        if (payload.length < 126) {
            frame.write(payload.length);
        } else {
            frame.write(126);
            frame.write(payload.length >> 8);
            frame.write(payload.length);
        }
        frame.writeBytes(payload);
        return frame.toByteArray();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A frame of the client, as the server reads it. */
    private record Frame(int first, byte[] payload) {
        static Frame read(InputStream in) throws IOException {
            int first = in.read();
            int second = in.read();
            if (second < 0) {
                throw new IOException("the client ended it");
            }
            assertTrue((second & 0x80) != 0, "every frame of a client is masked");
            int length = second & 0x7f;
            if (length == 126) {
                length = in.read() << 8 | in.read();
            } else if (length == 127) {
                length = (int) new java.io.DataInputStream(in).readLong();
            }
            byte[] key = in.readNBytes(4);
            byte[] payload = in.readNBytes(length);
            for (int at = 0; at < payload.length; at++) {
                payload[at] ^= key[at % 4];
            }
            return new Frame(first, payload);
        }

        String text() {
            return new String(payload, StandardCharsets.UTF_8);
        }
    }

    private static String why(Throwable thrown) {
        return String.valueOf(thrown.getMessage());
    }

    @Test
    void itIsOpenedRecordedUsedAndClosed() throws IOException {
        List<Frame> frames = new java.util.concurrent.CopyOnWriteArrayList<>();
        try (WebServer server =
                serve(
                        (in, out) -> {
                            for (Frame next = Frame.read(in); ; next = Frame.read(in)) {
                                frames.add(next);
                                out.write(frame(next.first(), next.payload()));
                                if (next.first() == 0x88) {
                                    return;
                                }
                            }
                        })) {
            WebSocketConnection socket = open(request(server.port()));
            assertEquals("127.0.0.1", socket.address());
            assertEquals("", socket.protocol());
            socket.sendText("grüß dich 🙂");
            assertEquals(new Message.Text("grüß dich 🙂"), socket.receive());
            byte[] bytes = new byte[900];
            Arrays.fill(bytes, (byte) 7);
            socket.sendBinary(bytes);
            assertEquals(900, ((Message.Binary) socket.receive()).bytes().length);
            socket.sendText("");
            assertEquals(new Message.Text(""), socket.receive());
            socket.close(4_000, "bye");
            assertThrows(IOException.class, () -> socket.sendText("too late"));
            socket.close(1_000, "again");
            assertEquals(new Message.Closed(4_000, "bye"), socket.receive());
            assertEquals("it was closed", socket.closed().orElseThrow());
            assertThrows(IOException.class, socket::receive);
            String head = server.heads.get(0);
            for (String line :
                    List.of(
                            "GET /gateway?token=s3cret HTTP/1.1",
                            "Host: allowed.test:" + server.port(),
                            "Authorization: Bearer t0p",
                            "X-Kind: test",
                            "Upgrade: websocket",
                            "Connection: Upgrade",
                            "Sec-WebSocket-Version: 13")) {
                assertTrue(head.contains(line + "\r\n"), head);
            }
            assertEquals(4, frames.size());
            assertEquals("ended", stage.journal.closed(1).get(0).path("outcome").asText());
            String text = stage.journal.text();
            assertTrue(!text.contains("s3cret") && !text.contains("t0p"), text);
            assertEquals("CONNECT", stage.access.requests().get(0).facts().get("method"));
        }
    }

    @Test
    void keysAreNeverTheSame() throws IOException {
        List<String> masks = new java.util.concurrent.CopyOnWriteArrayList<>();
        try (WebServer server =
                serve(
                        (in, out) -> {
                            for (int i = 0; i < 3; i++) {
                                in.readNBytes(2);
                                masks.add(HexFormat.of().formatHex(in.readNBytes(4)));
                                in.readNBytes(1);
                            }
                            out.write(hex("8800"));
                        })) {
            WebSocketConnection socket = open(request(server.port()));
            for (int i = 0; i < 3; i++) {
                socket.sendText("x");
            }
            assertEquals(new Message.Closed(1_005, ""), socket.receive());
            assertEquals(3, masks.stream().distinct().count(), masks.toString());
        }
    }

    /** What a server sends after the handshake, and what the client makes of it. */
    private record Case(String name, String hex, String outcome, String told) {}

    @Test
    void serversAreHeldToTheProtocol() throws Exception {
        String text = "8102 6869"; // "hi"
        List<Case> cases =
                List.of(
                        new Case("text", text, "hi", ""),
                        new Case("two texts", text + "8100", "hi|", ""),
                        new Case("binary", "8202 0001", "0001", ""),
                        new Case("in parts", "0101 68 8001 69", "hi", ""),
                        new Case(
                                "in parts with a ping between",
                                "0101 68 8901 70 8001 69",
                                "hi",
                                "pong 70"),
                        new Case("a character in two parts", "0101 c3 8001 bc", "ü", ""),
                        new Case("empty parts", "0100 0000 8000", "", ""),
                        new Case("ping", "8902 6162" + text, "hi", "pong 6162"),
                        new Case("pong without a ping", "8a02 6162" + text, "hi", ""),
                        new Case(
                                "16-bit length",
                                "827e 007e" + "00".repeat(126),
                                "00".repeat(126),
                                ""),
                        new Case("close without a code", "8800", "closed 1005", "close"),
                        new Case("close with a code", "8802 03e8", "closed 1000", "close 03e8"),
                        new Case(
                                "close with a reason",
                                "8805 0fa4 627965",
                                "closed 4004 bye",
                                "close 0fa4"),
                        new Case("close with half a code", "8801 03", "1002", "close 03ea"),
                        new Case("close 999", "8802 03e7", "1002", "close 03ea"),
                        new Case("close 1004", "8802 03ec", "1002", "close 03ea"),
                        new Case("close 1005", "8802 03ed", "1002", "close 03ea"),
                        new Case("close 1006", "8802 03ee", "1002", "close 03ea"),
                        new Case("close 1015", "8802 03f7", "1002", "close 03ea"),
                        new Case("close 2999", "8802 0bb7", "1002", "close 03ea"),
                        new Case("close 5000", "8802 1388", "1002", "close 03ea"),
                        new Case(
                                "close whose reason is not UTF-8",
                                "8803 03e8 ff",
                                "1007",
                                "close 03ef"),
                        new Case("close in parts", "0802 03e8", "1002", "close 03ea"),
                        new Case("a masked frame", "8182 01020304 696b", "1002", "close 03ea"),
                        new Case("reserved bit 1", "c102 6869", "1002", "close 03ea"),
                        new Case("reserved bit 2", "a102 6869", "1002", "close 03ea"),
                        new Case("reserved bit 3", "9102 6869", "1002", "close 03ea"),
                        new Case("unknown kind 3", "8300", "1002", "close 03ea"),
                        new Case("unknown kind 7", "8700", "1002", "close 03ea"),
                        new Case("unknown control 11", "8b00", "1002", "close 03ea"),
                        new Case("unknown control 15", "8f00", "1002", "close 03ea"),
                        new Case("a ping in parts", "0900", "1002", "close 03ea"),
                        new Case("a ping of 126 bytes", "897e 007e", "1002", "close 03ea"),
                        new Case(
                                "a ping with a long length",
                                "897f 0000000000000001",
                                "1002",
                                "close 03ea"),
                        new Case("continues nothing", "8002 6869", "1002", "close 03ea"),
                        new Case(
                                "continues what ended",
                                text + "8002 6869",
                                "hi|1002",
                                "close 03ea"),
                        new Case("begins within another", "0101 68 8101 69", "1002", "close 03ea"),
                        new Case("text that is not UTF-8", "8102 c328", "1007", "close 03ef"),
                        new Case(
                                "text that ends within a character",
                                "8101 c3",
                                "1007",
                                "close 03ef"),
                        new Case("half a pair in UTF-8", "8103 eda080", "1007", "close 03ef"),
                        new Case("an overlong slash", "8102 c0af", "1007", "close 03ef"),
                        new Case("beyond Unicode", "8104 f4908080", "1007", "close 03ef"),
                        new Case(
                                "a length in too many bytes",
                                "817e 0005 6869",
                                "1002",
                                "close 03ea"),
                        new Case(
                                "a length in far too many bytes",
                                "817f 0000000000000005",
                                "1002",
                                "close 03ea"),
                        new Case(
                                "a negative length", "827f ffffffffffffffff", "1002", "close 03ea"),
                        new Case("a huge length", "827f 7fffffffffffffff", "1009", "close 03f1"),
                        new Case("one byte more than may be", "827e 03e9", "1009", "close 03f1"),
                        new Case(
                                "too much in parts",
                                "027e 03e8" + "00".repeat(1_000) + "8001",
                                "1009",
                                "close 03f1"),
                        new Case("the end without a closing handshake", "", "ended", ""),
                        new Case("the end within a frame", "8105 68", "ended", ""),
                        new Case("the end between parts", "0101 68", "ended", ""));
        List<String> wrong = new ArrayList<>();
        for (Case each : cases) {
            CompletableFuture<String> told = new CompletableFuture<>();
            try (WebServer server =
                    serve(
                            (in, out) -> {
                                out.write(hex(each.hex()));
                                out.flush();
                                told.complete(each.outcome().equals("ended") ? "" : told(in));
                            })) {
                String outcome = outcome(open(request(server.port())), each);
                String heard = told.get(30, TimeUnit.SECONDS);
                if (!outcome.equals(each.outcome()) || !heard.equals(each.told())) {
                    wrong.add(each.name() + ": " + outcome + ", told '" + heard + "'");
                }
            }
        }
        assertEquals(List.of(), wrong);
        assertEquals(cases.size(), stage.journal.closed(cases.size()).size());
    }

    private static String told(InputStream in) throws IOException {
        try {
            Frame frame = Frame.read(in);
            String hex = HexFormat.of().formatHex(frame.payload());
            String kind = frame.first() == 0x8a ? "pong" : frame.first() == 0x88 ? "close" : "?";
            return (kind + " " + hex).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /** Receives until there is as much as was expected, or it is over, and closes. */
    private static String outcome(WebSocketConnection socket, Case expected) {
        List<String> all = new ArrayList<>();
        int messages = expected.outcome().split("\\|", -1).length;
        try {
            while (all.size() < messages) {
                Message message = socket.receive();
                all.add(
                        switch (message) {
                            case Message.Text text -> text.text();
                            case Message.Binary binary -> HexFormat.of().formatHex(binary.bytes());
                            case Message.Closed closed ->
                                    ("closed " + closed.code() + " " + closed.reason()).strip();
                        });
            }
        } catch (IOException e) {
            all.add(
                    e.getCause() instanceof WebSocketFrames.BreachException breach
                            ? breach.code() + ""
                            : e.getCause() instanceof java.io.EOFException ? "ended" : why(e));
        }
        if (expected.told().startsWith("close")) {
            assertTrue(socket.closed().isPresent(), expected.name());
        }
        ((OpenWebSocket) socket).tunnel().close();
        return String.join("|", all);
    }

    @Test
    void answersThatOpenNoWebSocketAreRefused() throws IOException {
        String good =
                "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Accept: ACCEPT\r\n";
        for (String bad :
                List.of(
                        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n",
                        "HTTP/1.1 401 No\r\n",
                        "HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1/\r\n",
                        "HTTP/1.0 101 X\r\n" + good.substring(good.indexOf('\n') + 1),
                        "HTTP/2 101 X\r\n" + good.substring(good.indexOf('\n') + 1),
                        "garbage\r\n",
                        good.replace("Upgrade: websocket\r\n", ""),
                        good.replace("Upgrade: websocket", "Upgrade: h2c"),
                        good.replace("Connection: Upgrade\r\n", ""),
                        good.replace("Connection: Upgrade", "Connection: close"),
                        good.replace("ACCEPT", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
                        good.replace("Sec-WebSocket-Accept: ACCEPT\r\n", ""),
                        good + "Sec-WebSocket-Accept: ACCEPT\r\n",
                        good + "Sec-WebSocket-Extensions: permessage-deflate\r\n",
                        good + "Sec-WebSocket-Protocol: other\r\n",
                        good + " folded\r\n",
                        good + "X: a\nY: b\r\n",
                        good + "X: " + "a".repeat(70_000) + "\r\n",
                        good + "X: a\r\n".repeat(300))) {
            try (WebServer server =
                    WebServer.start(
                            (head, in, out) ->
                                    out.write(
                                            (bad.replace("ACCEPT", accept(head)) + "\r\n")
                                                    .getBytes(StandardCharsets.ISO_8859_1)))) {
                PalyraException refused = refusedSocket(request(server.port()));
                assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused.code(), bad + why(refused));
                assertTrue(!bad.contains("401") || why(refused).contains("401"), why(refused));
            }
        }
    }

    @Test
    void aHeadWithoutAnEndIsGivenUp() throws IOException {
        try (WebServer endless =
                        WebServer.start(
                                (head, in, out) -> {
                                    out.write(utf8("HTTP/1.1 101 X\r\n"));
                                    for (int i = 0; ; i++) {
                                        out.write(utf8("X-" + i + ": a\r\n"));
                                    }
                                });
                WebServer mute = WebServer.start((head, in, out) -> in.readAllBytes())) {
            assertEquals(ErrorCode.TOOL_UNAVAILABLE, refusedSocket(request(endless.port())).code());
            WebSocketRequest usual = request(mute.port());
            WebSocketRequest quick =
                    new WebSocketRequest(
                            CONNECTOR,
                            usual.url(),
                            Map.of(),
                            Map.of(),
                            List.of(),
                            new TunnelLimits(500, 20_000, 99_999, 99_999),
                            MOST);
            assertEquals(ErrorCode.TIMED_OUT, refusedSocket(quick).code());
        }
    }

    @Test
    void whatIsAskedForIsChecked() {
        for (Map<String, String> bad :
                List.of(
                        Map.of("Sec-WebSocket-Key", "a"),
                        Map.of("sec-websocket-extensions", "permessage-deflate"),
                        Map.of("Upgrade", "h2c"),
                        Map.of("Connection", "close"),
                        Map.of("Host", "evil.test"),
                        Map.of("X", "a\r\nY: b"))) {
            for (boolean secret : new boolean[] {true, false}) {
                WebSocketRequest request =
                        new WebSocketRequest(
                                CONNECTOR,
                                "wss://allowed.test/",
                                secret ? Map.of() : bad,
                                secret ? bad : Map.of(),
                                List.of(),
                                LIMITS,
                                MOST);
                assertEquals(ErrorCode.INVALID_ARGUMENT, refusedSocket(request).code());
            }
        }
        for (String bad :
                List.of(
                        "https://allowed.test/",
                        "allowed.test",
                        "wss:/a",
                        "wss://a b/",
                        "wss://")) {
            assertEquals(
                    ErrorCode.INVALID_ARGUMENT,
                    refusedSocket(WebSocketRequest.of(CONNECTOR, bad)).code(),
                    bad);
        }
        stage.names.put("far.test", List.of("93.184.216.34"));
        for (String bad : List.of("ws://far.test/", "wss://u:p@allowed.test/", "wss://10.0.0.1/")) {
            assertEquals(
                    ErrorCode.DENIED,
                    refusedSocket(WebSocketRequest.of(CONNECTOR, bad)).code(),
                    bad);
        }
        assertEquals(List.of(), stage.journal.of(ConnectionRecord.CLOSED));
    }

    @Test
    void aSubprotocolIsChosen() throws IOException {
        try (WebServer server =
                WebServer.start(
                        (head, in, out) -> {
                            assertTrue(head.contains("Sec-WebSocket-Protocol: v2, v1\r\n"), head);
                            out.write(opened(head, "Sec-WebSocket-Protocol: v1\r\n"));
                            in.readAllBytes();
                        })) {
            WebSocketConnection socket =
                    open(
                            new WebSocketRequest(
                                    CONNECTOR,
                                    "ws://allowed.test:" + server.port(),
                                    Map.of(),
                                    Map.of(),
                                    List.of("v2", "v1"),
                                    LIMITS,
                                    MOST));
            assertEquals("v1", socket.protocol());
            socket.close();
        }
    }

    @Test
    void whatIsSentIsChecked() throws IOException {
        try (WebServer server = serve((in, out) -> in.readAllBytes())) {
            WebSocketConnection socket = open(request(server.port()));
            assertThrows(PalyraException.class, () -> socket.sendText("half \ud83d"));
            assertThrows(PalyraException.class, () -> socket.ping(new byte[126]));
            for (int code : new int[] {0, 999, 1_002, 1_004, 1_005, 1_006, 1_015, 2_999, 5_000}) {
                assertThrows(PalyraException.class, () -> socket.close(code, ""), code + "");
            }
            assertThrows(PalyraException.class, () -> socket.close(1_000, "x".repeat(124)));
            assertTrue(socket.closed().isEmpty());
            socket.ping(new byte[125]);
            socket.close();
        }
    }

    @Test
    void aPeerThatIsHalfGoneIsCut() throws Exception {
        try (WebServer silent = serve((in, out) -> in.readAllBytes())) {
            WebSocketRequest usual = request(silent.port());
            WebSocketConnection idle =
                    open(
                            new WebSocketRequest(
                                    CONNECTOR,
                                    usual.url(),
                                    Map.of(),
                                    Map.of(),
                                    List.of(),
                                    new TunnelLimits(5_000, 500, 99_999, 99_999),
                                    MOST));
            idle.ping(new byte[0]);
            String why = why(assertThrows(IOException.class, idle::receive));
            assertTrue(why.contains("silent for too long"), why);

            WebSocketConnection closing = open(usual);
            closing.close(1_000, "");
            why = why(assertThrows(IOException.class, closing::receive));
            assertTrue(closing.closed().orElseThrow().contains("did not close in time"), why);
        }
    }

    /** Reading must not wait for who writes: a server that sends pings and reads nothing. */
    @Test
    void aPingIsAnsweredAfterWhatIsBeingSent() throws Exception {
        CompletableFuture<Void> read = new CompletableFuture<>();
        List<Integer> kinds = new java.util.concurrent.CopyOnWriteArrayList<>();
        try (WebServer server =
                serve(
                        (in, out) -> {
                            out.write(hex("8901 70 8102 6869"));
                            out.flush();
                            read.join();
                            while (!kinds.contains(0x8a)) {
                                kinds.add(Frame.read(in).first());
                            }
                            out.write(hex("8800"));
                        })) {
            WebSocketConnection socket = open(request(server.port()));
            Thread writer =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            socket.sendBinary(new byte[12 << 20]);
                                        } catch (IOException e) {
                                            throw new java.io.UncheckedIOException(e);
                                        }
                                    });
            Await.until("it is full", LONG, () -> writer.getState() == Thread.State.WAITING);
            assertEquals(new Message.Text("hi"), socket.receive(), "though a ping came before");
            read.complete(null);
            assertEquals(new Message.Closed(1_005, ""), socket.receive());
            writer.join();
            assertEquals(List.of(0x82, 0x8a), kinds);
        }
    }

    private static final java.time.Duration LONG = java.time.Duration.ofSeconds(30);

    @Test
    void aWithdrawnPolicyCutsIt() throws IOException {
        try (WebServer server = serve((in, out) -> in.readAllBytes())) {
            WebSocketConnection socket = open(request(server.port()));
            stage.access.allowing(asked -> false);
            String why = why(assertThrows(IOException.class, socket::receive));
            assertTrue(why.contains("it is allowed no more"), why);
            assertThrows(IOException.class, () -> socket.sendText("still there?"));
        }
    }
}
