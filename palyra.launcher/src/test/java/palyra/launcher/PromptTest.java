package palyra.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.shared.socket.Frame;

@Timeout(60)
class PromptTest {
    private static final long PATIENCE_SECONDS = 20;

    @TempDir Path state;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private Client client(String terminals, InputStream in) {
        return new Client(
                state,
                Map.of("PALYRA_TTY", terminals, "COLUMNS", "80", "LINES", "24"),
                in,
                out,
                err,
                Duration.ofSeconds(PATIENCE_SECONDS),
                Duration.ofSeconds(PATIENCE_SECONDS));
    }

    private int piped(String input) {
        return client("", new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)))
                .prompt();
    }

    private String shown() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String errors() {
        return err.toString(StandardCharsets.UTF_8);
    }

    /** Answers every command so. */
    private FakeServer answering(String text, int code) throws IOException {
        return new FakeServer(
                state,
                connection -> {
                    connection.readUntil(Frame.REQUEST);
                    connection.send(Frame.text(Frame.STDOUT, text));
                    connection.send(Frame.exit(code));
                });
    }

    @Test
    void keepsTheLinesThatEveryGrepKeeps() throws Exception {
        try (FakeServer server = answering("alpha\nBeta\nalpha beta\nGRÜN beta", 0)) {
            assertEquals(0, piped("runs | grep -i BETA | grep -v alpha\n"));
            String request = server.next().text();
            assertTrue(request.startsWith("{\"argv\":[\"runs\"],\"tty\":false"), request);
        }
        assertEquals("Beta\nGRÜN beta\n", shown());
        assertEquals("", errors());
    }

    @Test
    void grepTakesItsTextAsItIs() throws Exception {
        try (FakeServer server = answering("a.b\naxb\n-v\nc | d\n", 0)) {
            assertEquals(
                    0, piped("x | grep a.b\nx|grep -- -v\nx | grep 'c | d'\nx | grep -iv A\nexit"));
            assertEquals(Frame.REQUEST, server.next().type());
        }
        assertEquals("a.b\n-v\nc | d\n-v\nc | d\n", shown());
    }

    @Test
    void endsAsGrepDoesWhenNothingIsKept() throws Exception {
        try (FakeServer server = answering("alpha\n", 0)) {
            assertEquals(1, piped("runs | grep beta\n"));
            assertEquals(Frame.REQUEST, server.next().type());
        }
        assertEquals("", shown());
    }

    @Test
    void grepHidesNoFailureOfTheCommand() throws Exception {
        try (FakeServer server = answering("alpha\n", 65)) {
            assertEquals(65, piped("runs | grep alpha\n"));
            assertEquals(Frame.REQUEST, server.next().type());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "runs | less",
                "runs |",
                "runs | grep",
                "runs | grep a b",
                "runs | grep -x a",
                "runs | grep a | sort",
                "runs || grep a"
            })
    void refusesWhatIsNotPossibleBehindABarWithoutRunningAnything(String line) {
        // No server listens: every sent command ends with 69.
        assertEquals(ExitCode.USAGE.code(), piped(line + "\n"));
        assertTrue(errors().contains("supports only grep [-i] [-v] TEXT"), errors());
    }

    @Test
    void refusesABarWithoutACommand() {
        assertEquals(ExitCode.USAGE.code(), piped("| grep a\n"));
        assertTrue(errors().contains("write a command before |"), errors());
    }

    @Test
    void takesABarWithinQuotesAsText() throws Exception {
        try (FakeServer server = answering("", 0)) {
            assertEquals(0, piped("ask 'a | b' \"c|d\" e\\|f\n"));
            String request = server.next().text();
            assertTrue(
                    request.startsWith("{\"argv\":[\"ask\",\"a | b\",\"c|d\",\"e|f\"]"), request);
        }
    }

    @Test
    void commandsOfAPipeSeeEmptyInput() throws Exception {
        try (FakeServer server =
                new FakeServer(
                        state,
                        connection -> {
                            connection.readUntil(Frame.REQUEST);
                            connection.send(new Frame(Frame.STDOUT, new byte[0]));
                            connection.readUntil(Frame.STDIN);
                            connection.send(Frame.exit(0));
                        })) {
            assertEquals(0, piped("ask -\nexit\n"));
            assertEquals(Frame.REQUEST, server.next().type());
            assertEquals(0, server.next().payload().length);
        }
    }

    @Test
    void leavesOutALineThatIsTooLongAndGoesOn() throws Exception {
        String tooLong = "ask " + "x".repeat(PlainLines.LINE_LIMIT_BYTES);
        try (FakeServer server = answering("", 0)) {
            assertEquals(0, piped(tooLong + "\nruns\n"));
            assertTrue(server.next().text().startsWith("{\"argv\":[\"runs\"]"));
        }
        assertTrue(errors().contains("was left out"), errors());
    }

    @Test
    void whatIsTypedWhileACommandRunsIsItsInput() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        try (FakeServer server =
                        new FakeServer(
                                state,
                                connection -> {
                                    connection.readUntil(Frame.REQUEST);
                                    connection.send(new Frame(Frame.STDOUT, new byte[0]));
                                    running.countDown();
                                    Frame typed = connection.readUntil(Frame.STDIN);
                                    connection.send(new Frame(Frame.STDOUT, typed.payload()));
                                    connection.send(Frame.exit(7));
                                });
                PipedOutputStream keyboard = new PipedOutputStream();
                PipedInputStream in = new PipedInputStream(keyboard);
                ExecutorService person = Executors.newSingleThreadExecutor()) {
            Future<Integer> prompt = person.submit(() -> client("in,out", in).prompt());
            type(keyboard, "approvals decide last\n");
            assertTrue(running.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
            type(keyboard, "yes\n");
            assertTrue(server.next().text().startsWith("{\"argv\":[\"approvals\""));
            assertEquals("yes\n", server.next().text());
            keyboard.close();
            assertEquals(7, prompt.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        }
        assertTrue(shown().startsWith("palyra> yes\npalyra> "), shown());
    }

    private static void type(OutputStream keyboard, String text) throws IOException {
        keyboard.write(text.getBytes(StandardCharsets.UTF_8));
        keyboard.flush();
    }

    /** The end came while a command ran, which took it for the end of its own input. */
    @Test
    void endsWhenItsInputBreaksWhileACommandRuns() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        InputStream broken =
                new InputStream() {
                    private final InputStream line =
                            new ByteArrayInputStream("runs\n".getBytes(StandardCharsets.UTF_8));

                    @Override
                    public int read() throws IOException {
                        int next = line.read();
                        if (next < 0) {
                            awaitQuietly(running);
                            throw new IOException("the terminal is gone");
                        }
                        return next;
                    }

                    @Override
                    public int read(byte[] bytes, int offset, int length) throws IOException {
                        int count = line.read(bytes, offset, length);
                        return count > 0 ? count : read();
                    }
                };
        try (FakeServer server =
                new FakeServer(
                        state,
                        connection -> {
                            connection.readUntil(Frame.REQUEST);
                            connection.send(new Frame(Frame.STDOUT, new byte[0]));
                            running.countDown();
                            connection.readUntil(Frame.STDIN);
                            connection.send(Frame.exit(3));
                        })) {
            assertEquals(3, client("in,out", broken).prompt());
            assertEquals(Frame.REQUEST, server.next().type());
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertTrue(latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void closesTheHistoryToOthersWhateverItWas() throws Exception {
        Path history = HistoryFile.in(state);
        assertEquals("rw-------", mode(history));
        Files.setPosixFilePermissions(history, PosixFilePermissions.fromString("rw-r--r--"));
        assertEquals(history, HistoryFile.in(state));
        assertEquals("rw-------", mode(history));
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void asksTheGatewayForCompletions() throws Exception {
        try (FakeServer server = answering("verify\nshow\n", 0)) {
            Completions completions =
                    new Completions(client("in,out", InputStream.nullInputStream()));
            assertEquals(List.of("verify", "show"), completions.apply(List.of("tape", "")));
            String request = server.next().text();
            assertTrue(
                    request.startsWith(
                            "{\"argv\":[\"completion\",\"--\",\"tape\",\"\"],\"tty\":false"),
                    request);
        }
        assertEquals("", shown());
    }

    @Test
    void completesNothingWithoutAGatewayAndSaysNothing() {
        Completions completions = new Completions(client("in,out", InputStream.nullInputStream()));
        assertEquals(List.of(), completions.apply(List.of("tape", "")));
        assertEquals("", errors());
        assertEquals(List.of("grep"), completions.apply(List.of("|", "")));
    }
}
