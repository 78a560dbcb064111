package palyra.testing.discord;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Commands, buttons and forms, and what is answered to them. For the lock's holder. */
final class Interactions {
    static final int PING = 1;
    static final int COMMAND = 2;
    static final int COMPONENT = 3;
    static final int MODAL = 5;

    private static final int TYPE_COMMAND = 20;
    private static final int MESSAGE = 4;
    private static final int DEFERRED_MESSAGE = 5;
    private static final int DEFERRED_UPDATE = 6;
    private static final int UPDATE = 7;
    private static final int OPEN_MODAL = 9;

    static final class State {
        final String id;
        final String token;
        final int kind;
        final World.ChannelState channel;
        final State opener; // what the form was opened by; null for others
        final ObjectNode user;
        final World.MessageState on; // the message of the button; null for others
        final long begunNanos = System.nanoTime();
        final List<World.MessageState> followups = new ArrayList<>();
        JsonNode callback; // null until there is one
        World.MessageState original; // null until there is one
        boolean expired;

        State(
                String id,
                String token,
                int kind,
                World.ChannelState channel,
                State opener,
                ObjectNode user,
                World.MessageState on) {
            this.id = id;
            this.token = token;
            this.kind = kind;
            this.channel = channel;
            this.opener = opener;
            this.user = user;
            this.on = on;
        }
    }

    private final World world;
    private final Channels channels;
    private final Map<String, State> byId = new LinkedHashMap<>();
    private final Map<String, State> byToken = new LinkedHashMap<>();
    Duration deadline = Duration.ofSeconds(3);

    Interactions(World world, Channels channels, Rest rest) {
        this.world = world;
        this.channels = channels;
        rest.add(
                "post",
                "/interactions/{interaction_id}/{interaction_token}/callback",
                200,
                this::callback);
        String webhook = "/webhooks/{webhook_id}/{webhook_token}";
        rest.add("post", webhook, 200, this::followup);
        for (String one : List.of("/messages/@original", "/messages/{message_id}")) {
            rest.get(webhook + one, ask -> world.seen(message(ask)));
            rest.add("patch", webhook + one, 200, this::edit);
            rest.add("delete", webhook + one, 204, this::delete);
        }
    }

    State get(String id) {
        return byId.get(id);
    }

    /**
     * Begins one and tells of it.
     *
     * @param on the message of the button; null for others
     * @param opener what the form was opened by; null for others
     */
    State begin(
            int kind,
            World.ChannelState channel,
            ObjectNode user,
            ObjectNode data,
            World.MessageState on,
            State opener) {
        String id = world.ids.next();
        String token =
                Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(
                                ("interaction:" + id + ":fakeFakeFake")
                                        .getBytes(StandardCharsets.UTF_8));
        State state = new State(id, token, kind, channel, opener, user, on);
        byId.put(id, state);
        byToken.put(token, state);
        ObjectNode event =
                Json.object(
                        "id",
                        id,
                        "application_id",
                        world.botId(),
                        "type",
                        kind,
                        "token",
                        token,
                        "version",
                        1,
                        "data",
                        data,
                        "channel_id",
                        channel.id(),
                        "channel",
                        partial(channel),
                        "app_permissions",
                        world.permissions(channel),
                        "locale",
                        "en-US",
                        "entitlements",
                        Json.array(),
                        "context",
                        channel.isDm() ? 1 : 0,
                        "attachment_size_limit",
                        Messages.MAX_FILE_BYTES);
        World.GuildState guild = world.guilds.get(channel.guild());
        if (guild == null) {
            event.set("user", user);
            event.set("authorizing_integration_owners", Json.object("0", "0"));
        } else {
            ObjectNode member = world.join(guild, user).deepCopy();
            member.put(
                    "permissions", guild.json.path("roles").path(0).path("permissions").asText());
            event.set("member", member);
            event.put("guild_id", guild.id());
            event.put("guild_locale", "en-US");
            event.set(
                    "guild",
                    Json.object("id", guild.id(), "locale", "en-US", "features", Json.array()));
            event.set("authorizing_integration_owners", Json.object("0", guild.id()));
        }
        if (on != null) {
            event.set("message", world.seen(on));
        }
        world.events.accept(new World.Event("INTERACTION_CREATE", event, channel.guild(), 0));
        return state;
    }

    private ObjectNode partial(World.ChannelState channel) {
        ObjectNode partial = channel.json.deepCopy();
        if (!channel.isDm()) {
            partial.put("permissions", world.permissions(channel));
        }
        return partial;
    }

    private JsonNode callback(Ask ask) {
        State state = byId.get(ask.path("interaction_id"));
        boolean known = state != null && state.token.equals(ask.path("interaction_token"));
        if (!known || state.expired || isLate(state)) {
            throw Refusal.unknown("interaction", 10062);
        }
        if (state.callback != null) {
            throw Refusal.of(400, 40060, "Interaction has already been acknowledged.");
        }
        int type = ask.json().path("type").asInt();
        answer(state, type, new Ask(Map.of(), Map.of(), ask.json().path("data"), ask.files()));
        state.callback = ask.json();
        if (!Boolean.parseBoolean(ask.query().get("with_response"))) {
            return null;
        }
        return response(state, type);
    }

    private boolean isLate(State state) {
        return state.callback == null && System.nanoTime() - state.begunNanos > deadline.toNanos();
    }

