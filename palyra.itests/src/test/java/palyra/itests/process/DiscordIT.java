package palyra.itests.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import palyra.itests.Dist;
import palyra.itests.Wait;
import palyra.testing.discord.Channel;
import palyra.testing.discord.FakeDiscord;
import palyra.testing.discord.Interaction;
import palyra.testing.discord.Message;
import palyra.testing.discord.Posted;
import palyra.testing.discord.Trouble;
import palyra.testing.discord.User;
import palyra.testing.http.FaultyApi.Fault;

/** People write to a bot, and an agent answers them: through Discord's protocol, over restarts. */
public class DiscordIT {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final String CONNECTOR = "discord:main";

    @Rule public final TemporaryFolder temp = new TemporaryFolder();

    private final FakeDiscord discord = new FakeDiscord();
    private final User ann = discord.user("ann");
    private final Channel room = discord.textChannel(discord.guild("guild"), "room");
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
                "palyra.connectors.discord~main",
                "{\"token\":\"vault:global/other\",\"apiUrl\":\""
                        + discord.restBase()
                        + "\",\"filesUrl\":\""
                        + discord.cdnUrl()
                        + "\"}");
        configure(
                "palyra.sandbox.egress",
                "{\"allowPrivate\":[\"127.0.0.1:%d\",\"%s\"]}"
                        .formatted(discord.port(), URI.create(discord.cdnUrl()).getAuthority()));
        configure(
                "palyra.channels.route~people",
                "{\"connectors\":[\"discord:*\"],\"directMessages\":\"allow\"}");
        boot();
    }

    @After
    public void stop() {
        if (gateway != null) {
            gateway.close();
        }
        List<String> broken = discord.violations();
        discord.close();
        assertEquals("Discord's rules", List.of(), broken);
    }

    private void boot() throws Exception {
        gateway = GatewayProcess.start(home, state).awaitReady();
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

    /** As an operator does it: the token by standard input, into the vault. */
    private void setUp() throws Exception {
        CommandClient.Result result =
                gateway.client()
                        .runWith(discord.token(), "channels", "discord", "setup", "main", "--json");
        assertEquals(result.out() + result.err(), 0, result.exit());
        for (JsonNode check : result.json()) {
            assertTrue(check.toString(), check.path("fine").asBoolean());
        }
    }

    private JsonNode rows(String... command) throws Exception {
        return gateway.client().run(command).ok().json();
    }

    private List<String> texts(Channel channel) {
        return discord.posted(channel).stream().map(Posted::content).toList();
    }

    private boolean idle() throws Exception {
        for (JsonNode run : rows("runs", "--json", "--limit", "50")) {
            if (!run.path("state").asText().matches("SUCCEEDED|FAILED|CANCELLED")) {
                return false;
            }
        }
        return true;
    }

    @Test
    public void botIsSetUpAnswersAndAsksForApproval() throws Exception {
        setUp();
        Channel dm = discord.dm(ann);
        discord.say(ann, dm, "good morning");
        await("an answer", () -> texts(dm).equals(List.of("You said: good morning")));
        discord.say(ann, room, "just talking");
        discord.say(ann, room, "<@" + discord.bot().id() + "> and you?");
        await("an answer in the room", () -> !texts(room).isEmpty());
        assertTrue(texts(room).toString(), texts(room).getFirst().contains("and you?"));
        assertEquals(1, texts(room).size());
        Interaction asked = discord.slash(ann, room, "ask", Map.of("text", "by command"));
        await("an answer to the command", () -> texts(room).size() == 2);
        assertTrue(
                discord.awaitAnswer(asked, one -> one.original().isPresent())
                        .original()
                        .orElseThrow()
                        .isEphemeral());
        JsonNode status = rows("channels", "discord", "status", "main", "--json");
        assertEquals("READY", status.path("state").asText());
        assertEquals(discord.bot().id(), status.path("bot").asText());
        approve(dm);
    }

    private void approve(Channel dm) throws Exception {
        gateway.client()
                .run("agents", "create", "chat", "--test", "true", "--tool", "palyra.http.fetch")
                .ok();
        gateway.client()
                .run("identity", "link", CONNECTOR, ann.id(), "user:ann", "--approver")
                .ok();
        configure(
                "palyra.channels.route~people",
                "{\"connectors\":[\"discord:*\"],\"directMessages\":\"allow\",\"agent\":\"chat\"}");
        await(
                "the rule to be in force",
                () ->
                        rows("router", "rules", "--json")
                                .path(0)
                                .path("agent")
                                .asText()
                                .equals("chat"));
        discord.say(ann, dm, script());
        await("a question", () -> texts(dm).size() == 2);
        Posted card = discord.posted(dm).get(1);
        String no = "";
        for (JsonNode button : card.components().path(0).path("components")) {
            if (button.path("custom_id").asText().endsWith(":n")) {
                no = button.path("custom_id").asText();
            }
        }
        Message message = card.message();
        discord.press(ann, message, no);
        await(
                "the question to say how it ended",
                () -> discord.posted(message).content().contains("Denied by user:ann"));
        assertEquals(0, discord.posted(message).components().size());
        await("the run to end", this::idle);
    }

    private static String script() {
        return script(call("palyra.http.fetch", "url", "https://palyra.invalid/"));
    }

    private static ObjectNode call(String tool, String... input) {
        ObjectNode call = CommandClient.JSON.createObjectNode().put("tool", tool);
        for (int i = 0; i < input.length; i += 2) {
            call.withObject("input").put(input[i], input[i + 1]);
        }
        return call;
    }

    /** Has a test agent make one call each turn, and then say that it is done. */
    private static String script(ObjectNode... calls) {
        ObjectNode script = CommandClient.JSON.createObjectNode();
        for (ObjectNode call : calls) {
            script.withArray("turns").addArray().addObject().set("call", call);
        }
        script.withArray("turns").addArray().addObject().put("say", "done");
        return "#!palyra-script\n" + script;
    }

    /** A file comes in, is read, and another one goes out; a kill meanwhile doubles nothing. */
    @Test
    public void filesComeInAndGoOutOnceThroughAKill() throws Exception {
        setUp();
        List<String> create =
                new ArrayList<>(
                        List.of(
                                "agents create chat --default --test true --profile coding"
                                        .split(" ")));
        for (String tool :
                List.of(
                        "palyra.channels.fetch_file",
                        "palyra.channels.send_file",
                        "palyra.fs.read_file",
                        "palyra.fs.write_file")) {
            create.addAll(List.of("--tool", tool));
        }
        gateway.client().run(create.toArray(String[]::new)).ok();
        Channel dm = discord.dm(ann);
        discord.say(ann, dm, "read this", Map.of("plan.txt", "the plan".getBytes(UTF_8)));
        await("an answer", () -> texts(dm).size() == 1);
        Matcher id =
                Pattern.compile("fetch with id ([0-9a-f]{8}-1)]").matcher(texts(dm).getFirst());
        assertTrue(texts(dm).toString(), id.find());
        discord.expireFiles();
        discord.fail(FakeDiscord.POST, Fault.silentAfter());
        discord.say(
                ann,
                dm,
                script(
                        call("palyra.channels.fetch_file", "id", id.group(1)),
                        call("palyra.fs.read_file", "path", "attachments/plan.txt"),
                        call("palyra.fs.write_file", "path", "report.md", "content", "A report."),
                        call(
                                "palyra.channels.send_file",
                                "path",
                                "report.md",
                                "text",
                                "The report."),
                        call("palyra.fs.write_file", "path", "report.md", "content", "Another.")));
        await("the file to be there", () -> texts(dm).contains("The report."));
        await("the run to end", this::idle);
        gateway.kill();
        boot();
        await("the answer", () -> texts(dm).contains("done"));
        assertEquals("The report.", texts(dm).get(1));
        assertEquals("done", texts(dm).get(2));
        assertEquals(3, texts(dm).size());
        Posted sent = discord.posted(dm).get(1);
        assertEquals(List.of("report.md"), sent.attachments());
        assertEquals("A report.", new String(discord.file(sent.message(), "report.md"), UTF_8));
        JsonNode runs = rows("runs", "--json", "--limit", "1");
        String run = runs.path(0).path("run").asText();
        String tape = gateway.client().run("tape", "show", run, "--json").ok().out();
        assertTrue(tape, tape.contains("the plan"));
        largeFileGoesBack(dm);
        await("nothing to be kept of it", () -> heldFiles().isEmpty());
    }

    /** Larger than what file tools write, and as large as Discord takes. */
    private void largeFileGoesBack(Channel dm) throws Exception {
        byte[] large = new byte[10 << 20];
        new Random(4711).nextBytes(large);
        discord.say(ann, dm, "and this", Map.of("large.bin", large));
        await("an answer", () -> texts(dm).size() == 4);
        Matcher id = Pattern.compile("10.0 MB; fetch with id (\\S+)]").matcher(texts(dm).get(3));
        assertTrue(texts(dm).toString(), id.find());
        discord.say(
                ann,
                dm,
                script(
                        call("palyra.channels.fetch_file", "id", id.group(1)),
                        call("palyra.channels.send_file", "path", "attachments/large.bin")));
        await("the file and the answer", () -> texts(dm).size() == 6);
        Posted sent = discord.posted(dm).get(4);
        assertEquals(List.of("large.bin"), sent.attachments());
        assertArrayEquals(large, discord.file(sent.message(), "large.bin"));
    }

    private List<Path> heldFiles() throws Exception {
        try (Stream<Path> files = Files.list(state.resolve("channels/files"))) {
            return files.toList();
        }
    }

    /**
     * Each message is answered once and in order, whatever is killed, replaced or lost meanwhile.
     */
    @Test
    public void everyMessageIsAnsweredOnceThroughKillsSwapsAndLostSessions() throws Exception {
        setUp();
        int each = Boolean.getBoolean("palyra.test.full") ? 125 : 20;
        List<User> people = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            people.add(discord.user("person" + i));
        }
        for (User person : people) {
            discord.say(person, discord.dm(person), "m0"); // of strangers a lost session tells not
        }
        await(
                "the first answers",
                () -> people.stream().noneMatch(one -> texts(discord.dm(one)).isEmpty()));
        List<String> swaps =
                List.of(
                        "palyra.connectors.discord",
                        "palyra.channels",
                        "palyra.gateway",
                        "palyra.front",
                        "palyra.sandbox");
        for (int i = 1; i < each; i++) {
            for (User person : people) {
                discord.say(person, discord.dm(person), "m" + i);
            }
            if (i % 4 == 2) {
                String bundle = swaps.get(i / 4 % swaps.size());
                gateway.client().run("swap", bundle, Dist.bundle(bundle).toString());
            }
            if (i % 4 == 3) {
                discord.gateway().befall(i % 8 == 3 ? Trouble.INVALID : Trouble.DROP);
            }
            if (i == each / 2 || i == each - 1) {
                gateway.kill();
                if (i == each / 2) {
                    discord.gateway().forget(); // away for longer than a session is kept
                }
                boot();
            }
        }
        await(
                "all answers",
                () -> people.stream().allMatch(one -> texts(discord.dm(one)).size() >= each));
        await(
                "nothing to wait",
                () -> rows("channels", "outbox", CONNECTOR, "--json").isEmpty() && idle());
        assertEquals(0, rows("channels", "dead", "--json", "--limit", "1000").size());
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < each; i++) {
            expected.add("You said: m" + i);
        }
        Map<String, List<String>> answers = new TreeMap<>();
        Map<String, List<String>> wanted = new TreeMap<>();
        for (User person : people) {
            answers.put(person.name(), texts(discord.dm(person)));
            wanted.put(person.name(), expected);
        }
        assertEquals(wanted, answers);
    }
}
