package palyra.health.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.PalyraException;

class HealthSettingsTest {
    private static HealthSettings of(int concurrent, String... hosts) {
        return HealthSettings.of(
                Fakes.of(
                        HealthConfiguration.class,
                        Map.of(
                                "anonymousMetrics", a -> true,
                                "allowedHosts", a -> hosts,
                                "maxConcurrentRequests", a -> concurrent)));
    }

    @Test
    void takesHostNamesInAnyCaseAndLeavesOutEmptyOnes() {
        assertEquals(Set.of("a.example", "b"), of(4, " A.Example ", "", "b").allowedHosts());
    }

    @Test
    void refusesWhatIsNoHostName() {
        assertThrows(PalyraException.class, () -> of(4, "a:80"));
        assertThrows(PalyraException.class, () -> of(4, "http://a"));
        assertThrows(PalyraException.class, () -> of(4, "*"));
    }

    @Test
    void refusesABoundThatIsNone() {
        assertThrows(PalyraException.class, () -> of(0));
        assertThrows(PalyraException.class, () -> of(257));
    }
}
