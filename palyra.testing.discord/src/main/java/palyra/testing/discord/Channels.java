package palyra.testing.discord;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What is done in channels: messages, reactions, threads, typing. For the lock's holder. */
final class Channels {
    /** How long a nonce is remembered; Discord says "a few minutes". */
    private static final long NONCE_NANOS = Duration.ofMinutes(5).toNanos();

    private static final int MOST = 100;
    private static final int TYPE_REPLY = 19;
    private static final int TYPE_THREAD_CREATED = 18;
    private static final Pattern CUSTOM_EMOJI = Pattern.compile("[A-Za-z0-9_]+:[0-9]+");

    /** A message that a nonce made. */
    private record Nonce(World.MessageState message, long nanos) {}

    private final World world;
    private final FakeGateway gateway;
    private final Map<String, Nonce> nonces = new HashMap<>();

    Channels(World world, FakeGateway gateway, Rest rest) {
        this.world = world;
        this.gateway = gateway;
        String channel = "/channels/{channel_id}";
        rest.get(channel, ask -> channel(ask).json.deepCopy());
        rest.add("patch", channel, 200, this::editChannel);
        rest.add("delete", channel, 200, this::deleteChannel);
        rest.add("post", "/guilds/{guild_id}/channels", 201, this::createChannel);
        String messages = channel + "/messages";
        rest.get(messages, this::list);
        rest.add("post", messages, 200, this::post);
        rest.add("post", messages + "/bulk-delete", 204, this::bulkDelete);
        String message = messages + "/{message_id}";
        rest.get(message, ask -> shown(readable(ask)));
        rest.add("patch", message, 200, this::edit);
        rest.add("delete", message, 204, this::delete);
        String reactions = message + "/reactions";
        rest.add("delete", reactions, 204, this::clearReactions);
        String reaction = reactions + "/{emoji_name}";
        rest.get(reaction, this::reactors);
        rest.add("delete", reaction, 204, this::clearReactions);
        rest.add("put", reaction + "/@me", 204, ask -> react(ask, world.botId(), true));
        rest.add("delete", reaction + "/@me", 204, ask -> react(ask, world.botId(), false));
        rest.add(
                "delete",
                reaction + "/{user_id}",
                204,
                ask -> react(ask, ask.path("user_id"), false));
        rest.add("post", channel + "/typing", 204, this::typing);
        rest.add("post", message + "/threads", 201, this::threadOfMessage);
        rest.add("post", channel + "/threads", 201, this::thread);
        rest.add("put", channel + "/thread-members/@me", 204, ask -> inThread(channel(ask)));
        rest.add("delete", channel + "/thread-members/@me", 204, ask -> inThread(channel(ask)));
        rest.get(channel + "/threads/archived/public", this::archived);
    }

    private World.ChannelState channel(Ask ask) {
        World.ChannelState channel = world.channels.get(ask.path("channel_id"));
        if (channel == null) {
            throw Refusal.unknown("Channel", 10003);
        }
        if (!world.mayView(channel)) {
            throw Refusal.missingAccess();
        }
        return channel;
    }

    private World.ChannelState textual(Ask ask) {
        World.ChannelState channel = channel(ask);
        if (channel.type() == World.FORUM || channel.type() == World.CATEGORY) {
            throw Refusal.of(400, 50008, "Cannot send messages in a non-text channel");
        }
        return channel;
    }

    private void need(World.ChannelState channel, Permission permission) {
        if (!world.may(channel, permission)) {
            throw Refusal.missingPermissions();
        }
    }

    private World.MessageState message(World.ChannelState channel, String id) {
        World.MessageState message =
                id.matches("[0-9]{1,20}") ? channel.messages.get(Long.parseUnsignedLong(id)) : null;
        if (message == null) {
            throw Refusal.unknown("Message", 10008);
        }
        return message;
    }

    private World.MessageState message(Ask ask) {
        return message(textual(ask), ask.path("message_id"));
    }