    private void answer(State state, int type, Ask data) {
        switch (type) {
            case MESSAGE -> original(state, filled(data), 0);
            case DEFERRED_MESSAGE -> original(state, filled(data), Messages.LOADING);
            case DEFERRED_UPDATE, UPDATE -> {
                if (state.on == null) {
                    throw Refusal.form(
                            "type", "INTERACTION_TYPE_INVALID", "Invalid interaction type");
                }
                state.original = state.on;
                if (type == UPDATE) {
                    channels.change(state.on, filled(data));
                }
            }
            case OPEN_MODAL -> {
                if (state.kind == MODAL) {
                    throw Refusal.form(
                            "type", "INTERACTION_TYPE_INVALID", "Invalid interaction type");
                }
            }
            default -> {} // a list of choices, or what the fake has no use for
        }
    }

    /** Returns an answer with an object for its data, also if there was none. */
    private static Ask filled(Ask ask) {
        return ask.json().isObject()
                ? ask
                : new Ask(ask.path(), ask.query(), Json.object(), ask.files());
    }

    private void original(State state, Ask ask, int flags) {
        World.MessageState message = made(state, ask, flags);
        message.json.put("type", state.kind == COMMAND ? TYPE_COMMAND : 0);
        message.json.set("interaction_metadata", metadata(state));
        state.original = message;
        world.add(message);
    }

    private static ObjectNode metadata(State state) {
        ObjectNode metadata = bareMetadata(state.id, state.kind, state.user);
        if (state.kind == COMPONENT) {
            metadata.put("interacted_message_id", state.on.id());
        }
        if (state.kind == MODAL) {
            ObjectNode opener = bareMetadata(state.opener.id, state.opener.kind, state.user);
            if (state.opener.kind == COMPONENT) {
                opener.put("interacted_message_id", state.on.id());
            }
            metadata.set("triggering_interaction_metadata", opener);
        }
        return metadata;
    }

    private static ObjectNode bareMetadata(String id, int kind, ObjectNode user) {
        return Json.object(
                "id", id,
                "type", kind,
                "user", user,
                "authorizing_integration_owners", Json.object());
    }

    private World.MessageState made(State state, Ask ask, int flags) {
        World.MessageState message = channels.made(state.channel, ask, Optional.of(flags));
        message.json.put("webhook_id", world.botId());
        message.json.put("application_id", world.botId());
        return message;
    }

    private JsonNode response(State state, int type) {
        ObjectNode interaction =
                Json.object("id", state.id, "type", state.kind, "channel_id", state.channel.id());
        ObjectNode response = Json.object("interaction", interaction);
        boolean made = type == MESSAGE || type == DEFERRED_MESSAGE;
        if (made) {
            interaction.put("response_message_id", state.original.id());
            interaction.put("response_message_loading", type == DEFERRED_MESSAGE);
            interaction.put("response_message_ephemeral", state.original.isEphemeral());
        }
        if (type == MESSAGE || type == UPDATE) {
            response.set(
                    "resource", Json.object("type", type, "message", world.seen(state.original)));
        }
        return response;
    }

    private State state(Ask ask) {
        State state = byToken.get(ask.path("webhook_token"));
        boolean old =
                state != null
                        && System.nanoTime() - state.begunNanos > Duration.ofMinutes(15).toNanos();
        if (!world.botId().equals(ask.path("webhook_id")) || state == null) {
            throw Refusal.unknown("Webhook", 10015);
        }
        if (state.expired || old) {
            throw Refusal.of(401, 50027, "Invalid Webhook Token");
        }
        if (state.callback == null) {
            throw Refusal.unknown("Webhook", 10015); // it begins with the first answer
        }
        return state;
    }

    private World.MessageState message(Ask ask) {
        State state = state(ask);
        String id = ask.path("message_id");
        List<World.MessageState> all = new ArrayList<>(state.followups);
        if (state.original != null) {
            all.add(state.original);
        }
        return all.stream()
                .filter(one -> !one.deleted)
                .filter(one -> id == null ? one == state.original : one.id().equals(id))
                .findFirst()
                .orElseThrow(() -> Refusal.unknown("Message", 10008));
    }

    private JsonNode followup(Ask ask) {
        State state = state(ask);
        if (state.original != null && (state.original.flags() & Messages.LOADING) != 0) {
            channels.change(state.original, ask); // it is what was announced
            return world.seen(state.original);
        }
        World.MessageState message = made(state, ask, 0);
        message.json.set("interaction_metadata", metadata(state));
        state.followups.add(message);
        world.add(message);
        return world.seen(message);
    }

    private JsonNode edit(Ask ask) {
        World.MessageState message = message(ask);
        channels.change(message, ask);
        return world.seen(message);
    }

    private JsonNode delete(Ask ask) {
        world.delete(List.of(message(ask)));
        return null;
    }

    /** Returns what a form sends back: its fields, with the values given by their custom ids. */
    static ArrayNode filledIn(JsonNode components, Map<String, String> values) {
        ArrayNode filled = Json.NODES.arrayNode();
        for (JsonNode one : components) {
            ObjectNode field = Json.object("type", one.path("type"), "id", one.path("id").asInt(1));
            if (one.path("components").isArray()) {
                field.set("components", filledIn(one.path("components"), values));
            }
            if (one.path("component").isObject()) {
                field.set("component", filledIn(Json.array(one.path("component")), values).path(0));
            }
            String customId = one.path("custom_id").asText("");
            if (!customId.isEmpty()) {
                String value = values.getOrDefault(customId, "");
                field.put("custom_id", customId);
                if (one.path("type").asInt() == 4) {
                    field.put("value", value);
                } else {
                    field.set("values", Json.array(value));
                }
            }
            filled.add(field);
        }
        return filled;
    }
}
