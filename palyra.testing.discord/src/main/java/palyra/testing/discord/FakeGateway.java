package palyra.testing.discord;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import palyra.testing.http.FaultWebSocket;
import palyra.testing.wait.Await;

/**
 * The gateway of a {@link FakeDiscord}: sessions, and all that goes wrong with them. Thread-safe.
 */
public final class FakeGateway implements AutoCloseable {
    private static final int DAY_MILLIS = 86_400_000;
    private static final long HOLD_MILLIS = 100;

    private final Object lock;
    private final World world;
    private final Violations violations;
    private final ScheduledThreadPoolExecutor timer;

    // All guarded by lock.
    private final Map<String, GatewaySession> sessions = new LinkedHashMap<>();
    private final List<GatewayConnection> connections = new ArrayList<>();
    private final Map<Moment, Deque<Trouble>> troubles = new EnumMap<>(Moment.class);
    private final Map<Integer, Long> identifies = new HashMap<>(); // nanoseconds by key
    private final Set<Intent> granted = EnumSet.noneOf(Intent.class);
    private final List<GatewayConnection> late = new ArrayList<>(); // READY is held back
    private String address = "";
    private String token;
    private Runnable reset = () -> {}; // gives the bot another token
    private Chaos chaos = Chaos.none();
    private Duration heartbeat = Duration.ofMillis(41_250);
    private Duration identifyEvery = Duration.ZERO;
    private int concurrency = 1;
    private int startsTotal = 1_000;
    private int startsLeft = 1_000;
    private int shards = 1;
    private boolean readyHeld;
    private int duplicate;
    private int reorder;
    private int replayExtra;
    private int refusedResumes;
    private int pieceBytes = Integer.MAX_VALUE;
    private int readies;
    private int resumes;

