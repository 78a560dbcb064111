package palyra.launcher;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import palyra.shared.socket.Frame;

@Timeout(60)
class ClientTest {
    private static final Map<String, String> ENVIRONMENT =
            Map.of(
                    "PALYRA_TTY",
                    "in,out",
                    "COLUMNS",
                    "132",
                    "LINES",
                    "43",
                    "TERM",
                    "xterm",
                    "SECRET_TOKEN",
                    "never-sent");

    @TempDir Path state;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private Client client(InputStream in, Duration exitPatience) {
        return new Client(state, ENVIRONMENT, in, out, err, exitPatience, Duration.ofSeconds(30));
    }

    private Client client(String input) {
        return client(
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                Duration.ofSeconds(20));
    }

    /** At a terminal a line typed while a command runs would be that command's input. */
    private Client piped(String input) {
        Map<String, String> environment = new HashMap<>(ENVIRONMENT);
        environment.put("PALYRA_TTY", "");
        return new Client(
                state,
                environment,
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                out,
                err,
                Duration.ofSeconds(20),
                Duration.ofSeconds(30));
    }

    private String errors() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void sendsTheArgumentListAsItIsAndReturnsTheExitCode() throws Exception {
        try (FakeServer server =
                new FakeServer(
                        state,
                        connection -> {
                            connection.readUntil(Frame.REQUEST);
                            connection.send(Frame.text(Frame.STDOUT, "Grüße\n"));
                            connection.send(Frame.text(Frame.STDERR, "careful\n"));
                            connection.send(Frame.exit(42));
                        })) {
            assertEquals(42, client("").command(List.of("ask", "a \"b\"\n", "", "--x=ü")));
            String request = server.next().text();
            assertTrue(
                    request.startsWith(
                            "{\"argv\":[\"ask\",\"a \\\"b\\\"\\n\",\"\",\"--x=ü\"],\"tty\":true,"
                                    + "\"out\":true,\"err\":false,\"columns\":132,\"rows\":43,\"cwd\":\""),
                    request);
            assertTrue(request.contains("\"env\":{\"TERM\":\"xterm\"}"), request);
            assertFalse(request.contains("never-sent"));
        }
        assertEquals("Grüße\n", out.toString(StandardCharsets.UTF_8));
        assertEquals("careful\n", errors());
    }

    @Test
    void copiesLargeInputAndOutputByteForByte() throws Exception {
        byte[] bytes = new byte[3_000_000];
        new Random(7).nextBytes(bytes);
        try (FakeServer server =
                new FakeServer(
                        state,
                        connection -> {
                            connection.readUntil(Frame.REQUEST);
                            for (Frame next = connection.readUntil(Frame.STDIN);
                                    next.payload().length > 0;
                                    next = connection.readUntil(Frame.STDIN)) {
                                connection.send(new Frame(Frame.STDOUT, next.payload()));
                            }
                            connection.send(Frame.exit(0));
                        })) {
            Client client = client(new ByteArrayInputStream(bytes), Duration.ofSeconds(20));
            assertEquals(0, client.command(List.of("cat")));
            assertEquals(Frame.REQUEST, server.next().type());
        }
        assertArrayEquals(bytes, out.toByteArray());
    }

    @Test
    void saysThatNoGatewayRunsAndHowToStartOne() {
        assertEquals(69, client("").command(List.of("status")));
        assertEquals(
                "palyra: no gateway is running for state folder "
                        + state
                        + "; start one with palyra up\n",
                errors());
    }

    @Test
    void saysSoInJsonWhereThatWasAskedFor() {
        assertEquals(69, client("").command(List.of("status", "--json")));
        assertTrue(errors().startsWith("{\"error\":{\"code\":\"GATEWAY_UNAVAILABLE\","), errors());
        assertEquals(1, errors().lines().count());
        assertEquals(69, client("").command(List.of("ask", "--", "--json")));
        assertTrue(errors().contains("palyra: no gateway is running"), errors());
    }

    @Test
    void saysSoTooWhenOnlyTheSocketOfADeadGatewayIsLeft() throws Exception {
        new FakeServer(state, connection -> {}).close();
        assertTrue(Files.exists(StateFolder.commandSocket(state)));
        assertEquals(69, client("").command(List.of("status")));
        assertTrue(errors().contains("no gateway is running"));
    }

