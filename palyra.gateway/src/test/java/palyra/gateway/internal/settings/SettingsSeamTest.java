package palyra.gateway.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import palyra.api.core.ops.FindingSource;

class SettingsSeamTest {
    private final SettingsSeam seam = new SettingsSeam();
    private final FindingSource looker = List::of;

    private static final class Held extends Configured {
        Held(String pid) {
            super("budget", Map.of("service.pid", pid), name -> new Setting.Broken("b", name, "w"));
        }
    }

    private static Map<String, Object> inForce(String... pids) {
        return Map.of(SettingsSeam.IN_FORCE, pids);
    }

    @Test
    void missesTheFirstLookUntilSomebodyLooked() {
        assertEquals(
                Optional.of("the first look at the configuration (palyra.config)"), seam.missing());
        seam.bindLooked(looker, inForce());
        assertEquals(Optional.empty(), seam.missing());
        seam.unbindLooked(looker);
        assertEquals(true, seam.missing().isPresent());
    }

    @Test
    void missesWhatIsInForceAndWasNotBoundYet() {
        seam.bindLooked(
                looker,
                inForce(
                        "palyra.front",
                        "palyra.gateway",
                        "palyra.gateway.budget~daily",
                        "palyra.gateway.price~mini",
                        "palyra.models.openai~o"));
        assertEquals(
                Optional.of("palyra.gateway.budget~daily, palyra.gateway.price~mini"),
                seam.missing());
        seam.bindConfigured(new Held("palyra.gateway.price~mini"));
        assertEquals(Optional.of("palyra.gateway.budget~daily"), seam.missing());
        seam.bindConfigured(new Held("palyra.gateway.budget~daily"));
        assertEquals(Optional.empty(), seam.missing());
    }

    @Test
    void aFileThatIsGoneIsNotMissed() {
        seam.bindLooked(looker, inForce("palyra.gateway.model~fast"));
        seam.updatedLooked(looker, inForce());
        assertEquals(Optional.empty(), seam.missing());
    }
}
