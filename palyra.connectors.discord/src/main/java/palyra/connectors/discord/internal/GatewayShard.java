package palyra.connectors.discord.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorStatus.State;
import palyra.api.core.egress.EgressTunnelRequest.TunnelLimits;
import palyra.api.core.egress.EgressTunnels;
import palyra.api.core.egress.WebSocketConnection;
import palyra.api.core.egress.WebSocketConnection.Message;
import palyra.api.core.egress.WebSocketRequest;
import palyra.connectors.discord.internal.EventCounts.Count;
import palyra.connectors.discord.internal.GatewayMachine.Action;
import palyra.connectors.discord.internal.GatewayMachine.Event;
import palyra.shared.gate.Gate;
import palyra.shared.loop.Heartbeat;
import palyra.shared.loop.LoopBody;

/**
 * One connection to Discord's gateway after another: one thread connects and hands in, which waits
 * for nothing but the gateway's taking; {@link #reader} reads ahead of it, answers what Discord
 * wants answered at once, and has interactions deferred; a third one sends heartbeats by {@link
 * #pulse}.
 */
final class GatewayShard implements LoopBody {
    /** Number of no shard. */
    static final int NONE = -1;

    private static final Logger LOG = LoggerFactory.getLogger(GatewayShard.class);
    private static final int DISPATCH = 0;
    private static final int BEAT = 1;
    private static final int IDENTIFY = 2;
    private static final int RESUME = 6;
    private static final int RECONNECT = 7;
    private static final int INVALID = 9;
    private static final int HELLO = 10;
    private static final int ACK = 11;
    private static final int RESUMABLE_CLOSE = 4000;
    private static final int FIND_MILLIS = 15_000;
    private static final int MOST_MESSAGE_BYTES = 16 << 20;
    private static final TunnelLimits LIMITS =
            new TunnelLimits(10_000, 300_000, TunnelLimits.MOST_BYTES, TunnelLimits.MOST_BYTES);

    private final Account account;
    private final int index;
    private final Gate<EgressTunnels> tunnels;
    private final IdentifyGate logins;
    private final EventHandler handler;
    private final Responder responder;
    private final Runnable onSession;

    private volatile GatewayMachine machine;
    private volatile WebSocketConnection socket; // null without one
    private final ReadAhead<Incoming> ahead = new ReadAhead<>();

    // confined to the shard's thread
    private long waitMillis;
    private int failCode;
    private String usedDigest = ""; // of the token that Discord was told last
    private String failedDigest = "";
    private String logged = "";

    /**
     * Creates it.
     *
     * @param onSession called when a session began or goes on
     */
    GatewayShard(
            Account account,
            int index,
            Gate<EgressTunnels> tunnels,
            IdentifyGate logins,
            Responder responder,
            Runnable onSession) {
        this.account = account;
        this.index = index;
        this.tunnels = tunnels;
        this.logins = logins;
        this.responder = responder;
        this.onSession = onSession;
        this.handler = new EventHandler(account, index, responder);
        this.machine = machine();
    }

    private GatewayMachine machine() {
        Ledger.Session session = account.ledger().session(index);
        return new GatewayMachine(
                session.id(),
                session.url(),
                account.waits().gateway(),
                most -> ThreadLocalRandom.current().nextLong(most));
    }

    private static long now() {
        return ReadAhead.now();
    }

    /** Returns whether it has a session that is in use. */
    boolean isReady() {
        return machine.state() == GatewayMachine.State.READY;
    }

    @Override
    public void run(Heartbeat pulse) throws InterruptedException {
        account.load(index, pulse);
        machine = machine();
        try {
            work(pulse);
        } finally {
            drop();
        }
    }