    /** A shell that is being replaced has no socket; its gateway holds the state folder. */
    @Test
    void waitsWhileTheShellOfARunningGatewayIsReplaced() throws Exception {
        CountDownLatch waiting = new CountDownLatch(1);
        OutputStream telling =
                new OutputStream() {
                    @Override
                    public void write(int b) {
                        err.write(b);
                        if (errors().contains("waiting up to 30 s\n")) {
                            waiting.countDown();
                        }
                    }
                };
        Client client =
                new Client(
                        state,
                        ENVIRONMENT,
                        InputStream.nullInputStream(),
                        out,
                        telling,
                        Duration.ofSeconds(20),
                        Duration.ofSeconds(30));
        FutureTask<Integer> command = new FutureTask<>(() -> client.command(List.of("status")));
        try (StateLock running = StateLock.take(state)) {
            new Thread(command, "client").start();
            assertTrue(waiting.await(20, TimeUnit.SECONDS), errors());
            try (FakeServer server =
                    new FakeServer(
                            state,
                            connection -> {
                                connection.readUntil(Frame.REQUEST);
                                connection.send(Frame.exit(0));
                            })) {
                assertEquals(0, command.get(20, TimeUnit.SECONDS));
                assertEquals(Frame.REQUEST, server.next().type());
            }
        }
        assertFalse(errors().contains("no gateway is running"), errors());
    }

    /** It was in the queue of the socket when the shell closed it. */
    @Test
    void sendsTheRequestAgainThatAClosingShellDidNotTake() throws Exception {
        AtomicInteger connections = new AtomicInteger();
        try (StateLock running = StateLock.take(state);
                FakeServer server =
                        new FakeServer(
                                state,
                                connection -> {
                                    connection.readUntil(Frame.REQUEST);
                                    if (connections.incrementAndGet() > 1) {
                                        connection.send(new Frame(Frame.STDOUT, new byte[0]));
                                        connection.readUntil(Frame.STDIN);
                                        connection.send(Frame.exit(0));
                                    }
                                })) {
            assertEquals(0, client("words").command(List.of("vault", "put")));
            assertEquals(Frame.REQUEST, server.next().type());
            assertEquals(Frame.REQUEST, server.next().type());
            assertEquals("words", server.next().text());
        }
        assertEquals(2, connections.get());
    }

    @Test
    void sendsNoRequestAgainThatWasTaken() throws Exception {
        AtomicInteger connections = new AtomicInteger();
        try (StateLock running = StateLock.take(state);
                FakeServer server =
                        new FakeServer(
                                state,
                                connection -> {
                                    connections.incrementAndGet();
                                    connection.readUntil(Frame.REQUEST);
                                    connection.send(new Frame(Frame.STDOUT, new byte[0]));
                                })) {
            assertEquals(76, client("").command(List.of("run")));
            assertEquals(Frame.REQUEST, server.next().type());
        }
        assertEquals(1, connections.get());
        assertTrue(errors().contains("closed the connection before the command ended"), errors());
    }

    @Test
    void saysAfterABoundedWaitThatARunningGatewayTakesNoCommands() throws Exception {
        Client client =
                new Client(
                        state,
                        ENVIRONMENT,
                        InputStream.nullInputStream(),
                        out,
                        err,
                        Duration.ofSeconds(20),
                        Duration.ofMillis(100));
        try (StateLock running = StateLock.take(state)) {
            assertEquals(69, client.command(List.of("status")));
        }
        assertTrue(errors().contains("runs, but accepted no command"), errors());
        assertEquals(69, client.command(List.of("status")));
        assertTrue(errors().contains("no gateway is running"), errors());
    }

