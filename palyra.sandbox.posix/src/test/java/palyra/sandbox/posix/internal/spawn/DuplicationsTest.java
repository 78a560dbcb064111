package palyra.sandbox.posix.internal.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import palyra.sandbox.posix.internal.spawn.Duplications.Step;

class DuplicationsTest {
    @Test
    void descriptorsAboveAllTargetsGoHomeAtOnce() {
        Duplications plan = Duplications.of(Map.of(0, 20, 1, 21, 2, 22, 5, 23));
        assertEquals(
                List.of(new Step(20, 0), new Step(21, 1), new Step(22, 2), new Step(23, 5)),
                plan.steps());
        assertEquals(List.of(3, 4), plan.holes());
        assertEquals(6, plan.first());
    }

    @Test
    void noDescriptorIsOverwrittenBeforeItsTurnAndNoneKeepsItsNumber() {
        Random random = new Random(11);
        for (int round = 0; round < 2_000; round++) {
            Map<Integer, Integer> wanted = new HashMap<>();
            for (int target = 0; target < 3 + random.nextInt(7); target++) {
                wanted.put(target, random.nextInt(14));
            }
            Map<Integer, String> open = new HashMap<>();
            for (int number = 0; number < 14; number++) {
                open.put(number, "was " + number);
            }
            for (Step step : Duplications.of(wanted).steps()) {
                assertTrue(step.from() != step.to());
                open.put(step.to(), open.get(step.from()));
            }
            wanted.forEach((target, source) -> assertEquals("was " + source, open.get(target)));
        }
    }
}