    private void work(Heartbeat pulse) throws InterruptedException {
        Deque<Event> events = new ArrayDeque<>(List.of(new Event.Begin()));
        while (!pulse.isStopping()) {
            Event event = events.poll();
            if (event == null) {
                event = next(pulse);
            }
            if (event != null) {
                pulse.beat();
                for (Action action : machine.on(event, now())) {
                    Event result = perform(action);
                    if (result != null) {
                        events.add(result);
                    }
                }
                tell(event);
            }
        }
    }

    /** Waits for what happens next; null when it was an event of Discord's that is done with. */
    private Event next(Heartbeat pulse) throws InterruptedException {
        if (socket != null) {
            return read(pulse);
        }
        pulse.idle();
        if (failCode != 0) {
            awaitChange(pulse);
        } else {
            TimeUnit.MILLISECONDS.sleep(Math.max(1, waitMillis));
        }
        return new Event.Begin();
    }

    /** Returns what reads the connections of this shard, for a thread of its own. */
    LoopBody reader() {
        return ahead;
    }

    private Event read(Heartbeat pulse) throws InterruptedException {
        pulse.idle();
        Incoming incoming = ahead.take();
        pulse.beat();
        return switch (incoming) {
            case Incoming.Happened happened -> happened.event();
            case Incoming.Payload payload ->
                    dispatched(
                            payload.json().path("t").asText(""),
                            payload.json().path("d"),
                            payload.json().path("s").asLong(0),
                            pulse);
        };
    }

    /** What a connection brought, in order. */
    private sealed interface Incoming {
        /** Something about the connection. */
        record Happened(Event event) implements Incoming {}

        /** An event of the session. */
        record Payload(JsonNode json) implements Incoming {}
    }

    /** Reads one connection. Only for the reader's thread. */
    private final class ConnectionReader implements ReadAhead.Reader<Incoming> {
        private final ZlibStream stream; // null without compression

        ConnectionReader(ZlibStream stream) {
            this.stream = stream;
        }

        @Override
        public ReadAhead.Read<Incoming> read(Message message) throws IOException {
            return switch (message) {
                case Message.Text text -> payload(text.text());
                case Message.Binary binary -> {
                    // without a stream compression was not asked for
                    Optional<String> whole =
                            stream == null ? Optional.empty() : stream.take(binary.bytes());
                    yield whole.isEmpty() ? null : payload(whole.get());
                }
                case Message.Closed closed ->
                        new ReadAhead.Read<>(new Incoming.Happened(closed(closed)), 0, true);
            };
        }

        @Override
        public Incoming broken(String reason) {
            return new Incoming.Happened(new Event.Broken(reason));
        }

        @Override
        public void close() {
            if (stream != null) {
                stream.close();
            }
        }
    }

    private static Event closed(Message.Closed closed) {
        return new Event.Closed(
                closed.code(), palyra.shared.connector.Texts.line(closed.reason(), 100));
    }

    /** What Discord wants to be answered at once waits for no event before it. */
    private ReadAhead.Read<Incoming> payload(String text) {
        JsonNode payload;
        try {
            payload = DiscordApi.JSON.readTree(text);
        } catch (JsonProcessingException e) {
            LOG.warn("{}: Discord sent what is no JSON.", account.settings().id());
            return null;
        }
        JsonNode data = payload.path("d");
        return switch (payload.path("op").asInt(-1)) {
            case DISPATCH -> {
                account.status().heard();
                account.counts().add(Count.EVENTS);
                if (payload.path("t").asText("").equals("INTERACTION_CREATE")) {
                    handler.foresee(data, payload.path("s").asLong(0));
                }
                yield new ReadAhead.Read<>(new Incoming.Payload(payload), text.length(), false);
            }
            case ACK -> {
                account.status().heard();
                machine.on(new Event.Ack(), now());
                yield null;
            }
            case BEAT -> {
                machine.on(new Event.BeatAsked(), now()).forEach(this::beatNow);
                yield null;
            }
            case RECONNECT -> happened(new Event.Reconnect());
            case INVALID -> happened(new Event.Invalid(data.asBoolean(false)));
            case HELLO -> happened(new Event.Hello(data.path("heartbeat_interval").asLong(45_000)));
            default -> null;
        };
    }