    @Test
    void aGatewayThatGoesAwayWithoutReadingTheInputIsNotTakenForNone() throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        try (FakeServer server =
                new FakeServer(
                        state,
                        connection -> {
                            connection.readUntil(Frame.REQUEST);
                            sent.await();
                        })) {
            int code =
                    client("")
                            .run(
                                    List.of("ask", "x"),
                                    invocation -> {
                                        send(invocation, "unread");
                                        sent.countDown();
                                        return () -> {};
                                    });
            assertEquals(76, code);
            assertEquals(Frame.REQUEST, server.next().type());
        }
        assertTrue(errors().contains("closed the connection before the command ended"), errors());
    }

    @Test
    void failsWhenTheGatewayGoesAwayInMidCommand() throws Exception {
        try (FakeServer server =
                new FakeServer(
                        state,
                        connection -> {
                            connection.readUntil(Frame.REQUEST);
                            connection.send(new Frame(Frame.STDOUT, new byte[0]));
                        })) {
            assertEquals(76, client("").command(List.of("ask", "x")));
            assertEquals(Frame.REQUEST, server.next().type());
        }
        assertTrue(errors().contains("closed the connection before the command ended"), errors());
    }

    @Test
    void refusesAFrameBeyondTheLimitWithoutReadingIt() throws Exception {
        try (FakeServer server =
                new FakeServer(
                        state,
                        connection -> {
                            connection.readUntil(Frame.REQUEST);
                            connection.sendRaw(new byte[] {Frame.STDOUT, 0, 0x10, 0, 1});
                            connection.readUntil(Frame.EXIT);
                        })) {
            assertEquals(76, client("").command(List.of("status")));
            assertEquals(Frame.REQUEST, server.next().type());
        }
        assertTrue(errors().contains("1048577 bytes"), errors());
    }

    @Test
    void refusesANegativeLengthAndUnknownTypes() throws Exception {
        AtomicInteger turn = new AtomicInteger();
        byte[][] answers = {
            {Frame.STDOUT, -1, -1, -1, -1}, {99, 0, 0, 0, 0}, {Frame.EXIT, 0, 0, 0, 1, 0}
        };
        try (FakeServer server =
                new FakeServer(
                        state,
                        connection -> {
                            connection.readUntil(Frame.REQUEST);
                            connection.sendRaw(answers[turn.getAndIncrement()]);
                            connection.readUntil(Frame.EXIT);
                        })) {
            for (int i = 0; i < answers.length; i++) {
                assertEquals(76, client("").command(List.of("status")), "answer " + i);
            }
            assertEquals(Frame.REQUEST, server.next().type());
        }
        assertTrue(errors().contains("unknown type 99"), errors());
        assertTrue(errors().contains("4 bytes"), errors());
    }

    @Test
    void signalsTheCommandAndTakesItsOwnExitCode() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        try (FakeServer server =
                new FakeServer(
                        state,
                        connection -> {
                            connection.readUntil(Frame.REQUEST);
                            started.countDown();
                            connection.readUntil(Frame.SIGNAL);
                            connection.send(Frame.exit(130));
                        })) {
            int code =
                    client("")
                            .run(
                                    List.of("ask", "long"),
                                    invocation -> {
                                        Thread presser =
                                                new Thread(
                                                        () -> {
                                                            awaitQuietly(started);
                                                            invocation.signal("INT");
                                                        });
                                        presser.start();
                                        return presser::join;
                                    });
            assertEquals(130, code);
            assertEquals(Frame.REQUEST, server.next().type());
            Frame signal = server.next();
            assertEquals(Frame.SIGNAL, signal.type());
            assertEquals("INT", signal.text());
        }
        assertEquals("", errors());
    }

    @Test
    void leavesACommandThatIgnoresTheSignal() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (FakeServer server =
                new FakeServer(
                        state,
                        connection -> {
                            connection.readUntil(Frame.SIGNAL);
                            over.await();
                        })) {
            int code =
                    client(InputStream.nullInputStream(), Duration.ofMillis(200))
                            .run(
                                    List.of("ask", "long"),
                                    invocation -> {
                                        invocation.signal("INT");
                                        return () -> {};
                                    });
            over.countDown();
            assertEquals(130, code);
            assertEquals(Frame.REQUEST, server.next().type());
        }
        assertTrue(errors().contains("did not end in time"), errors());
    }

    @Test
    void promptSendsEachLineAsACommandOfItsOwn() throws Exception {
        try (FakeServer server = echoServer()) {
            Client piped = piped("status --json\n\nask 'two words'\nask 'open\nexit\nnever\n");
            assertEquals(0, piped.prompt());
            assertTrue(server.next().text().startsWith("{\"argv\":[\"status\",\"--json\"]"));
            assertTrue(nextRequest(server).startsWith("{\"argv\":[\"ask\",\"two words\"]"));
        }
        assertTrue(errors().contains("the quote ' is not closed"));
        assertFalse(out.toString(StandardCharsets.UTF_8).contains("never"));
    }

    @Test
    void promptEndsWithItsInputAndReturnsTheLastExitCode() throws Exception {
        try (FakeServer server =
                new FakeServer(
                        state,
                        connection -> {
                            connection.readUntil(Frame.REQUEST);
                            connection.send(Frame.exit(5));
                        })) {
            assertEquals(5, client("status").prompt());
            assertTrue(server.next().text().contains("\"status\""));
        }
    }

    @Test
    void promptOutlivesAGatewayThatIsNotThere() {
        assertEquals(69, piped("status\nstatus\n").prompt());
        assertEquals(2, errors().lines().filter(line -> line.contains("no gateway")).count());
    }

    private FakeServer echoServer() throws IOException {
        return new FakeServer(
                state,
                connection -> {
                    Frame request = connection.readUntil(Frame.REQUEST);
                    connection.send(new Frame(Frame.STDOUT, request.payload()));
                    connection.send(Frame.exit(0));
                });
    }

    private static String nextRequest(FakeServer server) throws InterruptedException {
        Frame frame = server.next();
        while (frame.type() != Frame.REQUEST) {
            frame = server.next();
        }
        return frame.text();
    }

    private static void send(Invocation invocation, String input) {
        try {
            invocation.input(input.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            if (!latch.await(20, TimeUnit.SECONDS)) {
                throw new AssertionError("the command never started");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
