package palyra.testing.discord;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import palyra.testing.http.FaultExchange;
import palyra.testing.http.FaultServer;
import palyra.testing.http.FaultyApi;
import palyra.testing.wait.Await;

/**
 * Discord as a bot sees it: REST and gateway, version 10, on loopback. People write, press and
 * react as a test says; what the bot posts is there to be looked at. Every request, and every
 * answer and event of the fake itself, is held against Discord's OpenAPI document: see {@link
 * #violations()}.
 *
 * <p>Calls go wrong by {@link #fail}, under names such as {@code POST
 * /channels/{channel_id}/messages} (the document's); {@value #GATEWAY} is the call that opens a
 * connection to the gateway. See {@link Faults}, and {@link #gateway()} for what goes wrong there.
 * Thread-safe.
 */
public final class FakeDiscord extends FaultyApi {
    /** The name of the call that opens a connection to the gateway. */
    public static final String GATEWAY = "GATEWAY";

    /** The name of the call that posts a message. */
    public static final String POST = "POST /channels/{channel_id}/messages";

    /** The name of the call that edits a message. */
    public static final String EDIT = "PATCH /channels/{channel_id}/messages/{message_id}";

    /** The name of the call that answers an interaction first. */
    public static final String CALLBACK =
            "POST /interactions/{interaction_id}/{interaction_token}/callback";

    private static final int STRING = 3;
    private static final int BUTTON = 2;

    private final Object lock = new Object();
    private final World world = new World();
    private final Violations violations = new Violations();
    private final FaultServer cdn = FaultServer.open();
    private final FakeGateway gateway;
    private final Rest rest;
    private final Channels channels;
    private final Interactions interactions;
    private String token; // guarded by lock
    private int tokens = 1; // how many there were; guarded by lock
    private Chaos chaos = Chaos.none(); // guarded by lock
    private boolean strict; // guarded by lock
    private Duration patience = Await.PATIENCE; // guarded by lock

    /** Opens it, with a bot that is in no guild and has no privileged intent. */
    public FakeDiscord() {
        this(0);
    }

    /** Opens it at a port of loopback; 0 for a free one. */
    public FakeDiscord(int port) {
        super(port);
        token = token(tokens);
        gateway = new FakeGateway(lock, world, violations, token);
        gateway.address(gatewayUrl());
        gateway.onReset(this::resetToken);
        rest = new Rest(world, gateway, violations, token);
        channels = new Channels(world, gateway, rest);
        new Commands(world, rest);
        interactions = new Interactions(world, channels, rest);
        world.events = gateway::dispatch;
        world.fileBase = cdn.url();
        cdn.otherwise(this::download);
    }

    /** Returns a token of the form of real ones. */
    private String token(int number) {
        String id =
                Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(world.botId().getBytes(StandardCharsets.UTF_8));
        return id + ".Gfake" + number + ".fakeFAKEfake_0123456789abcdefghijklmno";
    }

    @Override
    protected String name(FaultServer.Heard request) {
        return isWebSocket(request) ? GATEWAY : rest.name(request);
    }

    private static boolean isWebSocket(FaultServer.Heard request) {
        return request.headers().getOrDefault("upgrade", "").equalsIgnoreCase("websocket");
    }

    @Override
    protected Reply act(Call call) {
        synchronized (lock) {
            return rest.act(call.request());
        }
    }

    @Override
    protected Optional<Talk> talk(Call call) {
        return isWebSocket(call.request())
                ? Optional.of(socket -> gateway.talk(Rest.target(call.request()), socket))
                : Optional.empty();
    }

    @Override
    protected Optional<Fault> chance(Call call) {
        synchronized (lock) {
            return call.name().equals(GATEWAY) ? Optional.empty() : chaos.call();
        }
    }

    private void download(FaultExchange exchange) throws IOException {
        FaultServer.Heard request = exchange.request();
        if (request.headers().containsKey("authorization")) {
            violations.add("the token was sent to the server of files: " + request.line());
        }
        byte[] file;
        synchronized (lock) {
            file = world.files.get(URI.create(Rest.target(request)).getPath());
        }
        if (file == null || !Rest.target(request).endsWith("hm=" + signature())) {
            exchange.answer(404, "text/plain", "This content is no longer available.");
        } else {
            exchange.answer(200, "application/octet-stream", file);
        }
    }

