package palyra.config.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class OverridesTest {
    @Test
    void collectsTheLinesOfOnePidAndLetsTheLastWin() {
        Overrides overrides = Overrides.parse("a.b:x=1\nc~d:y=k=v: w\n\na.b:x=2\na.b:z=");
        assertTrue(overrides.problems().isEmpty());
        assertEquals(2, overrides.sources().size());
        Source first = overrides.sources().get(0);
        assertEquals(new Target("a.b", ""), first.target());
        assertEquals(new Source.Texts(Map.of("x", "2", "z", "")), first.content());
        Source second = overrides.sources().get(1);
        assertEquals(new Target("c", "d"), second.target());
        assertEquals(new Source.Texts(Map.of("y", "k=v: w")), second.content());
    }

    @Test
    void namesALineThatIsNotOfTheFormWithoutItsValue() {
        Overrides overrides = Overrides.parse("nonsense=hunter2\na.b:ok=1");
        assertEquals(1, overrides.sources().size());
        assertEquals(1, overrides.problems().size());
        String message = overrides.problems().get(0).message();
        assertTrue(message.contains("nonsense"), message);
        assertFalse(message.contains("hunter2"), message);
    }

    @Test
    void absentMeansNone() {
        assertTrue(Overrides.parse(null).sources().isEmpty());
        assertTrue(Overrides.parse("  \n").problems().isEmpty());
    }
}
