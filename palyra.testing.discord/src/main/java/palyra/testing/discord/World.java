package palyra.testing.discord;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * All that is on the fake: people, guilds, channels, messages. What changes is told to the gateway
 * before anything else changes. For callers that hold the fake's lock.
 */
final class World {
    static final int TEXT = 0;
    static final int DM = 1;
    static final int CATEGORY = 4;
    static final int ANNOUNCEMENT_THREAD = 10;
    static final int THREAD = 11;
    static final int PRIVATE_THREAD = 12;
    static final int FORUM = 15;

    /** What may be done in a channel where nothing is denied. */
    private static final long ALL = 0x7fffffffffffL & ~(1L << 3); // all but ADMINISTRATOR

    /**
     * What the gateway tells.
     *
     * @param type such as {@code MESSAGE_CREATE}
     * @param data content
     * @param guild id of the guild; empty outside of one
     * @param intent bit that a session needs; 0 for none
     */
    record Event(String type, ObjectNode data, String guild, long intent) {}

    static final class GuildState {
        final ObjectNode json;
        final Map<String, ObjectNode> members = new LinkedHashMap<>();
        final Map<String, ObjectNode> commands = new LinkedHashMap<>();

        GuildState(ObjectNode json) {
            this.json = json;
        }

        String id() {
            return json.path("id").asText();
        }
    }

    static final class ChannelState {
        final ObjectNode json;
        final TreeMap<Long, MessageState> messages = new TreeMap<>();
        final List<MessageState> made = new ArrayList<>();
        final Set<Permission> denied = EnumSet.noneOf(Permission.class);
        int typing;

        ChannelState(ObjectNode json) {
            this.json = json;
        }

        String id() {
            return json.path("id").asText();
        }

        int type() {
            return json.path("type").asInt();
        }

        String guild() {
            return json.path("guild_id").asText("");
        }

        String parent() {
            return json.path("parent_id").asText("");
        }

        boolean isThread() {
            return type() >= ANNOUNCEMENT_THREAD && type() <= PRIVATE_THREAD;
        }

        boolean isDm() {
            return type() == DM;
        }
    }

    static final class MessageState {
        final ChannelState channel;
        final ObjectNode json;
        final List<String> contents = new ArrayList<>();
        final List<JsonNode> asked = new ArrayList<>();
        final Map<String, Set<String>> reactions = new LinkedHashMap<>();
        boolean deleted;

        MessageState(ChannelState channel, ObjectNode json) {
            this.channel = channel;
            this.json = json;
        }

        String id() {
            return json.path("id").asText();
        }

        String author() {
            return json.path("author").path("id").asText();
        }

        int flags() {
            return json.path("flags").asInt();
        }

        boolean isEphemeral() {
            return (flags() & Messages.EPHEMERAL) != 0;
        }
    }

    final Snowflakes ids = new Snowflakes();
    final ObjectNode bot;
    final Map<String, ObjectNode> users = new LinkedHashMap<>();
    final Map<String, GuildState> guilds = new LinkedHashMap<>();
    final Map<String, ChannelState> channels = new LinkedHashMap<>();
    final Map<String, String> dms = new LinkedHashMap<>(); // channel by user
    final Set<String> closedDms = new HashSet<>(); // users
    private final String owner;
    final Map<String, ObjectNode> commands = new LinkedHashMap<>();
    final Map<String, byte[]> files = new LinkedHashMap<>(); // by path
    String fileBase = "";
    int expiries; // how many times all addresses of files expired
    Consumer<Event> events = event -> {};

    World() {
        bot = user("palyra-test-bot", true);
        owner = user("owner", false).path("id").asText();
    }

    String botId() {
        return bot.path("id").asText();
    }

    /** Returns the id of who owns the application, and all guilds. */
    String ownerId() {
        return owner;
    }

