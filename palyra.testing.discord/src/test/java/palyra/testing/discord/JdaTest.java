package palyra.testing.discord;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import net.dv8tion.jda.api.JDA;
import net.dv8tion.jda.api.JDABuilder;
import net.dv8tion.jda.api.components.actionrow.ActionRow;
import net.dv8tion.jda.api.components.buttons.Button;
import net.dv8tion.jda.api.entities.emoji.Emoji;
import net.dv8tion.jda.api.events.interaction.command.SlashCommandInteractionEvent;
import net.dv8tion.jda.api.events.interaction.component.ButtonInteractionEvent;
import net.dv8tion.jda.api.events.message.MessageReceivedEvent;
import net.dv8tion.jda.api.hooks.ListenerAdapter;
import net.dv8tion.jda.api.interactions.commands.OptionType;
import net.dv8tion.jda.api.interactions.commands.build.Commands;
import net.dv8tion.jda.api.requests.GatewayIntent;
import net.dv8tion.jda.api.requests.RestConfig;
import net.dv8tion.jda.api.utils.ConcurrentSessionController;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import palyra.testing.wait.Await;

/** A client that was not written for the fake takes it for Discord. */
class JdaTest {
    /** JDA sends a parameter there that Discord's document knows of another call alone. */
    private static final String SUPERFLUOUS =
            "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original: takes no query"
                    + " parameter wait";

    private final FakeDiscord discord = new FakeDiscord();
    private final Guild guild = discord.guild("Home");
    private final Channel general = discord.textChannel(guild, "general");
    private final User ada = discord.user("ada");
    private final BlockingQueue<MessageReceivedEvent> messages = new LinkedBlockingQueue<>();
    private final BlockingQueue<SlashCommandInteractionEvent> commands =
            new LinkedBlockingQueue<>();
    private final BlockingQueue<ButtonInteractionEvent> buttons = new LinkedBlockingQueue<>();
    private JDA jda;

    @BeforeEach
    void logIn() throws Exception {
        discord.gateway().grant(Intent.MESSAGE_CONTENT);
        jda =
                JDABuilder.createLight(
                                discord.token(),
                                List.of(
                                        GatewayIntent.GUILD_MESSAGES,
                                        GatewayIntent.DIRECT_MESSAGES,
                                        GatewayIntent.MESSAGE_CONTENT))
                        .setRestConfig(new RestConfig().setBaseUrl(discord.restBase() + "/"))
                        .setSessionController(
                                new ConcurrentSessionController() {
                                    @Override
                                    public String getGateway() {
                                        return discord.gatewayUrl();
                                    }
                                })
                        .addEventListeners(
                                new ListenerAdapter() {
                                    @Override
                                    public void onMessageReceived(MessageReceivedEvent event) {
                                        if (!event.getAuthor().isBot()) {
                                            messages.add(event);
                                        }
                                    }

                                    @Override
                                    public void onSlashCommandInteraction(
                                            SlashCommandInteractionEvent event) {
                                        commands.add(event);
                                    }

                                    @Override
                                    public void onButtonInteraction(ButtonInteractionEvent event) {
                                        buttons.add(event);
                                    }
                                })
                        .build()
                        .awaitReady();
    }

    @AfterEach
    void logOut() {
        jda.shutdownNow();
        discord.close();
        List<String> violations = new ArrayList<>(discord.violations());
        violations.removeIf(SUPERFLUOUS::equals);
        assertEquals(List.of(), violations);
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(10, TimeUnit.SECONDS);
        assertTrue(next != null, "nothing came");
        return next;
    }

    @Test
    void itReadsWritesEditsAndReacts() throws Exception {
        discord.say(ada, general, "hello " + discord.bot().mention());
        MessageReceivedEvent heard = next(messages);
        assertEquals("hello " + discord.bot().mention(), heard.getMessage().getContentRaw());
        assertEquals("ada", heard.getAuthor().getName());
        assertEquals("general", heard.getChannel().getName());

        heard.getMessage()
                .reply("one moment")
                .setNonce("0123456789012345678901234")
                .complete()
                .editMessage("hello yourself")
                .complete();
        heard.getMessage().addReaction(Emoji.fromUnicode("👍")).complete();
        heard.getChannel().sendTyping().complete();

        Posted posted = discord.posted(general).get(0);
        assertEquals(List.of("one moment", "hello yourself"), posted.contents());
        assertEquals("0123456789012345678901234", posted.nonce());
        assertEquals(heard.getMessageId(), posted.replyTo());
        assertEquals(
                List.of("👍"), discord.reactions(new Message(general.id(), heard.getMessageId())));
        assertEquals(1, discord.typing(general));
    }

