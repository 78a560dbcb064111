package palyra.connectors.discord.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorCapabilities.Feature;
import palyra.api.channel.ConnectorStatus.State;
import palyra.api.channel.InboundMessage.Attachment;
import palyra.testing.channel.FakeConnectorContext;

/** Configuration: what is the usual, and what is refused and not repeated. */
class DiscordSettingsTest {
    private final Map<String, Object> values =
            new HashMap<>(Map.of("token", "vault:channel:discord:main/token"));

    private DiscordConfiguration configuration() {
        return (DiscordConfiguration)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {DiscordConfiguration.class},
                        (proxy, method, arguments) ->
                                method.getName().equals("annotationType")
                                        ? (Class<? extends Annotation>) DiscordConfiguration.class
                                        : values.getOrDefault(
                                                method.getName(), method.getDefaultValue()));
    }

    private static Map<String, Object> pid(String suffix) {
        return Map.of("service.pid", DiscordConfiguration.PID + suffix);
    }

    private DiscordSettings settings() {
        return DiscordSettings.from(configuration(), pid("~main"));
    }

    private String refused() {
        return assertThrows(PalyraException.class, this::settings).getMessage();
    }

    @Test
    void defaultsAskForNoPrivilegedIntent() {
        DiscordSettings settings = settings();
        assertEquals("discord:main", settings.id().toString());
        assertEquals("https://discord.com/api/v10", settings.apiUrl());
        assertEquals(1, settings.shards());
        assertFalse(settings.messageContent());
        assertFalse(settings.linkPreviews());
        assertTrue(settings.slashCommands());
        assertEquals(0b1_0010_0000_0001, settings.intents());
        values.put("messageContent", true);
        assertEquals(0b1001_0010_0000_0001, settings().intents());
    }

    @Test
    void theAccountIsTheNameOfTheFile() {
        String told =
                assertThrows(
                                PalyraException.class,
                                () -> DiscordSettings.from(configuration(), pid("")))
                        .getMessage();
        assertTrue(told.contains(DiscordConfiguration.PID + "~ACCOUNT.json"), told);
        assertThrows(
                PalyraException.class, () -> DiscordSettings.from(configuration(), pid("~a b")));
    }

    @Test
    void aTokenItselfIsRefusedAndNotRepeated() {
        values.put("token", "MTEwMDAw.Gabc.s3cret");
        String told = refused();
        assertTrue(told.contains("palyra vault put"), told);
        assertFalse(told.contains("s3cret"), told);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "discord.com",
                "ftp://discord.com/api/v10",
                "http://discord.com/api/v10",
                "https://user:s3cret@discord.com",
                "https://discord.com?s3cret",
                "https://discord.com:70000/s3cret",
                "https://discord.com:0",
                "https://discord.com/s3cret x",
            })
    void anAddressThatIsNotUsableIsRefusedAndNotRepeated(String url) {
        values.put("apiUrl", url);
        String told = refused();
        assertTrue(told.contains("apiUrl"), told);
        assertFalse(told.contains("s3cret"), told);
    }

    @Test
    void aServerOfFilesGoesWithAnotherApi() {
        values.put("filesUrl", "http://127.0.0.1:4711");
        assertTrue(refused().contains("filesUrl is for a test server"), refused());
        values.put("apiUrl", "http://127.0.0.1:4712/api/v10");
        assertEquals("http://127.0.0.1:4711", settings().filesUrl());
        values.put("filesUrl", "ftp://127.0.0.1");
        assertTrue(refused().contains("filesUrl is not an https or http URL"), refused());
    }

    @ParameterizedTest
    @CsvSource({"shards,0", "shards,65", "backfillHours,-1", "backfillHours,169"})
    void numbersOutOfTheirRangeAreRefusedWithTheRange(String name, int value) {
        values.put(name, value);
        assertTrue(refused().contains(name + " is " + value + "; use "), refused());
    }

    @Test
    void whatIsNoIdIsNotAccepted() {
        values.put("acceptBots", new String[] {"@other-bot"});
        assertTrue(refused().contains("@other-bot"), refused());
        values.put("acceptBots", new String[] {"1300000000000000001"});
        assertEquals(1, settings().acceptBots().size());
    }

    @Test
    void theComponentOffersTheConnector() {
        DiscordComponent component = new DiscordComponent(configuration(), pid("~main"));
        assertEquals("discord:main", component.id().toString());
        assertEquals(2_000, component.capabilities().maxCharacters());
        for (Feature feature :
                new Feature[] {
                    Feature.EDITS,
                    Feature.BUTTONS,
                    Feature.THREADS,
                    Feature.REACTIONS,
                    Feature.LOOKUP,
                    Feature.FILES_IN,
                    Feature.FILES_OUT
                }) {
            assertTrue(component.capabilities().has(feature));
        }
        assertFalse(component.capabilities().has(Feature.DEDUPLICATION), "minutes are not enough");
        assertEquals(State.STOPPED, component.status().state());
        assertEquals("**x**", component.render("**x**").get(0));
        String stopped =
                assertThrows(
                                PalyraException.class,
                                () ->
                                        component.fetch(
                                                new Attachment("a", "", 1, "1/2/3"),
                                                OutputStream.nullOutputStream(),
                                                1))
                        .getMessage();
        assertEquals("discord:main is stopped.", stopped);
        FakeConnectorContext context = FakeConnectorContext.empty(Map.of());
        component.start(context);
        assertThrows(IllegalStateException.class, () -> component.start(context));
        assertEquals(7, component.loops().size());
        component.deactivate();
        assertEquals(0, component.loops().size());
        assertFalse(component.metrics().isEmpty());
    }
}