    private String signature() {
        synchronized (lock) {
            return world.signature();
        }
    }

    /** Lets all addresses of files that were told expire; a message that is read has new ones. */
    public void expireFiles() {
        synchronized (lock) {
            world.expiries++;
        }
    }

    /** Has the next downloads of files go wrong, each by one of these. */
    public void failDownloads(FaultServer.Scene... next) {
        List.of(next).forEach(cdn::next);
    }

    // Addresses and names.

    /** Returns the address of the REST interface: {@code http://127.0.0.1:PORT/api/v10}. */
    public String restBase() {
        return url() + "/api/v10";
    }

    /** Returns the address of the gateway: {@code ws://127.0.0.1:PORT}. */
    public String gatewayUrl() {
        return "ws://127.0.0.1:" + port();
    }

    /** Returns the address of the server of files. */
    public String cdnUrl() {
        return cdn.url();
    }

    /** Returns the bot's token, as it is now. */
    public String token() {
        synchronized (lock) {
            return token;
        }
    }

    /** Gives the bot another token, as its owner does in the portal; returns it. */
    public String resetToken() {
        synchronized (lock) {
            token = token(++tokens);
            rest.token = token;
            gateway.token(token);
            return token;
        }
    }

    /** Returns the bot; its id is that of the application too. */
    public User bot() {
        return new User(world.botId(), world.bot.path("username").asText(), true);
    }

    /** Returns the gateway. */
    public FakeGateway gateway() {
        return gateway;
    }

    // Who and what there is.

    /** Makes a person. */
    public User user(String name) {
        return user(name, false);
    }

    /** Makes another bot. */
    public User otherBot(String name) {
        return user(name, true);
    }

    private User user(String name, boolean isBot) {
        synchronized (lock) {
            return new User(world.user(name, isBot).path("id").asText(), name, isBot);
        }
    }

    /** Makes a guild that the bot is in. */
    public Guild guild(String name) {
        synchronized (lock) {
            return new Guild(world.guild(name).id(), name);
        }
    }

    /** Throws the bot out of a guild. */
    public void leave(Guild guild) {
        synchronized (lock) {
            world.channels.values().removeIf(one -> one.guild().equals(guild.id()));
            world.guilds.remove(guild.id());
            world.events.accept(
                    new World.Event(
                            "GUILD_DELETE",
                            Json.object("id", guild.id()),
                            guild.id(),
                            Intent.GUILDS.mask()));
        }
    }

    /** Has a guild be away, as in an outage of Discord: it is not there, but was not left. */
    public void outage(Guild guild) {
        synchronized (lock) {
            ObjectNode data = Json.object("id", guild.id(), "unavailable", true);
            world.events.accept(
                    new World.Event("GUILD_DELETE", data, guild.id(), Intent.GUILDS.mask()));
        }
    }

    /** Has a guild be back after an outage. */
    public void back(Guild guild) {
        synchronized (lock) {
            ObjectNode data = world.full(world.guilds.get(guild.id()));
            world.events.accept(
                    new World.Event("GUILD_CREATE", data, guild.id(), Intent.GUILDS.mask()));
        }
    }

    /** Makes a role of a guild; returns its id, which {@code <@&ID>} mentions. */
    public String role(Guild guild, String name) {
        synchronized (lock) {
            return world.addRole(world.guilds.get(guild.id()), name);
        }
    }

    /** Returns the id of the role that Discord made for the bot when it was let into a guild. */
    public String botRole(Guild guild) {
        synchronized (lock) {
            return world.guilds.get(guild.id()).json.path("roles").path(1).path("id").asText();
        }
    }

    /** Gives a user, or the bot, these roles of a guild, and no others. */
    public void give(Guild guild, User user, String... roles) {
        synchronized (lock) {
            world.setRoles(
                    world.guilds.get(guild.id()), world.users.get(user.id()), (Object[]) roles);
        }
    }

    /** Makes a text channel. */
    public Channel textChannel(Guild guild, String name) {
        return channel(guild, World.TEXT, name);
    }

    /** Makes a forum. */
    public Channel forum(Guild guild, String name) {
        return channel(guild, World.FORUM, name);
    }

