package palyra.connectors.discord.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import palyra.api.PalyraException;
import palyra.shared.connector.Texts;

/**
 * What channels and threads are called, which channel a thread belongs to, and which roles are a
 * bot's: from what Discord tells when a session begins and when they change, from what is known of
 * earlier, or else asked for. Thread-safe.
 */
final class Directory {
    private static final int NAME = 256;
    private static final int ASK_MILLIS = 5_000;
    private static final int MOST_GONE = 1_000;

    private final DiscordApi api;
    private final Ledger ledger;
    private final Map<String, Entry> entries = new ConcurrentHashMap<>();
    private final Map<String, Map<String, String>> bots = new ConcurrentHashMap<>(); // by server
    private final LinkedHashSet<String> gone = new LinkedHashSet<>(); // guarded by itself

    private record Entry(String parent, String name, String guild) {}

    Directory(DiscordApi api, Ledger ledger) {
        this.api = api;
        this.ledger = ledger;
    }

    private static boolean isThread(int type) {
        return type >= 10 && type <= 12;
    }

    /** Takes the channels and threads of a server that Discord told. */
    void guild(JsonNode guild) {
        String id = guild.path("id").asText(guild.path("guild_id").asText(""));
        guild.path("channels").forEach(channel -> put(channel, id));
        guild.path("threads").forEach(channel -> put(channel, id));
        if (guild.path("roles").isArray()) {
            bots.put(id, ofBots(guild.path("roles")));
        }
    }

    /** Returns the roles that belong to bots, with the ids of their bots. */
    private static Map<String, String> ofBots(JsonNode roles) {
        Map<String, String> found = new HashMap<>();
        for (JsonNode role : roles) {
            String bot = role.path("tags").path("bot_id").asText("");
            if (!bot.isEmpty()) {
                found.put(role.path("id").asText(), bot);
            }
        }
        return Map.copyOf(found);
    }

    /** Roles of a server changed: they are asked for when one is mentioned. */
    void rolesChanged(JsonNode event) {
        bots.remove(event.path("guild_id").asText(""));
    }

    /**
     * Returns which role that a message mentions is the bot's own, which Discord made for it; empty
     * for none.
     */
    String ownRole(JsonNode message) {
        String channel = MessageReader.snowflake(message, "channel_id");
        String guild = message.path("guild_id").asText("");
        if (guild.isEmpty()) { // a message that was fetched
            Entry entry = entries.get(channel);
            guild = (entry == null || entry.guild().isEmpty() ? ask(channel) : entry).guild();
        }
        if (!Snowflakes.isOne(guild)) {
            return "";
        }
        Map<String, String> roles = bots.get(guild);
        if (roles == null) {
            roles = askRoles(guild);
        }
        for (JsonNode role : message.path("mention_roles")) {
            if (ledger.bot().equals(roles.get(role.asText()))) {
                return role.asText();
            }
        }
        return "";
    }

    private Map<String, String> askRoles(String guild) {
        JsonNode roles =
                asked(Route.roles(guild), "It is not known which roles server " + guild + " has");
        Map<String, String> found = ofBots(roles);
        if (roles.isArray()) {
            bots.put(guild, found);
        }
        return found;
    }

    /** Takes a channel or thread. */
    void put(JsonNode channel) {
        put(channel, channel.path("guild_id").asText(""));
    }

    private void put(JsonNode channel, String guild) {
        String id = channel.path("id").asText("");
        if (Snowflakes.isOne(id)) {
            entries.put(id, entry(channel, guild));
        }
    }

    private static Entry entry(JsonNode channel, String guild) {
        String parent = channel.path("parent_id").asText("");
        boolean thread = isThread(channel.path("type").asInt(-1)) && Snowflakes.isOne(parent);
        return new Entry(
                thread ? parent : "", Texts.line(channel.path("name").asText(""), NAME), guild);
    }

    /** Forgets a channel or thread that is gone, but that it is. */
    void remove(JsonNode channel) {
        String id = channel.path("id").asText("");
        entries.remove(id);
        synchronized (gone) {
            gone.add(id);
            if (gone.size() > MOST_GONE) {
                gone.removeFirst();
            }
        }
    }

    /** Returns whether a channel or thread was deleted lately. */
    boolean isGone(String id) {
        synchronized (gone) {
            return gone.contains(id);
        }
    }

    /**
     * Returns where an event of a channel is.
     *
     * @param told the channel, if the event has it; else missing
     */
    Place place(JsonNode event, JsonNode told) {
        String channel = MessageReader.snowflake(event, "channel_id");
        if (!event.path("guild_id").isTextual()) {
            return new Place(channel, "", true, "");
        }
        if (told.path("type").isInt()) {
            put(told);
        }
        Entry entry = entries.get(channel);
        if (entry == null) {
            Optional<Place> known = ledger.place(channel);
            if (known.isPresent()) {
                return known.get();
            }
            entry = ask(channel);
        }
        return new Place(channel, entry.parent(), false, entry.name());
    }

    /** Discord tells of channels when a session begins, not when one goes on. */
    private Entry ask(String channel) {
        JsonNode told =
                asked(Route.channel(channel), "It is not known which channel " + channel + " is");
        put(told);
        return entry(told, told.path("guild_id").asText(""));
    }

    /** Missing when Discord says that it does not say; throws when it may say so later. */
    private JsonNode asked(Route route, String otherwise) {
        try {
            return switch (api.call(route, ASK_MILLIS)) {
                case ApiAnswer.Done done -> done.result();
                case ApiAnswer.Unreadable unreadable ->
                        throw new NotNowException(otherwise + ": " + unreadable.reason());
                case ApiAnswer.Refused refused -> {
                    if (refused.passes()) {
                        throw new NotNowException(otherwise + ": " + refused.shown());
                    }
                    yield MissingNode.getInstance();
                }
            };
        } catch (PalyraException | TokenException e) {
            throw new NotNowException(otherwise, e);
        }
    }

    /** Something cannot be told now, and may be later. */
    static final class NotNowException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotNowException(String message) {
            super(message);
        }

        NotNowException(String message, Throwable cause) {
            super(message + ": " + cause.getMessage(), cause);
        }
    }
}
