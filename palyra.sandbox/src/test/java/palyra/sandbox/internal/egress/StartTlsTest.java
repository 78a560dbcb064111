package palyra.sandbox.internal.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.egress.EgressConnection;
import palyra.api.core.egress.EgressContext;
import palyra.api.core.egress.EgressTunnelRequest;
import palyra.api.core.egress.EgressTunnelRequest.Security;
import palyra.api.core.egress.EgressTunnelRequest.TunnelLimits;

/** Connections that begin in clear, as those of SMTP and IMAP do. */
class StartTlsTest extends TlsFixture {
    private static final EgressContext CONNECTOR =
            new EgressContext("connector:a", Set.of(), "", "", "", "connector");

    /** Serves one connection. */
    private interface Script {
        void serve(Socket socket) throws IOException;
    }

    private static ServerSocket serve(Script script) throws IOException {
        ServerSocket listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Thread.ofPlatform()
                .daemon()
                .name("test-server")
                .start(
                        () -> {
                            try (Socket socket = listening.accept()) {
                                script.serve(socket);
                            } catch (IOException e) {
                                // the client is gone
                            }
                        });
        return listening;
    }

    private EgressConnection connect(String host, ServerSocket listening, int connectMillis) {
        return stage.core
                .tunnelsOf("org.example")
                .connect(
                        new EgressTunnelRequest(
                                CONNECTOR,
                                host,
                                listening.getLocalPort(),
                                Security.STARTTLS,
                                List.of(),
                                new TunnelLimits(connectMillis, 60_000, 1 << 20, 1 << 20)));
    }

    private static void say(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    private static String line(java.io.InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.append((char) next);
        }
        return line.toString();
    }

    private static void secure(Socket socket) throws IOException {
        say(socket, "220 ready\n");
        line(socket.getInputStream());
        say(socket, "220 go ahead\n");
        Socket secured = certificates.upgrade(socket);
        say(secured, "secret " + line(secured.getInputStream()) + "\n");
    }

    @Test
    void itGoesOnWithTlsOnce() throws IOException {
        try (ServerSocket listening = serve(StartTlsTest::secure)) {
            EgressConnection connection = connect("allowed.test", listening, 10_000);
            assertEquals("220 ready", line(connection.in()));
            connection.out().write("STARTTLS\n".getBytes(StandardCharsets.US_ASCII));
            assertEquals("220 go ahead", line(connection.in()));
            connection.upgrade();
            connection.out().write("AUTH\n".getBytes(StandardCharsets.US_ASCII));
            assertEquals("secret AUTH", line(connection.in()));
            assertEquals(
                    ErrorCode.INVALID_ARGUMENT,
                    assertThrows(PalyraException.class, connection::upgrade).code());
            assertTrue(connection.closed().isEmpty());
            connection.close();
        }
    }

    @Test
    void theCertificateMustNameTheHost() throws IOException {
        try (ServerSocket listening = serve(StartTlsTest::secure)) {
            EgressConnection connection = connect("other.test", listening, 10_000);
            line(connection.in());
            connection.out().write("STARTTLS\n".getBytes(StandardCharsets.US_ASCII));
            line(connection.in());
            PalyraException refused = assertThrows(PalyraException.class, connection::upgrade);
            assertTrue(refused.getMessage().contains("TLS"), refused.getMessage());
            assertTrue(connection.closed().isPresent());
            assertThrows(
                    IOException.class,
                    () -> connection.out().write("AUTH\n".getBytes(StandardCharsets.US_ASCII)));
        }
    }

    /** Who is between cannot add answers that the client takes for secured ones. */
    @Test
    void whatWasAddedInClearIsNotTaken() throws IOException {
        try (ServerSocket listening =
                serve(
                        socket -> {
                            say(socket, "220 go ahead\n250 AUTH PLAIN\n");
                            certificates.upgrade(socket).getInputStream().read();
                        })) {
            EgressConnection connection = connect("allowed.test", listening, 10_000);
            assertEquals("220 go ahead", line(connection.in()));
            assertThrows(PalyraException.class, connection::upgrade);
            assertTrue(connection.closed().isPresent());
        }
    }

    @Test
    void itCannotStayInClear() throws IOException {
        try (ServerSocket listening = serve(socket -> socket.getInputStream().readAllBytes())) {
            EgressConnection connection = connect("allowed.test", listening, 500);
            String why =
                    String.valueOf(
                            assertThrows(IOException.class, () -> connection.in().read())
                                    .getMessage());
            assertTrue(why.contains("it was not ready in time"), why);
        }
        try (ServerSocket listening = serve(socket -> socket.getInputStream().readAllBytes())) {
            EgressConnection connection = connect("allowed.test", listening, 60_000);
            connection.out().write(new byte[65_536]);
            assertThrows(IOException.class, () -> connection.out().write(1));
        }
        assertEquals(2, stage.journal.closed(2).size());
    }

    @Test
    void onlyWhoAskedForItMayUpgrade() throws IOException {
        EgressConnection connection =
                stage.core
                        .tunnelsOf("org.example")
                        .connect(EgressTunnelRequest.tls(CONNECTOR, "allowed.test", server.port()));
        assertThrows(PalyraException.class, connection::upgrade);
        assertTrue(connection.closed().isEmpty());
        connection.close();
    }
}
