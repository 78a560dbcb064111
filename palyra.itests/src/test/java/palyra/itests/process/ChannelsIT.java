package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import palyra.itests.Dist;
import palyra.itests.Wait;
import palyra.testing.http.FaultyApi.Fault;
import palyra.testing.telegram.FakeTelegram;

/** People write to a bot, and an agent answers them: through Telegram's protocol, over restarts. */
public class ChannelsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long ANN = 42;
    private static final long BOB = 43;
    private static final long GROUP = -500;
    private static final String CONNECTOR = "telegram:main";

    @Rule public final TemporaryFolder temp = new TemporaryFolder();

    private final FakeTelegram telegram = new FakeTelegram();
    private Path home;
    private Path state;
    private GatewayProcess gateway;

    @Before
    public void start() throws Exception {
        Path root = temp.getRoot().toPath();
        state = root.resolve("state");
        home = Dist.copy(root.resolve("home"));
        Files.createDirectories(state.resolve("conf"));
        configure(
                "palyra.connectors.telegram~main",
                "{\"token\":\"vault:channel:telegram:main/token\",\"apiUrl\":\""
                        + telegram.url()
                        + "\",\"pollSeconds\":1}");
        configure(
                "palyra.channels.route~people",
                "{\"connectors\":[\"telegram:*\"],\"directMessages\":\"allow\"}");
        boot();
        gateway.client()
                .runWith(FakeTelegram.TOKEN, "vault", "put", "channel:telegram:main/token")
                .ok();
        await("the connector to be ready", () -> status().equals("READY"));
    }

    @After
    public void stop() {
        if (gateway != null) {
            gateway.close();
        }
        telegram.close();
    }

    private void boot() throws Exception {
        gateway =
                GatewayProcess.start(
                                home,
                                state,
                                "--set",
                                "palyra.sandbox.egress:allowPrivate=127.0.0.1:" + telegram.port())
                        .awaitReady();
    }

    private void configure(String pid, String json) throws Exception {
        Path aside = Files.writeString(temp.getRoot().toPath().resolve("aside.json"), json);
        Files.move(
                aside,
                state.resolve("conf").resolve(pid + ".json"),
                StandardCopyOption.ATOMIC_MOVE);
    }

    private void await(String what, Callable<Boolean> so) throws Exception {
        Wait.until(what, PATIENCE, so::call, gateway::console);
    }

    private String status() throws Exception {
        CommandClient.Result result =
                gateway.client().run("channels", "status", CONNECTOR, "--json");
        return result.exit() == 0 ? result.json().path("state").asText() : "";
    }

    private List<String> texts(long chat) {
        return telegram.sent().stream()
                .filter(sent -> sent.chat() == chat)
                .map(FakeTelegram.Sent::text)
                .toList();
    }

    private void awaitTexts(long chat, int count) throws Exception {
        await("answers in " + chat, () -> texts(chat).size() >= count);
    }

    private JsonNode rows(String... command) throws Exception {
        return gateway.client().run(command).ok().json();
    }

    private void requirePairing() throws Exception {
        configure(
                "palyra.channels.route~people",
                "{\"connectors\":[\"telegram:*\"],\"directMessages\":\"pairing\"}");
        await(
                "the rule to be in force",
                () ->
                        rows("router", "rules", "--json")
                                .path(0)
                                .path("directMessages")
                                .asText()
                                .equals("PAIRING"));
    }

    /** The first is let in in the shell, and lets the next one in on the platform. */
    @Test
    public void strangerIsAnApprovalRequestOnEveryWay() throws Exception {
        requirePairing();
        telegram.say(BOB, "hello");
        awaitTexts(BOB, 1);
        JsonNode waiting = rows("approvals", "list", "--json").get(0);
        assertEquals("user:telegram:main:43", waiting.path("for").asText());
        assertEquals("", waiting.path("run").asText());
        String id = waiting.path("approval").asText();
        gateway.client().run("approvals", "why", id).ok();
        gateway.client().run("approvals", "decide", id, "--allow").ok();
        telegram.say(BOB, "good morning");
        awaitTexts(BOB, 2);
        String bob = Long.toString(BOB);
        gateway.client()
                .run("identity", "link", CONNECTOR, bob, "user:bob", "--approver", "--ask", bob)
                .ok();
        telegram.say(ANN, "hello");
        awaitTexts(BOB, 3);
        FakeTelegram.Sent card =
                telegram.sent().stream().filter(sent -> sent.chat() == BOB).toList().get(2);
        telegram.press("q1", BOB, card, button(card, "y"));
        await("the press to be answered", () -> telegram.answeredQueries().size() == 1);
        assertTrue(
                telegram.answeredQueries().toString(),
                telegram.answeredQueries().get(0).toString().contains("may not decide"));
        Path policies = temp.newFolder("policies").toPath();
        Files.writeString(
                policies.resolve("pairs.cedar"),
                "@id(\"bob_pairs\")\npermit (principal == User::\"user:bob\","
                        + " action == Action::\"channel.pair\","
                        + " resource == Command::\"pairing.approve\");\n");
        gateway.client().run("policy", "apply", policies.toString()).ok();
        gateway.kill();
        boot();
        telegram.press("q2", BOB, card, button(card, "y"));
        await("the card to say so", () -> texts(BOB).get(2).contains("Approved by user:bob"));
        telegram.say(ANN, "good morning");
        awaitTexts(ANN, 2);
        assertEquals("You said: good morning", texts(ANN).get(1));
        gateway.client().run("pairing", "revoke", CONNECTOR, Long.toString(ANN)).ok();
        assertEquals(1, rows("approvals", "grants", "--json").size());
        assertEquals(2, rows("approvals", "grants", "--all", "--json").size());
        assertEquals(2, rows("approvals", "list", "--all", "--json").size());
        gateway.client().run("tape", "verify", "--all").ok();
    }

    @Test
    public void strangerIsPairedAndThenAnswered() throws Exception {
        requirePairing();
        telegram.say(ANN, "hello");
        awaitTexts(ANN, 1);
        Matcher code = Pattern.compile("\\b[0-9A-Z]{8}\\b").matcher(texts(ANN).get(0));
        assertTrue(texts(ANN).toString(), code.find());
        gateway.client().run("pairing", "approve", code.group()).ok();
        telegram.say(ANN, "good morning");
        awaitTexts(ANN, 2);
        assertEquals("You said: good morning", texts(ANN).get(1));
        JsonNode ignored = rows("channels", "ignored", "--json").get(0);
        assertEquals("direct_message_pairing_required", ignored.path("reason").asText());
        gateway.client().run("pairing", "revoke", CONNECTOR, Long.toString(ANN)).ok();
        telegram.say(ANN, "again");
        await(
                "the second message to be ignored",
                () -> rows("channels", "ignored", "--json").size() == 2);
        String ann = Long.toString(ANN);
        CommandClient.Result link =
                gateway.client()
                        .run(
                                "identity",
                                "link",
                                CONNECTOR,
                                "43",
                                "user:bob",
                                "--approver",
                                "--ask",
                                ann);
        assertTrue(link.toString(), link.exit() != 0 && link.err().contains("sender " + ann));
        gateway.client()
                .run("identity", "link", CONNECTOR, ann, "user:ann", "--approver", "--ask", ann)
                .ok();
    }

    /** What waits for a connector that goes is told by every way of asking. */
    @Test
    public void connectorThatIsGoneIsToldWhileMessagesWaitForIt() throws Exception {
        gateway.client().run("channels", "pause", CONNECTOR).ok();
        telegram.say(ANN, "good morning");
        await(
                "the answer to wait",
                () -> rows("channels", "outbox", CONNECTOR, "--json").size() == 1);
        assertTrue(health(), health().contains("\"status\":\"ok\""));
        Files.delete(state.resolve("conf").resolve("palyra.connectors.telegram~main.json"));
        await("its end", () -> status().isEmpty());
        await("health to tell", () -> health().contains("\"status\":\"warn\""));
        assertEquals("GONE", rows("channels", "list", "--json").get(0).path("state").asText());
        CommandClient.Result status = gateway.client().run("channels", "status", CONNECTOR);
        assertTrue(status.toString(), status.err().contains("is GONE: 1 messages wait"));
        String doctor = gateway.client().run("doctor").toString();
        assertTrue(doctor, doctor.contains("no connector is called so"));
    }

    /** The rule with the mistake may be the one that denies, whether it was in force or not. */
    @Test
    public void nothingIsTakenWhileARuleHasAMistake() throws Exception {
        String strict = "palyra.channels.route~strict";
        String start = "{\"connectors\":[\"telegram:main\"],\"priority\":10,\"denyFrom\":[\"42\"],";
        configure(strict, start + "\"directMessages\":\"alow\"}");
        await("the mistake to be seen", () -> health().contains("temporarily_unavailable"));
        telegram.say(ANN, "let me in");
        telegram.say(BOB, "and me");
        gateway.kill();
        boot();
        await("the mistake to be seen again", () -> health().contains("temporarily_unavailable"));
        assertEquals(List.of(), telegram.sent());
        configure(strict, start + "\"directMessages\":\"allow\"}");
        awaitTexts(BOB, 1);
        await(
                "the denied one to be ignored",
                () -> rows("channels", "ignored", "--json").size() == 1);
        assertEquals(List.of(), texts(ANN));
        assertTrue(health(), health().contains("\"status\":\"ok\""));
    }

    /** What was in force before says nothing about what its file was changed to. */
    @Test
    public void ruleWhoseFileWasChangedWithAMistakeIsNotInForce() throws Exception {
        String strict = "palyra.channels.route~strict";
        String start = "{\"connectors\":[\"telegram:main\"],\"priority\":10,";
        configure(strict, start + "\"directMessages\":\"allow\"}");
        await("the rule to be in force", () -> explained().path("rule").asText().equals("strict"));
        configure(strict, start + "\"denyFrom\":[\"42\"],\"directMessages\":\"alow\"}");
        await("the mistake to be seen", () -> health().contains("temporarily_unavailable"));
        telegram.say(ANN, "let me in");
        assertEquals("not taken", explained().path("decision").asText());
        assertEquals("strict", explained().path("rule").asText());
        assertEquals(
                "not taken",
                rows("router", "preview", CONNECTOR, "hello", "--json")
                        .get(0)
                        .path("decision")
                        .asText());
        String rules = rows("router", "rules", "--json").toString();
        assertTrue(rules, rules.contains("\"NO: its file has a mistake"));
        String told = "The rule strict is configured and not in force";
        assertTrue(rows("channels", "list", "--json").toString().contains(told));
        String doctor = gateway.client().run("doctor").toString();
        assertTrue(doctor, doctor.contains(told));
        configure(strict, start + "\"denyFrom\":[\"42\"],\"directMessages\":\"allow\"}");
        await(
                "the denied one to be ignored",
                () -> rows("channels", "ignored", "--json").size() == 1);
        assertEquals(List.of(), telegram.sent());
    }

    private JsonNode explained() throws Exception {
        return rows("router", "explain", CONNECTOR, "hello", "--as", "43", "--direct", "--json");
    }

    private String health() throws Exception {
        String http =
                rows("status", "--json").path("endpoints").path("http").asText()
                        + "/healthz/channels";
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(http.replace("//healthz", "/healthz")))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    public void groupIsAnsweredWhereItMentionsTheAgentAndTheRestLeavesAReason() throws Exception {
        configure(
                "palyra.channels.route~group",
                "{\"connectors\":[\"telegram:main\"],\"conversations\":[\"-500\"],\"priority\":5,"
                        + "\"mentionPatterns\":[\"helper\"],\"responsePrefix\":\"bot: \"}");
        await("the rule to be in force", () -> rows("router", "rules", "--json").size() == 2);
        telegram.deliver("message", telegram.message(GROUP, "group", ANN, "just talking"));
        telegram.deliver(
                "message", telegram.message(GROUP, "group", BOB, "helper, are you there?"));
        awaitTexts(GROUP, 1);
        assertEquals("bot: You said: User 43: helper, are you there?", texts(GROUP).get(0));
        JsonNode explained =
                rows(
                        "router",
                        "explain",
                        CONNECTOR,
                        "just talking",
                        "--conversation",
                        "-500",
                        "--json");
        assertEquals("no_matching_mention_or_dm_policy", explained.path("reason").asText());
        JsonNode ignored = rows("channels", "ignored", "--json").get(0);
        assertEquals("42", ignored.path("sender").asText());
        assertEquals(explained.path("reason").asText(), ignored.path("reason").asText());
    }

    @Test
    public void approvalIsAskedWhereTheRunWasAndEndsInItsTrueState() throws Exception {
        gateway.client()
                .run("agents", "create", "chat", "--test", "true", "--tool", "palyra.http.fetch")
                .ok();
        configure(
                "palyra.channels.route~people",
                "{\"connectors\":[\"telegram:*\"],\"directMessages\":\"allow\",\"isolateSenders\":true,"
                        + "\"mentionPatterns\":[\"*\"],\"agent\":\"chat\"}");
        await(
                "the rule to be in force",
                () ->
                        rows("router", "rules", "--json")
                                .path(0)
                                .path("agent")
                                .asText()
                                .equals("chat"));
        gateway.client()
                .run("identity", "link", CONNECTOR, Long.toString(BOB), "user:bob", "--approver")
                .ok();
        telegram.deliver("message", telegram.message(GROUP, "group", ANN, script()));
        awaitTexts(GROUP, 1);
        FakeTelegram.Sent card = card(0);
        String yes = button(card, "y");
        telegram.press("q1", ANN, card, yes);
        await("the press to be answered", () -> telegram.answeredQueries().size() == 1);
        assertTrue(
                telegram.answeredQueries().toString(),
                telegram.answeredQueries().get(0).toString().contains("may not decide"));
        telegram.press("q2", BOB, card, yes);
        awaitTexts(GROUP, 2);
        await("the card to say so", () -> card(0).text().contains("Approved by user:bob"));
        assertFalse(card(0).call().toString(), card(0).call().toString().contains("approval:"));
        // The gateway is down while another request is answered by its expiry or withdrawn.
        telegram.deliver("message", telegram.message(GROUP, "group", ANN, script()));
        awaitTexts(GROUP, 3);
        String run = rows("runs", "--json").get(0).path("run").asText();
        gateway.client().run("channels", "pause", CONNECTOR).ok();
        gateway.client().run("run", "cancel", run).ok();
        gateway.kill();
        boot();
        gateway.client().run("channels", "resume", CONNECTOR).ok();
        await("the card to end", () -> card(2).text().contains("the run ended first"));
    }

    /**
     * The run waits for a person meanwhile, so what it is told is on the tape before its next turn.
     */
    @Test
    public void messageSteersTheRunOfItsConversation() throws Exception {
        gateway.client()
                .run("agents", "create", "chat", "--test", "true", "--tool", "palyra.http.fetch")
                .ok();
        configure(
                "palyra.channels.route~people",
                "{\"connectors\":[\"telegram:*\"],\"directMessages\":\"allow\",\"agent\":\"chat\","
                        + "\"whileRunning\":\"steer\"}");
        await(
                "the rule to be in force",
                () ->
                        rows("router", "rules", "--json")
                                .path(0)
                                .path("agent")
                                .asText()
                                .equals("chat"));
        telegram.say(BOB, "hello");
        awaitTexts(BOB, 1);
        String bob = Long.toString(BOB);
        gateway.client()
                .run("identity", "link", CONNECTOR, bob, "user:bob", "--approver", "--ask", bob)
                .ok();
        telegram.say(ANN, script());
        awaitTexts(BOB, 2);
        telegram.say(ANN, "rather in blue");
        await("the second message to wait", () -> rows("runs", "--json").size() == 3);
        gateway.kill();
        boot();
        FakeTelegram.Sent card =
                telegram.sent().stream().filter(sent -> sent.chat() == BOB).toList().get(1);
        telegram.press("q1", BOB, card, button(card, "n"));
        await("the answer", () -> texts(ANN).contains("You said: rather in blue"));
        await("both runs to end", this::idle);
        JsonNode runs = rows("runs", "--json");
        String steered = runs.get(1).path("run").asText();
        assertEquals("SUCCEEDED", runs.get(1).path("state").asText());
        assertEquals("CANCELLED", runs.get(0).path("state").asText());
        assertTrue(runs.get(0).toString(), runs.get(0).toString().contains(steered));
        String tape = gateway.client().run("tape", "show", steered).ok().out();
        assertTrue(tape, tape.contains("rather in blue"));
        gateway.client().run("tape", "verify", steered).ok();
        assertEquals("the request and one answer", 2, texts(ANN).size());
    }

    /** The run was asked for in the shell; its approver is on the platform. */
    @Test
    public void approverIsAskedOnThePlatformWhereverTheRunWasAskedFor() throws Exception {
        gateway.client()
                .run("agents", "create", "chat", "--test", "true", "--tool", "palyra.http.fetch")
                .ok();
        telegram.say(BOB, "hello"); // a bot may not write first
        awaitTexts(BOB, 1);
        String bob = Long.toString(BOB);
        gateway.client()
                .run("identity", "link", CONNECTOR, bob, "user:bob", "--approver", "--ask", bob)
                .ok();
        String run =
                gateway.client()
                        .run("ask", script(), "--agent", "chat", "--background", "--json")
                        .ok()
                        .json()
                        .path("runId")
                        .asText();
        awaitTexts(BOB, 2);
        FakeTelegram.Sent card = telegram.sent().get(1);
        telegram.press("q1", BOB, card, button(card, "n"));
        await(
                "the message to say how it ended",
                () -> telegram.sent().get(1).text().contains("Denied by user:bob"));
        await("the run to end", this::idle);
        gateway.client().run("tape", "verify", run).ok();
    }

    private static String script() throws Exception {
        ObjectNode input = CommandClient.JSON.createObjectNode();
        input.put("url", "https://palyra.invalid/");
        ObjectNode call = CommandClient.JSON.createObjectNode();
        call.put("tool", "palyra.http.fetch").set("input", input);
        ObjectNode script = CommandClient.JSON.createObjectNode();
        script.withArray("turns")
                .add(
                        CommandClient.JSON
                                .createArrayNode()
                                .add(CommandClient.JSON.createObjectNode().set("call", call)))
                .add(
                        CommandClient.JSON
                                .createArrayNode()
                                .add(CommandClient.JSON.createObjectNode().put("say", "done")));
        return "#!palyra-script\n" + script;
    }

    private FakeTelegram.Sent card(int index) {
        return telegram.sent().stream().filter(sent -> sent.chat() == GROUP).toList().get(index);
    }

    private static String button(FakeTelegram.Sent card, String answer) {
        Matcher data =
                Pattern.compile("approval:[0-9A-Z]{26}:" + answer).matcher(card.call().toString());
        assertTrue(card.call().toString(), data.find());
        return data.group();
    }

    /**
     * Each message is answered once and in order, whatever is killed, replaced or refused
     * meanwhile. Telegram has no nonce, so what was in flight at a kill is UNKNOWN: it is held,
     * seen by the operator, and sent again where the platform does not have it.
     */
    @Test
    public void everyMessageIsAnsweredOnceThroughKillsSwapsAndRefusals() throws Exception {
        int people = 8;
        int each = Boolean.getBoolean("palyra.test.full") ? 125 : 20;
        telegram.fail(
                "sendMessage",
                Fault.answering(
                        429,
                        "{\"ok\":false,\"error_code\":429,\"description\":\"Too Many Requests\","
                                + "\"parameters\":{\"retry_after\":1}}"),
                Fault.droppedBefore(),
                Fault.answering(502, "{\"ok\":false,\"error_code\":502}"));
        List<String> swaps =
                List.of(
                        "palyra.connectors.telegram",
                        "palyra.channels",
                        "palyra.gateway",
                        "palyra.front");
        for (int i = 0; i < each; i++) {
            for (int person = 0; person < people; person++) {
                telegram.say(1_000 + person, "m" + i);
            }
            if (i % 5 == 2) {
                String bundle = swaps.get(i / 5 % swaps.size());
                gateway.client().run("swap", bundle, Dist.bundle(bundle).toString());
            }
            if (i == each / 2 || i == each - 1) {
                gateway.kill();
                boot();
            }
        }
        await("every message to be taken", () -> telegram.unconfirmed().isEmpty());
        await(
                "nothing to wait",
                () -> rows("channels", "outbox", CONNECTOR, "--json").isEmpty() && idle());
        for (JsonNode dead : rows("channels", "dead", "--json", "--limit", "1000")) {
            assertEquals(dead.toString(), "UNKNOWN", dead.path("state").asText());
            String text =
                    rows("channels", "show", dead.path("message").asText(), "--json")
                            .path("text")
                            .asText();
            boolean arrived = texts(dead.path("conversation").asLong()).contains(text);
            gateway.client()
                    .run("channels", arrived ? "discard" : "replay", dead.path("message").asText())
                    .ok();
        }
        await(
                "nothing to wait again",
                () -> rows("channels", "outbox", CONNECTOR, "--json").isEmpty());
        TreeMap<Long, List<String>> answers = new TreeMap<>();
        telegram.sent()
                .forEach(
                        sent ->
                                answers.computeIfAbsent(sent.chat(), unused -> new ArrayList<>())
                                        .add(sent.text()));
        for (int person = 0; person < people; person++) {
            List<String> got = answers.get(1_000L + person);
            Set<String> distinct = new HashSet<>(got);
            assertEquals(got.toString(), each, distinct.size());
            assertEquals(got.toString(), each, got.size());
        }
    }

    private boolean idle() throws Exception {
        for (JsonNode run : rows("runs", "--json", "--limit", "50")) {
            if (!List.of("SUCCEEDED", "FAILED", "CANCELLED").contains(run.path("state").asText())) {
                return false;
            }
        }
        return true;
    }
}
