package palyra.simulation.world;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Half of the seeds, so that two JVMs share them. Usually 1,000 seeds in all. With {@code --full}
 * further ones, beginning anywhere, for {@code PALYRA_SIMULATION_MINUTES} minutes (30 when nothing
 * is said; 0 has no end). A failing seed is named with the command that replays it and tells its
 * story.
 */
abstract class Seeds {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long USUAL = 1_000;
    private static final long HANGS_SECONDS = 120;

    private static Path root;
    private static Path template;
    private static volatile String running = "";
    private static volatile long begun;

    private final int half;

    Seeds(int half) {
        this.half = half;
    }

    @BeforeAll
    static void prepare() throws IOException {
        root =
                Files.isWritable(MEMORY)
                        ? Files.createTempDirectory(MEMORY, "palyra-simulation")
                        : Files.createTempDirectory("palyra-simulation");
        template = root.resolve("template");
        World.makeTemplate(Files.createDirectories(template));
        begun = System.nanoTime();
        Thread.ofPlatform().daemon().name("simulation-watch").start(Seeds::watch);
    }

    @AfterAll
    static void cleanUp() {
        running = "";
        World.delete(root);
    }

    /** A seed that never comes back would take its name with it. */
    private static void watch() {
        while (true) {
            try {
                Thread.sleep(1_000);
            } catch (InterruptedException e) {
                return;
            }
            if (!running.isEmpty()
                    && System.nanoTime() - begun > TimeUnit.SECONDS.toNanos(HANGS_SECONDS)) {
                System.out.println("simulation: " + running + " hangs; the JVM is ended");
                Thread.getAllStackTraces()
                        .forEach(
                                (thread, stack) -> {
                                    System.out.println(thread);
                                    for (StackTraceElement one : stack) {
                                        System.out.println("    " + one);
                                    }
                                });
                System.out.flush();
                Runtime.getRuntime().halt(70);
            }
        }
    }

    static World.Outcome run(long seed, String name, boolean told) {
        running = "seed " + seed;
        begun = System.nanoTime();
        try {
            return World.run(seed, template, root.resolve(name), told);
        } finally {
            running = "";
        }
    }

    private static void requireWell(World.Outcome outcome) {
        assertTrue(
                outcome.wrong().isEmpty(),
                () ->
                        "seed "
                                + outcome.seed()
                                + ": "
                                + String.join("\n", outcome.wrong())
                                + "\nreplay it: scripts/simulate.sh "
                                + outcome.seed());
    }

    /** Returns the one seed that is asked for; null when none is. */
    static Long asked() {
        String said = System.getenv("PALYRA_SIMULATION_SEED");
        return said == null || said.isBlank() ? null : Long.valueOf(said.strip());
    }

    @Test
    void everySeedEndsWell() {
        assumeTrue(asked() == null, "one seed is asked for");
        long began = System.nanoTime();
        long seeds = 0;
        long steps = 0;
        long messages = 0;
        for (long seed = 1 + half; seed <= USUAL; seed += 2) {
            World.Outcome outcome = run(seed, "seed-" + seed, false);
            requireWell(outcome);
            seeds++;
            steps += outcome.steps();
            messages += outcome.acknowledged();
        }
        System.out.printf(
                "simulation: %d seeds, %d messages, %d steps, %d s%n",
                seeds, messages, steps, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began));
    }

    @Test
    void furtherSeedsEndWell() {
        assumeTrue(asked() == null && Boolean.getBoolean("palyra.test.full"), "--full goes on");
        String said = System.getenv("PALYRA_SIMULATION_MINUTES");
        long minutes = said == null ? 30 : Long.parseLong(said);
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(minutes);
        long first = System.currentTimeMillis() * 2 + half;
        long seed = first;
        while (minutes == 0 || System.nanoTime() < end) {
            requireWell(run(seed, "seed-" + seed, false));
            seed += 2;
        }
        System.out.printf("simulation: %d further seeds, from %d on%n", (seed - first) / 2, first);
    }
}
