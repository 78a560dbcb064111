package palyra.tracing.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.annotation.Annotation;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.vault.SecretRef;
import palyra.testing.journal.MemoryJournal;

final class TracingSettingsTest {
    private static TracingConfiguration configuration(Map<String, ?> values) {
        return (TracingConfiguration)
                Proxy.newProxyInstance(
                        TracingSettingsTest.class.getClassLoader(),
                        new Class<?>[] {TracingConfiguration.class},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("annotationType")) {
                                return (Class<? extends Annotation>) TracingConfiguration.class;
                            }
                            Object value = values.get(method.getName());
                            return value == null ? method.getDefaultValue() : value;
                        });
    }

    private static TracingSettings settings(String endpoint, String... headers) {
        return TracingSettings.from(
                configuration(Map.of("endpoint", endpoint, "headers", headers)));
    }

    private static String refusal(String endpoint, String... headers) {
        PalyraException e = assertThrows(PalyraException.class, () -> settings(endpoint, headers));
        assertEquals(ErrorCode.INVALID_ARGUMENT, e.code());
        return e.getMessage();
    }

    @Test
    void offByDefaultAndThenNothingIsFollowedOrRead() {
        TracingConfiguration configuration = configuration(Map.of());
        assertFalse(TracingSettings.from(configuration).on());
        TracingComponent component = new TracingComponent(null, configuration);
        MemoryJournal journal = new MemoryJournal();
        journal.beforeRead(
                () -> {
                    throw new AssertionError("read");
                });
        component.bindJournal(journal, Map.of());
        component.bindFeed(
                (LiveFeed)
                        Proxy.newProxyInstance(
                                getClass().getClassLoader(),
                                new Class<?>[] {LiveFeed.class},
                                (proxy, method, arguments) -> {
                                    if (method.getDeclaringClass() == Object.class) {
                                        return proxy == arguments[0];
                                    }
                                    throw new AssertionError(method);
                                }),
                Map.of());
        assertTrue(component.loops().isEmpty());
        assertTrue(component.metrics().isEmpty());
        assertTrue(component.findings().isEmpty());
        component.close();
    }

    @Test
    void headersAreRead() {
        TracingSettings settings =
                settings(
                        "https://otel.example.org/v1/traces",
                        "X-Tenant: a: b",
                        "Authorization: vault:global/otlp");
        assertEquals(Map.of("X-Tenant", "a: b"), settings.headers());
        assertEquals(
                Map.of("Authorization", SecretRef.parse("vault:global/otlp")),
                settings.secretHeaders());
        assertTrue(settings.on());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://x/v1",
                "otel",
                "http://",
                "http://a:0/v1",
                "http://a:70000/v1",
                "http://u:geheim@a/v1",
                "https://a/v1#geheim",
                "ht tp://a/geheim"
            })
    void endpointThatIsNotUsableIsRefusedWithoutBeingRepeated(String endpoint) {
        String message = refusal(endpoint);
        assertTrue(message.contains("endpoint"), message);
        assertFalse(message.contains("geheim"), message);
    }

    @Test
    void credentialTravelsProtectedOrNotAtAll() {
        String vault = "Authorization: vault:global/otlp";
        assertTrue(refusal("http://otel.example.org/v1/traces", vault).contains("use https"));
        assertTrue(settings("http://127.0.0.1:4318/v1/traces", vault).on());
        assertTrue(settings("http://otel.example.org/v1/traces").on());
    }

    @Test
    void headerThatIsNotUsableIsRefusedWithoutItsValue() {
        for (String line :
                new String[] {
                    "geheim", "A B: geheim", ": geheim", "A: ", "A: geheim\u00fc", "api-key: geheim"
                }) {
            String message = refusal("https://otel.example.org/v1/traces", line);
            assertFalse(message.contains("geheim") && !line.equals("geheim"), message);
            assertTrue(message.startsWith("headers has"), message);
        }
    }

    @Test
    void shareIsBetweenNoneAndAll() {
        for (double ratio : new double[] {-0.1, 1.1, Double.NaN}) {
            assertThrows(
                    PalyraException.class,
                    () -> TracingSettings.from(configuration(Map.of("sampleRatio", ratio))));
        }
    }
}
