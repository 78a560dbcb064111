package palyra.connectors.discord.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.PalyraException;
import palyra.api.command.ExitCodes;
import palyra.api.core.vault.SecretRef;
import palyra.api.core.vault.Vault;
import palyra.testing.access.FakeAccess;
import palyra.testing.access.FakeAccess.Use;
import palyra.testing.command.FakeCommandContext;
import palyra.testing.discord.Channel;
import palyra.testing.discord.Intent;
import palyra.testing.http.FaultyApi.Fault;

/** Setting a bot up, and what Discord says of it. */
class DiscordCommandTest {
    private static final String CONF = "palyra.connectors.discord~main.json";

    @TempDir Path conf;
    private final Stage stage = new Stage();
    private DiscordComponent component;
    private DiscordCommand command;

    @BeforeEach
    void open() {
        stage.withoutToken();
        component = component(false);
        command = new DiscordCommand(conf);
        command.bindAccess(new FakeAccess(Use.READ, Use.CHANGE), Map.of());
        command.bindVault(vault(), Map.of());
        command.bindEgress(stage.loopback, Map.of());
        command.bindAccount(component);
    }

    @AfterEach
    void close() {
        component.deactivate();
        stage.close();
    }

    private DiscordComponent component(boolean content) {
        DiscordConfiguration configuration =
                (DiscordConfiguration)
                        Proxy.newProxyInstance(
                                getClass().getClassLoader(),
                                new Class<?>[] {DiscordConfiguration.class},
                                (proxy, method, arguments) ->
                                        switch (method.getName()) {
                                            case "token" -> "vault:channel:discord:main/token";
                                            case "apiUrl" -> stage.discord.restBase();
                                            case "messageContent" -> content;
                                            default -> method.getDefaultValue();
                                        });
        DiscordComponent made =
                new DiscordComponent(
                        configuration, Map.of("service.pid", DiscordConfiguration.PID + "~main"));
        made.bindEgress(stage.loopback, Map.of());
        made.bindTunnels(stage.tunnels, Map.of());
        return made;
    }