    private Channel channel(Guild guild, int type, String name) {
        synchronized (lock) {
            return seen(world.channel(world.guilds.get(guild.id()), type, name));
        }
    }

    private static Channel seen(World.ChannelState channel) {
        return new Channel(channel.id(), channel.guild(), channel.json.path("name").asText(""));
    }

    /** Returns the direct messages of a person and the bot. */
    public Channel dm(User user) {
        synchronized (lock) {
            return seen(world.dm(user.id()));
        }
    }

    /** Has a person open a thread. */
    public Channel thread(User user, Channel in, String name) {
        synchronized (lock) {
            join(user, in);
            return seen(world.thread(state(in), world.ids.next(), World.THREAD, name, user.id()));
        }
    }

    /** Has a person open the thread of a message. */
    public Channel thread(User user, Message of, String name) {
        synchronized (lock) {
            return seen(channels.threadOf(state(of), name, user.id()));
        }
    }

    /** Has a person write a post of a forum: a thread that begins with a message. */
    public Channel forumPost(User user, Channel forum, String title, String text) {
        synchronized (lock) {
            join(user, forum);
            World.ChannelState post =
                    world.thread(state(forum), world.ids.next(), World.THREAD, title, user.id());
            World.MessageState first = world.message(post, world.users.get(user.id()), 0, text);
            first.json.put("id", post.id());
            world.mention(first, Json.NODES.nullNode(), "");
            world.add(first);
            return seen(post);
        }
    }

    /** Archives a thread; no message is taken in one that is locked too. */
    public void archive(Channel thread, boolean locked) {
        synchronized (lock) {
            World.ChannelState state = state(thread);
            Json.put(
                    (ObjectNode) state.json.get("thread_metadata"),
                    "archived",
                    true,
                    "locked",
                    locked);
            world.tell("THREAD_UPDATE", state, state.json.deepCopy(), Intent.GUILDS, null);
        }
    }

    /** Deletes a channel or thread. */
    public void delete(Channel channel) {
        synchronized (lock) {
            channels.remove(state(channel));
        }
    }

    /** Denies the bot these permissions in a channel, and no others. */
    public void deny(Channel channel, Permission... permissions) {
        synchronized (lock) {
            world.deny(
                    state(channel),
                    permissions.length == 0
                            ? Set.of()
                            : EnumSet.copyOf(Arrays.asList(permissions)));
        }
    }

    /** Has a person take no direct messages. */
    public void closeDms(User user) {
        synchronized (lock) {
            world.closedDms.add(user.id());
        }
    }

    private World.ChannelState state(Channel channel) {
        return Optional.ofNullable(world.channels.get(channel.id()))
                .orElseThrow(() -> new NoSuchElementException("no " + channel));
    }

