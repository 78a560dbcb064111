package palyra.testing.discord;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import palyra.testing.http.FaultyApi.Fault;

class RestTest {
    private final FakeDiscord discord = new FakeDiscord();
    private final Guild guild = discord.guild("Home");
    private final Channel general = discord.textChannel(guild, "general");
    private final User ada = discord.user("ada");
    private final Client client = new Client(discord);

    @AfterEach
    void noRuleWasBroken() {
        client.close();
        discord.close();
        assertEquals(List.of(), discord.violations());
    }

    private String path(Channel channel) {
        return "/channels/" + channel.id();
    }

    private String path(Message message) {
        return "/channels/" + message.channel() + "/messages/" + message.id();
    }

    private List<String> texts(String query) throws Exception {
        List<String> texts = new ArrayList<>();
        client.ask("GET", path(general) + "/messages?" + query, "")
                .forEach(one -> texts.add(one.path("content").asText()));
        return texts;
    }

    // Nonces.

    @Test
    void anEnforcedNonceMakesOneMessage() throws Exception {
        String body = "{'content':'first','nonce':'n1','enforce_nonce':true}";
        JsonNode first = client.post(general, body);
        JsonNode again = client.post(general, body.replace("first", "second"));
        assertEquals(first.path("id"), again.path("id"));
        assertEquals("n1", again.path("nonce").asText());
        client.post(general, body.replace("n1", "n2"));
        assertEquals(2, discord.posted(general).size());
        assertEquals("first", discord.posted(general).get(0).content());
    }

    @Test
    void aNonceThatIsNotEnforcedMakesTwo() throws Exception {
        client.post(general, "{'content':'once','nonce':'n1'}");
        client.post(general, "{'content':'once','nonce':'n1'}");
        assertEquals(2, discord.posted(general).size());
    }

    @Test
    void aNonceHas25CharactersAtMost() throws Exception {
        client.post(general, "{'content':'x','nonce':'" + "n".repeat(25) + "'}");
        JsonNode refused = client.post(general, "{'content':'x','nonce':'" + "n".repeat(26) + "'}");
        assertEquals(50035, refused.path("code").asInt());
        assertEquals("BASE_TYPE_MAX_LENGTH", refused.at("/errors/nonce/_errors/0/code").asText());
        assertEquals(1, discord.posted(general).size());
        String violations = discord.takeViolations().toString();
        assertTrue(violations.contains("/nonce: must be at most 25"), violations);
    }

    // Limits.

    @Test
    void eachChannelHasACountOfItsOwn() throws Exception {
        discord.limit(FakeDiscord.POST, 2, Duration.ofMinutes(1));
        Channel other = discord.textChannel(guild, "other");
        HttpResponse<String> first =
                client.call("POST", path(general) + "/messages", "{\"content\":\"1\"}");
        assertEquals("2", first.headers().firstValue("X-RateLimit-Limit").orElseThrow());
        assertEquals("1", first.headers().firstValue("X-RateLimit-Remaining").orElseThrow());
        client.post(general, "{'content':'2'}");
        HttpResponse<String> over =
                client.call("POST", path(general) + "/messages", "{\"content\":\"3\"}");
        assertEquals(429, over.statusCode());
        assertEquals("user", over.headers().firstValue("X-RateLimit-Scope").orElseThrow());
        JsonNode said = Json.read(over.body().getBytes(StandardCharsets.UTF_8));
        assertTrue(said.path("retry_after").asDouble() > 50);
        assertEquals("60", over.headers().firstValue("Retry-After").orElseThrow());
        assertEquals(200, client.post(other, "{'content':'1'}").path("status").asInt());
        assertEquals(2, discord.posted(general).size());
    }

    @Test
    void thereIsACountOfAllCalls() throws Exception {
        discord.globalLimit(1, Duration.ofMinutes(1));
        client.post(general, "{'content':'1'}");
        HttpResponse<String> over = client.call("GET", "/users/@me", "");
        assertEquals(429, over.statusCode());
        assertEquals("true", over.headers().firstValue("X-RateLimit-Global").orElseThrow());
        assertTrue(over.body().contains("\"global\":true"));
    }

    @Test
    void callsAreTakenAgainWhenTheTimeIsOver() throws Exception {
        discord.limit(FakeDiscord.POST, 1, Duration.ofMillis(200));
        client.post(general, "{'content':'1'}");
        palyra.testing.wait.Await.until("the limit to be over", () -> post("2") == 200);
        assertEquals(2, discord.posted(general).size());
    }