    FakeGateway(Object lock, World world, Violations violations, String token) {
        this.lock = lock;
        this.world = world;
        this.violations = violations;
        this.token = token;
        timer =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().daemon().name("fake-discord-timer").factory());
        timer.setRemoveOnCancelPolicy(true);
        timer.scheduleWithFixedDelay(this::closeSilent, 50, 50, TimeUnit.MILLISECONDS);
    }

    void address(String url) {
        synchronized (lock) {
            address = url;
        }
    }

    void onReset(Runnable then) {
        synchronized (lock) {
            reset = then;
        }
    }

    void token(String other) {
        synchronized (lock) {
            token = other;
        }
    }

    void chaos(Chaos other) {
        synchronized (lock) {
            chaos = other;
        }
    }

    // What a connection tells.

    void talk(String target, FaultWebSocket socket) throws IOException {
        String query = Optional.ofNullable(URI.create(target).getRawQuery()).orElse("");
        GatewayConnection connection;
        synchronized (lock) {
            connection =
                    new GatewayConnection(
                            this,
                            socket,
                            connections.size() + 1,
                            target.startsWith("/resume"),
                            query.contains("compress=zlib-stream"));
            connections.add(connection);
            if (!query.contains("v=10")) {
                violations.add("gateway: " + target + " does not ask for version 10");
                connection.close(4012, "Invalid API version");
            } else if (query.contains("encoding=") && !query.contains("encoding=json")) {
                violations.add("gateway: " + target + " asks for an encoding that is not JSON");
                connection.close(4002, "Error while decoding payload.");
            } else if (query.contains("compress=") && !connection.compressed) {
                violations.add(
                        "gateway: of compressions the fake has zlib-stream alone: " + target);
                connection.close(4002, "Error while decoding payload.");
            }
        }
        connection.run();
    }

    void opened(GatewayConnection connection) {
        synchronized (lock) {
            connection.send(
                    GatewayConnection.HELLO,
                    Json.object(
                            "heartbeat_interval",
                            heartbeat.toMillis(),
                            "_trace",
                            Json.array("[\"fake\",{\"micros\":0}]")));
            happens(connection, Moment.HELLO);
        }
    }

    void ended(GatewayConnection connection) {
        synchronized (lock) {
            connection.open = false;
            late.remove(connection);
            if (connection.session != null && connection.session.connection == connection) {
                connection.session.connection = null;
            }
        }
    }

    /** Hears that the client closes, or answers a close; true if that is to be answered. */
    boolean closedByClient(GatewayConnection connection, int code) {
        synchronized (lock) {
            if (connection.serverCode != 0) {
                return false;
            }
            connection.clientCode = code;
            if (connection.zombie) {
                return false;
            }
            if (connection.session != null && (code == 1000 || code == 1001)) {
                sessions.remove(connection.session.id); // the bot went offline by itself
            }
            return true;
        }
    }

    boolean isZombie(GatewayConnection connection) {
        synchronized (lock) {
            return connection.zombie;
        }
    }

    void close(GatewayConnection connection, int code, String reason) {
        synchronized (lock) {
            connection.close(code, reason);
        }
    }

    void received(GatewayConnection connection, int op, JsonNode data) {
        synchronized (lock) {
            if (!connection.open) {
                return; // what comes after the closing frame is not heard
            }
            switch (op) {
                case GatewayConnection.HEARTBEAT -> heartbeat(connection, data);
                case GatewayConnection.IDENTIFY -> identify(connection, data);
                case GatewayConnection.RESUME -> resume(connection, data);
                case 3, 4, 8, 31, 43 -> {
                    if (connection.session == null) {
                        connection.close(4003, "Not authenticated.");
                    } else if (op == 8) {
                        members(connection.session, data);
                    }
                }
                default -> connection.close(4001, "Unknown opcode.");
            }
        }
    }

    private void heartbeat(GatewayConnection connection, JsonNode data) {
        if (!data.isNull() && !data.isIntegralNumber()) {
            violations.add("gateway: a heartbeat says " + data + ", not a sequence number or null");
        }
        if (connection.session != null && data.asLong() > connection.session.seq()) {
            violations.add("gateway: a heartbeat says " + data + ", which was not sent yet");
        }
        connection.heartbeats++;
        connection.lastHeartbeatNanos = System.nanoTime();
        connection.send(GatewayConnection.HEARTBEAT_ACK, null);
    }

    private void members(GatewaySession session, JsonNode asked) {
        World.GuildState guild = world.guilds.get(asked.path("guild_id").asText());
        if (guild == null) {
            return;
        }
        ObjectNode chunk =
                Json.object(
                        "guild_id",
                        guild.id(),
                        "members",
                        guild.members.values(),
                        "chunk_index",
                        0,
                        "chunk_count",
                        1);
        if (asked.has("nonce")) {
            chunk.set("nonce", asked.path("nonce"));
        }
        session.send("GUILD_MEMBERS_CHUNK", chunk);
    }

    private void identify(GatewayConnection connection, JsonNode asked) {
        if (connection.session != null) {
            connection.close(4005, "Already authenticated.");
            return;
        }
        int code = refusal(asked);
        if (code != 0) {
            connection.close(code, reason(code));
            return;
        }
        JsonNode shard = asked.path("shard");
        int index = shard.path(0).asInt(0);
        long now = System.nanoTime();
        Long last = identifies.put(index % concurrency, now);
        if (last != null && now - last < identifyEvery.toNanos()) {
            connection.send(GatewayConnection.INVALID_SESSION, false);
            return;
        }
        if (startsLeft == 0) {
            reset.run();
            connection.close(4004, reason(4004));
            return;
        }
        startsLeft--;
        GatewaySession session =
                new GatewaySession(
                        "fake" + world.ids.next(),
                        asked.path("intents").asLong(),
                        index,
                        Math.max(1, shard.path(1).asInt(1)));
        sessions.put(session.id, session);
        session.connection = connection;
        connection.session = session;
        if (happens(connection, Moment.IDENTIFIED)) {
            return;
        }
        int lateMillis = chaos.lateMillis();
        if (readyHeld || lateMillis > 0) {
            late.add(connection);
        } else {
            ready(connection);
        }
        if (lateMillis > 0) {
            timer.schedule(() -> readyLate(connection), lateMillis, TimeUnit.MILLISECONDS);
        }
    }

    private void readyLate(GatewayConnection connection) {
        synchronized (lock) {
            if (!readyHeld && late.remove(connection)) {
                ready(connection);
            }
        }
    }

    private int refusal(JsonNode asked) {
        JsonNode properties = asked.path("properties");
        JsonNode shard = asked.path("shard");
        long intents = asked.path("intents").asLong(-1);
        if (!asked.path("token").isTextual() || !properties.isObject()) {
            return 4002;
        }
        for (String name : List.of("os", "browser", "device")) {
            if (!properties.path(name).isTextual()) {
                violations.add("gateway: IDENTIFY has no property " + name);
            }
        }
        if (!bare(asked.path("token").asText()).equals(token)) {
            return 4004;
        }
        if (!asked.path("intents").isIntegralNumber()
                || intents < 0
                || (intents & ~Intent.KNOWN) != 0) {
            return 4013;
        }
        if (shard.isArray()
                && (shard.size() != 2
                        || shard.path(0).asInt(-1) < 0
                        || shard.path(0).asInt() >= shard.path(1).asInt())) {
            return 4010;
        }
        if (shards > 1 && shard.path(1).asInt(1) < shards) {
            return 4011;
        }
        long allowed = granted.stream().mapToLong(Intent::mask).sum();
        return (intents & Intent.privileged() & ~allowed) == 0 ? 0 : 4014;
    }

    private static String bare(String token) {
        return token.startsWith("Bot ") ? token.substring(4) : token;
    }

    private static String reason(int code) {
        return switch (code) {
            case 4002 -> "Error while decoding payload.";
            case 4004 -> "Authentication failed.";
            case 4010 -> "Invalid shard.";
            case 4011 -> "Sharding required.";
            case 4013 -> "Invalid intent(s).";
            case 4014 -> "Disallowed intent(s).";
            default -> "Unknown error.";
        };
    }

    private void ready(GatewayConnection connection) {
        GatewaySession session = connection.session;
        ArrayNode guilds = Json.NODES.arrayNode();
        List<World.GuildState> its = new ArrayList<>();
        session.ready = true;
        for (World.GuildState guild : world.guilds.values()) {
            if (session.takes(new World.Event("", Json.object(), guild.id(), 0))) {
                its.add(guild);
                guilds.add(Json.object("id", guild.id(), "unavailable", true));
            }
        }
        ObjectNode data =
                Json.object(
                        "v", 10,
                        "user", me(),
                        "session_id", session.id,
                        "session_type", "normal",
                        "resume_gateway_url", address + "/resume",
                        "guilds", guilds,
                        "private_channels", Json.array(),
                        "relationships", Json.array(),
                        "presences", Json.array(),
                        "user_settings", Json.object(),
                        "shard", Json.array(session.shard, session.shards),
                        "application", Json.object("id", world.botId(), "flags", flags()));
        session.send("READY", data);
        readies++;
        happens(connection, Moment.READY); // what follows is missed by who does not hear it
        for (World.GuildState guild : its) {
            World.Event event =
                    new World.Event(
                            "GUILD_CREATE", world.full(guild), guild.id(), Intent.GUILDS.mask());
            if (session.takes(event)) {
                violations.event(event.type(), event.data());
                session.send(event.type(), event.data());
            }
        }
    }

    private ObjectNode me() {
        ObjectNode me = world.bot.deepCopy();
        return Json.put(me, "verified", true, "email", null, "mfa_enabled", true);
    }

    /** Returns the flags of the application, which tell what the portal grants. */
    int flags() {
        synchronized (lock) {
            int flags = 1 << 23; // it has commands
            flags |= granted.contains(Intent.GUILD_PRESENCES) ? 1 << 13 : 0;
            flags |= granted.contains(Intent.GUILD_MEMBERS) ? 1 << 15 : 0;
            flags |= granted.contains(Intent.MESSAGE_CONTENT) ? 1 << 19 : 0;
            return flags;
        }
    }

    private void resume(GatewayConnection connection, JsonNode asked) {
        if (connection.session != null) {
            connection.close(4005, "Already authenticated.");
            return;
        }
        if (!bare(asked.path("token").asText()).equals(token)) {
            connection.close(4004, reason(4004));
            return;
        }
        if (!asked.path("seq").isIntegralNumber()) {
            connection.close(4002, reason(4002));
            return;
        }
        GatewaySession session = sessions.get(asked.path("session_id").asText());
        if (session == null || refusedResumes > 0) {
            refusedResumes = Math.max(0, refusedResumes - 1);
            if (session != null) {
                sessions.remove(session.id);
            }
            connection.send(GatewayConnection.INVALID_SESSION, false);
            return;
        }
        long seq = asked.path("seq").asLong();
        if (seq > session.seq() || seq < 0) {
            sessions.remove(session.id);
            connection.close(4007, "Invalid seq.");
            return;
        }
        if (session.connection != null) {
            session.connection.end(true); // one connection for a session
        }
        release(session);
        session.connection = connection;
        connection.session = session;
        connection.resumed = true;
        if (!happens(connection, Moment.RESUMING)) {
            replay(connection, session, seq);
        }
    }

    private void replay(GatewayConnection connection, GatewaySession session, long seq) {
        long from = Math.max(1, seq - replayExtra); // never READY
        replayExtra = 0;
        boolean first = true;
        for (GatewaySession.Sent one : List.copyOf(session.sent)) {
            if (one.seq() > from) {
                connection.event(one);
                if (first && happens(connection, Moment.REPLAYING)) {
                    return;
                }
                first = false;
            }
        }
        session.send("RESUMED", Json.object("_trace", Json.array()));
        resumes++;
        happens(connection, Moment.RESUMED);
    }

    /** Lets happen what is due at a moment; true if the moment goes no further. */
    private boolean happens(GatewayConnection connection, Moment moment) {
        Deque<Trouble> due = troubles.getOrDefault(moment, new ArrayDeque<>());
        Trouble trouble =
                due.isEmpty()
                        ? chaos.atMoment().filter(one -> mayBefall(connection, one)).orElse(null)
                        : due.remove();
        if (trouble == null) {
            return false;
        }
        befall(connection, trouble);
        return trouble != Trouble.RECONNECT && trouble != Trouble.NO_EVENTS;
    }

    /** Returns whether chance may do this: what is not there yet is not invalid either. */
    private static boolean mayBefall(GatewayConnection connection, Trouble trouble) {
        GatewaySession session = connection.session;
        return switch (trouble) {
            case INVALID -> session != null;
            case INVALID_RESUMABLE -> session != null && session.ready;
            default -> true;
        };
    }

    private void befall(GatewayConnection connection, Trouble trouble) {
        switch (trouble) {
            case DROP -> connection.end(true);
            case LEAVE -> connection.end(false);
            case RECONNECT -> connection.send(GatewayConnection.RECONNECT, null);
            case NO_EVENTS -> connection.mute = true;
            case ZOMBIE -> connection.zombie = true;
            case INVALID_RESUMABLE -> invalidate(connection, true);
            case INVALID -> invalidate(connection, false);
        }
    }

    private void invalidate(GatewayConnection connection, boolean resumable) {
        GatewaySession session = connection.session;
        if (session != null) {
            // The client may resume, or identify, over the connection that it has.
            session.connection = null;
            connection.session = null;
            late.remove(connection);
            if (!resumable) {
                sessions.remove(session.id);
            }
        }
        connection.send(GatewayConnection.INVALID_SESSION, resumable);
    }

    /** Tells every session of what happened. For the lock's holder. */
    void dispatch(World.Event event) {
        violations.event(event.type(), event.data());
        for (GatewaySession session : List.copyOf(sessions.values())) {
            if (!session.takes(event)) {
                continue;
            }
            boolean bare = isMessage(event) && !session.has(Intent.MESSAGE_CONTENT);
            World.Event seen =
                    bare
                            ? new World.Event(
                                    event.type(),
                                    world.withoutContent(event.data()),
                                    event.guild(),
                                    event.intent())
                            : event;
            deliver(session, seen);
        }
    }

    private static boolean isMessage(World.Event event) {
        return event.type().equals("MESSAGE_CREATE") || event.type().equals("MESSAGE_UPDATE");
    }

    private void deliver(GatewaySession session, World.Event event) {
        if (session.held == null && reorders()) {
            session.held = event;
            timer.schedule(() -> release(session), HOLD_MILLIS, TimeUnit.MILLISECONDS);
            return;
        }
        session.send(event.type(), event.data());
        if (duplicates()) {
            session.send(event.type(), event.data());
        }
        release(session);
        if (session.connection != null) {
            chaos.afterEvent().ifPresent(trouble -> befall(session.connection, trouble));
        }
    }

    private boolean reorders() {
        reorder = Math.max(-1, reorder - 1);
        return reorder >= 0 || chaos.reorders();
    }

    private boolean duplicates() {
        duplicate = Math.max(-1, duplicate - 1);
        return duplicate >= 0 || chaos.duplicates();
    }

    private void release(GatewaySession session) {
        synchronized (lock) {
            World.Event held = session.held;
            session.held = null;
            if (held != null) {
                session.send(held.type(), held.data());
            }
        }
    }

    private void closeSilent() {
        synchronized (lock) {
            long now = System.nanoTime();
            long patience = heartbeat.toNanos() * 3 / 2 + TimeUnit.SECONDS.toNanos(1);
            for (GatewayConnection connection : connections) {
                if (connection.open && now - connection.lastHeartbeatNanos > patience) {
                    connection.close(4009, "Session timed out.");
                }
            }
        }
    }

    // What a test does.

    private List<GatewayConnection> open() {
        return connections.stream().filter(one -> one.open).toList();
    }

    /** Has this happen to all connections that are open. */
    public void befall(Trouble trouble) {
        synchronized (lock) {
            open().forEach(connection -> befall(connection, trouble));
        }
    }

    /** Has these happen to the next connections that come to a moment, each to one. */
    public void befall(Moment moment, Trouble... next) {
        synchronized (lock) {
            troubles.computeIfAbsent(moment, one -> new ArrayDeque<>()).addAll(List.of(next));
        }
    }

    /** Closes all connections that are open, as Discord does with a code such as 4000. */
    public void close(int code, String reason) {
        synchronized (lock) {
            open().forEach(connection -> connection.close(code, reason));
        }
    }

    /** Sends compressed payloads in messages of at most so many bytes. */
    public void pieces(int bytes) {
        synchronized (lock) {
            pieceBytes = bytes;
        }
    }

    /** For the lock's holder. */
    int pieceBytes() {
        return pieceBytes;
    }

    /**
     * Sends a payload that is this large once it is inflated, over all connections that are open
     * and compressed.
     */
    public void bomb(int megabytes) {
        synchronized (lock) {
            open().stream().filter(one -> one.compressed).forEach(one -> one.bomb(megabytes));
        }
    }

    /** Asks every client for a heartbeat at once (opcode 1). */
    public void askForHeartbeat() {
        synchronized (lock) {
            open().forEach(connection -> connection.send(GatewayConnection.HEARTBEAT, null));
        }
    }

    /** Forgets all sessions, as after a pause that was too long: no client can resume. */
    public void forget() {
        synchronized (lock) {
            for (GatewaySession session : sessions.values()) {
                if (session.connection != null) {
                    session.connection.end(true);
                }
            }
            sessions.clear();
        }
    }

    /** Refuses the next attempts to resume, which ends their sessions. */
    public void refuseResumes(int next) {
        synchronized (lock) {
            refusedResumes = next;
        }
    }

    /** Sends each of the next events twice, with two sequence numbers. */
    public void duplicate(int next) {
        synchronized (lock) {
            duplicate = next;
        }
    }

    /** Sends each of the next events after the one that follows it, or 100 ms late. */
    public void reorder(int next) {
        synchronized (lock) {
            reorder = next;
        }
    }

    /** Sends so many events again that the client had, when it resumes the next time. */
    public void replayExtra(int events) {
        synchronized (lock) {
            replayExtra = events;
        }
    }

    /** Holds READY back from now on, or sends it to those that wait. */
    public void holdReady(boolean on) {
        synchronized (lock) {
            readyHeld = on;
            if (!on) {
                List.copyOf(late).forEach(this::ready);
                late.clear();
            }
        }
    }

    /** Grants privileged intents, and takes those away that are not named. */
    public void grant(Intent... intents) {
        synchronized (lock) {
            granted.clear();
            granted.addAll(List.of(intents));
        }
    }

    boolean isGranted(Intent intent) {
        synchronized (lock) {
            return granted.contains(intent);
        }
    }

    /** Sets how often new connections have to send a heartbeat. */
    public void heartbeatEvery(Duration interval) {
        synchronized (lock) {
            heartbeat = interval;
        }
    }

    /** Sets how many sessions may be started until the day is over. */
    public void sessionStarts(int left) {
        synchronized (lock) {
            startsLeft = left;
        }
    }

    /**
     * Sets how many sessions may be started at once, and in which time. Unless it is set, the time
     * is zero; Discord's is 5 seconds.
     */
    public void concurrency(int atOnce, Duration in) {
        synchronized (lock) {
            concurrency = atOnce;
            identifyEvery = in;
        }
    }

    /** Sets how many shards a bot needs at least. */
    public void shards(int needed) {
        synchronized (lock) {
            shards = needed;
        }
    }

    /** Returns what {@code GET /gateway/bot} says. */
    ObjectNode limits() {
        synchronized (lock) {
            return Json.object(
                    "url",
                    address,
                    "shards",
                    shards,
                    "session_start_limit",
                    Json.object(
                            "total", startsTotal,
                            "remaining", startsLeft,
                            "reset_after", DAY_MILLIS,
                            "max_concurrency", concurrency));
        }
    }

    // What a test sees.

    /** Returns all connections that there were, oldest first. */
    public List<Connection> connections() {
        synchronized (lock) {
            return connections.stream().map(GatewayConnection::seen).toList();
        }
    }

    /** Returns how many sessions began. */
    public int readies() {
        synchronized (lock) {
            return readies;
        }
    }

    /** Returns how many times a session went on. */
    public int resumes() {
        synchronized (lock) {
            return resumes;
        }
    }

    /** Returns how many sessions may still be started today. */
    public int sessionStartsLeft() {
        synchronized (lock) {
            return startsLeft;
        }
    }

    /** Waits until so many sessions began. */
    public void awaitReadies(int count) {
        Await.until(count + " sessions to begin", () -> readies() >= count);
    }

    /** Waits until a session went on so many times. */
    public void awaitResumes(int count) {
        Await.until(count + " resumed sessions", () -> resumes() >= count);
    }

    /** Waits until a connection with a session is open, and returns the newest. */
    public Connection awaitConnected() {
        return Await.value(
                "a connection with a session",
                () ->
                        connections().reversed().stream()
                                .filter(one -> one.open() && !one.session().isEmpty())
                                .findFirst());
    }

    @Override
    public void close() {
        timer.shutdownNow();
        befall(Trouble.DROP);
    }
}
