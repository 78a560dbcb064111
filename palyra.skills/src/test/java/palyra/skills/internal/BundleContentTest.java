package palyra.skills.internal;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What must be in the bundle besides its classes. */
class BundleContentTest {
    @Test
    void holdsTheReaderOfTomlWithItsLicenseAndATemplate() throws Exception {
        String bnd = Files.readString(Path.of("bnd.bnd"));
        assertTrue(bnd.contains("jackson-dataformat-toml"), bnd);
        assertTrue(bnd.contains("META-INF/LICENSE"), bnd);
        assertNotNull(
                BundleContentTest.class.getResource(
                        "/palyra/skills/templates/minimal/modules/skill.wasm"));
    }
}