    static String now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
    }

    ObjectNode user(String name, boolean isBot) {
        ObjectNode user =
                Json.object(
                        "id",
                        ids.next(),
                        "username",
                        name,
                        "discriminator",
                        isBot ? "0001" : "0",
                        "avatar",
                        null,
                        "global_name",
                        isBot ? null : name,
                        "public_flags",
                        0,
                        "flags",
                        0,
                        "primary_guild",
                        null,
                        "bot",
                        isBot);
        users.put(user.path("id").asText(), user);
        return user;
    }

    GuildState guild(String name) {
        String id = ids.next();
        ObjectNode json =
                Json.object("id", id, "name", name, "owner_id", owner, "afk_timeout", 300);
        for (String nothing :
                List.of(
                        "icon",
                        "description",
                        "home_header",
                        "splash",
                        "discovery_splash",
                        "banner",
                        "application_id",
                        "afk_channel_id",
                        "system_channel_id",
                        "widget_channel_id",
                        "vanity_url_code",
                        "rules_channel_id",
                        "safety_alerts_channel_id",
                        "public_updates_channel_id",
                        "max_presences",
                        "incidents_data")) {
            json.putNull(nothing);
        }
        for (String zero :
                List.of(
                        "system_channel_flags",
                        "verification_level",
                        "default_message_notifications",
                        "mfa_level",
                        "explicit_content_filter",
                        "premium_tier",
                        "premium_subscription_count",
                        "nsfw_level")) {
            json.put(zero, 0);
        }
        json.put("region", "deprecated");
        json.put("widget_enabled", false);
        json.put("premium_progress_bar_enabled", false);
        json.put("nsfw", false);
        json.put("max_members", 500_000);
        json.put("max_stage_video_channel_users", 50);
        json.put("max_video_channel_users", 25);
        json.put("preferred_locale", "en-US");
        json.putArray("features");
        json.putArray("emojis");
        json.putArray("stickers");
        json.putArray("roles").add(role(id, "@everyone"));
        GuildState guild = new GuildState(json);
        guilds.put(id, guild);
        ObjectNode own = role(ids.next(), bot.path("username").asText());
        own.put("position", 1).put("managed", true);
        own.set("tags", Json.object("bot_id", botId()));
        ((ArrayNode) guild.json.path("roles")).add(own);
        join(guild, bot).set("roles", Json.array(own.path("id").asText()));
        events.accept(new Event("GUILD_CREATE", full(guild), id, Intent.GUILDS.mask()));
        return guild;
    }

    /** Makes a role; returns its id. */
    String addRole(GuildState guild, String name) {
        ObjectNode role = role(ids.next(), name);
        role.put("position", guild.json.path("roles").size());
        ((ArrayNode) guild.json.path("roles")).add(role);
        ObjectNode data = Json.object("guild_id", guild.id(), "role", role);
        events.accept(new Event("GUILD_ROLE_CREATE", data, guild.id(), Intent.GUILDS.mask()));
        return role.path("id").asText();
    }

    /** Gives a member these roles, and no others. */
    void setRoles(GuildState guild, ObjectNode user, Object... roles) {
        ObjectNode member = join(guild, user);
        member.set("roles", Json.array(roles));
        ObjectNode data = member.deepCopy().put("guild_id", guild.id());
        // Of the bot itself it is told in any case.
        boolean own = user.path("id").asText().equals(botId());
        long intent = own ? 0 : Intent.GUILD_MEMBERS.mask();
        events.accept(new Event("GUILD_MEMBER_UPDATE", data, guild.id(), intent));
    }

    private static ObjectNode role(String id, String name) {
        ObjectNode role =
                Json.object(
                        "id",
                        id,
                        "name",
                        name,
                        "permissions",
                        Long.toString(ALL),
                        "position",
                        0,
                        "color",
                        0,
                        "hoist",
                        false,
                        "managed",
                        false,
                        "mentionable",
                        false,
                        "icon",
                        null,
                        "unicode_emoji",
                        null,
                        "flags",
                        0);
        role.set(
                "colors",
                Json.object("primary_color", 0, "secondary_color", null, "tertiary_color", null));
        return role;
    }

    /** Makes a user a member, unless that was so. */
    ObjectNode join(GuildState guild, ObjectNode user) {
        String id = user.path("id").asText();
        ObjectNode member = guild.members.get(id);
        if (member != null) {
            return member;
        }
        ObjectNode joined =
                Json.object(
                        "user",
                        user,
                        "nick",
                        null,
                        "avatar",
                        null,
                        "banner",
                        null,
                        "roles",
                        Json.array(),
                        "joined_at",
                        now(),
                        "premium_since",
                        null,
                        "communication_disabled_until",
                        null,
                        "pending",
                        false,
                        "deaf",
                        false,
                        "mute",
                        false,
                        "flags",
                        0);
        guild.members.put(id, joined);
        if (!id.equals(botId())) {
            ObjectNode data = joined.deepCopy();
            data.put("guild_id", guild.id());
            long intent = Intent.GUILD_MEMBERS.mask();
            events.accept(new Event("GUILD_MEMBER_ADD", data, guild.id(), intent));
        }
        return joined;
    }

    /** Returns a guild as the gateway tells of it. */
    ObjectNode full(GuildState guild) {
        ObjectNode full = guild.json.deepCopy();
        full.put("joined_at", guild.members.get(botId()).path("joined_at").asText());
        full.put("large", false);
        full.put("unavailable", false);
        full.put("member_count", guild.members.size());
        full.putArray("members").add(guild.members.get(botId()).deepCopy());
        ArrayNode open = full.putArray("channels");
        ArrayNode threads = full.putArray("threads");
        for (ChannelState channel : channels.values()) {
            boolean archived = channel.json.path("thread_metadata").path("archived").asBoolean();
            if (channel.guild().equals(guild.id()) && mayView(channel) && !archived) {
                (channel.isThread() ? threads : open).add(channel.json.deepCopy());
            }
        }
        for (String none :
                List.of(
                        "voice_states",
                        "presences",
                        "stage_instances",
                        "guild_scheduled_events",
                        "soundboard_sounds")) {
            full.putArray(none);
        }
        return full;
    }

    ChannelState channel(GuildState guild, int type, String name) {
        ObjectNode json =
                Json.object(
                        "id",
                        ids.next(),
                        "type",
                        type,
                        "guild_id",
                        guild.id(),
                        "name",
                        name,
                        "position",
                        channels.size(),
                        "flags",
                        0,
                        "parent_id",
                        null,
                        "topic",
                        null,
                        "nsfw",
                        false,
                        "rate_limit_per_user",
                        0,
                        "last_message_id",
                        null,
                        "permission_overwrites",
                        Json.array());
        if (type == FORUM) {
            json.putArray("available_tags");
            json.putNull("default_reaction_emoji");
            json.putNull("default_sort_order");
            json.put("default_forum_layout", 0);
        }
        ChannelState channel = new ChannelState(json);
        channels.put(channel.id(), channel);
        tell("CHANNEL_CREATE", channel, json.deepCopy(), Intent.GUILDS, null);
        return channel;
    }

    ChannelState dm(String user) {
        String id = dms.get(user);
        if (id != null) {
            return channels.get(id);
        }
        ObjectNode json =
                Json.object(
                        "id",
                        ids.next(),
                        "type",
                        DM,
                        "flags",
                        0,
                        "last_message_id",
                        null,
                        "recipients",
                        Json.array(users.get(user)));
        ChannelState channel = new ChannelState(json);
        channels.put(channel.id(), channel);
        dms.put(user, channel.id());
        return channel;
    }

    /** Opens a thread; the id is a message's or a new one. */
    ChannelState thread(ChannelState parent, String id, int type, String name, String owner) {
        ObjectNode json =
                Json.object(
                        "id",
                        id,
                        "type",
                        type,
                        "guild_id",
                        parent.guild(),
                        "parent_id",
                        parent.id(),
                        "owner_id",
                        owner,
                        "name",
                        name,
                        "flags",
                        0,
                        "last_message_id",
                        null,
                        "rate_limit_per_user",
                        0,
                        "message_count",
                        0,
                        "member_count",
                        1,
                        "total_message_sent",
                        0);
        json.set(
                "thread_metadata",
                Json.object(
                        "archived",
                        false,
                        "archive_timestamp",
                        now(),
                        "auto_archive_duration",
                        1_440,
                        "locked",
                        false,
                        "create_timestamp",
                        now()));
        if (parent.type() == FORUM) {
            json.putArray("applied_tags");
        }
        ChannelState thread = new ChannelState(json);
        channels.put(id, thread);
        ObjectNode data = json.deepCopy();
        data.put("newly_created", true);
        tell("THREAD_CREATE", thread, data, Intent.GUILDS, null);
        return thread;
    }

    ObjectNode threadMember(ChannelState thread) {
        return Json.object(
                "id", thread.id(), "user_id", botId(), "join_timestamp", now(), "flags", 0);
    }

    /** Tells of a change in a channel, if the bot sees it; the second intent is for outside. */
    void tell(String type, ChannelState channel, ObjectNode data, Intent guild, Intent direct) {
        if (!mayView(channel)) {
            return;
        }
        long intent = (channel.isDm() ? direct : guild).mask();
        events.accept(new Event(type, data, channel.guild(), intent));
    }

    boolean mayView(ChannelState channel) {
        return may(channel, Permission.VIEW_CHANNEL);
    }

    boolean may(ChannelState channel, Permission permission) {
        ChannelState parent = channel.isThread() ? channels.get(channel.parent()) : null;
        return !channel.denied.contains(permission) && (parent == null || may(parent, permission));
    }

    /** Returns the bits of what the bot may do there. */
    String permissions(ChannelState channel) {
        long bits = ALL;
        for (Permission permission : Permission.values()) {
            bits = may(channel, permission) ? bits : bits & ~permission.mask();
        }
        return Long.toString(bits);
    }

    void deny(ChannelState channel, Set<Permission> permissions) {
        channel.denied.clear();
        channel.denied.addAll(permissions);
        long bits = permissions.stream().mapToLong(Permission::mask).sum();
        channel.json.set(
                "permission_overwrites",
                Json.array(
                        Json.object(
                                "id",
                                botId(),
                                "type",
                                1,
                                "allow",
                                "0",
                                "deny",
                                Long.toString(bits))));
        tell("CHANNEL_UPDATE", channel, channel.json.deepCopy(), Intent.GUILDS, null);
    }

    /** Returns a message that no session was told of. */
    MessageState message(ChannelState channel, ObjectNode author, int type, String content) {
        ObjectNode json =
                Json.object(
                        "id",
                        ids.next(),
                        "channel_id",
                        channel.id(),
                        "author",
                        author,
                        "type",
                        type,
                        "content",
                        content,
                        "timestamp",
                        now(),
                        "edited_timestamp",
                        null,
                        "tts",
                        false,
                        "mention_everyone",
                        false,
                        "mentions",
                        Json.array(),
                        "mention_roles",
                        Json.array(),
                        "attachments",
                        Json.array(),
                        "embeds",
                        Json.array(),
                        "components",
                        Json.array(),
                        "pinned",
                        false,
                        "referenced_message",
                        null,
                        "flags",
                        0);
        return new MessageState(channel, json);
    }

    /** Lets a text say whom it mentions. */
    void mention(MessageState message, JsonNode allowed, String repliedTo) {
        String content = message.json.path("content").asText();
        Set<String> mentioned = new LinkedHashSet<>(Messages.mentioned(content, allowed));
        if (!repliedTo.isEmpty() && allowed.path("replied_user").asBoolean(!allowed.isObject())) {
            mentioned.add(repliedTo);
        }
        ArrayNode mentions = Json.NODES.arrayNode();
        mentioned.stream().filter(users::containsKey).map(users::get).forEach(mentions::add);
        message.json.set("mentions", mentions);
        message.json.set(
                "mention_roles", Json.array(Messages.mentionedRoles(content, allowed).toArray()));
        message.json.put("mention_everyone", Messages.callsEveryone(content, allowed));
    }

    /** Makes a message one of its channel and tells of it. */
    void add(MessageState message) {
        ChannelState channel = message.channel;
        message.contents.add(message.json.path("content").asText());
        channel.made.add(message);
        if (message.isEphemeral()) {
            return;
        }
        channel.messages.put(Long.parseUnsignedLong(message.id()), message);
        channel.json.put("last_message_id", message.id());
        if (channel.isThread()) {
            count(channel);
        }
        ObjectNode data = told(message);
        if (message.json.has("nonce")) {
            data.set("nonce", message.json.path("nonce"));
        }
        tellMessage("MESSAGE_CREATE", channel, data);
    }

    private static void count(ChannelState thread) {
        for (String count : List.of("message_count", "total_message_sent")) {
            thread.json.put(count, thread.json.path(count).asInt() + 1);
        }
    }

    private void tellMessage(String type, ChannelState channel, ObjectNode data) {
        tell(type, channel, data, Intent.GUILD_MESSAGES, Intent.DIRECT_MESSAGES);
    }

    /** Tells of a message that changed. */
    void changed(MessageState message) {
        message.contents.add(message.json.path("content").asText());
        message.json.put("edited_timestamp", now());
        updated(message);
    }

    /** Tells of a message that is another without having been edited. */
    void updated(MessageState message) {
        if (!message.isEphemeral()) {
            tellMessage("MESSAGE_UPDATE", message.channel, told(message));
        }
    }

    /** Takes messages away; more than one at once is told of at once. */
    void delete(List<MessageState> messages) {
        ArrayNode ids = Json.NODES.arrayNode();
        for (MessageState message : messages) {
            message.deleted = true;
            message.channel.messages.remove(Long.parseUnsignedLong(message.id()));
            ids.add(message.id());
        }
        ChannelState channel = messages.get(0).channel;
        ObjectNode data = Json.object("channel_id", channel.id());
        if (!channel.isDm()) {
            data.put("guild_id", channel.guild());
        }
        if (messages.get(0).isEphemeral()) {
            return;
        }
        if (messages.size() == 1) {
            tellMessage("MESSAGE_DELETE", channel, data.put("id", messages.get(0).id()));
        } else {
            tellMessage("MESSAGE_DELETE_BULK", channel, data.set("ids", ids));
        }
    }

    /** Returns a message as the gateway tells of it. */
    private ObjectNode told(MessageState message) {
        ObjectNode data = seen(message);
        data.remove("nonce");
        ChannelState channel = message.channel;
        data.put("channel_type", channel.type());
        GuildState guild = guilds.get(channel.guild());
        if (guild != null) {
            data.put("guild_id", guild.id());
            ObjectNode member = guild.members.get(message.author());
            if (member != null && !data.has("webhook_id")) {
                data.set("member", member.deepCopy().without("user"));
            }
            for (JsonNode mentioned : data.path("mentions")) {
                ObjectNode one = guild.members.get(mentioned.path("id").asText());
                if (one != null) {
                    ((ObjectNode) mentioned).set("member", one.deepCopy().without("user"));
                }
            }
        }
        return data;
    }

    /** Returns a message as it is seen, with its reactions. */
    ObjectNode seen(MessageState message) {
        ObjectNode json = message.json.deepCopy();
        json.path("attachments").forEach(file -> sign((ObjectNode) file));
        ArrayNode reactions = Json.NODES.arrayNode();
        message.reactions.forEach((emoji, by) -> reactions.add(reaction(emoji, by)));
        if (!reactions.isEmpty()) {
            json.set("reactions", reactions);
        }
        return json;
    }

    private ObjectNode reaction(String emoji, Set<String> by) {
        ObjectNode reaction =
                Json.object(
                        "count", by.size(),
                        "me", by.contains(botId()),
                        "me_burst", false,
                        "burst_colors", Json.array(),
                        "count_details", Json.object("burst", 0, "normal", by.size()));
        return reaction.set("emoji", emoji(emoji));
    }

    private static ObjectNode emoji(String emoji) {
        int colon = emoji.indexOf(':');
        return colon < 0
                ? Json.object("id", null, "name", emoji)
                : Json.object("id", emoji.substring(colon + 1), "name", emoji.substring(0, colon));
    }

    /** Takes all reactions of a message away, or those of one emoji; empty for all. */
    void clearReactions(MessageState message, String emoji) {
        message.reactions.keySet().removeIf(one -> emoji.isEmpty() || emoji.equals(one));
        ChannelState channel = message.channel;
        ObjectNode data =
                Json.object(
                        "channel_id", channel.id(),
                        "message_id", message.id(),
                        "guild_id", channel.guild());
        if (!emoji.isEmpty()) {
            data.set("emoji", emoji(emoji));
        }
        tell(
                emoji.isEmpty() ? "MESSAGE_REACTION_REMOVE_ALL" : "MESSAGE_REACTION_REMOVE_EMOJI",
                channel,
                data,
                Intent.GUILD_MESSAGE_REACTIONS,
                Intent.DIRECT_MESSAGE_REACTIONS);
    }

    /** Adds or takes away a reaction, unless that was so. */
    void react(MessageState message, String user, String emoji, boolean add) {
        Set<String> by = message.reactions.computeIfAbsent(emoji, one -> new LinkedHashSet<>());
        boolean changed = add ? by.add(user) : by.remove(user);
        if (by.isEmpty()) {
            message.reactions.remove(emoji);
        }
        if (!changed) {
            return;
        }
        ChannelState channel = message.channel;
        ObjectNode data =
                Json.object(
                        "user_id",
                        user,
                        "channel_id",
                        channel.id(),
                        "message_id",
                        message.id(),
                        "burst",
                        false,
                        "type",
                        0);
        data.set("emoji", emoji(emoji));
        if (add) {
            data.put("message_author_id", message.author());
        }
        GuildState guild = guilds.get(channel.guild());
        if (guild != null) {
            data.put("guild_id", guild.id());
            if (add && guild.members.containsKey(user)) {
                data.set("member", guild.members.get(user).deepCopy());
            }
        }
        tell(
                add ? "MESSAGE_REACTION_ADD" : "MESSAGE_REACTION_REMOVE",
                channel,
                data,
                Intent.GUILD_MESSAGE_REACTIONS,
                Intent.DIRECT_MESSAGE_REACTIONS);
    }

    /** Takes a file in and returns what a message says of it. */
    ObjectNode file(String channel, String name, String type, byte[] bytes) {
        String id = ids.next();
        String path =
                "/attachments/"
                        + channel
                        + "/"
                        + id
                        + "/"
                        + name.replaceAll("[^A-Za-z0-9._-]", "_");
        files.put(path, bytes);
        ObjectNode file =
                Json.object(
                        "id",
                        id,
                        "filename",
                        name.replace(' ', '_'),
                        "size",
                        bytes.length,
                        "content_type",
                        type,
                        "url",
                        fileBase + path,
                        "proxy_url",
                        fileBase + path);
        sign(file);
        return file;
    }

    /** Gives a file the address that counts now. */
    private void sign(ObjectNode file) {
        for (String url : List.of("url", "proxy_url")) {
            String path = file.path(url).asText().replaceFirst("\\?.*", "");
            file.put(url, path + "?ex=66e0&is=66df&hm=" + signature());
        }
    }

    /** Returns the signature of addresses that count now. */
    String signature() {
        return "fake" + expiries;
    }

    /**
     * Returns what is seen of a message by who may not read texts: nothing of its content, unless
     * it is the bot's own, a direct one, or mentions the bot.
     */
    ObjectNode withoutContent(ObjectNode message) {
        ObjectNode seen = concerns(message) ? message.deepCopy() : bare(message);
        if (message.get("referenced_message") instanceof ObjectNode other) {
            seen.set("referenced_message", withoutContent(other));
        }
        return seen;
    }

    private boolean concerns(ObjectNode message) {
        boolean concerns =
                message.path("author").path("id").asText().equals(botId())
                        || !guilds.containsKey(guildOf(message));
        for (JsonNode mentioned : message.path("mentions")) {
            concerns |= mentioned.path("id").asText().equals(botId());
        }
        return concerns;
    }

    private static ObjectNode bare(ObjectNode message) {
        ObjectNode bare = message.deepCopy();
        bare.put("content", "");
        bare.putArray("attachments");
        bare.putArray("embeds");
        bare.putArray("components");
        bare.remove("poll");
        return bare;
    }

    private String guildOf(ObjectNode message) {
        ChannelState channel = channels.get(message.path("channel_id").asText());
        return channel == null ? "" : channel.guild();
    }
}