    private int post(String text) {
        try {
            return client.post(general, "{'content':'" + text + "'}").path("status").asInt();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @CsvSource({"user", "global", "shared"})
    void oneCallMayBeRefusedByALimit(String scope) throws Exception {
        discord.fail(
                FakeDiscord.POST,
                switch (scope) {
                    case "user" -> Faults.rateLimited(1_500);
                    case "global" -> Faults.globallyRateLimited(1_500);
                    default -> Faults.sharedLimit(1_500);
                });
        HttpResponse<String> refused =
                client.call("POST", path(general) + "/messages", "{\"content\":\"1\"}");
        assertEquals(429, refused.statusCode());
        assertEquals("2", refused.headers().firstValue("Retry-After").orElseThrow());
        assertEquals(scope, refused.headers().firstValue("X-RateLimit-Scope").orElseThrow());
        assertTrue(refused.body().contains("\"retry_after\":1.5"));
        assertEquals(0, discord.posted(general).size());
    }

    // What goes wrong with calls.

    @Test
    void aCallMayBeDoneAlthoughItsAnswerIsLost() throws Exception {
        discord.fail(
                FakeDiscord.POST,
                Faults.unavailable(),
                Faults.unavailableAfter(),
                Fault.droppedBefore(),
                Fault.droppedAfter(),
                Faults.banned());
        assertEquals(
                503,
                client.call("POST", path(general) + "/messages", "{\"content\":\"1\"}")
                        .statusCode());
        assertEquals(0, discord.posted(general).size());
        assertEquals(
                502,
                client.call("POST", path(general) + "/messages", "{\"content\":\"1\"}")
                        .statusCode());
        assertEquals(1, discord.posted(general).size());
        assertThrows(IOException.class, () -> client.post(general, "{'content':'1'}"));
        assertEquals(1, discord.posted(general).size());
        assertThrows(IOException.class, () -> client.post(general, "{'content':'1'}"));
        assertEquals(2, discord.posted(general).size());
        assertEquals(
                429,
                client.call("POST", path(general) + "/messages", "{\"content\":\"1\"}")
                        .statusCode());
    }

    // Errors.

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET | /channels/1 | | 404 | 10003",
                "GET | /channels/C/messages/1 | | 404 | 10008",
                "PATCH | /channels/C/messages/M | {'content':'x'} | 403 | 50005",
                "POST | /channels/C/messages | {'content':' '} | 400 | 50006",
                "POST | /channels/F/messages | {'content':'x'} | 400 | 50008",
                "POST | /channels/C/messages | {'content':'x','message_reference':{'message_id':'1'}} | 400 | 50035",
                "POST | /channels/C/messages | {'content':'x','allowed_mentions':{'parse':['users'],'users':['1']}} | 400 | 50035",
                "PUT | /channels/C/messages/M/reactions/x/@me | | 400 | 10014",
                "POST | /users/@me/channels | {'recipient_id':'1'} | 400 | 50033",
                "GET | /guilds/1 | | 404 | 10004",
                "GET | /users/1 | | 404 | 10013",
                "POST | /webhooks/B/none | {'content':'x'} | 404 | 10015",
                "POST | /interactions/1/none/callback | {'type':5} | 404 | 10062",
                "GET | /applications/B/commands/1 | | 404 | 10063",
                "POST | /channels/C/messages | {'content': | 400 | 50109"
            })
    void errorsHaveTheCodesOfDiscord(String method, String path, String body, int status, int code)
            throws Exception {
        Message message = discord.say(ada, general, "x");
        JsonNode refused =
                client.ask(
                        method,
                        path.replace("/C", "/" + general.id())
                                .replace("/F", "/" + discord.forum(guild, "help").id())
                                .replace("/M", "/" + message.id())
                                .replace("/B", "/" + discord.bot().id()),
                        body == null ? "" : body);
        assertEquals(status, refused.path("status").asInt());
        assertEquals(code, refused.path("code").asInt());
    }

    @Test
    void whatABotMayNotDoIsRefused() throws Exception {
        discord.deny(general, Permission.SEND_MESSAGES, Permission.ADD_REACTIONS);
        Message message = discord.say(ada, general, "x");
        assertEquals(50013, client.post(general, "{'content':'x'}").path("code").asInt());
        assertEquals(
                50013,
                client.ask("PUT", path(message) + "/reactions/%F0%9F%91%8D/@me", "")
                        .path("code")
                        .asInt());
        discord.deny(general, Permission.VIEW_CHANNEL);
        assertEquals(50001, client.post(general, "{'content':'x'}").path("code").asInt());
        discord.closeDms(ada);
        assertEquals(50007, client.post(discord.dm(ada), "{'content':'x'}").path("code").asInt());
    }

