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
import java.util.Optional;
import java.util.stream.Collectors;
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
            "say USER CHANNEL TEXT, reply USER MESSAGE TEXT, edit MESSAGE TEXT, delete MESSAGE,"
                    + " react USER MESSAGE EMOJI, thread USER CHANNEL NAME, slash USER CHANNEL"
                    + " COMMAND {OPTIONS}, press USER MESSAGE CUSTOM_ID, pressLate USER MESSAGE"
                    + " CUSTOM_ID, answered INTERACTION, form USER INTERACTION {FIELDS}, posted"
                    + " CHANNEL, befall TROUBLE, close CODE, intents [INTENT ...], resetToken,"
                    + " violations, quit; CHANNEL is general, the id of a thread, or dm for that of"
                    + " USER (posted: dm:USER); TEXT may be a JSON string, for several lines";
    private static final String ROOM = "general";

    private final FakeDiscord discord;
    private final Guild guild;
    private final Channel room;
    private final Map<String, User> users = new HashMap<>();
    private final Map<String, Channel> channels = new LinkedHashMap<>();
    private final Map<String, Message> said = new HashMap<>();
    private final Map<String, Interaction> interactions = new HashMap<>();

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
            return act(line, line.split("\\s+", 4));
        } catch (IllegalArgumentException
                | IllegalStateException
                | NoSuchElementException
                | IOException e) {
            return error(e);
        }
    }

    private JsonNode act(String line, String... words) throws IOException {
        return switch (words[0]) {
            case "say" -> message(discord.say(user(words, 1), place(words), text(word(words, 3))));
            case "reply" ->
                    message(discord.reply(user(words, 1), message(words), text(word(words, 3))));
            case "edit" -> {
                String[] two = line.split("\\s+", 3);
                discord.edit(ofPerson(two), text(word(two, 2)));
                yield Json.object();
            }
            case "delete" -> {
                discord.delete(ofPerson(words));
                yield Json.object();
            }
            case "react" -> {
                discord.react(user(words, 1), message(words), word(words, 3));
                yield Json.object();
            }
            case "thread" -> {
                Channel made = discord.thread(user(words, 1), place(words), word(words, 3));
                channels.put(made.id(), made);
                yield Json.object("channel", made.id());
            }
            case "slash" -> slash(words);
            case "press" ->
                    interaction(discord.press(user(words, 1), message(words), word(words, 3)));
            case "pressLate" ->
                    interaction(discord.pressLate(user(words, 1), message(words), word(words, 3)));
            case "answered" -> answered(discord.interaction(known(word(words, 1))));
            case "form" ->
                    interaction(
                            discord.modalSubmit(
                                    user(words, 1), known(word(words, 2)), fields(word(words, 3))));
            case "posted" -> posted(word(words, 1));
            case "befall" -> {
                discord.gateway().befall(named(Trouble.class, word(words, 1)));
                yield Json.object();
            }
            case "close" -> {
                discord.gateway().close(code(word(words, 1)), "");
                yield Json.object();
            }
            case "intents" -> {
                discord.gateway()
                        .grant(
                                Stream.of(line.split("\\s+"))
                                        .skip(1)
                                        .map(name -> named(Intent.class, name))
                                        .toArray(Intent[]::new));
                yield Json.object();
            }
            case "resetToken" -> Json.object("token", discord.resetToken());
            case "violations" -> Json.array(discord.takeViolations().toArray());
            default ->
                    throw new IllegalArgumentException(
                            "'" + words[0] + "' is no command; there are: " + COMMANDS);
        };
    }

    private JsonNode message(Message message) {
        said.put(message.id(), message);
        return Json.object("message", message.id());
    }

    /** A text of several lines does not fit on one. */
    private static String text(String word) throws IOException {
        return word.startsWith("\"")
                ? Json.read(word.getBytes(StandardCharsets.UTF_8)).asText()
                : word;
    }

    private static <E extends Enum<E>> E named(Class<E> type, String name) {
        return Stream.of(type.getEnumConstants())
                .filter(one -> one.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "'"
                                                + name
                                                + "' is not one of: "
                                                + Stream.of(type.getEnumConstants())
                                                        .map(one -> one.name())
                                                        .collect(Collectors.joining(", "))
                                                        .toLowerCase(Locale.ROOT)));
    }

    private static int code(String word) {
        if (!word.matches("[1-4][0-9]{3}")) {
            throw new IllegalArgumentException("'" + word + "' is no close code, such as 4004");
        }
        return Integer.parseInt(word);
    }

    private Message ofPerson(String... words) {
        return Optional.ofNullable(said.get(word(words, 1)))
                .orElseThrow(
                        () ->
                                new NoSuchElementException(
                                        "no person wrote message " + words[1] + " here"));
    }

    private Interaction known(String id) {
        return Optional.ofNullable(interactions.get(id))
                .orElseThrow(() -> new NoSuchElementException("there is no interaction " + id));
    }

    private static Map<String, String> fields(String json) throws IOException {
        Map<String, String> fields = new LinkedHashMap<>();
        Json.read(json.getBytes(StandardCharsets.UTF_8))
                .properties()
                .forEach(one -> fields.put(one.getKey(), one.getValue().asText()));
        return fields;
    }

    /** What the bot did with an interaction so far: type 9 is a form, 5 announces an answer. */
    private static JsonNode answered(Interaction now) {
        return Json.object(
                "type",
                now.answerType(),
                "data",
                now.callback().map(body -> body.path("data")).orElse(Json.object()),
                "content",
                now.original().map(Posted::content).orElse(""),
                "followups",
                Json.array(now.followups().stream().map(Posted::content).toArray()));
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
        if (name.equals(ROOM)) {
            return room;
        }
        return Stream.concat(channels.values().stream(), discord.threads(room).stream())
                .filter(one -> one.id().equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "'"
                                                + name
                                                + "' is no channel; there are general, dm:USER and"
                                                + " threads by their ids"));
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

    private JsonNode interaction(Interaction interaction) {
        interactions.put(interaction.id(), interaction);
        return Json.object("interaction", interaction.id());
    }

    private Message message(String[] words) {
        String id = word(words, 2);
        if (said.containsKey(id)) {
            return said.get(id);
        }
        return Stream.concat(channels.values().stream(), discord.threads(room).stream())
                .flatMap(channel -> discord.posted(channel).stream())
                .map(Posted::message)
                .filter(one -> one.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("there is no message " + id));
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