    private World.MessageState state(Message message) {
        World.ChannelState channel = world.channels.get(message.channel());
        return channel.made.stream()
                .filter(one -> one.id().equals(message.id()))
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("no " + message));
    }

    private void join(User user, Channel channel) {
        World.GuildState guild = world.guilds.get(channel.guild());
        if (guild != null) {
            world.join(guild, world.users.get(user.id()));
        }
    }

    // What people do.

    /** Has a user write. */
    public Message say(User user, Channel channel, String text) {
        return say(user, channel, text, Optional.empty(), Map.of());
    }

    /** Has a user reply to a message. */
    public Message reply(User user, Message to, String text) {
        synchronized (lock) {
            Channel channel = seen(world.channels.get(to.channel()));
            return say(user, channel, text, Optional.of(to), Map.of());
        }
    }

    /** Has a user write and attach files, by their names. */
    public Message say(User user, Channel channel, String text, Map<String, byte[]> files) {
        return say(user, channel, text, Optional.empty(), files);
    }

    private Message say(
            User user,
            Channel channel,
            String text,
            Optional<Message> replyTo,
            Map<String, byte[]> files) {
        synchronized (lock) {
            join(user, channel);
            World.ChannelState state = state(channel);
            World.MessageState message = world.message(state, world.users.get(user.id()), 0, text);
            ArrayNode attached = message.json.putArray("attachments");
            files.forEach(
                    (name, bytes) ->
                            attached.add(
                                    world.file(
                                            channel.id(),
                                            name,
                                            "application/octet-stream",
                                            bytes)));
            String replied = replyTo.map(to -> state(to).author()).orElse("");
            replyTo.ifPresent(to -> channels.replyTo(message, state(to)));
            world.mention(message, Json.NODES.nullNode(), replied);
            world.add(message);
            return new Message(channel.id(), message.id());
        }
    }

    /** Has a webhook of a channel write. */
    public Message sayByWebhook(Channel channel, String name, String text) {
        synchronized (lock) {
            ObjectNode author = world.user(name, true);
            World.MessageState message = world.message(state(channel), author, 0, text);
            message.json.put("webhook_id", author.path("id").asText());
            world.add(message);
            return new Message(channel.id(), message.id());
        }
    }

    /** Has another program that has the bot's token write as the bot. */
    public Message sayElsewhere(Channel channel, String text) {
        return say(bot(), channel, text);
    }

    /** Has the author change the text of a message. */
    public void edit(Message message, String text) {
        synchronized (lock) {
            World.MessageState state = state(message);
            state.json.put("content", text);
            world.mention(state, Json.NODES.nullNode(), "");
            world.changed(state);
        }
    }

    /**
     * Has Discord put a preview of a link under a message: a change without an edit, with the time
     * of the last edit as it was.
     */
    public void preview(Message message, String title) {
        synchronized (lock) {
            World.MessageState state = state(message);
            state.json.set("embeds", Messages.embeds(Json.array(Json.object("title", title))));
            world.updated(state);
        }
    }

    /** Deletes messages; more than one of a channel are told of at once. */
    public void delete(Message... messages) {
        synchronized (lock) {
            world.delete(Arrays.stream(messages).map(this::state).toList());
        }
    }

    /** Has a user react. */
    public void react(User user, Message message, String emoji) {
        synchronized (lock) {
            world.react(state(message), user.id(), emoji, true);
        }
    }

    /** Has a user take a reaction back. */
    public void unreact(User user, Message message, String emoji) {
        synchronized (lock) {
            world.react(state(message), user.id(), emoji, false);
        }
    }

    /** Has a user type. */
    public void type(User user, Channel channel) {
        synchronized (lock) {
            World.ChannelState state = state(channel);
            ObjectNode data =
                    Json.object(
                            "channel_id", channel.id(),
                            "user_id", user.id(),
                            "timestamp", System.currentTimeMillis() / 1_000);
            if (!channel.guild().isEmpty()) {
                data.put("guild_id", channel.guild());
            }
            world.tell(
                    "TYPING_START",
                    state,
                    data,
                    Intent.GUILD_MESSAGE_TYPING,
                    Intent.DIRECT_MESSAGE_TYPING);
        }
    }

    /**
     * Has a user press a button.
     *
     * @throws NoSuchElementException if the message has none of that custom id now; see {@link
     *     #pressLate}
     */
    public Interaction press(User user, Message message, String customId) {
        synchronized (lock) {
            World.MessageState on = state(message);
            JsonNode button =
                    find(on.json.path("components"), customId)
                            .orElseThrow(
                                    () ->
                                            new NoSuchElementException(
                                                    "no button "
                                                            + customId
                                                            + " in "
                                                            + on.json.path("components")
                                                            + (had(on, customId).isPresent()
                                                                    ? "; it had one, which"
                                                                            + " pressLate presses"
                                                                    : "")));
            if (button.path("disabled").asBoolean()) {
                throw new IllegalStateException("button " + customId + " is disabled");
            }
            return press(user, on, button, customId);
        }
    }

    /**
     * Has a user press a button that the message has, or had: as one whose client does not show the
     * last change yet, or whose press was on its way when the bot made it.
     *
     * @throws NoSuchElementException if the message never had one of that custom id
     */
    public Interaction pressLate(User user, Message message, String customId) {
        synchronized (lock) {
            World.MessageState on = state(message);
            JsonNode button =
                    had(on, customId)
                            .orElseThrow(
                                    () ->
                                            new NoSuchElementException(
                                                    "the message never had a button " + customId));
            return press(user, on, button, customId);
        }
    }

    /** Returns a button of a message, as it was posted or last changed by the bot with it. */
    private static Optional<JsonNode> had(World.MessageState on, String customId) {
        return on.asked.reversed().stream()
                .flatMap(asked -> find(asked.path("components"), customId).stream())
                .findFirst();
    }

    private Interaction press(User user, World.MessageState on, JsonNode button, String customId) {
        synchronized (lock) {
            ObjectNode data =
                    Json.object(
                            "component_type", button.path("type").asInt(BUTTON),
                            "custom_id", customId,
                            "id", button.path("id").asInt(1));
            return begin(Interactions.COMPONENT, on.channel, user, data, on, null);
        }
    }

    private static Optional<JsonNode> find(JsonNode in, String customId) {
        if (in.path("custom_id").asText("").equals(customId)) {
            return Optional.of(in);
        }
        for (JsonNode child : in) {
            Optional<JsonNode> found =
                    child.isContainerNode() ? find(child, customId) : Optional.empty();
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /**
     * Has a user use a command.
     *
     * @param command its name, such as {@code ask}; of a subcommand with a blank between: {@code
     *     agent use}
     * @param options values by name
     * @throws NoSuchElementException if no such command is registered
     */
    public Interaction slash(User user, Channel channel, String command, Map<String, ?> options) {
        synchronized (lock) {
            List<String> names = List.of(command.split(" ", -1));
            ObjectNode registered =
                    registered(channel, names.get(0))
                            .orElseThrow(
                                    () ->
                                            new NoSuchElementException(
                                                    "no command /"
                                                            + names.get(0)
                                                            + " is registered, but "
                                                            + commands(channel).stream()
                                                                    .map(
                                                                            one ->
                                                                                    one.path("name")
                                                                                            .asText())
                                                                    .toList()));
            ObjectNode data =
                    Json.object(
                            "id", registered.path("id"),
                            "name", names.get(0),
                            "type", 1);
            if (registered.has("guild_id")) {
                data.set("guild_id", registered.path("guild_id"));
            }
            fill(data, registered, names.subList(1, names.size()), options);
            return begin(Interactions.COMMAND, state(channel), user, data, null, null);
        }
    }

    private static void fill(
            ObjectNode into, JsonNode command, List<String> rest, Map<String, ?> options) {
        ArrayNode filled = Json.NODES.arrayNode();
        for (JsonNode option : command.path("options")) {
            String name = option.path("name").asText();
            if (!rest.isEmpty() && name.equals(rest.get(0))) {
                ObjectNode sub = Json.object("name", name, "type", option.path("type"));
                fill(sub, option, rest.subList(1, rest.size()), options);
                filled.add(sub);
            } else if (rest.isEmpty() && options.containsKey(name)) {
                requireWithin(option, options.get(name));
                filled.add(
                        Json.object(
                                "name", name,
                                "type", option.path("type").asInt(STRING),
                                "value", options.get(name)));
            } else if (rest.isEmpty() && option.path("required").asBoolean()) {
                throw new IllegalArgumentException("option " + name + " is required");
            }
        }
        if (!filled.isEmpty()) {
            into.set("options", filled);
        }
    }

    /** Discord's clients send nothing else. */
    private static void requireWithin(JsonNode option, Object value) {
        String text = value instanceof JsonNode node ? node.asText() : String.valueOf(value);
        int most = option.path("max_length").asInt(Integer.MAX_VALUE);
        List<String> choices = new ArrayList<>();
        option.path("choices").forEach(one -> choices.add(one.path("value").asText()));
        String name = option.path("name").asText();
        if (text.length() > most) {
            throw new IllegalArgumentException(
                    "option " + name + " takes at most " + most + " characters");
        }
        if (!choices.isEmpty() && !choices.contains(text)) {
            throw new IllegalArgumentException("option " + name + " is one of " + choices);
        }
    }

    private Optional<ObjectNode> registered(Channel channel, String name) {
        return commands(channel).stream()
                .filter(one -> one.path("name").asText().equals(name))
                .findFirst();
    }

    private List<ObjectNode> commands(Channel channel) {
        List<ObjectNode> all = new ArrayList<>();
        World.GuildState guild = world.guilds.get(channel.guild());
        if (guild != null) {
            all.addAll(guild.commands.values());
        }
        all.addAll(world.commands.values());
        return all;
    }

    /**
     * Has a user send the form that an interaction was answered with.
     *
     * @param values what was filled in, by custom id
     * @throws IllegalStateException if it was not answered with a form
     */
    public Interaction modalSubmit(User user, Interaction opener, Map<String, String> values) {
        synchronized (lock) {
            Interactions.State state = interactions.get(opener.id());
            JsonNode form = state.callback == null ? Json.object() : state.callback;
            if (form.path("type").asInt() != 9) {
                throw new IllegalStateException("no form was opened, but " + form);
            }
            ObjectNode data = Json.object("custom_id", form.path("data").path("custom_id"));
            data.set(
                    "components",
                    Interactions.filledIn(form.path("data").path("components"), values));
            return begin(Interactions.MODAL, state.channel, user, data, state.on, state);
        }
    }

    private Interaction begin(
            int kind,
            World.ChannelState channel,
            User user,
            ObjectNode data,
            World.MessageState on,
            Interactions.State opener) {
        ObjectNode by = world.users.get(user.id());
        return seen(interactions.begin(kind, channel, by, data, on, opener));
    }

    private Interaction seen(Interactions.State state) {
        return new Interaction(
                state.id,
                state.token,
                state.channel.id(),
                Optional.ofNullable(state.callback),
                Optional.ofNullable(state.original).map(this::posted),
                state.followups.stream().map(this::posted).toList());
    }

    /** Lets the time of an interaction be over, as after 15 minutes. */
    public void expire(Interaction interaction) {
        synchronized (lock) {
            interactions.get(interaction.id()).expired = true;
        }
    }

    /** Sets how long the first answer to an interaction may take; Discord's time is 3 seconds. */
    public void interactionDeadline(Duration limit) {
        synchronized (lock) {
            interactions.deadline = limit;
        }
    }

    // What goes wrong by itself.

    /** Sets how many calls of a name are taken in a time, for each channel. */
    public void limit(String name, int calls, Duration in) {
        synchronized (lock) {
            rest.limits().limit(name, calls, in);
        }
    }

    /** Sets how many calls are taken in a time, of all but interactions and their answers. */
    public void globalLimit(int calls, Duration in) {
        synchronized (lock) {
            rest.limits().globalLimit(calls, in);
        }
    }

    /** Sets the limits that Discord was seen to have, which no client may rely on. */
    public void realisticLimits() {
        limit(POST, 5, Duration.ofSeconds(5));
        limit(EDIT, 5, Duration.ofSeconds(5));
        limit(
                "PUT /channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me",
                1,
                Duration.ofMillis(250));
        limit("POST /channels/{channel_id}/typing", 5, Duration.ofSeconds(5));
        globalLimit(50, Duration.ofSeconds(1));
    }

    /** Lets calls, events and connections go wrong by chance; {@link Chaos#none} ends that. */
    public void chaos(Chaos other) {
        synchronized (lock) {
            chaos = other;
            gateway.chaos(other);
        }
    }

    // What is to be seen.

    /** Returns the bot's messages in a channel, oldest first, also those that were deleted. */
    public List<Posted> posted(Channel channel) {
        synchronized (lock) {
            return state(channel).made.stream()
                    .filter(one -> one.author().equals(world.botId()))
                    .filter(one -> !one.asked.isEmpty())
                    .map(this::posted)
                    .toList();
        }
    }

    /** Returns a message of the bot as it is now. */
    public Posted posted(Message message) {
        synchronized (lock) {
            return posted(state(message));
        }
    }

    private Posted posted(World.MessageState message) {
        List<String> reactions = new ArrayList<>();
        message.reactions.forEach(
                (emoji, by) -> {
                    if (by.contains(world.botId())) {
                        reactions.add(emoji);
                    }
                });
        List<String> files = new ArrayList<>();
        message.json.path("attachments").forEach(file -> files.add(file.path("filename").asText()));
        return new Posted(
                new Message(message.channel.id(), message.id()),
                List.copyOf(message.contents),
                message.json.path("nonce").asText(""),
                message.flags(),
                message.json.path("components").deepCopy(),
                reactions,
                files,
                message.json.path("message_reference").path("message_id").asText(""),
                message.deleted,
                List.copyOf(message.asked),
                world.seen(message));
    }

    /** Returns the emoji that the bot reacted to a message with. */
    public List<String> reactions(Message message) {
        return posted(message).reactions();
    }

    /** Returns a file of a message. */
    public byte[] file(Message message, String name) {
        synchronized (lock) {
            for (JsonNode file : state(message).json.path("attachments")) {
                if (file.path("filename").asText().equals(name)) {
                    return world.files.get(URI.create(file.path("url").asText()).getPath()).clone();
                }
            }
            throw new NoSuchElementException("no file " + name + " in " + message);
        }
    }

    /** Returns how many times the bot was seen to type in a channel. */
    public int typing(Channel channel) {
        synchronized (lock) {
            return state(channel).typing;
        }
    }

    /** Returns the threads of a channel, oldest first. */
    public List<Channel> threads(Channel channel) {
        synchronized (lock) {
            return world.channels.values().stream()
                    .filter(one -> one.isThread() && one.parent().equals(channel.id()))
                    .map(FakeDiscord::seen)
                    .toList();
        }
    }

    /** Returns the commands that are registered everywhere. */
    public List<JsonNode> commands() {
        synchronized (lock) {
            return List.copyOf(world.commands.values());
        }
    }

    /** Returns the commands that are registered in a guild alone. */
    public List<JsonNode> commands(Guild guild) {
        synchronized (lock) {
            return List.copyOf(world.guilds.get(guild.id()).commands.values());
        }
    }

    /** Returns an interaction as it is now. */
    public Interaction interaction(Interaction before) {
        synchronized (lock) {
            return seen(interactions.get(before.id()));
        }
    }

    // Waits, each with an end.

    /** Sets how long the waits wait. */
    public FakeDiscord patience(Duration limit) {
        synchronized (lock) {
            patience = limit;
        }
        return this;
    }

    private <T> T await(String what, Supplier<Optional<T>> supplier) {
        Duration limit;
        synchronized (lock) {
            limit = patience;
        }
        return Await.value(what, limit, supplier);
    }

    /** Waits until the bot has a message in a channel that is so, and returns the first. */
    public Posted awaitPosted(Channel channel, Predicate<Posted> so) {
        try {
            return await(
                    "a message in " + channel,
                    () -> posted(channel).stream().filter(so).findFirst());
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "; there are " + posted(channel), e);
        }
    }

    /** Waits until the bot has a message with this text, now or before an edit. */
    public Posted awaitPosted(Channel channel, String text) {
        return awaitPosted(channel, one -> one.contents().contains(text));
    }

    /** Waits until the bot has so many messages in a channel, and returns all. */
    public List<Posted> awaitPosted(Channel channel, int count) {
        return await(
                count + " messages in " + channel,
                () -> Optional.of(posted(channel)).filter(all -> all.size() >= count));
    }

    /** Waits until an interaction was answered, and returns it. */
    public Interaction awaitAnswer(Interaction interaction) {
        return awaitAnswer(interaction, one -> one.callback().isPresent());
    }

    /** Waits until what was done with an interaction is so, and returns it. */
    public Interaction awaitAnswer(Interaction interaction, Predicate<Interaction> so) {
        return await(
                "an answer to interaction " + interaction.id(),
                () -> Optional.of(interaction(interaction)).filter(so));
    }

    /** Waits until the bot reacted to a message with an emoji. */
    public void awaitReaction(Message message, String emoji) {
        await(
                "reaction " + emoji + " to " + message,
                () -> Optional.of(emoji).filter(reactions(message)::contains));
    }

    /** Waits until so many commands are registered everywhere. */
    public void awaitCommands(int count) {
        await(count + " commands", () -> Optional.of(count).filter(n -> n <= commands().size()));
    }

    // Discord's rules.

    /**
     * Returns where a client, or the fake, broke the rules so far: requests, answers and events
     * that are not of Discord's document, and other calls that Discord does not know.
     */
    public List<String> violations() {
        return violations.all();
    }

    /** Returns the violations so far, and forgets them. */
    public List<String> takeViolations() {
        return violations.take();
    }

    /** Has {@link #close} fail if there are violations. */
    public FakeDiscord strict() {
        synchronized (lock) {
            strict = true;
        }
        return this;
    }

    /**
     * Closes it.
     *
     * @throws AssertionError if it is strict and there were violations
     */
    @Override
    public void close() {
        gateway.close();
        cdn.close();
        super.close();
        synchronized (lock) {
            if (strict && !violations.all().isEmpty()) {
                throw new AssertionError(
                        "against Discord's rules:\n" + String.join("\n", violations.all()));
            }
        }
    }
}
