package palyra.simulation.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The core survives what a seed does to it. A failing seed is named with the command that replays
 * it.
 */
class SimulationTest {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static Path root;
    private static Path template;

    @BeforeAll
    static void prepare() throws IOException {
        root =
                Files.isWritable(MEMORY)
                        ? Files.createTempDirectory(MEMORY, "palyra-simulation")
                        : Files.createTempDirectory("palyra-simulation");
        template = root.resolve("template");
        World.makeTemplate(Files.createDirectories(template));
    }

    @AfterAll
    static void cleanUp() {
        World.delete(root);
    }

    @Test
    void sameSeedTellsTheSameStory() {
        World.Outcome first = World.run(42, template, root.resolve("first"), false);
        World.Outcome second = World.run(42, template, root.resolve("second"), false);
        assertEquals(first, second);
        assertTrue(first.steps() > 1_000, "something was simulated");
    }

    @Test
    void everySeedEndsWell() {
        long from = Long.getLong("palyra.simulation.seed", 1);
        long count = Long.getLong("palyra.simulation.seeds", 100);
        long begun = System.nanoTime();
        long steps = 0;
        for (long seed = from; seed < from + count; seed++) {
            World.Outcome outcome =
                    World.run(seed, template, root.resolve("seed-" + seed), count == 1);
            steps += outcome.steps();
            assertTrue(
                    outcome.wrong().isEmpty(),
                    () -> "seed " + outcome.seed() + ": " + String.join("\n", outcome.wrong()));
        }
        System.out.printf(
                "simulation: %d seeds, %d steps, %d s%n",
                count, steps, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun));
    }
}
