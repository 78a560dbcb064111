package palyra.shell.internal.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.command.ExitCodes;
import palyra.shared.socket.FrameChannel;
import palyra.shell.internal.fakes.HostFixture;
import palyra.shell.internal.fakes.ShellAccess;
import palyra.shell.internal.fakes.TestCommand;

/** A connection that is withdrawn at each step of its life. */
@Timeout(120)
class ConnectionTest {
    private static final long PATIENCE_MILLIS = 30_000;

    @TempDir Path folder;
    private final HostFixture fixture = new HostFixture();
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final Deadlines deadlines = new Deadlines();
    private ServerSocketChannel server;
    private Path socket;

    @BeforeEach
    void listen() throws Exception {
        socket = folder.resolve("socket");
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
        fixture.add(
                TestCommand.of(
                        "wait",
                        context -> {
                            context.output().line("ready");
                            new CountDownLatch(1).await(60, TimeUnit.SECONDS);
                            return 0;
                        }));
    }

    @AfterEach
    void close() throws Exception {
        goOn.countDown();
        deadlines.close();
        server.close();
    }

    /** Serves the next client; its command is admitted when {@code most} says how many may run. */
    private Connection serve(IntSupplier most) throws Exception {
        SocketChannel channel = server.accept();
        FrameChannel frames = deadlines.limit(channel, new Limits(8, 60_000, 60_000));
        Connection connection =
                new Connection(
                        frames, fixture.host, () -> ShellAccess.OPERATOR, new Admission(most));
        Thread.ofPlatform().daemon().name("connection-under-test").start(connection::serve);
        return connection;
    }

    private int held() {
        reached.countDown();
        try {
            assertTrue(goOn.await(60, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return 8;
    }

    @Test
    void tellsAClientWhoseCommandIsBeingStartedThatItGoesAway() throws Exception {
        try (TestClient client = TestClient.request(socket, "wait")) {
            Connection connection = serve(this::held);
            assertTrue(reached.await(60, TimeUnit.SECONDS));
            connection.withdraw();
            goOn.countDown();
            assertEquals(ExitCodes.UNAVAILABLE, client.exit());
            assertTrue(client.errText().contains("being replaced"), client.errText());
            assertTrue(connection.await(PATIENCE_MILLIS));
        }
    }

    @Test
    void hangsUpOnAClientThatHasNotAskedYet() throws Exception {
        try (TestClient client = new TestClient(socket)) {
            Connection connection = serve(this::held);
            connection.withdraw();
            assertEquals(-1, client.exit());
            assertEquals("", client.errText());
            assertTrue(connection.await(PATIENCE_MILLIS));
            assertFalse(reached.await(0, TimeUnit.SECONDS), "no command was asked for");
        }
    }

    @Test
    void tellsAClientWhoseCommandRunsThatItGoesAway() throws Exception {
        try (TestClient client = TestClient.request(socket, "wait")) {
            Connection connection = serve(() -> 8);
            client.awaitOut("ready");
            connection.withdraw();
            assertEquals(ExitCodes.UNAVAILABLE, client.exit());
            assertTrue(connection.await(PATIENCE_MILLIS));
        }
    }
}
