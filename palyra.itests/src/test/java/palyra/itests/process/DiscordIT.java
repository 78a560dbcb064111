package palyra.itests.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.nio.charset.StandardCharsets;
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
import palyra.testing.discord.Intent;
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
    private static final String BUNDLE = "palyra.connectors.discord";
    private static final String BEGIN = "POST /channels/{channel_id}/messages/{message_id}/threads";

    private static final String SLOW =
            "#!palyra-script\n{\"turns\":[[{\"say\":\"slow but sure\",\"chunkMillis\":500}]]}";

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
    private void setUp(String... flags) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("channels", "discord", "setup", "main", "--json"));
        command.addAll(List.of(flags));
        CommandClient.Result result =
                gateway.client().runWith(discord.token(), command.toArray(String[]::new));
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
        Interaction pressed = discord.awaitAnswer(discord.press(ann, message, no));
        discord.modalSubmit(ann, pressed, Map.of("reason", "Not this address."));
        await(
                "the question to say how it ended",
                () -> discord.posted(message).content().contains("Denied by user:ann"));
        assertEquals(0, discord.posted(message).components().size());
        await("the run to end", this::idle);
        int before = discord.typing(dm);
        discord.say(ann, dm, SLOW);
        await("the bot to be seen writing", () -> discord.typing(dm) > before);
        await("the slow answer", () -> texts(dm).getLast().equals("slow but sure"));
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

    private String told(Channel dm, Message command) throws Exception {
        await("an answer to the command", () -> !answersTo(dm, command).isEmpty());
        return answersTo(dm, command).getFirst();
    }

    private List<String> answersTo(Channel dm, Message message) {
        return discord.posted(dm).stream()
                .filter(one -> one.replyTo().equals(message.id()))
                .map(Posted::content)
                .toList();
    }

    private void reacted(Message message, String... reactions) throws Exception {
        await(
                List.of(reactions) + " at the message",
                () -> discord.reactions(message).equals(List.of(reactions)));
    }

    /** With the policies that are shipped and one of an operator, over a swap and a kill. */
    @Test
    public void peopleStopBeginAndChooseByCommandsAndSeeTheStateOfTheirMessages() throws Exception {
        setUp();
        gateway.client()
                .run("agents", "create", "chat", "--test", "true", "--tool", "palyra.http.fetch")
                .ok();
        configure(
                "palyra.channels.route~people",
                "{\"connectors\":[\"discord:*\"],\"directMessages\":\"allow\","
                        + "\"stateReactions\":true,\"priority\":5}");
        await(
                "the rule to be in force",
                () -> rows("router", "rules", "--json").path(0).path("priority").asInt() == 5);
        Channel dm = discord.dm(ann);
        Message first = discord.say(ann, dm, "good morning");
        reacted(first, "👀", "✅");
        assertTrue(
                told(dm, discord.say(ann, dm, "/agent")).contains("You may choose no other one"));
        assertTrue(told(dm, discord.say(ann, dm, "/agent chat")).contains("denied, because"));
        Files.writeString(
                Files.createDirectories(state.resolve("policies")).resolve("chooses.cedar"),
                """
                @id("ann_chooses")
                permit (
                  principal == User::"user:discord:main:%s",
                  action == Action::"agent.bind",
                  resource == Agent::"chat"
                );
                """
                        .formatted(ann.id()));
        await(
                "the policy to be in force",
                () ->
                        told(dm, discord.say(ann, dm, "/agent"))
                                .endsWith("You may choose with `/agent NAME`: chat."));
        assertTrue(told(dm, discord.say(ann, dm, "/agent chat")).startsWith("`chat` answers"));
        Message asked = discord.say(ann, dm, script());
        await("a question", () -> texts(dm).getLast().contains("`yes "));
        String status = told(dm, discord.say(ann, dm, "/status"));
        assertTrue(status, status.contains("`chat`, that of this conversation"));
        assertTrue(status, status.contains("Waits for an approval"));
        assertTrue(told(dm, discord.say(ann, dm, "/new")).contains("/stop"));
        String bundle = "palyra.channels";
        gateway.client().run("swap", bundle, Dist.bundle(bundle).toString()).ok();
        assertEquals("Stopped: 1.", told(dm, discord.say(ann, dm, "/stop")));
        reacted(asked, "👀", "🛑");
        Message begin = discord.say(ann, dm, "/new");
        gateway.kill();
        boot();
        assertEquals("The next message begins a new conversation.", told(dm, begin));
        assertTrue(told(dm, discord.say(ann, dm, "/agent")).contains("`default`, the default"));
        assertEquals(1, answersTo(dm, begin).size());
        reacted(discord.say(ann, dm, "good evening"), "👀", "✅");
        assertEquals(0, rows("channels", "dead", "--json").size());
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
                gateway.client().run("swap", bundle, Dist.bundle(bundle).toString()).ok();
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

    /**
     * Each message to the bot is answered in one thread of its own, which goes on by itself,
     * whatever is killed or lost while it begins.
     */
    @Test
    public void answersBeginThreadsOnceThroughKillsAndThreadsGoOn() throws Exception {
        discord.gateway().grant(Intent.MESSAGE_CONTENT);
        configure(
                "palyra.channels.route~people",
                "{\"connectors\":[\"discord:*\"],\"directMessages\":\"allow\",\"threads\":true}");
        configure("palyra.channels", "{\"firstDelayMillis\":20,\"longestDelayMillis\":500}");
        setUp("--message-content");
        int each = Boolean.getBoolean("palyra.test.full") ? 40 : 8;
        List<Message> asked = new ArrayList<>();
        for (int i = 0; i < each; i++) {
            switch (i % 4) {
                case 1 -> discord.fail(BEGIN, Fault.droppedAfter());
                case 2 -> discord.fail(FakeDiscord.POST, Fault.droppedAfter());
                case 3 -> discord.fail(BEGIN, Fault.droppedBefore());
                default -> {} // nothing goes wrong
            }
            asked.add(discord.say(ann, room, "<@" + discord.bot().id() + "> question " + i));
            if (i % 4 == 3) {
                int threads = i;
                await("threads", () -> discord.threads(room).size() >= threads);
                gateway.kill();
                boot();
            }
        }
        await("an answer in each thread", () -> answers(asked, 1));
        for (int i = 0; i < each; i++) {
            discord.say(ann, thread(asked.get(i)), "more of " + i);
        }
        await("another one in each thread", () -> answers(asked, 2));
        await(
                "nothing to wait",
                () -> rows("channels", "outbox", CONNECTOR, "--json").isEmpty() && idle());
        assertEquals(0, rows("channels", "dead", "--json").size());
        assertEquals(each, discord.threads(room).size());
        assertEquals(List.of(), texts(room));
        for (int i = 0; i < each; i++) {
            List<String> answers = texts(thread(asked.get(i)));
            assertEquals(answers.toString(), 2, answers.size());
            assertTrue(answers.toString(), answers.get(0).endsWith("question " + i));
            assertTrue(answers.toString(), answers.get(1).endsWith("more of " + i));
            assertEquals("question " + i, thread(asked.get(i)).name());
        }
    }

    private boolean answers(List<Message> asked, int count) {
        return discord.threads(room).size() >= asked.size()
                && asked.stream().allMatch(one -> texts(thread(one)).size() >= count);
    }

    private Channel thread(Message message) {
        return discord.threads(room).stream()
                .filter(one -> one.id().equals(message.id()))
                .findFirst()
                .orElseThrow();
    }

    /** Of a connector that was replaced no thread, class, socket or inflater is left. */
    @Test
    public void swapsOfTheConnectorLeaveNothing() throws Exception {
        setUp();
        Channel dm = discord.dm(ann);
        swapped(dm, 0, 3); // what is there once and stays
        Belongings before = Belongings.of(gateway.pid());
        long inflaters = inflaters();
        swapped(dm, 3, Boolean.getBoolean("palyra.test.full") ? 203 : 11);
        List<List<String>> last = new ArrayList<>(List.of(List.of()));
        Wait.until(
                "what the old connectors held to be gone",
                PATIENCE,
                () -> {
                    last.set(0, Belongings.of(gateway.pid()).moreThan(before));
                    return last.getFirst().isEmpty() && inflaters() <= inflaters + 2;
                },
                () -> last.getFirst() + gateway.console());
    }

    private void swapped(Channel dm, int from, int to) throws Exception {
        for (int i = from; i < to; i++) {
            Path jar =
                    RebuiltBundle.write(
                            Dist.bundle(BUNDLE),
                            temp.getRoot().toPath().resolve("rebuilt.jar"),
                            Map.of("Palyra-Round", Integer.toString(i)),
                            entry -> false);
            String operation =
                    gateway.client()
                            .run("swap", BUNDLE, jar.toString(), "--json")
                            .ok()
                            .json()
                            .path("operationId")
                            .asText();
            await(
                    "swap " + i,
                    () ->
                            rows("swap", "status", operation, "--json")
                                    .path("outcome")
                                    .asText()
                                    .equals("SUCCEEDED"));
            int answers = i + 1;
            discord.say(ann, dm, "after swap " + i);
            await("an answer", () -> texts(dm).size() == answers);
        }
    }

    /** Counts them after a collection; each has memory outside of the heap until it ends. */
    private long inflaters() throws Exception {
        Process jcmd =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                                Long.toString(gateway.pid()),
                                "GC.class_histogram")
                        .redirectErrorStream(true)
                        .start();
        String said = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(said, 0, jcmd.waitFor());
        return said.lines()
                .filter(line -> line.contains("java.util.zip.Inflater "))
                .mapToLong(line -> Long.parseLong(line.strip().split(" +")[1]))
                .sum();
    }
}
