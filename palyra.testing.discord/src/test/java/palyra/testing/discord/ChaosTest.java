package palyra.testing.discord;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that goes by the rules loses nothing and doubles nothing, whatever goes wrong. */
class ChaosTest {
    private static final int MESSAGES = 40;
    private static final long INTENTS = 1 | 1 << 9 | 1 << 15;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void everyMessageIsHeardThatADiligentClientListensFor(long seed) throws Exception {
        try (FakeDiscord discord = new FakeDiscord().strict()) {
            discord.gateway().grant(Intent.MESSAGE_CONTENT);
            Channel general = discord.textChannel(discord.guild("Home"), "general");
            User ada = discord.user("ada");
            try (Client first = new Client(discord)) {
                String session = first.ready(INTENTS).path("session_id").asText();
                first.event("GUILD_CREATE");
                discord.chaos(Chaos.of(seed).events(0.3).connections(0.1));
                for (int at = 0; at < MESSAGES; at++) {
                    discord.say(ada, general, Integer.toString(at));
                }
                discord.chaos(Chaos.none());
                // Whatever it heard so far, it hears all the rest when it comes back.
                Map<String, String> heard = new LinkedHashMap<>();
                try (Client second = new Client(discord).connect()) {
                    second.resume(session, first.seq);
                    for (JsonNode next = second.next();
                            !next.path("t").asText().equals("RESUMED");
                            next = second.next()) {
                        if (next.path("t").asText().equals("MESSAGE_CREATE")) {
                            heard.put(
                                    next.path("d").path("id").asText(),
                                    next.path("d").path("content").asText());
                        }
                    }
                }
                assertEquals(MESSAGES, heard.size());
                List<String> sorted =
                        heard.entrySet().stream()
                                .sorted(Map.Entry.comparingByKey())
                                .map(Map.Entry::getValue)
                                .toList();
                for (int at = 0; at < MESSAGES; at++) {
                    assertEquals(Integer.toString(at), sorted.get(at));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void everyMessageIsPostedOnceByWhoTriesAgainWithItsNonce(long seed) throws Exception {
        try (FakeDiscord discord = new FakeDiscord().strict();
                Client client = new Client(discord)) {
            Channel general = discord.textChannel(discord.guild("Home"), "general");
            discord.chaos(Chaos.of(seed).calls(0.4));
            int tries = 0;
            for (int at = 0; at < MESSAGES; at++) {
                String body =
                        "{\"content\":\"%d\",\"nonce\":\"n%d\",\"enforce_nonce\":true}"
                                .formatted(at, at);
                tries++;
                while (status(client, general, body) != 200) {
                    tries++;
                }
            }
            assertTrue(tries > MESSAGES, "something went wrong: " + tries + " tries");
            List<String> expected = new ArrayList<>();
            for (int at = 0; at < MESSAGES; at++) {
                expected.add(Integer.toString(at));
            }
            assertEquals(expected, discord.posted(general).stream().map(Posted::content).toList());
        }
    }

    private static int status(Client client, Channel channel, String body)
            throws InterruptedException {
        try {
            return client.call("POST", "/channels/" + channel.id() + "/messages", body)
                    .statusCode();
        } catch (IOException e) {
            return 0;
        }
    }

    @Test
    void theSameSeedMakesTheSameChaos() {
        assertEquals(rolls(7), rolls(7));
        assertTrue(rolls(7).contains(Optional.of(Trouble.INVALID)));
        assertTrue(rolls(7).contains(Optional.of(Trouble.ZOMBIE)));
        assertTrue(rolls(7).contains(Optional.of(Trouble.NO_EVENTS)));
        assertEquals(List.of(Optional.empty()), rolls(Chaos.none(), 1));
    }

    private static List<Optional<Trouble>> rolls(long seed) {
        return rolls(Chaos.of(seed).connections(0.5).silences(0.1).losses(0.2), 100);
    }

    private static List<Optional<Trouble>> rolls(Chaos chaos, int times) {
        List<Optional<Trouble>> rolls = new ArrayList<>();
        for (int at = 0; at < times; at++) {
            rolls.add(chaos.afterEvent());
        }
        return rolls;
    }
}
