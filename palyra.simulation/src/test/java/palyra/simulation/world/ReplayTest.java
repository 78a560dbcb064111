package palyra.simulation.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A seed decides everything: it can be told again. */
class ReplayTest {
    private static final Long ASKED = Seeds.asked();
    private static final long SEED = ASKED == null ? 42 : ASKED;

    @BeforeAll
    static void prepare() throws IOException {
        Seeds.prepare();
    }

    @AfterAll
    static void cleanUp() {
        Seeds.cleanUp();
    }

    /** With a seed of one's own its story is told. */
    @Test
    void sameSeedTellsTheSameStory() {
        boolean told = ASKED != null;
        World.Outcome first = Seeds.run(SEED, "first", told);
        World.Outcome second = Seeds.run(SEED, "second", false);
        assertEquals(first, second);
        assertTrue(first.steps() > 1_000, "something was simulated");
        assertNotEquals(first.trace(), Seeds.run(SEED + 1, "other", false).trace());
        if (told) {
            System.out.println("simulation: " + first);
            assertTrue(first.wrong().isEmpty(), () -> String.join("\n", first.wrong()));
        }
    }
}
