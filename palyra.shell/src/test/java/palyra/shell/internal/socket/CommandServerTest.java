package palyra.shell.internal.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import palyra.api.command.ExitCodes;
import palyra.api.core.access.Credential;
import palyra.api.core.ops.LoopView;
import palyra.shell.internal.fakes.TestCommand;
import palyra.testing.wait.Await;

/** What a client of a command gets, and how it ends. */
@Timeout(120)
class CommandServerTest extends CommandServerFixture {
    @Test
    void runsACommandForAClient() throws Exception {
        try (TestClient client = TestClient.request(socket, "echo", "a b", "", "c;d")) {
            assertEquals(3, client.exit());
            assertEquals("a b||c;d\n", client.outText());
            assertEquals("noted\n", client.errText());
        }
    }

    /** Without a frame a client takes its request for one that never ran, and sends it again. */
    @Test
    void tellsAClientThatItsRequestWasTakenBeforeTheCommandSaysAnything() throws Exception {
        try (TestClient client = TestClient.request(socket, "cat")) {
            client.awaitTaken();
            client.send(2, END);
            assertEquals(0, client.exit());
        }
    }

    @Test
    void asksTheSystemWhoTheClientIs() throws Exception {
        try (TestClient client = TestClient.request(socket, "echo", "x")) {
            client.exit();
        }
        long uid = ((Number) Files.getAttribute(folder, "unix:uid")).longValue();
        Credential.LocalPeer peer = (Credential.LocalPeer) fixture.access.credentials().get(0);
        assertEquals(uid, peer.uid());
        assertEquals(Files.getOwner(folder).getName(), peer.user());
    }

    @Test
    void acceptsAgainAfterAClientThatCouldNotBeServed() throws Exception {
        server.limits(null);
        try (TestClient client = new TestClient(socket)) {
            Await.until("the failure", () -> server.loops().get(0).restarts() > 0);
            assertEquals(-1, client.exit(), "it is not left waiting");
        }
        server.limits(new Limits(8, 10_000, 60_000));
        stillServes();
        LoopView loop = server.loops().get(0);
        assertEquals("palyra-command-socket", loop.name());
        assertTrue(loop.lastFailure().startsWith("NullPointerException"), loop.lastFailure());
    }

    @Test
    void keepsSocketAndFolderToItsOwnUser() throws Exception {
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));
        assertEquals(
                "rwx------",
                PosixFilePermissions.toString(Files.getPosixFilePermissions(socket.getParent())));
        server.close();
        assertFalse(Files.exists(socket));
    }

    @Test
    void passesInputOnToItsEnd() throws Exception {
        try (TestClient client = TestClient.request(socket, "cat")) {
            client.send(2, "one ");
            client.send(2, "two");
            client.send(2, END);
            assertEquals(0, client.exit());
            assertEquals("one two", client.outText());
        }
    }

    @Test
    void passesMoreInputThanItHolds() throws Exception {
        byte[] block = new byte[512 * 1024];
        try (TestClient client = TestClient.request(socket, "cat")) {
            Thread feeder =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            for (int i = 0; i < 24; i++) {
                                                client.send(2, block);
                                            }
                                            client.send(2, END);
                                        } catch (IOException e) {
                                            throw new AssertionError(e);
                                        }
                                    });
            assertEquals(0, client.exit());
            feeder.join(Duration.ofSeconds(10));
            assertEquals(24 * block.length, client.out.size());
        }
    }

    @Test
    void hearsASignalBehindInputThatNobodyReads() throws Exception {
        CountDownLatch waiting = new CountDownLatch(1);
        fixture.add(
                TestCommand.of(
                        "idle",
                        context -> {
                            waiting.countDown();
                            new CountDownLatch(1).await(60, TimeUnit.SECONDS);
                            return 0;
                        }));
        try (TestClient client = TestClient.request(socket, "idle")) {
            assertTrue(waiting.await(10, TimeUnit.SECONDS));
            for (int i = 0; i < 12; i++) {
                client.send(2, new byte[512 * 1024]);
            }
            client.send(3, "INT");
            assertEquals(ExitCodes.CANCELLED, client.exit());
        }
    }

    @Test
    void cancelsOnSignalAndStillTellsTheExitCode() throws Exception {
        AtomicBoolean acted = new AtomicBoolean();
        fixture.add(
                TestCommand.of(
                        "wait",
                        context -> {
                            context.onCancel(() -> acted.set(true));
                            context.output().line("ready");
                            try {
                                new CountDownLatch(1).await(60, TimeUnit.SECONDS);
                            } catch (InterruptedException e) {
                                context.output().line("last words");
                                return 130;
                            }
                            return 0;
                        }));
        try (TestClient client = TestClient.request(socket, "wait")) {
            client.awaitOut("ready");
            client.send(3, "INT");
            assertEquals(130, client.exit());
            assertTrue(client.outText().endsWith("last words\n"));
        }
        assertTrue(acted.get());
    }

    @Test
    void stopsTheCommandOfAClientThatIsGone() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        fixture.add(
                TestCommand.of(
                        "wait",
                        context -> {
                            context.onCancel(stopped::countDown);
                            started.countDown();
                            new CountDownLatch(1).await(60, TimeUnit.SECONDS);
                            return 0;
                        }));
        TestClient client = TestClient.request(socket, "wait");
        assertTrue(started.await(10, TimeUnit.SECONDS));
        client.close();
        assertTrue(stopped.await(10, TimeUnit.SECONDS));
    }

    @Test
    void tellsTheCommandTheNewWidth() throws Exception {
        AtomicInteger columns = new AtomicInteger();
        fixture.add(
                TestCommand.of(
                        "width",
                        context -> {
                            columns.set(context.columns());
                            context.output().line("ready");
                            Await.until("a new width", () -> context.columns() == 42);
                            return context.workingFolder().equals("/somewhere") ? 0 : 1;
                        }));
        try (TestClient client = TestClient.request(socket, "width")) {
            client.awaitOut("ready");
            assertEquals(100, columns.get());
            client.send(4, "{\"columns\":42,\"rows\":10}");
            assertEquals(0, client.exit());
        }
    }

    @Test
    void refusesWhileAccessControlIsAway() throws Exception {
        fixture.seams.access().remove(fixture.access);
        try (TestClient client = TestClient.request(socket, "echo", "x")) {
            assertEquals(ExitCodes.UNAVAILABLE, client.exit());
            assertTrue(client.errText().contains("access control"), client.errText());
            assertEquals("", client.outText());
        }
        fixture.seams.access().add(fixture.access, Map.of());
        stillServes();
    }

    @Test
    void tellsRunningCommandsThatItGoesAway() throws Exception {
        AtomicBoolean acted = new AtomicBoolean();
        fixture.add(
                TestCommand.of(
                        "wait",
                        context -> {
                            context.onCancel(() -> acted.set(true));
                            context.output().line("ready");
                            new CountDownLatch(1).await(60, TimeUnit.SECONDS);
                            return 0;
                        }));
        try (TestClient client = TestClient.request(socket, "wait")) {
            client.awaitOut("ready");
            server.close();
            assertEquals(ExitCodes.UNAVAILABLE, client.exit());
            assertTrue(client.errText().contains("being replaced"), client.errText());
        }
        assertFalse(acted.get());
    }
}
