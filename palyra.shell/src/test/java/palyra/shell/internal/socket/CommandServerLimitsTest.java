package palyra.shell.internal.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.ExitCodes;
import palyra.shell.internal.fakes.TestCommand;
import palyra.testing.wait.Await;

/** Clients that are slow, silent, many or wrong, and sockets that are there already. */
@Timeout(120)
class CommandServerLimitsTest extends CommandServerFixture {
    @Test
    void letsASlowReaderHoldUpOnlyItself() throws Exception {
        try (TestClient slow = TestClient.request(socket, "flood")) {
            for (int i = 0; i < 20; i++) {
                try (TestClient quick = TestClient.request(socket, "echo", "x")) {
                    assertEquals(3, quick.exit());
                }
            }
            assertEquals(0, slow.exit());
            assertEquals(200 * 64 * 1024, slow.out.size());
        }
    }

    @Test
    void cutsOffAReaderThatNeverReads() throws Exception {
        server.close();
        server = open(new Limits(8, 10_000, 200));
        CountDownLatch stopped = new CountDownLatch(1);
        fixture.add(
                TestCommand.of(
                        "pour",
                        context -> {
                            try {
                                while (true) {
                                    context.out().write(new byte[64 * 1024]);
                                }
                            } finally {
                                stopped.countDown();
                            }
                        }));
        try (TestClient client = TestClient.request(socket, "pour")) {
            assertTrue(stopped.await(20, TimeUnit.SECONDS));
            assertEquals(-1, client.exit());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "not json",
                "[]",
                "{}",
                "{\"argv\":\"status\"}",
                "{\"argv\":[1]}",
                "{\"argv\":[\"a\\u0000b\"]}",
                "{\"argv\":[],\"argv\":[]}"
            })
    void refusesRequestsItDoesNotUnderstand(String json) throws Exception {
        try (TestClient client = new TestClient(socket)) {
            client.send(1, json);
            assertEquals(ExitCodes.USAGE, client.exit());
            assertTrue(client.errText().startsWith("palyra: "), client.errText());
            assertEquals(1, client.errText().lines().count());
        }
        stillServes();
    }

    @Test
    void refusesFramesOutOfPlaceOrOfUnknownType() throws Exception {
        for (int type : new int[] {2, 3, 4, 16, 99}) {
            try (TestClient client = new TestClient(socket)) {
                client.send(type, "{}");
                assertEquals(ExitCodes.USAGE, client.exit());
            }
        }
        try (TestClient client = TestClient.request(socket, "cat")) {
            client.send(77, "?");
            assertEquals(ExitCodes.USAGE, client.exit());
            assertTrue(client.errText().contains("type 77"), client.errText());
        }
        try (TestClient client = TestClient.request(socket, "cat")) {
            client.send(3, "KILL");
            assertEquals(ExitCodes.USAGE, client.exit());
        }
        stillServes();
    }

    @Test
    void refusesFramesThatAreTooLarge() throws Exception {
        for (int length : new int[] {(1 << 20) + 1, Integer.MAX_VALUE, -1}) {
            try (TestClient client = new TestClient(socket)) {
                client.raw(ByteBuffer.allocate(5).put((byte) 1).putInt(length).array());
                assertEquals(ExitCodes.USAGE, client.exit());
                assertTrue(client.errText().contains("limit is 1048576"), client.errText());
            }
        }
        stillServes();
    }

    @Test
    void takesAFrameOfExactlyTheLimit() throws Exception {
        try (TestClient client = TestClient.request(socket, "cat")) {
            client.send(2, new byte[1 << 20]);
            client.send(2, END);
            assertEquals(0, client.exit());
            assertEquals(1 << 20, client.out.size());
        }
    }

    @Test
    void givesUpOnClientsThatDoNotGoOn() throws Exception {
        server.close();
        server = open(new Limits(8, 200, 60_000));
        try (TestClient silent = new TestClient(socket);
                TestClient half = new TestClient(socket);
                TestClient late = TestClient.request(socket, "cat")) {
            half.raw(new byte[] {1, 0, 0});
            late.raw(new byte[] {2, 0});
            assertEquals(-1, silent.exit());
            assertEquals(-1, half.exit());
            assertEquals(-1, late.exit());
        }
        stillServes();
    }

