package palyra.testing.discord;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where a client, or the fake itself, broke Discord's rules. Thread-safe. */
final class Violations {
    /** The component that an event's content is; content alone that is nothing but one. */
    private static final Map<String, String> EVENTS =
            Map.of(
                    "MESSAGE_CREATE", "MessageResponse",
                    "MESSAGE_UPDATE", "MessageResponse",
                    "CHANNEL_CREATE", "GuildChannelResponse",
                    "CHANNEL_UPDATE", "GuildChannelResponse",
                    "CHANNEL_DELETE", "GuildChannelResponse",
                    "THREAD_CREATE", "ThreadResponse",
                    "THREAD_UPDATE", "ThreadResponse",
                    "GUILD_CREATE", "GuildResponse",
                    "GUILD_MEMBER_ADD", "GuildMemberResponse",
                    "GUILD_MEMBER_UPDATE", "GuildMemberResponse");

    private static final int LONGEST = 600;

    private final List<String> all = new ArrayList<>(); // guarded by this

    /**
     * Each is one line, however the bot broke a rule, and however much of what it sent is named.
     */
    synchronized void add(String what) {
        String line = what.replaceAll("\\p{Cntrl}+", " ");
        all.add(line.length() > LONGEST ? line.substring(0, LONGEST) + " …" : line);
    }

    /** One for all that is wrong with one request, answer or event. */
    void add(String where, List<String> wrong) {
        if (!wrong.isEmpty()) {
            add(where + ": " + String.join("; ", wrong));
        }
    }

    synchronized List<String> all() {
        return List.copyOf(all);
    }

    synchronized List<String> take() {
        List<String> taken = List.copyOf(all);
        all.clear();
        return taken;
    }

    /** Holds an event against the document. */
    void event(String type, ObjectNode data) {
        Optional.ofNullable(EVENTS.get(type))
                .ifPresent(name -> add("event " + type, OpenApi.get().component(name, data)));
        if (type.equals("INTERACTION_CREATE")) {
            interaction(data);
        }
    }

    private void interaction(JsonNode data) {
        JsonNode user = data.has("member") ? data.path("member").path("user") : data.path("user");
        add("event INTERACTION_CREATE", OpenApi.get().component("UserResponse", user));
        if (data.has("message")) {
            add(
                    "event INTERACTION_CREATE",
                    OpenApi.get().component("MessageResponse", data.path("message")));
        }
    }
}
