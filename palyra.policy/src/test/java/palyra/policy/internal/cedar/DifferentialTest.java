package palyra.policy.internal.cedar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Generated policy sets: the compiled evaluator and the native engine must agree on everything. */
final class DifferentialTest {
    private static final boolean FULL = Boolean.getBoolean("palyra.test.full");

    /** The time that is spent; how many sets that makes is up to the machine. */
    private static final Duration BUDGET = FULL ? Duration.ofMinutes(20) : Duration.ofSeconds(20);

    /** So many at least, however slow the machine is. */
    private static final int LEAST_SETS = 100;

    @Test
    void agreesWithTheNativeEngine() throws Exception {
        long first = FULL ? System.nanoTime() : 1;
        long end = System.nanoTime() + BUDGET.toNanos();
        Counts counts = new Counts();
        long seed = first;
        while (seed - first < LEAST_SETS || System.nanoTime() < end) {
            Recorded recorded = recorded(seed);
            String difference = recorded.difference();
            assertEquals("", difference, "seed " + seed);
            counts.add(recorded.answers());
            seed++;
        }
        System.out.println("Generated: " + (seed - first) + " policy sets, " + counts);
        assertTrue(counts.meaningful(), "The generator makes too little of something: " + counts);
    }

    /** One set with the native answers; the name is the seed. */
    static Recorded recorded(long seed) {
        return Oracle.run(
                () -> {
                    Generator generator = new Generator(seed);
                    Generator.PolicyText text = generator.policies();
                    String est = generator.linked(Oracle.estHere(text.statics(), text.templates()));
                    return Recorded.of("seed " + seed, text.all(), est, generator.world());
                });
    }

    /** That all kinds of answers occur: a test that only ever sees denials shows nothing. */
    private static final class Counts {
        private int allowed;
        private int forbidden;
        private int erring;
        private int all;

        void add(List<String> answers) {
            for (String answer : answers) {
                all++;
                allowed += answer.startsWith("allow") ? 1 : 0;
                forbidden += answer.startsWith("deny [p") ? 1 : 0;
                erring += answer.endsWith("[]") ? 0 : 1;
            }
        }

        boolean meaningful() {
            return allowed * 20 > all && forbidden * 20 > all && erring * 20 > all;
        }

        @Override
        public String toString() {
            return "%d requests: %d allowed, %d forbidden, %d with errors"
                    .formatted(all, allowed, forbidden, erring);
        }
    }
}