    private static ReadAhead.Read<Incoming> happened(Event event) {
        return new ReadAhead.Read<>(new Incoming.Happened(event), 0, false);
    }

    private Event dispatched(String type, JsonNode data, long sequence, Heartbeat pulse)
            throws InterruptedException {
        switch (type) {
            case "READY" -> {
                return ready(data, sequence);
            }
            case "RESUMED" -> {
                account.ledger().handled(index, sequence);
                account.counts().add(Count.RESUMED);
                return isOutdated() ? outdated() : new Event.Resumed();
            }
            default -> {
                handler.handle(type, data, sequence, pulse);
                return new Event.Dispatched();
            }
        }
    }

    /** A session keeps what it was begun with; it is taken up once more for what it brings. */
    private boolean isOutdated() {
        return account.ledger().session(index).intents() != account.settings().intents();
    }

    private Event outdated() {
        return new Event.Unusable(
                "The session was begun with other intents than are configured; another one is"
                        + " begun.",
                true);
    }

    private Event ready(JsonNode data, long sequence) {
        String session = data.path("session_id").asText("");
        String url = data.path("resume_gateway_url").asText("");
        String bot = data.path("user").path("id").asText("");
        String application = data.path("application").path("id").asText("");
        if (!Snowflakes.isOne(bot) || !Snowflakes.isOne(application) || session.isEmpty()) {
            return new Event.Unusable(
                    "Discord began a session that cannot be used: it named the bot '"
                            + palyra.shared.connector.Texts.line(bot, 30)
                            + "', the application '"
                            + palyra.shared.connector.Texts.line(application, 30)
                            + "' and "
                            + (session.isEmpty() ? "no session." : "a session.")
                            + " If apiUrl names a proxy, look at what it changes.",
                    false);
        }
        account.ledger().isBot(bot, application);
        account.ledger().begun(index, session, url, sequence, account.settings().intents());
        account.keep();
        account.counts().add(Count.IDENTIFIED);
        if (account.settings().slashCommands() && index == 0) {
            responder.register();
        }
        LOG.info(
                "{} is {} at Discord.",
                account.settings().id(),
                palyra.shared.connector.Texts.line(
                        data.path("user").path("username").asText("without a name"), 100));
        return new Event.Ready(session, url);
    }

    /** Does what the machine wants; returns what came of it, or null. */
    private Event perform(Action action) throws InterruptedException {
        switch (action) {
            case Action.Find find -> {
                return find();
            }
            case Action.Open open -> {
                return open(open);
            }
            case Action.Identify identify -> {
                return send(this::identify);
            }
            case Action.Resume resume -> {
                return send(() -> resume(resume.sessionId()));
            }
            case Action.Beat beat -> {
                return send(this::beat);
            }
            case Action.Close close -> closeResumably(close.why());
            case Action.Drop drop -> drop();
            case Action.Wait wait -> waitMillis = wait.millis();
            case Action.Forget forget -> {
                account.counts().add(Count.LOST);
                account.ledger().forget(index);
                account.keep();
            }
            case Action.Fail fail -> {
                failCode = fail.code();
                failedDigest = usedDigest; // the vault may have another one by now
            }
        }
        return null;
    }

    private String digest() {
        try {
            return account.api().tokenDigest();
        } catch (PalyraException e) {
            return "";
        }
    }

    private Event find() {
        try {
            return switch (account.api().call(Route.gateway(), FIND_MILLIS)) {
                case ApiAnswer.Done done -> found(done.result());
                case ApiAnswer.Refused refused ->
                        new Event.Unreachable(refused.shown(), refused.retryMillis());
                case ApiAnswer.Unreadable unreadable ->
                        new Event.Unreachable(
                                "Discord was not understood: " + unreadable.reason() + ".", 0);
            };
        } catch (TokenException e) {
            return tokenless(e);
        } catch (PalyraException e) {
            return new Event.Unreachable(e.getMessage(), 0);
        }
    }

