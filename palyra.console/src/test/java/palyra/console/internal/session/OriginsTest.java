package palyra.console.internal.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.PalyraException;
import palyra.console.internal.fakes.FakeExchange;

class OriginsTest {
    private static Origins behind(String... proxies) {
        ConsoleSettings settings = ConsoleSettings.of(30, 12, true, new String[0], proxies);
        return new Origins(() -> settings);
    }

    private static String address(Origins origins, String remote, String forwarded) {
        FakeExchange exchange = FakeExchange.get("/console");
        exchange.remote = remote;
        exchange.header("X-Forwarded-For", forwarded);
        return origins.client(exchange.request()).address();
    }

    @Test
    void onlyATrustedProxySaysForWhomItAsks() {
        assertEquals("192.0.2.9", address(behind(), "192.0.2.9", "10.0.0.1"));
        assertEquals("10.0.0.1", address(behind("192.0.2.9"), "192.0.2.9", "10.0.0.1"));
        assertEquals("10.0.0.1", address(behind("192.0.2.9"), "192.0.2.9", "127.0.0.1, 10.0.0.1"));
        assertEquals("192.0.2.8", address(behind("192.0.2.9"), "192.0.2.8", "10.0.0.1"));
        assertEquals("192.0.2.9", address(behind("192.0.2.9"), "192.0.2.9", "<script>"));
    }

    @Test
    void ofSeveralLinesTheLastIsTheProxysOwn() {
        FakeExchange exchange = FakeExchange.get("/console");
        exchange.remote = "192.0.2.9";
        exchange.header("X-Forwarded-For", "203.0.113.1").lineMore("X-Forwarded-For", "10.0.0.1");
        assertEquals("10.0.0.1", behind("192.0.2.9").client(exchange.request()).address());
        exchange.lineMore("X-Forwarded-For", "203.0.113.2, 10.0.0.2");
        assertEquals("10.0.0.2", behind("192.0.2.9").client(exchange.request()).address());
        assertEquals("192.0.2.9", behind().client(exchange.request()).address());
    }

    @Test
    void browsersAreNamedInAFewWords() {
        assertEquals(
                "Firefox on Linux",
                Browsers.name("Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Firefox/148.0"));
        assertEquals(
                "Chrome on Android",
                Browsers.name("Mozilla/5.0 (Linux; Android 16) Chrome/156.0 Mobile Safari/537"));
        assertEquals("Another browser", Browsers.name("<script>"));
    }

    @Test
    void publicUrlsAreOriginsWithTls() {
        ConsoleSettings settings =
                ConsoleSettings.of(
                        30,
                        12,
                        true,
                        new String[] {"https://Palyra.example/", " ", "https://b:8443"},
                        new String[0]);
        assertEquals(Set.of("https://palyra.example", "https://b:8443"), settings.publicOrigins());
        for (String wrong :
                List.of(
                        "http://palyra.example",
                        "palyra.example",
                        "https://palyra.example/console",
                        "https://user@palyra.example",
                        "https://palyra.example?x")) {
            assertThrows(
                    PalyraException.class,
                    () -> ConsoleSettings.of(30, 12, true, new String[] {wrong}, new String[0]),
                    wrong);
        }
    }
}
