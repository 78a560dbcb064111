package palyra.itests.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import palyra.itests.Wait;
import palyra.itests.process.CommandClient;
import palyra.itests.process.GatewayProcess;

/**
 * When a gateway is killed.
 *
 * @param kind what is waited for
 * @param amount milliseconds or how many of it
 */
record CrashPoint(Kind kind, int amount) {
    private static final Duration AT_MOST = Duration.ofSeconds(5);

    /** What is waited for. */
    enum Kind {
        /** Milliseconds after the start of the process: the recovery itself is hit. */
        STARTING(2_600),
        /** Milliseconds after the first message was sent. */
        TIME(2_500),
        /** Acknowledged messages. */
        ACKNOWLEDGED(50),
        /** Lines that calls have appended. */
        LINES(120),
        /** Records on the tape of one run. */
        RECORDS(28);

        private final int most;

        Kind(int most) {
            this.most = most;
        }
    }

    /** Every kind comes equally often; what it waits for is drawn. */
    static CrashPoint seeded(int index, Random random) {
        Kind kind = Kind.values()[index % Kind.values().length];
        return new CrashPoint(kind, 1 + random.nextInt(kind.most));
    }

    /** Waits for the moment; at most five seconds, for what is counted may have run out. */
    void await(GatewayProcess gateway, Path effects, Submitter submitter) throws Exception {
        switch (kind) {
            case STARTING, TIME -> pass(Duration.ofMillis(amount));
            case ACKNOWLEDGED -> {
                int before = submitter.acknowledged().size();
                Wait.during(AT_MOST, () -> submitter.acknowledged().size() >= before + amount);
            }
            case LINES -> {
                int before = lines(effects).size();
                Wait.during(AT_MOST, () -> lines(effects).size() >= before + amount);
            }
            case RECORDS -> awaitRecords(gateway.client());
        }
    }

    private static void pass(Duration time) throws Exception {
        Wait.during(time, () -> false);
    }

    /** Follows the newest run; the kill comes from the thread that waits here. */
    private void awaitRecords(CommandClient client) throws Exception {
        AtomicInteger seen = new AtomicInteger();
        Thread follower =
                Thread.ofPlatform()
                        .name("tape-follower")
                        .start(
                                () -> {
                                    try {
                                        client.run(
                                                "",
                                                text -> seen.addAndGet(count(text)),
                                                "tape",
                                                "tail",
                                                "last",
                                                "--lines",
                                                "1000");
                                    } catch (IOException e) {
                                        seen.addAndGet(1_000_000); // gone already
                                    }
                                });
        Wait.during(AT_MOST, () -> seen.get() >= amount || !follower.isAlive());
    }

    private static int count(String text) {
        return (int) text.chars().filter(c -> c == '\n').count();
    }

    /** Returns every line that calls have appended. */
    static List<String> lines(Path effects) throws IOException {
        if (!Files.isDirectory(effects)) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.list(effects)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                lines.addAll(Files.readAllLines(file));
            }
        } catch (NoSuchFileException e) {
            return List.of();
        }
        return lines;
    }
}