    private Event found(JsonNode told) {
        JsonNode limit = told.path("session_start_limit");
        logins.concurrency(limit.path("max_concurrency").asInt(1));
        return new Event.Found(
                told.path("url").asText(""),
                limit.path("remaining").asInt(1),
                limit.path("reset_after").asLong(0));
    }

    /** Until the vault has another token no attempt can succeed. */
    private Event tokenless(TokenException e) {
        usedDigest = e.digest();
        return new Event.Tokenless(e.getMessage());
    }

    private Event open(Action.Open open) throws InterruptedException {
        if (open.identifies()) {
            logins.pass(index);
        }
        try {
            WebSocketRequest request =
                    new WebSocketRequest(
                            account.api().who(),
                            address(open.url()),
                            Map.of("User-Agent", DiscordApi.USER_AGENT),
                            Map.of(),
                            List.of(),
                            LIMITS,
                            MOST_MESSAGE_BYTES);
            // Connecting lasts longer than a lease may, so the lease covers the look-up.
            EgressTunnels present = tunnels.call(service -> service);
            WebSocketConnection opened = present.webSocket(request);
            socket = opened;
            ahead.open(
                    opened,
                    new ConnectionReader(
                            account.settings().compress()
                                    ? new ZlibStream(MOST_MESSAGE_BYTES)
                                    : null));
            return null;
        } catch (PalyraException e) {
            return new Event.Unreachable(e.getMessage(), 0);
        }
    }

    /** Discord names the gateway; in clear it may be on this machine alone, as the API. */
    private String address(String url) {
        URI uri;
        try {
            uri = URI.create(url);
        } catch (IllegalArgumentException e) {
            throw unusable();
        }
        boolean clear = account.settings().apiUrl().startsWith("http:");
        boolean usable =
                "wss".equalsIgnoreCase(uri.getScheme())
                        || clear && "ws".equalsIgnoreCase(uri.getScheme());
        if (!usable || uri.getHost() == null || uri.getRawUserInfo() != null) {
            throw unusable();
        }
        String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
        String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        String query = account.settings().compress() ? "&compress=zlib-stream" : "";
        return uri.getScheme()
                + "://"
                + uri.getHost()
                + port
                + path
                + "?v=10&encoding=json"
                + query;
    }

    private static PalyraException unusable() {
        return new PalyraException(
                palyra.api.ErrorCode.TOOL_UNAVAILABLE,
                "Discord named an address of its gateway that is not a wss URL.");
    }

    private interface Sending {
        void run() throws IOException;
    }

    private Event send(Sending sending) {
        try {
            sending.run();
            return null;
        } catch (IOException e) {
            return new Event.Broken(e.getMessage());
        } catch (TokenException e) {
            return tokenless(e);
        } catch (PalyraException e) {
            return new Event.Broken(e.getMessage());
        }
    }

    private void say(int operation, JsonNode data) throws IOException {
        WebSocketConnection to = socket;
        if (to != null) {
            ObjectNode payload = DiscordApi.JSON.createObjectNode().put("op", operation);
            payload.set("d", data);
            to.sendText(DiscordApi.JSON.writeValueAsString(payload));
        }
    }

    private void identify() throws IOException {
        ObjectNode data =
                DiscordApi.JSON
                        .createObjectNode()
                        .put("token", token())
                        .put("intents", account.settings().intents());
        data.putObject("properties")
                .put("os", "linux")
                .put("browser", "palyra")
                .put("device", "palyra");
        data.put("compress", false);
        if (account.settings().shards() > 1) {
            data.putArray("shard").add(index).add(account.settings().shards());
        }
        say(IDENTIFY, data);
    }

    private String token() {
        String token = account.api().token();
        usedDigest = DiscordApi.digest(token);
        return token;
    }