    @Test
    void aTokenThatWasResetIsRefused() throws Exception {
        String old = discord.token();
        assertNotEquals(old, discord.resetToken());
        HttpResponse<String> refused =
                client.call("GET", "/users/@me", "", "Authorization", "Bot " + old);
        assertEquals(401, refused.statusCode());
        assertEquals(200, client.call("GET", "/users/@me", "").statusCode());
    }

    // Messages.

    @Test
    void messagesAreListedAsDiscordPagesThem() throws Exception {
        discord.gateway().grant(Intent.MESSAGE_CONTENT);
        List<Message> said = new ArrayList<>();
        for (int at = 0; at < 10; at++) {
            said.add(discord.say(ada, general, Integer.toString(at)));
        }
        assertEquals(List.of("9", "8", "7"), texts("limit=3"));
        assertEquals(List.of("4", "3", "2"), texts("limit=3&before=" + said.get(5).id()));
        assertEquals(List.of("5", "4", "3"), texts("limit=3&after=" + said.get(2).id()));
        assertEquals(List.of("9", "8"), texts("after=" + said.get(7).id()));
        assertEquals(List.of("6", "5", "4"), texts("limit=3&around=" + said.get(5).id()));
        assertEquals(
                50035,
                client.ask("GET", path(general) + "/messages?limit=101", "").path("code").asInt());
    }

    @Test
    void aMessageIsEditedAndDeleted() throws Exception {
        JsonNode posted = client.post(general, "{'content':'one'}");
        Message message = new Message(general.id(), posted.path("id").asText());
        JsonNode edited = client.ask("PATCH", path(message), "{'content':'two'}");
        assertTrue(edited.path("edited_timestamp").isTextual());
        client.ask("PATCH", path(message), "{'embeds':[{'title':'t'}]}");
        assertEquals(204, client.ask("DELETE", path(message), "").path("status").asInt());
        Posted seen = discord.posted(message);
        assertEquals(List.of("one", "two", "two"), seen.contents());
        assertTrue(seen.deleted());
        assertEquals(3, seen.asked().size());
        assertEquals(404, client.ask("GET", path(message), "").path("status").asInt());
    }

    @Test
    void mentionsAreThoseThatAreAllowed() throws Exception {
        String text = "{'content':'" + ada.mention() + " @everyone'";
        JsonNode all = client.post(general, text + "}");
        assertEquals(1, all.path("mentions").size());
        assertTrue(all.path("mention_everyone").asBoolean());
        JsonNode none = client.post(general, text + ",'allowed_mentions':{'parse':[]}}");
        assertEquals(0, none.path("mentions").size());
        assertEquals(false, none.path("mention_everyone").asBoolean());
    }

    @Test
    void aTextHas2000CharactersAtMost() throws Exception {
        assertEquals(
                200,
                client.post(general, "{'content':'" + "x".repeat(2_000) + "'}")
                        .path("status")
                        .asInt());
        JsonNode refused = client.post(general, "{'content':'" + "x".repeat(2_001) + "'}");
        assertEquals("BASE_TYPE_MAX_LENGTH", refused.at("/errors/content/_errors/0/code").asText());
    }

