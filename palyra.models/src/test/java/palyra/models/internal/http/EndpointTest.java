package palyra.models.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import palyra.api.PalyraException;

class EndpointTest {
    private static String refused(String url) {
        return assertThrows(PalyraException.class, () -> Endpoint.baseUrl(url, false)).getMessage();
    }

    @Test
    void takesSecureAddressesAndThisMachine() {
        assertEquals(
                "https://api.example.com/v1",
                Endpoint.baseUrl("https://api.example.com/v1/", false));
        for (String near :
                new String[] {
                    "http://localhost:11434/v1", "http://127.0.0.1:1", "http://[::1]:2"
                }) {
            assertEquals(near, Endpoint.baseUrl(near, false));
        }
        assertEquals("http://10.0.0.7:8000/v1", Endpoint.baseUrl("http://10.0.0.7:8000/v1", true));
    }

    @Test
    void refusesWhatWouldTellOrLoseAKey() {
        assertTrue(refused("http://api.example.com/v1").contains("https"));
        assertTrue(refused("http://127.0.0.1.example.com").contains("https"));
        refused("https://user:pass@api.example.com");
        refused("https://api.example.com/v1?key=abc");
        refused("https://api.example.com/v1#a");
        refused("ftp://api.example.com");
        refused("api.example.com");
        refused("https://");
        refused("");
    }

    private static Endpoint seeing(String... patterns) {
        return new Endpoint(
                "x",
                "http://localhost:1",
                null,
                "model-v",
                Map.of(),
                new Endpoint.Times(1, 1, 1, 1),
                1,
                1,
                1,
                List.of(patterns));
    }

    @Test
    void knowsWhichModelsSee() {
        Endpoint endpoint = seeing("gpt-4o*", " *-v", "a.b");
        for (String model : List.of("gpt-4o", "gpt-4o-mini", "x-v", "a.b", "")) {
            assertTrue(endpoint.sees(model), model);
        }
        for (String model : List.of("gpt-4", "x-v1", "axb", "my-gpt-4o")) {
            assertFalse(endpoint.sees(model), model);
        }
        assertFalse(seeing().sees("gpt-4o"));
        assertTrue(seeing("*").sees("anything"));
        assertThrows(PalyraException.class, () -> seeing(" "));
    }

    @Test
    void takesAReferenceAndNeverRepeatsAKey() {
        assertNull(Endpoint.key(" "));
        assertEquals("vault:global/x", Endpoint.key("vault:global/x").toString());
        String message =
                assertThrows(PalyraException.class, () -> Endpoint.key("sk-abc123")).getMessage();
        assertFalse(message.contains("sk-abc123"), message);
        assertTrue(message.contains("palyra vault put"), message);
        String bad =
                assertThrows(PalyraException.class, () -> Endpoint.key("vault:abc")).getMessage();
        assertFalse(bad.contains("vault:abc"), bad);
    }

    @Test
    void takesHeadersWithoutCredentials() {
        assertEquals(
                Map.of("X-Title", "Palyra"), Endpoint.headers(new String[] {"X-Title: Palyra"}));
        for (String bad :
                new String[] {
                    "Authorization: Bearer x",
                    "api-key: x",
                    "Host: other",
                    "Content-Length: 1",
                    "Accept: text/html",
                    "a b: c",
                    "none",
                    "X: a\r\nY: b"
                }) {
            assertThrows(PalyraException.class, () -> Endpoint.headers(new String[] {bad}), bad);
        }
    }

    @Test
    void hasTheNameOfItsFile() {
        assertEquals("near", Endpoint.name(Map.of("service.pid", "palyra.models.openai~near")));
    }
}