    private World.MessageState readable(Ask ask) {
        need(textual(ask), Permission.READ_MESSAGE_HISTORY);
        return message(ask);
    }

    /** Returns a message as the application may see it. */
    private ObjectNode shown(World.MessageState message) {
        ObjectNode seen = world.seen(message);
        seen.remove("nonce"); // it is told once
        return gateway.isGranted(Intent.MESSAGE_CONTENT) ? seen : world.withoutContent(seen);
    }

    // Messages.

    private JsonNode list(Ask ask) {
        World.ChannelState channel = textual(ask);
        int limit = number(ask, "limit", 50);
        if (limit < 1 || limit > MOST) {
            throw Refusal.form(
                    "limit", "NUMBER_TYPE_MAX", "int value should be less than or equal to 100.");
        }
        ArrayNode listed = Json.NODES.arrayNode();
        if (world.may(channel, Permission.READ_MESSAGE_HISTORY)) {
            page(channel, ask, limit).forEach(one -> listed.add(shown(one)));
        }
        return listed;
    }

    /** Returns messages, newest first. */
    private static List<World.MessageState> page(World.ChannelState channel, Ask ask, int limit) {
        NavigableMap<Long, World.MessageState> all = channel.messages;
        if (ask.query().containsKey("after")) {
            // The oldest of those that came after, but newest first.
            return first(all.tailMap(id(ask, "after"), false).values(), limit).reversed();
        }
        if (ask.query().containsKey("around")) {
            long around = id(ask, "around");
            List<World.MessageState> page = new ArrayList<>();
            page.addAll(first(all.tailMap(around, true).values(), limit / 2 + 1).reversed());
            page.addAll(
                    first(
                            all.headMap(around, false).descendingMap().values(),
                            limit - limit / 2 - 1));
            return page;
        }
        if (ask.query().containsKey("before")) {
            return first(all.headMap(id(ask, "before"), false).descendingMap().values(), limit);
        }
        return first(all.descendingMap().values(), limit);
    }

    private static List<World.MessageState> first(Collection<World.MessageState> of, int limit) {
        return of.stream().limit(Math.max(0, limit)).toList();
    }

    private static long id(Ask ask, String name) {
        try {
            return Long.parseUnsignedLong(ask.query().get(name));
        } catch (NumberFormatException e) {
            throw Refusal.form(
                    name,
                    "NUMBER_TYPE_COERCE",
                    "Value \"" + ask.query().get(name) + "\" is not snowflake.");
        }
    }

