package palyra.deploy.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeploySettingsTest {
    private static final Path STATE = Path.of("/var/lib/palyra");

    private static DeploySettings of(boolean safe, Map<String, Object> values) {
        return DeploySettings.of(Samples.configuration(values), STATE, safe);
    }

    @Test
    void isOffUnlessItIsEnabled() {
        DeploySettings settings = of(false, Map.of());
        assertFalse(settings.active());
        assertEquals("It is not enabled.", settings.why());
        assertEquals(List.of(), settings.pins());
        settings = of(false, Map.of("enabled", true));
        assertTrue(settings.active());
        assertEquals(STATE.resolve("deploy"), settings.folder());
        assertTrue(settings.own());
    }

    @Test
    void isOffInSafeMode() {
        DeploySettings settings = of(true, Map.of("enabled", true));
        assertFalse(settings.active());
        assertTrue(settings.why().contains("--safe"));
    }

    @Test
    void isOffWhenTheFolderIsOneOfTheGatewaysOwn() {
        DeploySettings settings = of(false, Map.of("enabled", true, "folder", "conf"));
        assertFalse(settings.active());
        assertTrue(settings.why().contains("keeps for itself"), settings.why());
        assertTrue(settings.faulty());
        assertFalse(of(false, Map.of("folder", "conf")).faulty(), "it is not enabled");
    }

    @Test
    void makesNoFolderOutsideTheState() {
        assertFalse(of(false, Map.of("enabled", true, "folder", "/srv/drop")).own());
    }
}
