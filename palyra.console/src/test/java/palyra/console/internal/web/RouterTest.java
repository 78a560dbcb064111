package palyra.console.internal.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class RouterTest {
    private final Router router =
            new Router()
                    .get("/console", exchange -> {})
                    .get("/console/panel/{id}/{path*}", exchange -> {})
                    .post("/console/sign-out", exchange -> {})
                    .open("GET", "/console/sign-in", exchange -> {});

    @Test
    void findsSegmentsAndTheRest() {
        assertEquals(
                Map.of("id", "skills", "path", "a/b"),
                router.find("GET", "/console/panel/skills/a/b").orElseThrow().segments());
        assertEquals(
                Map.of("id", "skills", "path", ""),
                router.find("HEAD", "/console/panel/skills").orElseThrow().segments());
    }

    @Test
    void letsOnlyOpenRoutesThroughWithoutASession() {
        assertTrue(router.find("GET", "/console/sign-in").orElseThrow().open());
        assertFalse(router.find("GET", "/console/").orElseThrow().open());
        assertFalse(router.find("POST", "/console/sign-out").orElseThrow().open());
    }

    @Test
    void knowsThePathOfAnotherMethod() {
        assertTrue(router.find("GET", "/console/sign-out").isEmpty());
        assertTrue(router.knows("/console/sign-out"));
        assertFalse(router.knows("/console/panel"));
    }
}
