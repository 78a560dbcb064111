package palyra.sandbox.tierc.macos.internal.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BridgeTest {
    private static final int DEADLINE_MILLIS = 30_000;

    private final BlockingQueue<String> heads = new LinkedBlockingQueue<>();
    private Path folder;
    private ServerSocketChannel proxy;
    private Bridge bridge;

    /** A proxy that answers each connection with what it got, once the client has said it all. */
    @BeforeEach
    void open() throws IOException {
        folder = Files.createTempDirectory("pb");
        Path socket = folder.resolve("e.sock");
        proxy = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        proxy.bind(UnixDomainSocketAddress.of(socket));
        Thread thread = new Thread(this::serve, "test-proxy");
        thread.setDaemon(true);
        thread.start();
        bridge = Bridge.open("call-1", socket);
    }

    @AfterEach
    void close() throws IOException {
        bridge.close();
        proxy.close();
        Files.deleteIfExists(folder.resolve("e.sock"));
        Files.deleteIfExists(folder);
    }

    private void serve() {
        while (true) {
            try (SocketChannel client = proxy.accept()) {
                StringBuilder got = new StringBuilder();
                ByteBuffer buffer = ByteBuffer.allocate(4_096);
                while (client.read(buffer) >= 0) {
                    got.append(
                            new String(
                                    buffer.array(),
                                    0,
                                    buffer.position(),
                                    StandardCharsets.ISO_8859_1));
                    buffer.clear();
                }
                heads.add(got.toString());
                client.write(
                        ByteBuffer.wrap(
                                ("got " + got.length()).getBytes(StandardCharsets.US_ASCII)));
            } catch (IOException e) {
                if (!proxy.isOpen()) {
                    return;
                }
            }
        }
    }

    private String authorization() {
        String userInfo = bridge.url().replaceAll("http://(.*)@.*", "$1");
        return "Proxy-Authorization: Basic "
                + Base64.getEncoder().encodeToString(userInfo.getBytes(StandardCharsets.US_ASCII))
                + "\r\n";
    }

    private String talk(String host, String words) throws IOException {
        try (Socket socket = new Socket(host, bridge.port())) {
            socket.setSoTimeout(DEADLINE_MILLIS);
            socket.getOutputStream().write(words.getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private static String connect(String headers) {
        return "CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n" + headers + "\r\n";
    }

    @Test
    void carriesAConnectionThatKnowsTheSecretAndKeepsTheSecret() throws Exception {
        String answer = talk("127.0.0.1", connect(authorization()) + "body");
        String got = heads.poll(DEADLINE_MILLIS, TimeUnit.MILLISECONDS);
        assertEquals(connect("") + "body", got);
        assertEquals("got " + got.length(), answer);
    }

    @Test
    void plainRequestsEndTheirConnectionSoThatNoSecondOnePassesUnread() throws Exception {
        String request = "GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n";
        talk(
                "127.0.0.1",
                request
                        + authorization()
                        + "Proxy-Connection: keep-alive\r\nconnection: Upgrade\r\n\r\n");
        assertEquals(
                request + "Connection: close\r\n\r\n",
                heads.poll(DEADLINE_MILLIS, TimeUnit.MILLISECONDS));
    }

    @Test
    void bothLoopbackAddressesLeadToTheBridge() throws Exception {
        org.junit.jupiter.api.Assumptions.assumeTrue(
                java.net.NetworkInterface.getByInetAddress(java.net.InetAddress.getByName("::1"))
                        != null,
                "this host has no ::1");
        assertTrue(talk("::1", connect(authorization())).startsWith("got "));
    }

    @Test
    void nothingReachesTheProxyWithoutTheSecret() throws Exception {
        String other =
                "Proxy-Authorization: Basic "
                        + Base64.getEncoder()
                                .encodeToString("palyra:0000".getBytes(StandardCharsets.US_ASCII))
                        + "\r\n";
        String right = authorization();
        for (String headers :
                List.of(
                        "",
                        other,
                        right + other,
                        right + right,
                        right.replace("Basic", "Bearer"),
                        right.replace("Proxy-Authorization", "Authorization"),
                        right.replace("Basic ", "Basic x"))) {
            assertTrue(talk("127.0.0.1", connect(headers)).startsWith("HTTP/1.1 407 "), headers);
        }
        assertTrue(heads.isEmpty());
    }

    @Test
    void refusesHeadsThatTwoReadersMayReadDifferently() throws Exception {
        for (String words :
                List.of(
                        "CONNECT a.test:443 HTTP/1.1\nHost: a\n\n",
                        "CONNECT a.test:443 HTTP/1.1\r\nX: 1\r\n folded\r\n"
                                + authorization()
                                + "\r\n",
                        "CONNECT a.test:443 HTTP/1.1\r\nX: 1\nY: 2\r\n" + authorization() + "\r\n",
                        "CONNECT a\0b HTTP/1.1\r\n" + authorization() + "\r\n",
                        "\r\n\r\n",
                        "SSH-2.0-x\r\n",
                        "GET / HTTP/1.1\r\nX: " + "y".repeat(RequestHead.MOST_BYTES) + "\r\n")) {
            String answer;
            try {
                answer = talk("127.0.0.1", words);
            } catch (java.net.SocketException e) {
                answer = "HTTP/1.1 400 "; // it was cut before it had said everything
            }
            assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
        }
        assertTrue(heads.isEmpty());
    }

    @Test
    void endsAHeadThatTakesTooLongHoweverOftenAByteComes() {
        InputStream endless =
                new InputStream() {
                    @Override
                    public int read() {
                        return 'x';
                    }
                };
        assertThrows(IOException.class, () -> RequestHead.read(endless, 0));
        assertThrows(
                IOException.class,
                () -> RequestHead.read(new ByteArrayInputStream(new byte[] {'x'}), 30_000));
    }

    @Test
    void deniesWhenTheProxyIsGone() throws Exception {
        Files.delete(folder.resolve("e.sock")); // an accept under way may outlive the close
        proxy.close();
        assertTrue(talk("127.0.0.1", connect(authorization())).startsWith("HTTP/1.1 502 "));
    }

    @Test
    void boundsConnections() throws Exception {
        List<Socket> held = new ArrayList<>();
        try {
            for (int i = 0; i < Bridge.MOST_CONNECTIONS; i++) {
                held.add(new Socket("127.0.0.1", bridge.port()));
            }
            await(() -> bridge.open() == Bridge.MOST_CONNECTIONS);
            try (Socket further = new Socket("127.0.0.1", bridge.port())) {
                further.setSoTimeout(DEADLINE_MILLIS);
                assertEquals(-1, further.getInputStream().read());
            }
        } finally {
            for (Socket socket : held) {
                socket.close();
            }
        }
        await(() -> bridge.open() == 0);
        assertTrue(talk("127.0.0.1", connect(authorization())).startsWith("got "));
    }

    @Test
    void closingCutsConnectionsAndThePort() throws Exception {
        try (Socket socket = new Socket("127.0.0.1", bridge.port())) {
            socket.setSoTimeout(DEADLINE_MILLIS);
            socket.getOutputStream()
                    .write(connect(authorization()).getBytes(StandardCharsets.US_ASCII));
            await(() -> bridge.open() == 1);
            int port = bridge.port();
            bridge.close();
            assertThrows(ConnectException.class, () -> new Socket("127.0.0.1", port).close());
            assertEquals(-1, readOrCut(socket));
        }
        await(() -> bridge.open() == 0);
        assertFalse(bridge.url().contains(":0/"));
    }

    private static int readOrCut(Socket socket) {
        try {
            return socket.getInputStream().read();
        } catch (IOException e) {
            return -1;
        }
    }

    private static void await(java.util.function.BooleanSupplier condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(DEADLINE_MILLIS);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadline, "it did not come about");
            Thread.sleep(5);
        }
    }
}
