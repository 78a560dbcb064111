package palyra.policy.internal.cedar;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** The scenarios, by both engines. */
final class ScenariosTest {

    @Test
    void bothEnginesAgree() throws Exception {
        Recorded recorded = Scenarios.recorded();
        assertEquals("", recorded.difference());
        assertEquals(216, recorded.answers().size());
    }
}
