package palyra.testing.discord;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.testing.http.FaultyApi.Fault;
import palyra.testing.wait.Await;

class GatewayTest {
    private static final long ALL = 1 | 1 << 9 | 1 << 12 | 1 << 15;

    private final FakeDiscord discord = new FakeDiscord();
    private final FakeGateway gateway = discord.gateway();
    private final Guild guild = discord.guild("Home");
    private final Channel general = discord.textChannel(guild, "general");
    private final User ada = discord.user("ada");
    private final List<Client> clients = new ArrayList<>();

    private Client client() {
        Client client = new Client(discord);
        clients.add(client);
        return client;
    }

    @AfterEach
    void noRuleWasBroken() {
        clients.forEach(Client::close);
        discord.close();
        assertEquals(List.of(), discord.violations());
    }

    private void say(int from, int to) {
        for (int at = from; at <= to; at++) {
            discord.say(ada, general, "message " + at);
        }
    }

    private static void hears(Client client, int from, int to) throws InterruptedException {
        for (int at = from; at <= to; at++) {
            assertEquals("message " + at, client.event("MESSAGE_CREATE").path("content").asText());
        }
    }

    /** Waits for it at the fake, as the JDK's client does not always tell of a bare end. */
    private void ends(int number) {
        Await.until(
                "connection " + number + " to end",
                () -> !gateway.connections().get(number - 1).open());
    }

    // A session begins.

    @Test
    void aSessionBeginsWithTheGuildsItsBotIsIn() throws Exception {
        Client client = client().connect();
        assertEquals(41_250, client.next(10).path("d").path("heartbeat_interval").asInt());
        client.identify(discord.token(), 1, "");
        JsonNode ready = client.event("READY");
        assertEquals(discord.bot().id(), ready.path("user").path("id").asText());
        assertEquals(guild.id(), ready.path("guilds").path(0).path("id").asText());
        assertTrue(ready.path("guilds").path(0).path("unavailable").asBoolean());
        JsonNode whole = client.event("GUILD_CREATE");
        assertEquals("general", whole.path("channels").path(0).path("name").asText());
    }

    @Test
    void heartbeatsAreAcknowledgedAndAskedFor() throws Exception {
        Client client = client();
        client.ready();
        client.send("{\"op\":1,\"d\":2}");
        client.next(11);
        gateway.askForHeartbeat();
        client.next(1);
        assertEquals(1, gateway.connections().get(0).heartbeats());
    }

    @Test
    void whatIsCompressedIsOneStream() throws Exception {
        gateway.grant(Intent.MESSAGE_CONTENT);
        Client client = client();
        client.connect(discord.gatewayUrl() + "?v=10&encoding=json&compress=zlib-stream");
        client.identify(discord.token(), ALL, "");
        client.event("GUILD_CREATE");
        say(1, 20);
        hears(client, 1, 20);
        assertTrue(gateway.connections().get(0).compressed());
    }

