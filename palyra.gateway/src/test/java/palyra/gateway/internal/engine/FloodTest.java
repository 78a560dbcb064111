package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.testing.http.FaultExchange;
import palyra.testing.http.FaultServer;
import palyra.testing.wait.Await;

/**
 * A model server that never ends meets a gateway with the heap of the product, over a real
 * connection and with a real journal: every run ends with a stated reason, others go on.
 */
class FloodTest {
    private static final int RUNS = 40;

    /** Where the number is not what is new: all of them in the long form. */
    private static final int FEWER_RUNS = Boolean.getBoolean("palyra.test.full") ? RUNS : 16;

    private static final int MINUTES = 8;
    private static final String WORDS = "All work and no play makes this a rather long answer. ";

    @TempDir Path folder;
    private final FaultServer server = FaultServer.open().otherwise(FloodTest::answer);

    @AfterEach
    void close() {
        server.close();
    }

    private static void answer(FaultExchange exchange) throws IOException, InterruptedException {
        String asked = exchange.request().body();
        if (asked.contains("hello")) {
            exchange.stream().send("data: {\"text\":\"Good day.\"}\n\ndata: {\"end\":true}\n\n");
            return;
        }
        exchange.stream();
        String piece = WORDS.repeat(60_000 / WORDS.length());
        String delta =
                asked.contains("line")
                        ? piece
                        : asked.contains("input")
                                ? "data: {\"tool\":\"t\",\"input\":\"" + piece + "\"}\n\n"
                                : asked.contains("think")
                                        ? "data: {\"thought\":\"" + piece + "\"}\n\n"
                                        : "data: {\"text\":\"" + piece + "\"}\n\n";
        while (true) {
            exchange.send(delta);
        }
    }

    private List<String> flooded(String ask, int runs) throws Exception {
        Path out = folder.resolve("out.txt");
        Path log = folder.resolve("log.txt");
        Process child = start(ask, out, log, runs);
        try {
            assertTrue(child.waitFor(MINUTES, TimeUnit.MINUTES), () -> read(log));
            assertEquals(0, child.exitValue(), () -> read(out) + read(log));
        } finally {
            child.destroyForcibly();
        }
        assertFalse(read(log).contains("OutOfMemoryError"), () -> read(log));
        return Files.readAllLines(out);
    }

    private Process start(String ask, Path out, Path log, int runs) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:+UseSerialGC",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FloodedGateway.class.getName(),
                        Files.createDirectories(folder.resolve(ask)).toString(),
                        server.url(),
                        Integer.toString(runs),
                        ask)
                .redirectOutput(out.toFile())
                .redirectError(log.toFile())
                .start();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static void allEndedBecause(String reason, int runs, List<String> said) {
        assertTrue(said.getFirst().startsWith("normal SUCCEEDED beside "), said.getFirst());
        assertFalse(said.getFirst().endsWith(" 0"), said.getFirst());
        List<String> floods = said.stream().filter(line -> line.startsWith("flood ")).toList();
        assertEquals(runs, floods.size());
        assertEquals(
                List.of("flood FAILED " + reason),
                floods.stream().distinct().collect(Collectors.toList()));
        assertEquals("held 0", said.getLast());
    }

    @Test
    void endlessAnswersOfFortyRunsEndAtTheLongestAnswer() throws Exception {
        allEndedBecause(
                "The turn was given up: its answer and thoughts have more than 2097152 bytes. Ask"
                        + " for less, or raise maxAnswerBytes of palyra.gateway.",
                RUNS,
                flooded("flood", RUNS));
    }

    /** A gateway that died in the flood meets it again when it starts, and ends it then. */
    @Test
    void runsOfADeadGatewayEndTheSameWay() throws Exception {
        Path out = folder.resolve("first.txt");
        Process child = start("flood", out, folder.resolve("first-log.txt"), FEWER_RUNS);
        try {
            Await.until(
                    "the normal run to be answered",
                    Duration.ofMinutes(MINUTES),
                    () -> !child.isAlive() || read(out).contains("normal "));
        } finally {
            child.destroyForcibly().waitFor();
        }
        allEndedBecause(
                "The turn was given up: its answer and thoughts have more than 2097152 bytes. Ask"
                        + " for less, or raise maxAnswerBytes of palyra.gateway.",
                FEWER_RUNS,
                flooded("flood", FEWER_RUNS));
    }

    /** What a provider gathers before it can tell it is bounded too: lines and inputs of calls. */
    @Test
    void endlessLinesAndInputsEndAtTheirBounds() throws Exception {
        for (String kind : List.of("line", "input")) {
            List<String> said = flooded(kind, FEWER_RUNS);
            assertTrue(said.getFirst().startsWith("normal SUCCEEDED"), said.getFirst());
            List<String> floods = said.stream().filter(line -> line.startsWith("flood ")).toList();
            assertEquals(FEWER_RUNS, floods.size());
            for (String flood : floods) {
                assertTrue(
                        flood.startsWith(
                                "flood FAILED The answer of model provider 'plain' was aborted:"),
                        flood);
            }
        }
    }
}