    @Test
    void letsAnIdleClientOfARunningCommandBe() throws Exception {
        server.close();
        server = open(new Limits(8, 4_000, 60_000));
        CountDownLatch go = new CountDownLatch(1);
        fixture.add(
                TestCommand.of(
                        "wait",
                        context -> {
                            context.output().line("ready");
                            return go.await(30, TimeUnit.SECONDS) ? 0 : 1;
                        }));
        try (TestClient client = TestClient.request(socket, "wait")) {
            client.awaitOut("ready");
            // Others time out meanwhile; this one has nothing to say and is left alone.
            try (TestClient silent = new TestClient(socket)) {
                assertEquals(-1, silent.exit());
            }
            go.countDown();
            assertEquals(0, client.exit());
        }
    }

    @Test
    void turnsAwayMoreClientsThanItTakes() throws Exception {
        server.close();
        server = open(new Limits(2, 10_000, 60_000));
        fixture.add(
                TestCommand.of(
                        "hold",
                        context -> {
                            context.output().line("ready");
                            return context.in().readAllBytes().length;
                        }));
        try (TestClient one = TestClient.request(socket, "hold");
                TestClient two = TestClient.request(socket, "hold")) {
            one.awaitOut("ready");
            two.awaitOut("ready");
            try (TestClient three = TestClient.request(socket, "echo", "x")) {
                assertEquals(ExitCodes.RESOURCE, three.exit());
                assertTrue(three.errText().contains("2 commands are running"), three.errText());
            }
            one.send(2, END);
            assertEquals(0, one.exit());
            two.send(2, END);
            assertEquals(0, two.exit());
        }
        Await.until("room for another", () -> serves());
    }

    @Test
    void replacesTheSocketOfAProcessThatIsGone() throws Exception {
        server.close();
        ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        dead.bind(UnixDomainSocketAddress.of(socket));
        dead.close();
        assertTrue(Files.exists(socket));
        server = open(new Limits(8, 10_000, 60_000));
        stillServes();
    }

    @Test
    void leavesTheSocketOfALivingProcessAlone() throws Exception {
        PalyraException refused =
                assertThrows(PalyraException.class, () -> open(new Limits(8, 10_000, 60_000)));
        assertEquals(ErrorCode.CONFLICT, refused.code());
        stillServes();
    }

    @Test
    void refusesAPathThatNoSocketCanHave() {
        socket = folder.resolve("x".repeat(120)).resolve("command.sock");
        PalyraException refused =
                assertThrows(PalyraException.class, () -> open(new Limits(8, 10_000, 60_000)));
        assertTrue(refused.getMessage().contains("PALYRA_STATE"), refused.getMessage());
    }

    @Test
    void servesManyClientsAtOnce() throws Exception {
        server.close();
        server = open(new Limits(64, 10_000, 60_000));
        AtomicInteger answered = new AtomicInteger();
        Thread[] clients = new Thread[16];
        for (int i = 0; i < clients.length; i++) {
            String word = "w" + i;
            clients[i] =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        for (int n = 0; n < 10; n++) {
                                            answered.addAndGet(echoes(word) ? 1 : 0);
                                        }
                                    });
        }
        for (Thread client : clients) {
            client.join(Duration.ofSeconds(60));
        }
        assertEquals(160, answered.get());
    }

    @Test
    void refusesInputThatCameInMassesBeforeItWasWanted() throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        fixture.add(
                TestCommand.of(
                        "late",
                        context -> {
                            sent.await(30, TimeUnit.SECONDS);
                            IOException refused =
                                    assertThrows(
                                            IOException.class, () -> context.in().readAllBytes());
                            context.output().line(refused.getMessage());
                            return 0;
                        }));
        try (TestClient client = TestClient.request(socket, "late")) {
            for (int i = 0; i < 12; i++) {
                client.send(2, new byte[512 * 1024]);
            }
            client.send(4, "{\"columns\":1}");
            sent.countDown();
            assertEquals(0, client.exit());
            assertTrue(
                    client.out.toString(StandardCharsets.UTF_8).contains("before they were asked"),
                    client.outText());
        }
    }
}
