package palyra.testing.discord;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import palyra.testing.http.FaultServer;
import palyra.testing.http.FaultyApi;

/**
 * The REST interface: finds the call, holds it against the document, does it. For the lock's
 * holder.
 */
final class Rest {
    private static final String BASE = "/api/v10";

    private final World world;
    private final FakeGateway gateway;
    private final Violations violations;
    private final RateLimits limits = new RateLimits();
    private final List<Route> routes = new ArrayList<>();
    String token;

    Rest(World world, FakeGateway gateway, Violations violations, String token) {
        this.world = world;
        this.gateway = gateway;
        this.violations = violations;
        this.token = token;
        get("/gateway", ask -> Json.object("url", gateway.limits().path("url")));
        get("/gateway/bot", ask -> gateway.limits());
        get("/users/@me", ask -> me());
        get("/users/@me/guilds", ask -> guilds());
        add("post", "/users/@me/channels", 200, this::openDm);
        get("/users/{user_id}", ask -> user(ask).deepCopy());
        get("/applications/@me", ask -> application());
        get("/oauth2/applications/@me", ask -> application());
        get("/guilds/{guild_id}", ask -> guild(ask).json.deepCopy());
        get("/guilds/{guild_id}/channels", this::guildChannels);
        get("/guilds/{guild_id}/roles", ask -> guild(ask).json.path("roles"));
        get("/guilds/{guild_id}/members/{user_id}", this::member);
        get("/guilds/{guild_id}/threads/active", this::activeThreads);
    }

    RateLimits limits() {
        return limits;
    }

    void get(String path, Function<Ask, JsonNode> act) {
        add("get", path, 200, act);
    }

    void add(String method, String path, int status, Function<Ask, JsonNode> act) {
        Route route = new Route(method, path, status, act);
        if (!OpenApi.get().knows(method, path)) {
            throw new IllegalStateException("Discord's document has no " + route.name());
        }
        routes.add(route);
    }

    /** Returns which call a request is; its line for one that the fake does not have. */
    String name(FaultServer.Heard request) {
        return find(request).map(Route::name).orElse(request.line());
    }

    private Optional<Route> find(FaultServer.Heard request) {
        String method = method(request);
        String path = path(request);
        return routes.stream()
                .filter(one -> one.method().equals(method) && one.match(path).isPresent())
                .findFirst();
    }

    /** Returns what a request asks for: path and query. */
    static String target(FaultServer.Heard request) {
        return request.line().split(" ", -1)[1];
    }

    private static String path(FaultServer.Heard request) {
        String path = URI.create(target(request)).getRawPath();
        return path.startsWith(BASE + "/") ? path.substring(BASE.length()) : "";
    }

    FaultyApi.Reply act(FaultServer.Heard request) {
        Optional<Route> found = find(request);
        if (found.isEmpty()) {
            return missing(request);
        }
        Route route = found.get();
        Map<String, String> parameters = route.match(path(request)).orElseThrow();
        List<String> headers = new ArrayList<>();
        FaultyApi.Reply reply;
        try {
            authenticate(route, request);
            Optional<FaultyApi.Reply> over =
                    limits.take(route.name(), route.major(parameters), headers);
            if (over.isPresent()) {
                check(route, over.get());
                return over.get();
            }
            JsonNode body = route.act().apply(asked(route, parameters, request));
            reply =
                    route.status() == 204 || body == null
                            ? new FaultyApi.Reply(204, "")
                            : new FaultyApi.Reply(route.status(), Json.write(body));
        } catch (Refusal e) {
            reply = e.reply();
        }
        check(route, reply);
        return new FaultyApi.Reply(reply.status(), reply.json(), headers);
    }

    /** What Discord has and the fake has not is no mistake of the bot, and is said to be none. */
    private FaultyApi.Reply missing(FaultServer.Heard request) {
        Optional<String> known = KnownCalls.name(method(request), path(request));
        if (known.isPresent()) {
            violations.add(
                    known.get()
                            + ": a gap of the fake, which does not have this call of Discord; it is"
                            + " no mistake of the bot ("
                            + request.line()
                            + ")");
            return new FaultyApi.Reply(
                    501, "{\"message\":\"The fake does not have this call.\",\"code\":0}");
        }
        violations.add(request.line() + ": Discord's document does not have this call");
        return new FaultyApi.Reply(404, "{\"message\":\"404: Not Found\",\"code\":0}");
    }

    private static String method(FaultServer.Heard request) {
        return request.line().split(" ", -1)[0].toLowerCase(Locale.ROOT);
    }

