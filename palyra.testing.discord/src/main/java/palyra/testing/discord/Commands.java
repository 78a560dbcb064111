package palyra.testing.discord;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The commands that the application has, everywhere and in guilds. For the lock's holder. */
final class Commands {
    private static final Pattern NAME = Pattern.compile("^[-_'\\p{L}\\p{N}]{1,32}$");
    private static final int SLASH = 1;

    private final World world;

    Commands(World world, Rest rest) {
        this.world = world;
        for (String in : new String[] {"", "/guilds/{guild_id}"}) {
            String path = "/applications/{application_id}" + in + "/commands";
            rest.get(path, this::list);
            rest.add("put", path, 200, this::replace);
            rest.add("post", path, 201, this::create);
            rest.get(path + "/{command_id}", ask -> one(ask).deepCopy());
            rest.add("patch", path + "/{command_id}", 200, this::edit);
            rest.add("delete", path + "/{command_id}", 204, this::delete);
        }
    }

    private Map<String, ObjectNode> of(Ask ask) {
        if (!world.botId().equals(ask.path("application_id"))) {
            throw Refusal.unknown("Application", 10002);
        }
        String guild = ask.path("guild_id");
        if (guild == null) {
            return world.commands;
        }
        if (!world.guilds.containsKey(guild)) {
            throw Refusal.missingAccess();
        }
        return world.guilds.get(guild).commands;
    }

    private JsonNode list(Ask ask) {
        ArrayNode all = Json.NODES.arrayNode();
        of(ask).values().forEach(all::add);
        return all;
    }

    private JsonNode replace(Ask ask) {
        Map<String, ObjectNode> commands = of(ask);
        Map<String, ObjectNode> before = new LinkedHashMap<>(commands);
        Map<String, ObjectNode> after = new LinkedHashMap<>();
        int at = 0;
        for (JsonNode asked : ask.json()) {
            String name = asked.path("name").asText();
            check(asked, at++ + ".");
            ObjectNode command = made(ask, asked, named(before, asked).orElse(null));
            if (named(after, asked).isPresent()) {
                throw Refusal.form(
                        Integer.toString(at - 1),
                        "APPLICATION_COMMANDS_DUPLICATE_NAME",
                        "Application command names must be unique: " + name);
            }
            after.put(command.path("id").asText(), command);
        }
        commands.clear();
        commands.putAll(after);
        return list(ask);
    }

    private JsonNode create(Ask ask) {
        Map<String, ObjectNode> commands = of(ask);
        check(ask.json(), "");
        ObjectNode command = made(ask, ask.json(), named(commands, ask.json()).orElse(null));
        commands.put(command.path("id").asText(), command);
        return command.deepCopy();
    }

    private JsonNode edit(Ask ask) {
        ObjectNode command = one(ask);
        ObjectNode asked = command.deepCopy();
        asked.setAll((ObjectNode) Json.withoutNulls(ask.json()));
        check(asked, "");
        ObjectNode edited = made(ask, asked, command);
        of(ask).put(edited.path("id").asText(), edited);
        return edited.deepCopy();
    }

    private JsonNode delete(Ask ask) {
        of(ask).remove(one(ask).path("id").asText());
        return null;
    }

    private ObjectNode one(Ask ask) {
        return Optional.ofNullable(of(ask).get(ask.path("command_id")))
                .orElseThrow(() -> Refusal.unknown("application command", 10063));
    }

    private static Optional<ObjectNode> named(Map<String, ObjectNode> in, JsonNode asked) {
        return in.values().stream()
                .filter(
                        one ->
                                one.path("name").equals(asked.path("name"))
                                        && one.path("type").asInt()
                                                == asked.path("type").asInt(SLASH))
                .findFirst();
    }

    private static void check(JsonNode asked, String place) {
        String name = asked.path("name").asText();
        boolean slash = asked.path("type").asInt(SLASH) == SLASH;
        if (slash
                && (!NAME.matcher(name).matches() || !name.equals(name.toLowerCase(Locale.ROOT)))) {
            throw Refusal.form(
                    place + "name", "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid");
        }
        String description = asked.path("description").asText("");
        if (slash && (description.isEmpty() || description.length() > 100)) {
            throw Refusal.form(
                    place + "description",
                    "BASE_TYPE_BAD_LENGTH",
                    "Must be between 1 and 100 in length.");
        }
    }

    /** Returns a command as Discord keeps it; one that does not change keeps its version. */
    private ObjectNode made(Ask ask, JsonNode asked, ObjectNode before) {
        ObjectNode command =
                Json.object(
                        "id",
                        before == null ? world.ids.next() : before.path("id").asText(),
                        "application_id",
                        world.botId(),
                        "default_member_permissions",
                        null,
                        "type",
                        asked.path("type").asInt(SLASH),
                        "description",
                        "",
                        "contexts",
                        null,
                        "integration_types",
                        Json.array(0),
                        "nsfw",
                        false);
        if (ask.path("guild_id") != null) {
            command.put("guild_id", ask.path("guild_id"));
        }
        ObjectNode rest = Json.withoutNulls(asked).deepCopy();
        rest.remove(List.of("id", "version"));
        if (rest.path("default_member_permissions").isNumber()) {
            rest.put(
                    "default_member_permissions", rest.path("default_member_permissions").asText());
        }
        command.setAll(rest);
        boolean same = before != null && command.equals(before.deepCopy().without("version"));
        command.put("version", same ? before.path("version").asText() : world.ids.next());
        return command;
    }
}