    // What is refused.

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "4004 | {'op':2,'d':{'token':'wrong','intents':1,'properties':P}}",
                "4014 | {'op':2,'d':{'token':T,'intents':32768,'properties':P}}",
                "4014 | {'op':2,'d':{'token':T,'intents':2,'properties':P}}",
                "4013 | {'op':2,'d':{'token':T,'intents':131072,'properties':P}}",
                "4013 | {'op':2,'d':{'token':T,'properties':P}}",
                "4010 | {'op':2,'d':{'token':T,'intents':1,'shard':[2,2],'properties':P}}",
                "4002 | {'op':2,'d':{'intents':1}}",
                "4002 | {'op':",
                "4002 | 17",
                "4003 | {'op':3,'d':{}}",
                "4001 | {'op':99,'d':{}}",
                "4004 | {'op':6,'d':{'token':'wrong','session_id':'x','seq':1}}",
                "4002 | {'op':6,'d':{'token':T,'session_id':'x'}}"
            })
    void whatAClientMayNotSayClosesItsConnection(int code, String said) throws Exception {
        Client client = client().connect();
        client.send(
                said.replace("P", "{'os':'a','browser':'b','device':'c'}")
                        .replace(":T", ":'" + discord.token() + "'")
                        .replace('\'', '"'));
        assertEquals(code, client.closed());
        assertEquals(code, gateway.connections().get(0).serverCode());
    }

    @Test
    void nobodyIdentifiesTwice() throws Exception {
        Client client = client();
        client.ready();
        client.identify(discord.token(), 1, "");
        assertEquals(4005, client.closed());
    }

    @Test
    void aPayloadOfTheClientHasAtMost4096Bytes() throws Exception {
        Client client = client();
        client.ready();
        client.send("{\"op\":3,\"d\":{\"status\":\"" + "x".repeat(4_096) + "\"}}");
        assertEquals(4002, client.closed());
    }

    @Test
    void aConnectionTakes120PayloadsAMinute() throws Exception {
        Client client = client().connect();
        for (int at = 0; at < 120; at++) {
            client.send("{\"op\":1,\"d\":null}");
            client.next(11);
        }
        client.send("{\"op\":1,\"d\":null}");
        assertEquals(4008, client.closed());
    }

    @Test
    void aClientWithoutHeartbeatsIsClosed() throws Exception {
        gateway.heartbeatEvery(Duration.ofMillis(10));
        Client client = client();
        client.ready();
        assertEquals(4009, client.closed());
    }

    @Test
    void anOtherVersionOrEncodingIsRefusedAndABreachOfTheRules() throws Exception {
        assertEquals(4012, client().connect(discord.gatewayUrl() + "/?v=9").closed());
        assertEquals(4002, client().connect(discord.gatewayUrl() + "/?v=10&encoding=etf").closed());
        assertEquals(
                4002,
                client().connect(discord.gatewayUrl() + "/?v=10&compress=zstd-stream").closed());
        assertEquals(3, discord.takeViolations().size());
    }

    @Test
    void aBotThatNeedsShardsHasToUseThem() throws Exception {
        gateway.shards(2);
        Client client = client().connect();
        client.identify(discord.token(), 1, "");
        assertEquals(4011, client.closed());
    }

    @Test
    void sessionsMayNotBeStartedForEver() throws Exception {
        gateway.sessionStarts(1);
        client().ready();
        JsonNode limits = client().ask("GET", "/gateway/bot", "");
        assertEquals(0, limits.path("session_start_limit").path("remaining").asInt());
        String before = discord.token();
        Client second = client().connect();
        second.identify(before, 1, "");
        assertEquals(4004, second.closed());
        assertNotEquals(before, discord.token(), "Discord resets the token then");
        assertEquals(
                401,
                client().call("GET", "/users/@me", "", "Authorization", "Bot " + before)
                        .statusCode());
    }

    @Test
    void sessionsMayNotBeStartedAtOnce() throws Exception {
        gateway.concurrency(1, Duration.ofMinutes(1));
        client().ready();
        Client second = client().connect();
        second.identify(discord.token(), 1, "");
        assertFalse(second.next(9).path("d").asBoolean(true));
        assertEquals(1, gateway.readies());
    }

    // A session goes on.

    @Test
    void aResumedSessionHearsInOrderWhatItMissed() throws Exception {
        gateway.grant(Intent.MESSAGE_CONTENT);
        Client first = client();
        JsonNode ready = first.ready(ALL);
        say(1, 3);
        hears(first, 1, 2);
        gateway.befall(Trouble.DROP);
        say(4, 6);
        Client second = client();
        second.connect(ready.path("resume_gateway_url").asText() + "/?v=10&encoding=json");
        second.resume(ready.path("session_id").asText(), first.seq);
        hears(second, 3, 6);
        second.event("RESUMED");
        say(7, 7);
        hears(second, 7, 7);
        assertEquals(1, gateway.resumes());
        Connection connection = gateway.awaitConnected();
        assertTrue(connection.resumed() && connection.atResumeUrl());
    }

    @Test
    void aSessionIsGoneAfterAPauseThatIsTooLong() throws Exception {
        Client first = client();
        JsonNode ready = first.ready();
        gateway.forget();
        Client second = client().connect();
        second.resume(ready.path("session_id").asText(), first.seq);
        assertFalse(second.next(9).path("d").asBoolean(true));
    }

    @Test
    void anAttemptToResumeMayBeRefused() throws Exception {
        Client first = client();
        JsonNode ready = first.ready();
        first.drop();
        gateway.refuseResumes(1);
        Client second = client().connect();
        second.resume(ready.path("session_id").asText(), first.seq);
        assertFalse(second.next(9).path("d").asBoolean(true));
        second.identify(discord.token(), 1, "");
        second.event("READY");
    }

    @Test
    void aSequenceThatNeverWasEndsTheSession() throws Exception {
        Client first = client();
        JsonNode ready = first.ready();
        Client second = client().connect();
        second.resume(ready.path("session_id").asText(), 1_000);
        assertEquals(4007, second.closed());
    }

    @ParameterizedTest
    @CsvSource({"1000,false", "1001,false", "4000,true", "3999,true"})
    void someCodesOfTheClientEndItsSession(int code, boolean goesOn) throws Exception {
        Client first = client();
        JsonNode ready = first.ready();
        first.event("GUILD_CREATE");
        first.leave(code);
        Await.until("the close", () -> gateway.connections().get(0).clientCode() == code);
        Client second = client().connect();
        second.resume(ready.path("session_id").asText(), first.seq);
        JsonNode next = second.next();
        while (next.path("op").asInt() == 10) {
            next = second.next();
        }
        assertEquals(goesOn ? 0 : 9, next.path("op").asInt());
    }

    // Who hears what.

    @Test
    void withoutTheIntentTextsAreEmptyUnlessTheyConcernTheBot() throws Exception {
        Client client = client();
        client.ready();
        Message first = discord.say(ada, general, "secret", Map.of("a.txt", new byte[1]));
        JsonNode bare = client.event("MESSAGE_CREATE");
        assertEquals("", bare.path("content").asText());
        assertEquals(0, bare.path("attachments").size());
        discord.say(ada, general, "for " + discord.bot().mention());
        assertTrue(client.event("MESSAGE_CREATE").path("content").asText().startsWith("for"));
        discord.say(ada, discord.dm(ada), "direct");
        assertEquals("direct", client.event("MESSAGE_CREATE").path("content").asText());
        client.post(general, "{'content':'own'}");
        assertEquals("own", client.event("MESSAGE_CREATE").path("content").asText());
        discord.edit(first, "still secret");
        assertEquals("", client.event("MESSAGE_UPDATE").path("content").asText());
        discord.reply(ada, first, "hi " + discord.bot().mention());
        JsonNode reply = client.event("MESSAGE_CREATE");
        assertEquals("", reply.path("referenced_message").path("content").asText("none"));
        JsonNode listed =
                client.ask("GET", "/channels/" + general.id() + "/messages/" + first.id(), "");
        assertEquals("", listed.path("content").asText("none"));
    }

    @Test
    void eventsComeOnlyWithTheirIntents() throws Exception {
        Client client = client();
        client.ready(1 | 1 << 12);
        client.event("GUILD_CREATE");
        say(1, 2);
        discord.react(ada, discord.say(ada, general, "x"), "👍");
        discord.say(ada, discord.dm(ada), "direct");
        JsonNode next = client.next();
        assertEquals("MESSAGE_CREATE", next.path("t").asText());
        assertEquals("direct", next.path("d").path("content").asText());
    }

    @Test
    void eachShardHearsOfItsOwnGuilds() throws Exception {
        List<Client> shards = new ArrayList<>();
        for (int at = 0; at < 2; at++) {
            Client client = client().connect();
            client.identify(discord.token(), 1 | 1 << 9, ",\"shard\":[" + at + ",2]");
            client.event("READY");
            shards.add(client);
        }
        int its = (int) ((Long.parseLong(guild.id()) >> 22) % 2);
        discord.say(ada, general, "to one of them");
        assertEquals(guild.id(), shards.get(its).event("MESSAGE_CREATE").path("guild_id").asText());
        assertTrue(shards.get(1 - its).hearsNothingMore());
    }

    @Test
    void whatABotMayNotSeeItDoesNotHear() throws Exception {
        Client client = client();
        client.ready();
        discord.deny(general, Permission.VIEW_CHANNEL);
        say(1, 1);
        discord.deny(general);
        discord.say(ada, general, "hello " + discord.bot().mention());
        assertTrue(client.event("MESSAGE_CREATE").path("content").asText().startsWith("hello"));
    }

    @Test
    void editsDeletionsAndReactionsAreHeard() throws Exception {
        Client client = client();
        client.ready();
        Message message = discord.say(ada, general, "x");
        discord.edit(message, "y");
        assertTrue(client.event("MESSAGE_UPDATE").path("edited_timestamp").isTextual());
        Message link = discord.say(ada, discord.dm(ada), "https://example.org");
        discord.preview(link, "Example");
        JsonNode preview = client.event("MESSAGE_UPDATE");
        assertEquals("Example", preview.path("embeds").path(0).path("title").asText());
        assertTrue(preview.path("edited_timestamp").isNull());
        discord.react(ada, message, "👍");
        assertEquals(
                "👍", client.event("MESSAGE_REACTION_ADD").path("emoji").path("name").asText());
        discord.unreact(ada, message, "👍");
        client.event("MESSAGE_REACTION_REMOVE");
        discord.delete(message);
        assertEquals(message.id(), client.event("MESSAGE_DELETE").path("id").asText());
        discord.delete(discord.say(ada, general, "1"), discord.say(ada, general, "2"));
        assertEquals(2, client.event("MESSAGE_DELETE_BULK").path("ids").size());
        Channel thread = discord.thread(ada, general, "plans");
        assertEquals(thread.id(), client.event("THREAD_CREATE").path("id").asText());
        discord.delete(thread);
        client.event("THREAD_DELETE");
        discord.leave(guild);
        client.event("GUILD_DELETE");
    }

    @Test
    void rolesAreGivenMentionedAndSeen() throws Exception {
        gateway.grant(Intent.MESSAGE_CONTENT, Intent.GUILD_MEMBERS);
        Client client = client();
        client.ready(ALL | 1 << 1);
        String helper = discord.role(guild, "helper");
        client.event("GUILD_ROLE_CREATE");
        discord.give(guild, ada, helper);
        assertEquals(1, client.event("GUILD_MEMBER_UPDATE").path("roles").size());
        discord.say(ada, general, "<@&" + helper + "> help");
        JsonNode said = client.event("MESSAGE_CREATE");
        assertEquals(helper, said.path("mention_roles").path(0).asText());
        assertEquals(helper, said.path("member").path("roles").path(0).asText());
    }

    @Test
    void aGuildMayBeAwayForAWhile() throws Exception {
        Client client = client();
        client.ready();
        client.event("GUILD_CREATE");
        discord.outage(guild);
        assertTrue(client.event("GUILD_DELETE").path("unavailable").asBoolean());
        discord.back(guild);
        assertEquals(guild.id(), client.event("GUILD_CREATE").path("id").asText());
    }

    @Test
    void aHeartbeatSaysWhatWasHeard() throws Exception {
        Client client = client();
        client.ready();
        client.send("{\"op\":1,\"d\":99}");
        client.next(11);
        client.send("{\"op\":1,\"d\":\"1\"}");
        client.next(11);
        assertEquals(2, discord.takeViolations().size());
    }

    // What goes wrong.

    @Test
    void aZombieSaysNothingAndItsSessionGoesOnElsewhere() throws Exception {
        gateway.grant(Intent.MESSAGE_CONTENT);
        Client first = client();
        JsonNode ready = first.ready(ALL);
        first.event("GUILD_CREATE");
        gateway.befall(Trouble.ZOMBIE);
        say(1, 1);
        first.send("{\"op\":1,\"d\":2}");
        Await.until("the heartbeat", () -> gateway.connections().get(0).heartbeats() == 1);
        assertTrue(first.hearsNothingMore());
        assertTrue(gateway.connections().get(0).open());
        Client second = client().connect();
        second.resume(ready.path("session_id").asText(), first.seq);
        hears(second, 1, 1);
    }

    @Test
    void eventsMayStopWhileHeartbeatsAreAnswered() throws Exception {
        Client client = client();
        client.ready();
        client.event("GUILD_CREATE");
        gateway.befall(Trouble.NO_EVENTS);
        say(1, 1);
        client.send("{\"op\":1,\"d\":2}");
        assertEquals(11, client.next().path("op").asInt());
    }

    @Test
    void eventsComeTwiceInAnotherOrderOrAgain() throws Exception {
        gateway.grant(Intent.MESSAGE_CONTENT);
        Client client = client();
        JsonNode ready = client.ready(ALL);
        gateway.duplicate(1);
        say(1, 2);
        hears(client, 1, 1);
        hears(client, 1, 2);
        gateway.reorder(1);
        say(3, 4);
        hears(client, 4, 4);
        hears(client, 3, 3);
        gateway.reorder(1);
        say(5, 5);
        hears(client, 5, 5);
        gateway.replayExtra(2);
        Client second = client().connect();
        second.resume(ready.path("session_id").asText(), client.seq);
        hears(second, 3, 3);
        hears(second, 5, 5);
        second.event("RESUMED");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSessionMayBecomeInvalid(boolean resumable) throws Exception {
        Client client = client();
        client.ready();
        gateway.befall(resumable ? Trouble.INVALID_RESUMABLE : Trouble.INVALID);
        assertEquals(resumable, client.next(9).path("d").asBoolean());
    }

    @ParameterizedTest
    @EnumSource(names = {"DROP", "LEAVE"})
    void aConnectionMayEndWithoutAWord(Trouble trouble) throws Exception {
        Client client = client();
        client.ready();
        gateway.befall(trouble);
        ends(1);
        assertEquals(0, gateway.connections().get(0).serverCode());
    }

    @Test
    void aConnectionMayBeClosedWithACode() throws Exception {
        Client client = client();
        client.ready();
        gateway.close(4000, "Unknown error.");
        assertEquals(4000, client.closed());
    }

    @Test
    void troubleComesAtTheWorstMoments() throws Exception {
        gateway.grant(Intent.MESSAGE_CONTENT);
        gateway.befall(Moment.HELLO, Trouble.RECONNECT);
        gateway.befall(Moment.IDENTIFIED, Trouble.INVALID);
        gateway.befall(Moment.READY, Trouble.RECONNECT);
        Client first = client().connect();
        first.next(10);
        first.next(7);
        first.identify(discord.token(), ALL, "");
        assertFalse(first.next(9).path("d").asBoolean(true));
        first.identify(discord.token(), ALL, "");
        String session = first.event("READY").path("session_id").asText();
        first.next(7);
        first.event("GUILD_CREATE");
        say(1, 3);
        hears(first, 1, 1);
        gateway.befall(Moment.RESUMING, Trouble.LEAVE);
        Client second = client().connect();
        second.resume(session, first.seq);
        ends(2);
        gateway.befall(Moment.REPLAYING, Trouble.DROP);
        Client third = client().connect();
        third.resume(session, first.seq);
        ends(3);
        gateway.befall(Moment.RESUMED, Trouble.RECONNECT);
        Client fourth = client().connect();
        fourth.resume(session, first.seq);
        hears(fourth, 2, 3);
        fourth.event("RESUMED");
        fourth.next(7);
    }

    @Test
    void readyMayBeLate() throws Exception {
        gateway.holdReady(true);
        Client client = client().connect();
        client.identify(discord.token(), 1, "");
        client.next(10);
        client.send("{\"op\":1,\"d\":null}");
        assertEquals(11, client.next().path("op").asInt());
        gateway.holdReady(false);
        client.event("READY");
    }

    @Test
    void theGatewayMayNotBeThere() throws Exception {
        discord.fail(FakeDiscord.GATEWAY, Fault.answering(503, "{}"));
        assertThrows(CompletionException.class, client()::connect);
        client().ready();
    }
}