    private void check(Route route, FaultyApi.Reply reply) {
        JsonNode body;
        try {
            body =
                    reply.json().isEmpty()
                            ? null
                            : Json.read(reply.json().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IllegalStateException("the fake wrote it", e);
        }
        violations.add(
                "the fake's answer " + reply.status() + " to " + route.name(),
                OpenApi.get().response(route.method(), route.path(), reply.status(), body));
    }

    private void authenticate(Route route, FaultServer.Heard request) {
        String agent = request.headers().getOrDefault("user-agent", "");
        if (!agent.startsWith("DiscordBot (")) {
            violations.add(
                    route.name()
                            + ": the User-Agent is '"
                            + agent
                            + "', not 'DiscordBot (URL, VERSION)'");
        }
        if (OpenApi.get().needsToken(route.method(), route.path())
                && !request.headers().getOrDefault("authorization", "").equals("Bot " + token)) {
            throw Refusal.of(401, 0, "401: Unauthorized");
        }
    }

    private Ask asked(Route route, Map<String, String> parameters, FaultServer.Heard request) {
        Map<String, String> query = query(request);
        violations.add(route.name(), OpenApi.get().query(route.method(), route.path(), query));
        String type = request.headers().getOrDefault("content-type", "");
        List<Multipart.Part> files = new ArrayList<>();
        JsonNode body = null;
        try {
            if (type.startsWith("multipart/form-data")) {
                for (Multipart.Part part : Multipart.parts(type, request.bytes())) {
                    if (part.name().equals("payload_json")) {
                        body = Json.read(part.bytes());
                    } else {
                        files.add(part);
                    }
                }
            } else if (request.bytes().length > 0) {
                if (!type.startsWith("application/json")) {
                    violations.add(route.name() + ": a body of type '" + type + "'");
                }
                body = Json.read(request.bytes());
            }
        } catch (IOException | IllegalArgumentException e) {
            throw Refusal.of(400, 50109, "The request body contains invalid JSON.");
        }
        OpenApi.Reading read = OpenApi.get().request(route.method(), route.path(), body);
        violations.add(route.name(), read.wrong());
        Ask ask = new Ask(parameters, query, read.body(), files);
        if (!read.wrong().isEmpty()) {
            Messages.check(ask.json(), ask.json().path("flags").asInt(), files.size());
            throw Refusal.form("body", "BASE_TYPE_BAD", read.wrong().get(0));
        }
        return ask;
    }

    private static Map<String, String> query(FaultServer.Heard request) {
        Map<String, String> query = new LinkedHashMap<>();
        String raw = URI.create(target(request)).getRawQuery();
        for (String pair : raw == null ? new String[0] : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            String value = equals < 0 ? "" : pair.substring(equals + 1);
            query.put(name, URLDecoder.decode(value, StandardCharsets.UTF_8));
        }
        return query;
    }

    // What is asked of users and guilds.

    private ObjectNode me() {
        return Json.put(
                world.bot.deepCopy(),
                "mfa_enabled",
                true,
                "locale",
                "en-US",
                "verified",
                true,
                "email",
                null);
    }

    private ObjectNode application() {
        ObjectNode application =
                Json.object(
                        "id",
                        world.botId(),
                        "name",
                        world.bot.path("username"),
                        "icon",
                        null,
                        "description",
                        "",
                        "type",
                        null,
                        "flags",
                        gateway.flags(),
                        "flags_new",
                        Integer.toString(gateway.flags()),
                        "bot",
                        world.bot,
                        "bot_public",
                        false,
                        "bot_require_code_grant",
                        false,
                        "verify_key",
                        "0".repeat(64),
                        "redirect_uris",
                        Json.array(),
                        "interactions_endpoint_url",
                        null,
                        "role_connections_verification_url",
                        null,
                        "owner",
                        world.users.get(world.ownerId()),
                        "approximate_guild_count",
                        world.guilds.size(),
                        "approximate_user_install_count",
                        0,
                        "approximate_user_authorization_count",
                        0,
                        "explicit_content_filter",
                        0,
                        "team",
                        null);
        application.putArray("eligible_oauth2_scopes");
        return application;
    }

    private ArrayNode guilds() {
        ArrayNode guilds = Json.NODES.arrayNode();
        for (World.GuildState guild : world.guilds.values()) {
            guilds.add(
                    Json.object(
                            "id", guild.id(),
                            "name", guild.json.path("name"),
                            "icon", null,
                            "banner", null,
                            "owner", false,
                            "permissions", guild.json.path("roles").path(0).path("permissions"),
                            "features", Json.array()));
        }
        return guilds;
    }

    private ObjectNode openDm(Ask ask) {
        String user = ask.json().path("recipient_id").asText("");
        if (!world.users.containsKey(user)) {
            throw Refusal.of(400, 50033, "Invalid Recipient(s)");
        }
        return world.dm(user).json.deepCopy();
    }

    private ObjectNode user(Ask ask) {
        return Optional.ofNullable(world.users.get(ask.path("user_id")))
                .orElseThrow(() -> Refusal.unknown("User", 10013));
    }

    private World.GuildState guild(Ask ask) {
        return Optional.ofNullable(world.guilds.get(ask.path("guild_id")))
                .orElseThrow(() -> Refusal.unknown("Guild", 10004));
    }

    private JsonNode guildChannels(Ask ask) {
        String guild = guild(ask).id();
        ArrayNode channels = Json.NODES.arrayNode();
        for (World.ChannelState channel : world.channels.values()) {
            if (channel.guild().equals(guild) && !channel.isThread()) {
                channels.add(channel.json.deepCopy());
            }
        }
        return channels;
    }

    private JsonNode member(Ask ask) {
        ObjectNode member = guild(ask).members.get(user(ask).path("id").asText());
        if (member == null) {
            throw Refusal.unknown("Member", 10007);
        }
        return member.deepCopy();
    }

    private JsonNode activeThreads(Ask ask) {
        String guild = guild(ask).id();
        ArrayNode threads = Json.NODES.arrayNode();
        ArrayNode members = Json.NODES.arrayNode();
        for (World.ChannelState channel : world.channels.values()) {
            boolean active = !channel.json.path("thread_metadata").path("archived").asBoolean();
            if (channel.guild().equals(guild)
                    && channel.isThread()
                    && active
                    && world.mayView(channel)) {
                threads.add(channel.json.deepCopy());
                members.add(world.threadMember(channel));
            }
        }
        return Json.object("threads", threads, "members", members, "has_more", false);
    }
}
