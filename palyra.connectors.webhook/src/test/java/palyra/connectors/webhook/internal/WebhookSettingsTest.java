package palyra.connectors.webhook.internal;

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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.PalyraException;

class WebhookSettingsTest {
    private final Map<String, Object> values =
            new HashMap<>(
                    Map.of(
                            "secrets",
                            new String[] {Stage.REF},
                            "callbackUrl",
                            "https://example.test/palyra"));

    private WebhookSettings settings(String suffix) {
        WebhookConfiguration configuration =
                (WebhookConfiguration)
                        Proxy.newProxyInstance(
                                getClass().getClassLoader(),
                                new Class<?>[] {WebhookConfiguration.class},
                                (proxy, method, arguments) ->
                                        method.getName().equals("annotationType")
                                                ? (Class<? extends Annotation>)
                                                        WebhookConfiguration.class
                                                : values.getOrDefault(
                                                        method.getName(),
                                                        method.getDefaultValue()));
        return WebhookSettings.from(
                configuration, Map.of("service.pid", WebhookConfiguration.PID + suffix));
    }

    private String refused() {
        return assertThrows(PalyraException.class, () -> settings("~main")).getMessage();
    }

    @Test
    void defaultsAreThoseOfTheSpecification() {
        WebhookSettings settings = settings("~main");
        assertEquals("webhook:main", settings.id().toString());
        assertEquals("/hooks/main", settings.path());
        assertEquals(Stage.REF, settings.secrets().get(0).toString());
        assertEquals(300, settings.windowSeconds());
        assertEquals(600, settings.requestsPerMinute());
        assertEquals(16_384, settings.maxCharacters());
        assertFalse(settings.receiverDeduplicates());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "~", "~.", "~..", "~a b", "~a/b"})
    void theAccountIsTheNameOfTheFile(String suffix) {
        assertThrows(PalyraException.class, () -> settings(suffix));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                "vault:global/secret",
                "vault:channel:webhook:other/secret",
                "vault:channel:telegram:main/secret",
                "channel:webhook:main/secret",
                ""
            })
    void aSecretIsNamedInTheAccountsOwnScope(String text) {
        values.put("secrets", new String[] {text});
        String message = refused();
        assertTrue(message.contains("palyra vault put channel:webhook:main/NAME"), message);
        assertFalse(message.contains("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"), message);
    }

    @Test
    void thereAreOneOrTwoSecrets() {
        values.put("secrets", new String[0]);
        assertTrue(refused().contains("0 references"));
        values.put("secrets", new String[] {Stage.REF, Stage.NEXT_REF, Stage.REF});
        assertTrue(refused().contains("3 references"));
        values.put("secrets", new String[] {Stage.NEXT_REF, Stage.REF});
        assertEquals(2, settings("~main").secrets().size());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://example.test",
                "https://example.test:8443/a/b?c=d",
                "http://127.0.0.1:8080/x",
                "http://localhost/x",
                "http://[::1]:1/x"
            })
    void answersGoOverTlsOrStayHere(String url) {
        values.put("callbackUrl", url);
        assertEquals(url, settings("~main").callbackUrl());
    }

    @ParameterizedTest
    @CsvSource({
        "http://example.test/x, unprotected",
        "http://10.0.0.1/x, unprotected",
        "ftp://example.test, https or http",
        "https:///x, https or http",
        "https://example.test:0/x, port",
        "https://example.test:70000/x, port",
        "https://user:token@example.test/x, user information",
        "https://example.test/x#y, fragment",
        "https://example.test/a b, not a URL",
        "nothing, https or http",
        "'', callbackUrl"
    })
    void otherAddressesAreRefused(String url, String named) {
        values.put("callbackUrl", url);
        String message = refused();
        assertTrue(message.contains(named), message);
        assertFalse(message.contains("token"), message);
    }

    @ParameterizedTest
    @CsvSource({
        "windowSeconds, 9",
        "windowSeconds, 3601",
        "requestsPerMinute, 0",
        "requestsPerMinute, 60001",
        "maxCharacters, 63",
        "maxCharacters, 65537"
    })
    void numbersHaveBounds(String key, int value) {
        values.put(key, value);
        String message = refused();
        assertTrue(message.contains(key + " is " + value), message);
    }
}
