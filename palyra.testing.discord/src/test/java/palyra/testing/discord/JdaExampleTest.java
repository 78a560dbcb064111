package palyra.testing.discord;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.dv8tion.jda.api.JDA;
import net.dv8tion.jda.api.JDABuilder;
import net.dv8tion.jda.api.events.message.MessageReceivedEvent;
import net.dv8tion.jda.api.hooks.ListenerAdapter;
import net.dv8tion.jda.api.requests.GatewayIntent;
import net.dv8tion.jda.api.requests.RestConfig;
import net.dv8tion.jda.api.utils.ConcurrentSessionController;
import org.junit.jupiter.api.Test;

/** The example of {@code docs/testing-discord.md}, as it is there. */
class JdaExampleTest {
    // begin
    /** The bot: it answers who mentions it. */
    private static final class Greeter extends ListenerAdapter {
        @Override
        public void onMessageReceived(MessageReceivedEvent event) {
            if (!event.getAuthor().isBot()) {
                event.getMessage().reply("hello " + event.getAuthor().getName()).queue();
            }
        }
    }

    private static JDA logIn(FakeDiscord discord) throws InterruptedException {
        return JDABuilder.createLight(
                        discord.token(),
                        List.of(GatewayIntent.GUILD_MESSAGES, GatewayIntent.DIRECT_MESSAGES))
                .setRestConfig(new RestConfig().setBaseUrl(discord.restBase() + "/"))
                .setSessionController(
                        new ConcurrentSessionController() {
                            @Override
                            public String getGateway() {
                                return discord.gatewayUrl();
                            }
                        })
                .addEventListeners(new Greeter())
                .build()
                .awaitReady();
    }

    @Test
    void answersWhoMentionsIt() throws Exception {
        try (FakeDiscord discord = new FakeDiscord().strict()) {
            Channel general = discord.textChannel(discord.guild("Home"), "general");
            User ada = discord.user("ada");
            JDA jda = logIn(discord);
            try {
                Message question = discord.say(ada, general, "hi " + discord.bot().mention());
                Posted answer = discord.awaitPosted(general, "hello ada");
                assertEquals(question.id(), answer.replyTo());
            } finally {
                jda.shutdownNow();
            }
        }
    }

    // end

    @Test
    void theDocumentHasThisExample() throws Exception {
        String source =
                Files.readString(
                        Path.of("src/test/java/palyra/testing/discord/JdaExampleTest.java"));
        String example =
                source.substring(
                                source.indexOf("    // begin\n") + "    // begin\n".length(),
                                source.indexOf("    // end\n"))
                        .indent(-4)
                        .strip();
        String document = Files.readString(Path.of("../docs/testing-discord.md"));
        assertTrue(document.contains(example), example);
    }
}
