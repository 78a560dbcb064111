package palyra.connectors.telegram.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.annotation.Annotation;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorCapabilities.Feature;
import palyra.api.channel.ConnectorStatus.State;
import palyra.testing.telegram.FakeTelegram;

class TelegramSettingsTest {
    private final Map<String, Object> values =
            new HashMap<>(Map.of("token", "vault:global/telegram_main"));

    private TelegramConfiguration configuration() {
        return (TelegramConfiguration)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {TelegramConfiguration.class},
                        (proxy, method, arguments) ->
                                method.getName().equals("annotationType")
                                        ? (Class<? extends Annotation>) TelegramConfiguration.class
                                        : values.getOrDefault(
                                                method.getName(), method.getDefaultValue()));
    }

    private static Map<String, Object> pid(String suffix) {
        return Map.of("service.pid", TelegramConfiguration.PID + suffix);
    }

    private TelegramSettings settings() {
        return TelegramSettings.from(configuration(), pid("~main"));
    }

    private String refused() {
        return assertThrows(PalyraException.class, this::settings).getMessage();
    }

    @Test
    void defaultsAreThoseOfTelegram() {
        TelegramSettings settings = settings();
        assertEquals("telegram:main", settings.id().toString());
        assertEquals("vault:global/telegram_main", settings.token().toString());
        assertEquals("https://api.telegram.org", settings.apiUrl());
        assertEquals(50, settings.pollSeconds());
        assertFalse(settings.linkPreviews());
    }

    @Test
    void theAccountIsTheNameOfTheFile() {
        String told =
                assertThrows(
                                PalyraException.class,
                                () -> TelegramSettings.from(configuration(), pid("")))
                        .getMessage();
        assertTrue(told.contains(TelegramConfiguration.PID + "~ACCOUNT.json"), told);
        assertThrows(
                PalyraException.class, () -> TelegramSettings.from(configuration(), pid("~a b")));
    }

    @Test
    void aTokenItselfIsRefusedAndNotRepeated() {
        values.put("token", FakeTelegram.TOKEN);
        String told = refused();
        assertTrue(told.contains("palyra vault put"), told);
        assertFalse(told.contains("fakeFake"), told);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "api.telegram.org",
                "ftp://api.telegram.org",
                "http://api.telegram.org",
                "https://user:s3cret@api.telegram.org",
                "https://api.telegram.org?s3cret",
                "https://api.telegram.org/bot1:s3cret/",
                "https://api.telegram.org:70000/s3cret",
                "https://api.telegram.org:0",
                "https://api.telegram.org/s3cret x",
            })
    void anAddressThatIsNotUsableIsRefusedAndNotRepeated(String url) {
        values.put("apiUrl", url);
        String told = refused();
        assertTrue(told.contains("apiUrl"), told);
        assertFalse(told.contains("s3cret"), told);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:8081/",
                "http://localhost:8081",
                "https://bots.example/tg/"
            })
    void aServerOfOnesOwnMayBeUsed(String url) {
        values.put("apiUrl", url);
        assertEquals(url.replaceAll("/$", ""), settings().apiUrl());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 51, -1})
    void aPollIsHeldForOneToFiftySeconds(int seconds) {
        values.put("pollSeconds", seconds);
        assertTrue(refused().contains("pollSeconds is " + seconds));
    }

    @Test
    void theComponentOffersTheConnector() {
        TelegramComponent component = new TelegramComponent(configuration(), pid("~main"));
        assertEquals("telegram:main", component.id().toString());
        assertEquals(4_096, component.capabilities().maxCharacters());
        assertTrue(component.capabilities().has(Feature.EDITS));
        assertTrue(component.capabilities().has(Feature.BUTTONS));
        assertTrue(component.capabilities().has(Feature.THREADS));
        assertFalse(component.capabilities().has(Feature.LOOKUP));
        assertEquals(State.STOPPED, component.status().state());
        assertEquals("<b>x</b>", component.render("**x**").get(0));
        FakeContext context = new FakeContext();
        component.start(context);
        assertThrows(IllegalStateException.class, () -> component.start(context));
        assertEquals(1, component.loops().size());
        component.deactivate();
        assertEquals(0, component.loops().size());
        assertEquals(2, component.metrics().size());
    }
}
