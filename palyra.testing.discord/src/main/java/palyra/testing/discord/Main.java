package palyra.testing.discord;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.stream.Stream;

/**
 * The fake as a program of its own, for bots in any language. It says first where it is and what
 * the token is, then does what each line of its input says, and answers with one line of JSON for
 * each. It ends with its input, so it does not outlive the test that started it.
 */
public final class Main {
    private static final String USAGE =
            "usage: palyra.testing.discord.Main [--port NUMBER]; 0, as without it, takes a free port";
    private static final String COMMANDS =
            "say USER CHANNEL TEXT, slash USER CHANNEL COMMAND {OPTIONS}, press USER MESSAGE"
                    + " CUSTOM_ID, pressLate USER MESSAGE CUSTOM_ID, posted CHANNEL, befall TROUBLE,"
                    + " violations, quit; CHANNEL is general, or dm for that of USER (posted: dm of"
                    + " USER as dm:USER)";
    private static final String ROOM = "general";

    private final FakeDiscord discord;
    private final Guild guild;
    private final Channel room;
    private final Map<String, User> users = new HashMap<>();
    private final Map<String, Channel> channels = new LinkedHashMap<>();

    private Main(FakeDiscord discord) {
        this.discord = discord;
        guild = discord.guild("Home");
        room = discord.textChannel(guild, ROOM);
        channels.put(ROOM, room);
        Stream.of(Intent.values()).filter(Intent::isPrivileged).forEach(discord.gateway()::grant);
    }

    /** Runs it; see {@code docs/testing-discord.md}. */
    public static void main(String[] arguments) {
        System.exit(run(arguments, System.in, System.out, System.err));
    }

    /** Returns 0, 1 when the bot broke Discord's rules, or 2 when it could not begin. */
    static int run(String[] arguments, InputStream in, PrintStream out, PrintStream err) {
        int port = port(arguments);
        if (port < 0) {
            err.println(USAGE);
            return 2;
        }
        try (FakeDiscord discord = new FakeDiscord(port)) {
            new Main(discord).serve(in, out);
            discord.violations().forEach(err::println);
            return discord.violations().isEmpty() ? 0 : 1;
        } catch (UncheckedIOException e) {
            err.println("port " + port + " cannot be used: " + e.getCause().getMessage());
            return 2;
        }
    }

    private static int port(String[] arguments) {
        if (arguments.length == 0) {
            return 0;
        }
        boolean named = arguments.length == 2 && arguments[0].equals("--port");
        boolean number = named && arguments[1].matches("[0-9]{1,5}");
        int port = number ? Integer.parseInt(arguments[1]) : -1;
        return port <= 65_535 ? port : -1;
    }

    private void serve(InputStream in, PrintStream out) {
        tell(out, where());
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.strip().equals("quit")) {
                    return;
                }
                if (!line.isBlank()) {
                    tell(out, answer(line.strip()));
                }
            }
        } catch (IOException e) {
            tell(out, error(e));
        }
    }

    private static void tell(PrintStream out, JsonNode node) {
        out.print(Json.write(node) + "\n");
        out.flush();
    }

    private static ObjectNode error(Exception e) {
        return Json.object("error", String.valueOf(e.getMessage()));
    }

    private ObjectNode where() {
        return Json.object(
                "rest",
                discord.restBase(),
                "gateway",
                discord.gatewayUrl(),
                "files",
                discord.cdnUrl(),
                "token",
                discord.token(),
                "bot",
                discord.bot().id(),
                "guild",
                guild.id(),
                ROOM,
                room.id());
    }

    private JsonNode answer(String line) {
        try {
            return act(line.split("\\s+", 4));
        } catch (IllegalArgumentException
                | IllegalStateException
                | NoSuchElementException
                | IOException e) {
            return error(e);
        }
    }

    private JsonNode act(String... words) throws IOException {
        return switch (words[0]) {
            case "say" ->
                    Json.object(
                            "message",
                            discord.say(user(words, 1), place(words), word(words, 3)).id());
            case "slash" -> slash(words);
            case "press" ->
                    interaction(discord.press(user(words, 1), message(words), word(words, 3)));
            case "pressLate" ->
                    interaction(discord.pressLate(user(words, 1), message(words), word(words, 3)));
            case "posted" -> posted(word(words, 1));
            case "befall" -> {
                discord.gateway().befall(Trouble.valueOf(word(words, 1).toUpperCase(Locale.ROOT)));
                yield Json.object();
            }
            case "violations" -> Json.array(discord.takeViolations().toArray());
            default ->
                    throw new IllegalArgumentException(
                            "'" + words[0] + "' is no command; there are: " + COMMANDS);
        };
    }

    private static String word(String[] words, int at) {
        if (at >= words.length) {
            throw new IllegalArgumentException(
                    "'" + String.join(" ", words) + "' is not whole; there are: " + COMMANDS);
        }
        return words[at];
    }

    private User user(String[] words, int at) {
        return users.computeIfAbsent(word(words, at), discord::user);
    }

    private Channel place(String[] words) {
        String name = word(words, 2);
        return channel(name.equals("dm") ? "dm:" + word(words, 1) : name);
    }

    private Channel channel(String name) {
        if (name.startsWith("dm:")) {
            String user = name.substring("dm:".length());
            return channels.computeIfAbsent(
                    name, dm -> discord.dm(users.computeIfAbsent(user, discord::user)));
        }
        if (!name.equals(ROOM)) {
            throw new IllegalArgumentException(
                    "'" + name + "' is no channel; there are general and dm:USER");
        }
        return room;
    }

    private JsonNode slash(String[] words) throws IOException {
        String[] given = word(words, 3).split("\\s+", 2);
        JsonNode options =
                given.length < 2
                        ? Json.object()
                        : Json.read(given[1].getBytes(StandardCharsets.UTF_8));
        Map<String, Object> values = new LinkedHashMap<>();
        options.properties().forEach(one -> values.put(one.getKey(), one.getValue()));
        return interaction(discord.slash(user(words, 1), place(words), given[0], values));
    }

    private static JsonNode interaction(Interaction interaction) {
        return Json.object("interaction", interaction.id());
    }

    private Message message(String[] words) {
        String id = word(words, 2);
        return channels.values().stream()
                .flatMap(channel -> discord.posted(channel).stream())
                .map(Posted::message)
                .filter(one -> one.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("the bot posted no message " + id));
    }

    private ArrayNode posted(String channel) {
        List<Posted> all = discord.posted(channel(channel));
        ArrayNode posted = Json.array();
        for (Posted one : all) {
            posted.add(
                    Json.object(
                            "id", one.message().id(),
                            "content", one.content(),
                            "edits", one.edits(),
                            "replyTo", one.replyTo(),
                            "deleted", one.deleted(),
                            "ephemeral", one.isEphemeral(),
                            "components", one.components()));
        }
        return posted;
    }
}