    @Test
    void messagesOfComponentsHaveRulesOfTheirOwn() throws Exception {
        String card =
                "{'flags':32768,'components':[{'type':17,'components':[{'type':10,'content':'May"
                        + " I?'},{'type':1,'components':[{'type':2,'style':3,'label':'Yes',"
                        + "'custom_id':'yes'}]}]}]";
        JsonNode posted = client.post(general, card + "}");
        assertEquals(200, posted.path("status").asInt());
        Posted seen = discord.posted(general).get(0);
        assertTrue(seen.isOfComponents());
        discord.press(ada, seen.message(), "yes");
        assertEquals(
                "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                client.post(general, card + ",'content':'x'}")
                        .at("/errors/content/_errors/0/code")
                        .asText());
        assertEquals(
                50035, client.post(general, card.replace("32768", "0") + "}").path("code").asInt());
        assertEquals(
                "COMPONENT_CUSTOM_ID_DUPLICATED",
                client.post(
                                general,
                                "{'content':'x','components':[{'type':1,'components':["
                                        + "{'type':2,'style':1,'label':'a','custom_id':'a'},"
                                        + "{'type':2,'style':1,'label':'b','custom_id':'a'}]}]}")
                        .at("/errors/components/0/components/1/custom_id/_errors/0/code")
                        .asText());
        assertThrows(NoSuchElementException.class, () -> discord.press(ada, seen.message(), "no"));
        JsonNode edited =
                client.ask("PATCH", path(seen.message()), "{'content':'legacy','components':[]}");
        assertEquals(50035, edited.path("code").asInt(), "the flag stays");
    }

    @Test
    void filesComeAndGo() throws Exception {
        String body =
                "--b\r\nContent-Disposition: form-data; name=\"payload_json\"\r\n"
                        + "Content-Type: application/json\r\n\r\n"
                        + "{\"content\":\"see\",\"attachments\":[{\"id\":0,\"description\":\"d\"}]}"
                        + "\r\n--b\r\nContent-Disposition: form-data; name=\"files[0]\";"
                        + " filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\nhé\r\n"
                        + "\r\n--b--\r\n";
        HttpResponse<String> posted =
                client.call(
                        "POST",
                        path(general) + "/messages",
                        body,
                        "Content-Type",
                        "multipart/form-data; boundary=b");
        assertEquals(200, posted.statusCode());
        JsonNode file =
                Json.read(posted.body().getBytes(StandardCharsets.UTF_8)).at("/attachments/0");
        assertEquals("a.txt", file.path("filename").asText());
        assertEquals("d", file.path("description").asText());
        HttpResponse<byte[]> loaded =
                HttpClient.newHttpClient()
                        .send(
                                HttpRequest.newBuilder(URI.create(file.path("url").asText()))
                                        .build(),
                                HttpResponse.BodyHandlers.ofByteArray());
        assertArrayEquals("hé\r\n".getBytes(StandardCharsets.UTF_8), loaded.body());
        Posted seen = discord.posted(general).get(0);
        assertArrayEquals(loaded.body(), discord.file(seen.message(), "a.txt"));
        client.ask("PATCH", path(seen.message()), "{'attachments':[]}");
        assertEquals(List.of(), discord.posted(seen.message()).attachments());
    }

    @Test
    void theTokenIsNotForTheServerOfFiles() throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(discord.cdnUrl() + "/attachments/1/2/a"))
                        .header("Authorization", "Bot x")
                        .build();
        assertEquals(
                404,
                HttpClient.newHttpClient()
                        .send(request, HttpResponse.BodyHandlers.ofString())
                        .statusCode());
        assertEquals(1, discord.takeViolations().size());
    }

    // Threads.

    @Test
    void aMessageHasOneThread() throws Exception {
        Message message = discord.say(ada, general, "x");
        JsonNode thread = client.ask("POST", path(message) + "/threads", "{'name':'t'}");
        assertEquals(201, thread.path("status").asInt());
        assertEquals(message.id(), thread.path("id").asText());
        assertEquals(
                160004,
                client.ask("POST", path(message) + "/threads", "{'name':'t'}")
                        .path("code")
                        .asInt());
        Channel channel = discord.threads(general).get(0);
        client.post(channel, "{'content':'inside'}");
        discord.archive(channel, false);
        client.post(channel, "{'content':'wakes it'}");
        assertEquals(2, discord.posted(channel).size());
        discord.archive(channel, true);
        assertEquals(50083, client.post(channel, "{'content':'x'}").path("code").asInt());
    }

    @Test
    void aForumHasPosts() throws Exception {
        Channel forum = discord.forum(guild, "help");
        JsonNode made =
                client.ask(
                        "POST",
                        path(forum) + "/threads",
                        "{'name':'How?','message':{'content':'So.'}}");
        assertEquals(201, made.path("status").asInt());
        assertEquals(made.path("id"), made.path("message").path("id"));
        Channel post = discord.forumPost(ada, forum, "Why?", "because");
        client.post(post, "{'content':'I see'}");
        assertEquals(
                List.of("How?", "Why?"),
                discord.threads(forum).stream().map(Channel::name).toList());
        assertEquals("I see", discord.posted(post).get(0).content());
    }

    // Commands and interactions.

    private String commands() {
        return "/applications/" + discord.bot().id() + "/commands";
    }

    private void registerAsk() throws Exception {
        client.ask(
                "PUT",
                commands(),
                "[{'name':'ask','description':'Asks.','options':[{'type':3,'name':'text',"
                        + "'description':'What.','required':true}]},{'name':'agent','description':"
                        + "'Agents.','options':[{'type':1,'name':'use','description':'Uses.',"
                        + "'options':[{'type':3,'name':'name','description':'Which.'}]}]}]");
    }

    @Test
    void commandsKeepTheirVersionAsLongAsTheyStay() throws Exception {
        registerAsk();
        String version = discord.commands().get(0).path("version").asText();
        registerAsk();
        assertEquals(version, discord.commands().get(0).path("version").asText());
        client.ask("PUT", commands(), "[{'name':'ask','description':'Asks more.'}]");
        assertNotEquals(version, discord.commands().get(0).path("version").asText());
        assertEquals(1, discord.commands().size());
        JsonNode made = client.ask("POST", commands(), "{'name':'stop','description':'Stops.'}");
        assertEquals(201, made.path("status").asInt());
        String one = commands() + "/" + made.path("id").asText();
        client.ask("PATCH", one, "{'description':'Ends.'}");
        assertEquals("Ends.", client.ask("GET", one, "").path("description").asText());
        assertEquals(204, client.ask("DELETE", one, "").path("status").asInt());
        assertEquals(
                50035,
                client.ask("POST", commands(), "{'name':'No Name','description':'x'}")
                        .path("code")
                        .asInt());
    }

    private JsonNode answer(Interaction interaction, String body) throws Exception {
        return client.ask(
                "POST",
                "/interactions/" + interaction.id() + "/" + interaction.token() + "/callback",
                body);
    }

    private String webhook(Interaction interaction) {
        return "/webhooks/" + discord.bot().id() + "/" + interaction.token();
    }

    @Test
    void aCommandIsAnsweredOnceAndThenAsOftenAsOneLikes() throws Exception {
        registerAsk();
        Interaction asked = discord.slash(ada, general, "ask", Map.of("text", "why?"));
        assertEquals(204, answer(asked, "{'type':5}").path("status").asInt());
        assertEquals(40060, answer(asked, "{'type':5}").path("code").asInt());
        assertTrue(
                discord.interaction(asked)
                        .original()
                        .orElseThrow()
                        .json()
                        .path("content")
                        .asText()
                        .isEmpty());
        client.ask("POST", webhook(asked), "{'content':'because'}");
        assertEquals("because", discord.interaction(asked).original().orElseThrow().content());
        client.ask("POST", webhook(asked), "{'content':'and','flags':64}");
        client.ask("PATCH", webhook(asked) + "/messages/@original", "{'content':'so'}");
        Interaction seen = discord.interaction(asked);
        assertEquals(List.of("", "because", "so"), seen.original().orElseThrow().contents());
        assertTrue(seen.followups().get(0).isEphemeral());
        discord.expire(asked);
        assertEquals(
                50027,
                client.ask("POST", webhook(asked), "{'content':'late'}").path("code").asInt());
    }

    @Test
    void theFirstAnswerHasADeadline() throws Exception {
        registerAsk();
        discord.interactionDeadline(Duration.ZERO);
        Interaction asked = discord.slash(ada, general, "agent use", Map.of("name", "x"));
        assertEquals(10062, answer(asked, "{'type':5}").path("code").asInt());
        assertThrows(
                NoSuchElementException.class, () -> discord.slash(ada, general, "none", Map.of()));
    }

    @Test
    void aButtonOpensAFormAndItsAnswerChangesTheMessage() throws Exception {
        client.post(
                general,
                "{'content':'May I?','components':[{'type':1,'components':[{'type':2,'style':4,"
                        + "'label':'No','custom_id':'no:1'}]}]}");
        Message message = discord.posted(general).get(0).message();
        Interaction pressed = discord.press(ada, message, "no:1");
        answer(
                pressed,
                "{'type':9,'data':{'custom_id':'why:1','title':'Why?','components':[{'type':18,"
                        + "'label':'Reason','component':{'type':4,'custom_id':'reason',"
                        + "'style':2}}]}}");
        Client gateway = new Client(discord);
        gateway.ready();
        Interaction sent = discord.modalSubmit(ada, pressed, Map.of("reason", "too late"));
        JsonNode heard = gateway.event("INTERACTION_CREATE");
        assertEquals("too late", heard.at("/data/components/0/component/value").asText());
        assertEquals(message.id(), heard.at("/message/id").asText());
        answer(sent, "{'type':7,'data':{'content':'No: too late','components':[]}}");
        assertEquals("No: too late", discord.posted(message).content());
        assertEquals(0, discord.posted(message).components().size());
        gateway.close();
    }

    // Rules.

    @Test
    void theFakeHasAllCallsOfItsDocument() throws Exception {
        JsonNode document =
                Json.MAPPER.readTree(FakeDiscord.class.getResourceAsStream("openapi.json"));
        for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
            for (Map.Entry<String, JsonNode> call : path.getValue().properties()) {
                client.call(
                        call.getKey().toUpperCase(Locale.ROOT),
                        path.getKey().replaceAll("\\{[^}]*}", "1"),
                        "{}");
            }
        }
        List<String> unknown =
                discord.takeViolations().stream()
                        .filter(one -> one.contains("not have this call") || one.contains("answer"))
                        .toList();
        assertEquals(List.of(), unknown);
    }

    @Test
    void whatIsAgainstTheRulesIsRemembered() throws Exception {
        client.call("GET", "/nothing", "");
        client.call("GET", "/users/@me", "", "User-Agent", "curl/8");
        client.call("GET", "/channels/" + general.id() + "/messages?befor=1", "");
        client.post(general, "{'content':17}");
        List<String> violations = discord.takeViolations();
        assertEquals(3, violations.size(), violations.toString());
        assertTrue(violations.get(0).contains("/nothing"));
        assertTrue(violations.get(1).contains("curl/8"));
        assertTrue(violations.get(2).contains("befor"));
        client.post(general, "{'content':['x']}");
        assertTrue(discord.takeViolations().get(0).contains("/content"));
    }

    /** The bot did nothing wrong, and its author has to know. */
    @Test
    void aCallOfDiscordThatTheFakeDoesNotHaveIsTheFakesGap() throws Exception {
        HttpResponse<String> answer = client.call("GET", path(general) + "/pins", "");
        assertEquals(501, answer.statusCode());
        List<String> violations = discord.takeViolations();
        assertEquals(1, violations.size(), violations.toString());
        assertTrue(
                violations.get(0).startsWith("GET /channels/{channel_id}/pins: a gap of the fake"),
                violations.toString());
        assertEquals(404, client.call("GET", path(general) + "/nothing", "").statusCode());
        assertTrue(discord.takeViolations().get(0).contains("Discord's document does not have"));
    }

    @Test
    void whatIsWrongWithOneRequestIsOneLine() throws Exception {
        client.post(
                general,
                "{'content':['a\\nb'],'nonce':'"
                        + "n".repeat(2_000)
                        + "','components':[{'type':1,'components':[{'type':2,'style':9}]}]}");
        List<String> violations = discord.takeViolations();
        assertEquals(1, violations.size(), violations.toString());
        assertTrue(violations.get(0).matches("POST [^\n]{20,700}"), violations.toString());
    }

    /** A client that does not show the last change yet presses what is not there any more. */
    @Test
    void aButtonThatWasTakenAwayIsPressedByAClientThatIsLate() throws Exception {
        String row =
                "'components':[{'type':1,'components':[{'type':2,'style':1,'label':'No',"
                        + "'custom_id':'no:1'}]}]}";
        String id = client.post(general, "{'content':'?'," + row).path("id").asText();
        Message card = new Message(general.id(), id);
        client.ask("PATCH", path(card), "{'content':'settled','components':[]}");
        NoSuchElementException none =
                assertThrows(NoSuchElementException.class, () -> discord.press(ada, card, "no:1"));
        assertTrue(none.getMessage().contains("pressLate"), none.getMessage());
        Interaction pressed = discord.pressLate(ada, card, "no:1");
        assertEquals(
                204,
                client.call(
                                "POST",
                                "/interactions/"
                                        + pressed.id()
                                        + "/"
                                        + pressed.token()
                                        + "/callback",
                                "{\"type\":4,\"data\":{\"content\":\"over\",\"flags\":64}}")
                        .statusCode());
        assertThrows(NoSuchElementException.class, () -> discord.pressLate(ada, card, "other"));
    }

    @Test
    void aStrictFakeDoesNotCloseInSilence() throws Exception {
        try (Client other = new Client(discord.strict())) {
            other.call("GET", "/nothing", "");
        }
        assertThrows(AssertionError.class, discord::close);
        discord.takeViolations();
    }
}
