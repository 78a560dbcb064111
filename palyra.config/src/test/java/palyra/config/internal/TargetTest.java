package palyra.config.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TargetTest {
    @Test
    void readsPidAndNameFromTheFileName() {
        assertEquals(
                Optional.of(new Target("palyra.health", "")),
                Target.ofFileName("palyra.health.json"));
        assertEquals(
                Optional.of(new Target("palyra.models.openai", "main-1")),
                Target.ofFileName("palyra.models.openai~main-1.json"));
        assertEquals("a.b~c.json", new Target("a.b", "c").fileName());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "palyra health.json",
                ".json",
                "~x.json",
                "a~.json",
                "a~b~c.json",
                "a.yaml",
                "../a.json",
                "a)(b=*.json",
                "-a.json",
                ""
            })
    void refusesEveryOtherName(String name) {
        assertTrue(Target.ofFileName(name).isEmpty(), name);
    }
}
