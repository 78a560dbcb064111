package palyra.skills.internal.manifest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.PalyraException;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.model.SkillId;

/** Versions of Palyra, and which skills are made for them. */
class GatewayVersionTest {
    private static final SkillId SKILL = new SkillId("acme.weather", "1.0.0");

    @Test
    void versionsAreInTheOrderOfSemanticVersioning() {
        List<String> rising = // §11.4 of Semantic Versioning 2.0.0, and what is before and after
                List.of(
                        "0.9.9",
                        "1.0.0-0",
                        "1.0.0-9",
                        "1.0.0-10",
                        "1.0.0-99999999999999999999",
                        "1.0.0-100000000000000000000",
                        "1.0.0--",
                        "1.0.0-RC",
                        "1.0.0-alpha",
                        "1.0.0-alpha.1",
                        "1.0.0-alpha.beta",
                        "1.0.0-beta",
                        "1.0.0-beta.2",
                        "1.0.0-beta.11",
                        "1.0.0-rc.1",
                        "1.0.0",
                        "1.0.1-rc.1",
                        "1.0.1",
                        "1.2.0",
                        "1.10.0",
                        "2.0.0");
        for (int i = 0; i < rising.size(); i++) {
            for (int j = 0; j < rising.size(); j++) {
                int order =
                        SemanticVersion.of(rising.get(i))
                                .compareTo(SemanticVersion.of(rising.get(j)));
                assertEquals(
                        Integer.signum(i - j),
                        Integer.signum(order),
                        rising.get(i) + " and " + rising.get(j));
            }
        }
        assertEquals(SemanticVersion.of("1.0.0-a"), SemanticVersion.of("1.0.0-a+build.7"));
        assertEquals("1.0.0-a.1", SemanticVersion.of("1.0.0-a.1+b").toString());
    }

    @Test
    void whatIsNoVersionIsRefused() {
        for (String text :
                List.of(
                        "",
                        "1",
                        "1.0",
                        "1.0.0.0",
                        "01.0.0",
                        "1.0.0-",
                        "1.0.0-a..b",
                        "1.0.0-01",
                        "1.0.0+",
                        "v1.0.0",
                        "1.0.0 ",
                        "1.0.0-ä",
                        "1.0.0-" + "a.".repeat(200_000) + "a")) {
            assertThrows(PalyraException.class, () -> SemanticVersion.of(text), () -> text);
        }
    }

    @Test
    void theVersionOfABundleIsThatOfTheGateway() {
        assertEquals("0.1.0", GatewayVersion.of("0.1.0").version().toString());
        assertEquals("0.1.0", GatewayVersion.of("0.1.0.SNAPSHOT").version().toString());
        assertEquals("0.1.0", GatewayVersion.of("0.1.0.202611230259").version().toString());
        assertEquals("0.2.0-rc.1", GatewayVersion.of("0.2.0.rc1").version().toString());
        assertEquals("0.2.0-rc.1", GatewayVersion.of("0.2.0.RC-01").version().toString());
        assertEquals("0.2.0-beta", GatewayVersion.of("0.2.0.beta").version().toString());
        assertEquals("0.2.0.rc1", GatewayVersion.of("0.2.0.rc1").text());
        for (String text : List.of("", "1", "1.2", "1.2.3.4.5", "one")) {
            assertThrows(PalyraException.class, () -> GatewayVersion.of(text), text);
        }
    }

    private static String objection(String gateway, String min, String max) {
        return GatewayVersion.of(gateway)
                .objection(SKILL, new Manifest.Compat(1, min, max))
                .map(RefusedException::reason)
                .orElse("");
    }

    @Test
    void bothEndsOfARangeFitAndAPreReleaseIsBeforeItsVersion() {
        assertEquals("", objection("0.1.0", "", ""));
        assertEquals("", objection("0.1.0.SNAPSHOT", "0.1.0", "0.1.0"));
        assertEquals("palyra_too_old", objection("0.1.0", "0.1.1", ""));
        assertEquals("palyra_too_new", objection("0.1.1", "", "0.1.0"));
        assertEquals("palyra_too_old", objection("0.2.0.rc1", "0.2.0", ""));
        assertEquals("", objection("0.2.0.rc1", "0.2.0-beta.9", "0.2.0"));
        assertEquals("palyra_too_new", objection("0.2.0", "", "0.2.0-rc.9"));
    }

    @Test
    void anObjectionSaysWhatWasAskedWhatWasFoundAndWhatToDo() {
        String old =
                GatewayVersion.of("0.1.0")
                        .objection(SKILL, new Manifest.Compat(1, "2.0.0", "3.0.0"))
                        .orElseThrow()
                        .getMessage();
        assertEquals(
                "acme.weather@1.0.0 is made for Palyra 2.0.0 to 3.0.0, and this is Palyra 0.1.0."
                        + " Update the gateway, or take a version of the skill that fits.",
                old);
        String late =
                GatewayVersion.of("9.0.0")
                        .objection(SKILL, new Manifest.Compat(1, "", "3.0.0"))
                        .orElseThrow()
                        .getMessage();
        assertTrue(late.contains("up to 3.0.0, and this is Palyra 9.0.0. Take a later"), late);
    }
}