    private Vault vault() {
        return (Vault)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {Vault.class},
                        (proxy, method, arguments) -> {
                            assertEquals("put", method.getName());
                            assertEquals(
                                    SecretRef.parse("vault:channel:discord:main/token"),
                                    arguments[1]);
                            stage.token(new String((byte[]) arguments[2], StandardCharsets.UTF_8));
                            if (component.loops().isEmpty()) {
                                component.start(stage.context); // it is configured now
                            }
                            return null;
                        });
    }

    private static FakeCommandContext.Builder at(String... positionals) {
        return FakeCommandContext.builder().positionals(positionals);
    }

    private static String out(FakeCommandContext context) {
        return context.output().text()
                + context.output().tables()
                + context.output().fieldSets()
                + context.output().notes();
    }

    @Test
    void setupKeepsTheTokenWritesTheFileAndVerifies() throws Exception {
        Channel room = stage.discord.textChannel(stage.discord.guild("guild"), "room");
        String token = stage.discord.token();
        FakeCommandContext context =
                at("setup", "main").in(token + "\n").terminal(80).option("test", room.id()).build();
        assertEquals(ExitCodes.OK, context.run(command), () -> out(context));
        assertEquals(token, stage.token());
        String written = Files.readString(conf.resolve(CONF));
        assertTrue(written.contains("vault:channel:discord:main/token"), written);
        assertFalse(written.contains(token), written);
        assertFalse(out(context).contains(token));
        assertEquals(
                "This is a test message of Palyra.",
                stage.discord.posted(room).getLast().content());
        assertTrue(out(context).contains("client_id=" + stage.discord.bot().id()), out(context));
        assertEquals(List.of(), stage.discord.violations());
        List<String> steps = context.output().notes();
        assertEquals(
                List.of("1", "2", "3", "4"),
                steps.stream().map(step -> step.substring(0, 1)).toList());
        assertTrue(steps.getLast().contains("\"connectors\": [\"discord:main\"]"), steps.getLast());
        assertTrue(steps.getLast().contains("palyra pairing approve CODE"), steps.getLast());
        assertTrue(steps.getLast().contains("docs/channels.md"), steps.getLast());
    }

    private void started() {
        stage.discord.guild("guild");
        stage.token(stage.discord.token());
        component.start(stage.context);
        stage.discord.awaitCommands(SlashCommands.all().size());
        palyra.testing.wait.Await.until(
                "it is ready",
                () -> component.status().state() == palyra.api.channel.ConnectorStatus.State.READY);
    }

    @Test
    void aTestMessageThatFailsIsSaidInASentence() throws Exception {
        started();
        FakeCommandContext context = at("verify").option("test", "1300000000000000009").build();
        assertEquals(ExitCodes.FAILED, context.run(command), () -> out(context));
        String out = out(context);
        assertTrue(out.contains("Test message\tno\tIt was not sent: Discord answered 404"), out);
        assertFalse(out.contains("Refused["), out);
    }

    @Test
    void jsonHasTheInvitationAndWhatBecameOfTheTest() throws Exception {
        started();
        Channel room = stage.discord.textChannel(stage.discord.guild("other"), "room");
        FakeCommandContext context = at("verify").json().option("test", room.id()).build();
        assertEquals(ExitCodes.OK, context.run(command), () -> out(context));
        String json = context.output().text();
        assertTrue(json.contains("\"check\":\"Test message\",\"fine\":true"), json);
        assertTrue(
                json.contains(
                        "\"check\":\"Invitation\",\"fine\":true,\"detail\":\"https://discord.com/"),
                json);
    }

    @Test
    void setupLeavesOtherSettingsAsTheyAre() throws Exception {
        stage.discord.guild("guild");
        command.unbindAccount(component);
        component = component(true); // as the gateway makes it of the file
        command.bindAccount(component);
        Files.writeString(conf.resolve(CONF), "{\"shards\": 1, \"linkPreviews\": true}");
        stage.discord.gateway().grant(Intent.MESSAGE_CONTENT);
        FakeCommandContext context =
                at("setup").in(stage.discord.token()).flag("message-content").build();
        assertEquals(ExitCodes.OK, context.run(command), () -> out(context));
        String written = Files.readString(conf.resolve(CONF));
        assertTrue(written.contains("linkPreviews"), written);
        assertTrue(written.contains("\"messageContent\" : true"), written);
    }

    @Test
    void setupOfABotThatFailedTriesTheNewTokenAtOnce() throws Exception {
        stage.discord.guild("guild");
        stage.token("MTEwMDAwMDAwMDAwMDAwMDAwMQ.Gxxxx.wrong-token-of-the-right-form");
        component.start(stage.context);
        palyra.testing.wait.Await.until(
                "a failure",
                () ->
                        component.status().state()
                                == palyra.api.channel.ConnectorStatus.State.FAILED);
        FakeCommandContext context = at("setup").in(stage.discord.token()).build();
        assertEquals(ExitCodes.OK, context.run(command), () -> out(context));
    }

    private static final String COMMANDS = "GET /applications/{application_id}/commands";
    private static final String PUT_COMMAND = "POST /applications/{application_id}/commands";
    private static final String WRONG =
            "MTEwMDAwMDAwMDAwMDAwMDAwMQ.Gxxxx.wrong-token-of-the-right-form";

    @Test
    void tokenThatDiscordRefusesReplacesNothing() throws Exception {
        stage.discord.guild("guild");
        stage.token(stage.discord.token());
        component.start(stage.context);
        palyra.testing.wait.Await.until(
                "it is ready",
                () -> component.status().state() == palyra.api.channel.ConnectorStatus.State.READY);
        FakeCommandContext context = at("setup").in(WRONG).build();
        PalyraException refused = assertThrows(PalyraException.class, () -> command.run(context));
        assertTrue(refused.getMessage().contains("nothing was changed"), refused.getMessage());
        assertFalse(refused.getMessage().contains("wrong-token"), refused.getMessage());
        assertEquals(stage.discord.token(), stage.token());
        assertFalse(Files.exists(conf.resolve(CONF)));
        assertEquals(palyra.api.channel.ConnectorStatus.State.READY, component.status().state());
    }

    @Test
    void theTokenOfAnotherAccountsBotIsRefused() throws Exception {
        stage.token(stage.discord.token());
        component.start(stage.context);
        palyra.testing.wait.Await.until(
                "it is ready",
                () -> component.status().state() == palyra.api.channel.ConnectorStatus.State.READY);
        Files.writeString(
                conf.resolve(CONF.replace("~main", "~twin")),
                "{\"apiUrl\": \"" + stage.discord.restBase() + "\"}");
        FakeCommandContext context =
                FakeCommandContext.builder()
                        .positionals("setup", "twin")
                        .in(stage.discord.token())
                        .build();
        PalyraException refused = assertThrows(PalyraException.class, () -> command.run(context));
        assertEquals(palyra.api.ErrorCode.CONFLICT, refused.code());
        assertTrue(refused.getMessage().contains("the bot of discord:main"), refused.getMessage());
    }

    /** No account is configured yet: the address is that of the file. */
    @Test
    void firstTokenThatDiscordRefusesIsNotKept() throws Exception {
        command.unbindAccount(component);
        Files.writeString(conf.resolve(CONF), "{\"apiUrl\": \"" + stage.discord.restBase() + "\"}");
        FakeCommandContext context = at("setup").in(WRONG).build();
        PalyraException refused = assertThrows(PalyraException.class, () -> command.run(context));
        assertTrue(refused.getMessage().contains("does not know"), refused.getMessage());
        assertEquals(null, stage.token());
        assertFalse(Files.readString(conf.resolve(CONF)).contains("token"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "[]", "{}", "", "{\"id\":null}", "<html>"})
    void answerThatIsNotDiscordsChangesNothing(String body) {
        stage.discord.fail("GET /users/@me", Fault.answering(200, body));
        FakeCommandContext context = at("setup").in(stage.discord.token()).build();
        PalyraException refused = assertThrows(PalyraException.class, () -> command.run(context));
        assertTrue(refused.getMessage().contains("could not be asked"), refused.getMessage());
        assertEquals(null, stage.token());
    }

    /** The session begins before the commands are there. */
    @Test
    void verifyWaitsForCommandsThatAreBeingRegistered() throws Exception {
        stage.discord.guild("guild");
        stage.token(stage.discord.token());
        CountDownLatch registered = new CountDownLatch(1);
        stage.discord.fail(PUT_COMMAND, Fault.late(registered));
        component.start(stage.context);
        palyra.testing.wait.Await.until(
                "it is ready",
                () -> component.status().state() == palyra.api.channel.ConnectorStatus.State.READY);
        FakeCommandContext context = at("verify").build();
        FutureTask<Integer> verified = new FutureTask<>(() -> context.run(command));
        new Thread(verified, "verify").start();
        palyra.testing.wait.Await.until(
                "another look", () -> stage.discord.calls(COMMANDS).size() >= 3);
        registered.countDown();
        assertEquals(ExitCodes.OK, verified.get(), () -> out(context));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /users/@me",
                "GET /applications/@me",
                "GET /gateway/bot",
                "GET /users/@me/guilds",
                "GET /applications/{application_id}/commands"
            })
    void verifyTakesNoEmptyAnswerForAYes(String call) throws Exception {
        stage.discord.guild("guild");
        stage.token(stage.discord.token());
        component.start(stage.context);
        stage.discord.awaitCommands(SlashCommands.all().size());
        palyra.testing.wait.Await.until(
                "it is ready",
                () -> component.status().state() == palyra.api.channel.ConnectorStatus.State.READY);
        FakeCommandContext well = at("verify").build();
        assertEquals(ExitCodes.OK, well.run(command), () -> out(well));
        for (String body : List.of("null", call.endsWith("s") ? "{\"a\":1}" : "[]", "")) {
            stage.discord.fail(call, Fault.answering(200, body));
            FakeCommandContext context = at("verify").build();
            assertEquals(ExitCodes.FAILED, context.run(command), () -> body + out(context));
        }
    }

    @Test
    void whatIsNoTokenIsRefusedAndNotRepeated() {
        FakeCommandContext context = at("setup").in("my s3cret").build();
        PalyraException refused = assertThrows(PalyraException.class, () -> command.run(context));
        assertTrue(refused.getMessage().contains("Client Secret"), refused.getMessage());
        assertFalse(refused.getMessage().contains("s3cret"), refused.getMessage());
        assertFalse(Files.exists(conf.resolve(CONF)));
    }

    @Test
    void verifySaysWhatIsMissingInDiscordsWords() throws Exception {
        component = component(true);
        command = new DiscordCommand(conf);
        command.bindAccount(component);
        stage.token(stage.discord.token());
        component.start(stage.context);
        FakeCommandContext context = at("verify").build();
        assertEquals(ExitCodes.FAILED, context.run(command));
        String out = out(context);
        assertTrue(out.contains("Message Content Intent"), out);
        assertTrue(out.contains("The bot is in no server"), out);
        assertTrue(out.contains("1000 of 1000 logins") || out.contains("999 of 1000"), out);
    }

    @Test
    void statusShowsTheSession() throws Exception {
        stage.token(stage.discord.token());
        component.start(stage.context);
        palyra.testing.wait.Await.until(
                "it is ready",
                () -> component.status().state() == palyra.api.channel.ConnectorStatus.State.READY);
        FakeCommandContext context = at("status", "main").build();
        assertEquals(ExitCodes.OK, context.run(command));
        assertTrue(out(context).contains("session at event"), out(context));
        assertTrue(out(context).contains(stage.discord.bot().id()), out(context));
    }

    @Test
    void whatIsNotThereIsSaidWithARemedy() {
        for (String step : List.of("verify", "status")) {
            PalyraException absent =
                    assertThrows(
                            PalyraException.class, () -> command.run(at(step, "other").build()));
            assertTrue(absent.getMessage().contains("setup other"), absent.getMessage());
        }
        for (FakeCommandContext.Builder bad :
                List.of(at("dance"), at("verify").option("test", "general"), at("verify", "a b"))) {
            assertThrows(PalyraException.class, () -> command.run(bad.build()));
        }
        assertEquals(List.of("setup", "status"), command.complete(0, "s"));
    }
}
