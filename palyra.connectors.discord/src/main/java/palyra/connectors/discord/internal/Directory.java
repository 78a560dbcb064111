package palyra.connectors.discord.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import palyra.api.PalyraException;
import palyra.shared.connector.Texts;

/**
 * What channels and threads are called, and which channel a thread belongs to: from what Discord
 * tells when a session begins and when they change, from what is known of earlier, or else asked
 * for. Thread-safe.
 */
final class Directory {
    private static final int NAME = 256;
    private static final int ASK_MILLIS = 5_000;
    private static final int MOST_GONE = 1_000;

    private final DiscordApi api;
    private final Ledger ledger;
    private final Map<String, Entry> entries = new ConcurrentHashMap<>();
    private final LinkedHashSet<String> gone = new LinkedHashSet<>(); // guarded by itself

    private record Entry(String parent, String name) {}

    Directory(DiscordApi api, Ledger ledger) {
        this.api = api;
        this.ledger = ledger;
    }

    private static boolean isThread(int type) {
        return type >= 10 && type <= 12;
    }

    /** Takes the channels and threads of a server that Discord told. */
    void guild(JsonNode guild) {
        guild.path("channels").forEach(this::put);
        guild.path("threads").forEach(this::put);
    }

    /** Takes a channel or thread. */
    void put(JsonNode channel) {
        String id = channel.path("id").asText("");
        if (Snowflakes.isOne(id)) {
            entries.put(id, entry(channel));
        }
    }

    private static Entry entry(JsonNode channel) {
        String parent = channel.path("parent_id").asText("");
        boolean thread = isThread(channel.path("type").asInt(-1)) && Snowflakes.isOne(parent);
        return new Entry(thread ? parent : "", Texts.line(channel.path("name").asText(""), NAME));
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
        try {
            if (api.call(Route.channel(channel), ASK_MILLIS) instanceof ApiAnswer.Done done) {
                put(done.result());
                return entry(done.result());
            }
        } catch (PalyraException | TokenException e) {
            throw new NotNowException("It is not known which channel " + channel + " is", e);
        }
        return new Entry("", "");
    }

    /** Something cannot be told now, and may be later. */
    static final class NotNowException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotNowException(String message, Throwable cause) {
            super(message + ": " + cause.getMessage(), cause);
        }
    }
}