    private static int number(Ask ask, String name, int otherwise) {
        String value = ask.query().getOrDefault(name, Integer.toString(otherwise));
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw Refusal.form(name, "NUMBER_TYPE_COERCE", "Value \"" + value + "\" is not int.");
        }
    }

    private JsonNode post(Ask ask) {
        World.ChannelState channel = textual(ask);
        writable(channel);
        Optional<World.MessageState> before = sameNonce(ask.json());
        if (before.isPresent()) {
            return answered(before.get(), ask.json());
        }
        World.MessageState message = made(channel, ask, Optional.empty());
        world.add(message);
        String nonce = ask.json().path("nonce").asText("");
        if (!nonce.isEmpty()) {
            nonces.put(nonce, new Nonce(message, System.nanoTime()));
        }
        return answered(message, ask.json());
    }

    private ObjectNode answered(World.MessageState message, JsonNode asked) {
        ObjectNode seen = world.seen(message);
        if (asked.hasNonNull("nonce")) {
            seen.set("nonce", asked.path("nonce"));
        }
        return seen;
    }

    private Optional<World.MessageState> sameNonce(JsonNode asked) {
        if (!asked.path("enforce_nonce").asBoolean() || !asked.hasNonNull("nonce")) {
            return Optional.empty();
        }
        long now = System.nanoTime();
        nonces.values().removeIf(one -> now - one.nanos() > NONCE_NANOS);
        return Optional.ofNullable(nonces.get(asked.path("nonce").asText())).map(Nonce::message);
    }

    private void writable(World.ChannelState channel) {
        need(
                channel,
                channel.isThread()
                        ? Permission.SEND_MESSAGES_IN_THREADS
                        : Permission.SEND_MESSAGES);
        if (channel.isDm()
                && world.closedDms.contains(
                        channel.json.path("recipients").path(0).path("id").asText())) {
            throw Refusal.of(403, 50007, "Cannot send messages to this user");
        }
        ObjectNode metadata = (ObjectNode) channel.json.get("thread_metadata");
        if (metadata != null && metadata.path("archived").asBoolean()) {
            if (metadata.path("locked").asBoolean()) {
                throw Refusal.of(400, 50083, "Thread is archived");
            }
            metadata.put("archived", false);
            world.tell("THREAD_UPDATE", channel, channel.json.deepCopy(), Intent.GUILDS, null);
        }
    }

    /**
     * Returns the message that is asked for; it is not in its channel yet.
     *
     * @param flags flags that it has in any case; empty to have it be the bot's own ordinary one
     */
    World.MessageState made(World.ChannelState channel, Ask ask, Optional<Integer> flags) {
        JsonNode asked = ask.json();
        int its = asked.path("flags").asInt() & Messages.ASKED_FLAGS;
        its =
                flags.map(more -> more).orElse(0)
                        | (flags.isEmpty() ? its & ~Messages.EPHEMERAL : its);
        Messages.check(asked, its, ask.files().size());
        World.MessageState message =
                world.message(channel, world.bot, 0, asked.path("content").asText(""));
        message.json.put("flags", its);
        message.json.set("embeds", Messages.embeds(asked.path("embeds")));
        message.json.set("components", Messages.components(asked.path("components")));
        message.json.put("tts", asked.path("tts").asBoolean());
        attach(message, ask);
        if ((its & Messages.LOADING) == 0) {
            Messages.checkFilled(message.json);
        }
        String replied = reply(message, asked.path("message_reference"));
        world.mention(message, asked.path("allowed_mentions"), replied);
        if (asked.hasNonNull("nonce")) {
            message.json.set("nonce", asked.path("nonce"));
        }
        message.asked.add(asked);
        return message;
    }

    private void attach(World.MessageState message, Ask ask) {
        ArrayNode attachments = Json.NODES.arrayNode();
        if (!ask.files().isEmpty()) {
            need(message.channel, Permission.ATTACH_FILES);
        }
        for (Multipart.Part file : ask.files()) {
            if (file.bytes().length > Messages.MAX_FILE_BYTES) {
                throw Refusal.of(413, 40005, "Request entity too large");
            }
            ObjectNode attached =
                    world.file(message.channel.id(), file.file(), file.type(), file.bytes());
            for (JsonNode about : ask.json().path("attachments")) {
                if (file.name().equals("files[" + about.path("id").asText() + "]")) {
                    rename(attached, about);
                }
            }
            attachments.add(attached);
        }
        message.json.set("attachments", attachments);
    }

    private static void rename(ObjectNode attached, JsonNode about) {
        for (String name : List.of("filename", "description")) {
            if (about.hasNonNull(name)) {
                attached.set(name, about.path(name));
            }
        }
    }

    /** Lets a message be a reply; returns the author of the other one, or nothing. */
    private String reply(World.MessageState message, JsonNode reference) {
        String id = reference.path("message_id").asText("");
        if (id.isEmpty()) {
            return "";
        }
        World.MessageState other =
                id.matches("[0-9]{1,20}")
                        ? message.channel.messages.get(Long.parseUnsignedLong(id))
                        : null;
        if (other == null) {
            if (reference.path("fail_if_not_exists").asBoolean(true)) {
                throw Refusal.form(
                        "message_reference",
                        "MESSAGE_REFERENCE_UNKNOWN_MESSAGE",
                        "Unknown message");
            }
            return "";
        }
        need(message.channel, Permission.READ_MESSAGE_HISTORY);
        replyTo(message, other);
        return other.author();
    }

    /** Makes a message the reply to another. */
    void replyTo(World.MessageState message, World.MessageState other) {
        message.json.put("type", TYPE_REPLY);
        ObjectNode reference =
                Json.object("type", 0, "channel_id", other.channel.id(), "message_id", other.id());
        if (!other.channel.isDm()) {
            reference.put("guild_id", other.channel.guild());
        }
        message.json.set("message_reference", reference);
        ObjectNode seen = world.seen(other);
        seen.remove("referenced_message");
        message.json.set("referenced_message", seen);
    }

    private JsonNode edit(Ask ask) {
        World.MessageState message = message(ask);
        if (!message.author().equals(world.botId())) {
            throw Refusal.of(403, 50005, "Cannot edit a message authored by another user");
        }
        change(message, ask);
        return shown(message);
    }

    /** Changes what a request names of a message. */
    void change(World.MessageState message, Ask ask) {
        JsonNode asked = ask.json();
        int kept = message.flags() & ~Messages.SUPPRESS_EMBEDS & ~Messages.LOADING;
        int suppress = (asked.hasNonNull("flags") ? asked : message.json).path("flags").asInt();
        int flags = kept | (suppress & Messages.SUPPRESS_EMBEDS);
        flags |= asked.path("flags").asInt() & Messages.COMPONENTS_V2;
        ObjectNode after = message.json.deepCopy();
        if (asked.has("content")) {
            after.put("content", asked.path("content").asText(""));
        }
        if (asked.has("embeds")) {
            after.set("embeds", Messages.embeds(asked.path("embeds")));
        }
        if (asked.has("components")) {
            after.set("components", Messages.components(asked.path("components")));
        }
        ObjectNode whole = ((ObjectNode) asked.deepCopy());
        if ((flags & Messages.COMPONENTS_V2) != 0) {
            whole.set("content", after.path("content"));
            whole.set("embeds", after.path("embeds"));
        }
        Messages.check(whole, flags, ask.files().size());
        World.MessageState files = new World.MessageState(message.channel, after);
        if (!ask.files().isEmpty() || asked.has("attachments")) {
            ArrayNode before = keptFiles(message, asked);
            attach(files, ask);
            before.addAll((ArrayNode) after.path("attachments"));
            after.set("attachments", before);
        }
        Messages.checkFilled(after);
        message.json.setAll(after);
        message.json.put("flags", flags);
        if (asked.has("content")) {
            String replied =
                    message.json.path("referenced_message").path("author").path("id").asText("");
            world.mention(message, asked.path("allowed_mentions"), replied);
        }
        message.asked.add(asked);
        world.changed(message);
    }

    /** Returns the files that stay: all, unless the request names those that do. */
    private static ArrayNode keptFiles(World.MessageState message, JsonNode asked) {
        ArrayNode kept = Json.NODES.arrayNode();
        for (JsonNode file : message.json.path("attachments")) {
            boolean named = !asked.has("attachments");
            for (JsonNode one : asked.path("attachments")) {
                named |= one.path("id").equals(file.path("id"));
            }
            if (named) {
                kept.add(file);
            }
        }
        return kept;
    }

    private JsonNode delete(Ask ask) {
        World.MessageState message = message(ask);
        if (!message.author().equals(world.botId())) {
            if (message.channel.isDm()) {
                throw Refusal.of(403, 50003, "Cannot execute action on a DM channel");
            }
            need(message.channel, Permission.MANAGE_MESSAGES);
        }
        world.delete(List.of(message));
        return null;
    }

    private JsonNode bulkDelete(Ask ask) {
        World.ChannelState channel = textual(ask);
        need(channel, Permission.MANAGE_MESSAGES);
        List<World.MessageState> messages = new ArrayList<>();
        for (JsonNode id : ask.json().path("messages")) {
            World.MessageState one = channel.messages.get(Long.parseUnsignedLong(id.asText()));
            if (one != null) {
                messages.add(one);
            }
        }
        if (messages.size() < 2 || messages.size() > MOST) {
            throw Refusal.of(
                    400,
                    50016,
                    "You provided too few or too many messages to delete. Must provide at least"
                            + " 2 and fewer than 100 messages to delete");
        }
        world.delete(messages);
        return null;
    }

    // Reactions and typing.

    private static String emoji(Ask ask) {
        String emoji = ask.path("emoji_name");
        boolean known =
                CUSTOM_EMOJI.matcher(emoji).matches()
                        || emoji.codePoints().anyMatch(one -> one > 0xff);
        if (!known) {
            throw Refusal.of(400, 10014, "Unknown Emoji");
        }
        return emoji;
    }

    private JsonNode react(Ask ask, String user, boolean add) {
        World.MessageState message = message(ask);
        String emoji = emoji(ask);
        if (add) {
            need(message.channel, Permission.READ_MESSAGE_HISTORY);
            if (!message.reactions.containsKey(emoji)) {
                need(message.channel, Permission.ADD_REACTIONS);
            }
            if (message.reactions.size() >= 20 && !message.reactions.containsKey(emoji)) {
                throw Refusal.of(400, 30010, "Maximum number of reactions reached (20)");
            }
        } else if (!user.equals(world.botId())) {
            need(message.channel, Permission.MANAGE_MESSAGES);
        }
        world.react(message, user, emoji, add);
        return null;
    }

    private JsonNode clearReactions(Ask ask) {
        World.MessageState message = message(ask);
        need(message.channel, Permission.MANAGE_MESSAGES);
        world.clearReactions(message, ask.path("emoji_name") == null ? "" : emoji(ask));
        return null;
    }

    private JsonNode reactors(Ask ask) {
        ArrayNode users = Json.NODES.arrayNode();
        message(ask)
                .reactions
                .getOrDefault(emoji(ask), Set.of())
                .forEach(user -> users.add(world.users.get(user)));
        return users;
    }

    private JsonNode typing(Ask ask) {
        World.ChannelState channel = textual(ask);
        need(
                channel,
                channel.isThread()
                        ? Permission.SEND_MESSAGES_IN_THREADS
                        : Permission.SEND_MESSAGES);
        channel.typing++;
        return null;
    }

    // Channels and threads.

    private JsonNode createChannel(Ask ask) {
        World.GuildState guild = world.guilds.get(ask.path("guild_id"));
        if (guild == null) {
            throw Refusal.unknown("Guild", 10004);
        }
        return world.channel(
                        guild,
                        ask.json().path("type").asInt(World.TEXT),
                        ask.json().path("name").asText())
                .json
                .deepCopy();
    }

    private JsonNode editChannel(Ask ask) {
        World.ChannelState channel = channel(ask);
        if (channel.isDm()) {
            throw Refusal.of(403, 50003, "Cannot execute action on a DM channel");
        }
        for (String name : List.of("name", "topic", "rate_limit_per_user")) {
            if (ask.json().hasNonNull(name)) {
                channel.json.set(name, ask.json().path(name));
            }
        }
        if (channel.json.get("thread_metadata") instanceof ObjectNode metadata) {
            for (String name : List.of("archived", "locked", "auto_archive_duration")) {
                if (ask.json().hasNonNull(name)) {
                    metadata.set(name, ask.json().path(name));
                }
            }
        }
        world.tell(
                channel.isThread() ? "THREAD_UPDATE" : "CHANNEL_UPDATE",
                channel,
                channel.json.deepCopy(),
                Intent.GUILDS,
                null);
        return channel.json.deepCopy();
    }

    private JsonNode deleteChannel(Ask ask) {
        World.ChannelState channel = channel(ask);
        if (!channel.isDm()) {
            remove(channel);
        }
        return channel.json.deepCopy();
    }

    /** Takes a channel away, with its threads. */
    void remove(World.ChannelState channel) {
        for (World.ChannelState other : List.copyOf(world.channels.values())) {
            if (other.isThread() && other.parent().equals(channel.id())) {
                world.channels.remove(other.id());
            }
        }
        ObjectNode data =
                channel.isThread()
                        ? Json.object(
                                "id", channel.id(),
                                "guild_id", channel.guild(),
                                "parent_id", channel.parent(),
                                "type", channel.type())
                        : channel.json.deepCopy();
        world.tell(
                channel.isThread() ? "THREAD_DELETE" : "CHANNEL_DELETE",
                channel,
                data,
                Intent.GUILDS,
                null);
        world.channels.remove(channel.id());
    }

    private JsonNode threadOfMessage(Ask ask) {
        World.MessageState message = message(ask);
        if (message.channel.isThread() || message.channel.isDm()) {
            throw Refusal.of(400, 50024, "Cannot execute action on this channel type");
        }
        need(message.channel, Permission.CREATE_PUBLIC_THREADS);
        if (world.channels.containsKey(message.id())) {
            throw Refusal.of(400, 160004, "A thread has already been created for this message");
        }
        World.ChannelState thread =
                threadOf(message, ask.json().path("name").asText(), world.botId());
        return withMember(thread);
    }

    /** Opens the thread of a message. */
    World.ChannelState threadOf(World.MessageState message, String name, String owner) {
        World.ChannelState thread =
                world.thread(message.channel, message.id(), World.THREAD, name, owner);
        message.json.put("flags", message.flags() | Messages.HAS_THREAD);
        message.json.set("thread", thread.json.deepCopy());
        world.updated(message);
        return thread;
    }

    private ObjectNode withMember(World.ChannelState thread) {
        return thread.json.deepCopy().set("member", world.threadMember(thread));
    }

    private JsonNode thread(Ask ask) {
        World.ChannelState parent = channel(ask);
        JsonNode asked = ask.json();
        if (parent.isThread() || parent.isDm()) {
            throw Refusal.of(400, 50024, "Cannot execute action on this channel type");
        }
        String name = asked.path("name").asText();
        if (parent.type() != World.FORUM) {
            need(parent, Permission.CREATE_PUBLIC_THREADS);
            int type = asked.path("type").asInt(World.PRIVATE_THREAD);
            World.ChannelState thread =
                    world.thread(parent, world.ids.next(), type, name, world.botId());
            if (type == World.THREAD) {
                announce(thread, world.bot, name);
            }
            return withMember(thread);
        }
        need(parent, Permission.SEND_MESSAGES);
        if (!asked.path("message").isObject()) {
            throw Refusal.form("message", "BASE_TYPE_REQUIRED", "This field is required");
        }
        Ask message = new Ask(ask.path(), ask.query(), asked.path("message"), ask.files());
        Messages.check(message.json(), message.json().path("flags").asInt(), ask.files().size());
        World.ChannelState post =
                world.thread(parent, world.ids.next(), World.THREAD, name, world.botId());
        World.MessageState first = made(post, message, Optional.empty());
        first.json.put("id", post.id());
        world.add(first);
        return withMember(post).set("message", world.seen(first));
    }

    /** Says in the channel that a thread was opened there. */
    private void announce(World.ChannelState thread, ObjectNode by, String name) {
        World.ChannelState parent = world.channels.get(thread.parent());
        World.MessageState said = world.message(parent, by, TYPE_THREAD_CREATED, name);
        said.json.set(
                "message_reference",
                Json.object(
                        "type", 0,
                        "channel_id", thread.id(),
                        "guild_id", thread.guild()));
        world.add(said);
    }

    private static JsonNode inThread(World.ChannelState channel) {
        if (!channel.isThread()) {
            throw Refusal.of(400, 50024, "Cannot execute action on this channel type");
        }
        return null;
    }

    private JsonNode archived(Ask ask) {
        String parent = channel(ask).id();
        ArrayNode threads = Json.NODES.arrayNode();
        for (World.ChannelState one : world.channels.values()) {
            if (one.isThread()
                    && one.parent().equals(parent)
                    && one.json.path("thread_metadata").path("archived").asBoolean()) {
                threads.add(one.json.deepCopy());
            }
        }
        return Json.object("threads", threads, "members", Json.array(), "has_more", false);
    }
}