    @Test
    void itGetsDirectMessagesAndFiles() throws Exception {
        Channel direct = discord.dm(ada);
        discord.say(ada, direct, "read this", Map.of("notes.txt", new byte[] {104, 105}));
        MessageReceivedEvent heard = next(messages);
        assertEquals("read this", heard.getMessage().getContentRaw());
        assertEquals(2, heard.getMessage().getAttachments().get(0).getSize());
        try (var file = heard.getMessage().getAttachments().get(0).getProxy().download().get()) {
            assertEquals("hi", new String(file.readAllBytes(), StandardCharsets.UTF_8));
        }
        heard.getChannel()
                .sendFiles(
                        net.dv8tion.jda.api.utils.FileUpload.fromData(
                                new byte[] {1, 2, 3}, "answer.bin"))
                .complete();
        Posted posted = discord.posted(direct).get(0);
        assertEquals(List.of("answer.bin"), posted.attachments());
        assertEquals(3, discord.file(posted.message(), "answer.bin").length);
    }

    @Test
    void itGetsCommandsAndButtons() throws Exception {
        jda.updateCommands()
                .addCommands(
                        Commands.slash("ask", "Asks the agent.")
                                .addOption(OptionType.STRING, "text", "What to ask.", true))
                .complete();
        Interaction asked = discord.slash(ada, general, "ask", Map.of("text", "why?"));
        SlashCommandInteractionEvent command = next(commands);
        assertEquals("why?", command.getOption("text").getAsString());
        command.deferReply().complete();
        command.getHook()
                .editOriginal("may I?")
                .setComponents(ActionRow.of(Button.primary("approve:1", "Yes")))
                .complete();
        Posted original = discord.interaction(asked).original().orElseThrow();
        assertEquals("may I?", original.content());

        Interaction pressed = discord.press(ada, original.message(), "approve:1");
        ButtonInteractionEvent button = next(buttons);
        assertEquals("approve:1", button.getComponentId());
        button.editMessage("yes").setComponents().complete();
        assertEquals(7, discord.interaction(pressed).answerType());
        assertEquals("yes", discord.posted(original.message()).content());
        button.getHook().sendMessage("done").setEphemeral(true).complete();
        assertTrue(discord.interaction(pressed).followups().get(0).isEphemeral());
    }

    @Test
    void itOpensThreads() throws Exception {
        Message first = discord.say(ada, general, "a long story");
        next(messages)
                .getMessage()
                .createThreadChannel("story")
                .complete()
                .sendMessage("go on")
                .complete();
        Channel thread = discord.threads(general).get(0);
        assertEquals(first.id(), thread.id());
        discord.awaitPosted(thread, "go on");
        discord.say(ada, thread, "and then");
        assertEquals("and then", next(messages).getMessage().getContentRaw());
    }

    @Test
    void itHearsEverythingInChaos() throws Exception {
        discord.gateway().heartbeatEvery(Duration.ofMillis(200));
        discord.gateway().befall(Trouble.DROP); // the next connection has that interval
        discord.gateway().awaitResumes(1);
        discord.chaos(Chaos.of(4).events(0.2).connections(0.1));
        for (int at = 0; at < 40; at++) {
            String id = discord.say(ada, general, "message " + at).id();
            while (!next(messages).getMessageId().equals(id)) {
                // one of before, again
            }
        }
        assertTrue(discord.gateway().connections().size() > 2, "something went wrong");
        discord.chaos(Chaos.none());
    }

    @Test
    void itResumesAfterTheConnectionWasLost() throws Exception {
        discord.gateway().awaitReadies(1);
        discord.gateway().befall(Trouble.DROP);
        discord.say(ada, general, "in between");
        assertEquals("in between", next(messages).getMessage().getContentRaw());
        discord.gateway().awaitResumes(1);
        assertEquals(1, discord.gateway().readies());
        assertTrue(discord.gateway().connections().get(1).atResumeUrl());
        Await.until("JDA to be connected", () -> jda.getStatus() == JDA.Status.CONNECTED);
    }
}