    private void resume(String session) throws IOException {
        long sequence = account.ledger().durable(index);
        say(
                RESUME,
                DiscordApi.JSON
                        .createObjectNode()
                        .put("token", token())
                        .put("session_id", session)
                        .put("seq", Math.max(0, sequence)));
    }

    private void beat() throws IOException {
        long sequence = account.ledger().durable(index);
        say(
                BEAT,
                sequence == GatewayMachine.NONE
                        ? DiscordApi.JSON.nullNode()
                        : DiscordApi.JSON.getNodeFactory().numberNode(sequence));
    }

    /** With another code than 1000 and 1001, by which Discord would end the session. */
    private void closeResumably(String why) {
        WebSocketConnection open = socket;
        if (open != null) {
            try {
                open.close(RESUMABLE_CLOSE, why);
            } catch (IOException | PalyraException e) {
                open.close();
            }
        }
    }

    private void drop() {
        WebSocketConnection open = socket;
        if (open != null) {
            closeResumably("");
            socket = null;
            ahead.leave();
            open.close();
        }
    }

    /** Waits until something changed that a person has to change. */
    private void awaitChange(Heartbeat pulse) throws InterruptedException {
        while (!pulse.isStopping()) {
            TimeUnit.MILLISECONDS.sleep(account.waits().failedMillis());
            if (isChanged()) {
                failCode = 0;
                account.status().set(index, State.CONNECTING, "", 0);
                return;
            }
        }
    }

    private boolean isChanged() {
        return switch (failCode) {
            case CloseCodes.AUTHENTICATION_FAILED -> {
                String now = digest();
                yield !now.isEmpty() && !now.equals(failedDigest);
            }
            case CloseCodes.DISALLOWED_INTENTS -> mayReadContent();
            default -> false; // a changed configuration begins another life
        };
    }

    private boolean mayReadContent() {
        try {
            return account.api().call(Route.application(), FIND_MILLIS)
                            instanceof ApiAnswer.Done done
                    && ApplicationFlags.mayReadContent(done.result().path("flags").asLong());
        } catch (PalyraException | TokenException e) {
            return false;
        }
    }

    private void tell(Event event) {
        GatewayMachine.State state = machine.state();
        long wait = machine.waitUntil();
        long next = wait == 0 ? 0 : System.currentTimeMillis() + Math.max(0, wait - now());
        switch (state) {
            case READY -> {
                if (event instanceof Event.Ready || event instanceof Event.Resumed) {
                    account.status().set(index, State.READY, "", 0);
                    onSession.run();
                }
                account.status().contended(index, machine.isContended(now()));
            }
            case FAILED -> {
                account.status().set(index, State.FAILED, machine.reason(), 0);
                log(state);
            }
            default -> {
                if (!machine.reason().isEmpty()) {
                    log(state);
                    account.status()
                            .set(index, account.status().lost(index), machine.reason(), next);
                }
            }
        }
    }

    private void log(GatewayMachine.State state) {
        String reason = machine.reason();
        if (reason.equals(logged)) {
            return;
        }
        logged = reason;
        if (state == GatewayMachine.State.FAILED) {
            LOG.error("{}, shard {}: {}", account.settings().id(), index, reason);
        } else {
            LOG.info("{}, shard {}: {}", account.settings().id(), index, reason);
        }
    }

    /** Sends a heartbeat if one is due, and closes what is dead; returns when to come again. */
    long pulse() {
        long now = now();
        GatewayMachine current = machine;
        current.on(new Event.Tick(ahead.waitingSince()), now).forEach(this::beatNow);
        return current.nextTick(now) - now;
    }

    /** For the threads that wait for no event. */
    private void beatNow(Action action) {
        if (action instanceof Action.Beat) {
            if (send(this::beat) instanceof Event.Broken) {
                closeResumably("");
            }
        } else if (action instanceof Action.Close close) {
            closeResumably(close.why());
        }
    }
}
