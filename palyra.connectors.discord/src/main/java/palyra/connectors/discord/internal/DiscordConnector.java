package palyra.connectors.discord.internal;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.Connector;
import palyra.api.channel.ConnectorCapabilities;
import palyra.api.channel.ConnectorCapabilities.Feature;
import palyra.api.channel.ConnectorContext;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.ConnectorStatus;
import palyra.api.channel.Conversation;
import palyra.api.channel.Delivery;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.OutboundMessage;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.egress.EgressTunnels;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.shared.gate.Gate;
import palyra.shared.loop.Heartbeat;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;

/** One bot of Discord. Thread-safe. */
final class DiscordConnector implements Connector {
    /**
     * Discord drops a repeated nonce for some minutes only, so {@link Feature#DEDUPLICATION} would
     * double after a crash of an hour; a look at the conversation does not.
     */
    private static final ConnectorCapabilities CAPABILITIES =
            ConnectorCapabilities.of(
                    2_000,
                    Feature.THREADS,
                    Feature.EDITS,
                    Feature.BUTTONS,
                    Feature.REACTIONS,
                    Feature.TYPING,
                    Feature.LOOKUP,
                    Feature.FILES_IN,
                    Feature.FILES_OUT);

    private static final long END_MILLIS = 4_000; // of the 5 s that a connector has

    private final ConnectorId id;
    private final Gate<EgressClient> egress;
    private final Gate<EgressTunnels> tunnels;
    private final Account.Waits waits;
    private final AccountStatus status = new AccountStatus();
    private final EventCounts counts = new EventCounts();
    private final RateLimits limits = new RateLimits();
    private DiscordSettings settings; // guarded by this
    private volatile Life life; // null while it is stopped; set under this

    /** What exists from a start to a stop, or to a change of the configuration. */
    private record Life(
            ConnectorContext context,
            Account account,
            MessageSender sender,
            List<SupervisedLoop> loops) {}

    DiscordConnector(
            DiscordSettings settings,
            Gate<EgressClient> egress,
            Gate<EgressTunnels> tunnels,
            Account.Waits waits) {
        this.id = settings.id();
        this.settings = settings;
        this.egress = egress;
        this.tunnels = tunnels;
        this.waits = waits;
    }

    @Override
    public ConnectorId id() {
        return id;
    }

    @Override
    public ConnectorCapabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public synchronized void start(ConnectorContext context) {
        if (life != null) {
            throw new IllegalStateException(id + " was started before");
        }
        begin(context);
    }

    private void begin(ConnectorContext context) {
        DiscordApi api =
                new DiscordApi(egress, settings, context::secret, context::principal, limits);
        Ledger ledger = new Ledger(settings.shards());
        Account account =
                new Account(
                        settings,
                        context,
                        api,
                        ledger,
                        new Directory(api, ledger),
                        status,
                        counts,
                        waits);
        status.begin(settings.shards());
        Responder responder = new Responder(account);
        List<GatewayShard> shards = new ArrayList<>();
        Backfill backfill =
                new Backfill(account, () -> shards.stream().allMatch(GatewayShard::isReady));
        IdentifyGate logins = new IdentifyGate(waits.identifyMillis());
        for (int i = 0; i < settings.shards(); i++) {
            shards.add(new GatewayShard(account, i, tunnels, logins, responder, backfill::wake));
        }
        List<SupervisedLoop> loops = new ArrayList<>();
        loops.add(loop("deferrals", responder.deferrals()));
        loops.add(loop("forms", responder.forms()));
        loops.add(loop("answers", responder.answers()));
        loops.add(loop("backfill", backfill));
        for (int i = 0; i < shards.size(); i++) {
            GatewayShard shard = shards.get(i);
            loops.add(loop("shard-" + i, shard));
            loops.add(loop("reader-" + i, shard.reader()));
            boolean keeps = i == 0;
            loops.add(loop("heart-" + i, pulse -> beat(shard, account, keeps, pulse)));
        }
        life = new Life(context, account, new MessageSender(account), List.copyOf(loops));
        loops.forEach(SupervisedLoop::start);
    }

    private SupervisedLoop loop(String name, palyra.shared.loop.LoopBody body) {
        return new SupervisedLoop(
                LoopSpec.of(
                        "palyra-discord-" + id.account() + "-" + name, DiscordConfiguration.PID),
                body);
    }

    /** Sends the heartbeats of a shard; that of the first one keeps the position as well. */
    private void beat(GatewayShard shard, Account account, boolean keeps, Heartbeat pulse)
            throws InterruptedException {
        long keepAt = System.nanoTime();
        while (!pulse.isStopping()) {
            pulse.beat();
            long wait = shard.pulse();
            if (keeps && System.nanoTime() - keepAt >= 0) {
                account.keep();
                keepAt = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waits.keepMillis());
            }
            pulse.idle();
            TimeUnit.MILLISECONDS.sleep(Math.clamp(wait, 1, 1_000));
        }
    }

    @Override
    public synchronized void stop() {
        if (life != null) {
            end(life);
            life = null;
        }
        status.stop();
    }

    private void end(Life ending) {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(END_MILLIS);
        ending.loops().forEach(SupervisedLoop::interrupt);
        boolean ended = true;
        for (SupervisedLoop loop : ending.loops()) {
            long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
            ended &= loop.close(Math.max(1, left));
        }
        if (ended) {
            ending.account().keep();
        }
    }

    /** Returns the configuration in force. */
    synchronized DiscordSettings settings() {
        return settings;
    }

    /** Takes a changed configuration, with new connections; the session goes on where it can. */
    synchronized void use(DiscordSettings changed) {
        settings = changed;
        again();
    }

    /** Connects again if it is started. */
    synchronized void again() {
        if (life != null) {
            ConnectorContext context = life.context();
            end(life);
            begin(context);
        }
    }

    /** Returns what this life of it has; empty while it is stopped. */
    Optional<Account> account() {
        Life now = life;
        return now == null ? Optional.empty() : Optional.of(now.account());
    }

    @Override
    public ConnectorStatus status() {
        return status.now();
    }

    @Override
    public Delivery send(OutboundMessage message) {
        Life now = life;
        return now == null
                ? new Delivery.RetryAfter(0, false, id + " is stopped")
                : now.sender().send(message);
    }

    @Override
    public Delivery lookup(OutboundMessage message) {
        Life now = life;
        return now == null
                ? new Delivery.Unknown(id + " is stopped")
                : now.sender().lookup(message);
    }

    @Override
    public String threadOf(InboundMessage message) {
        Conversation place = message.conversation();
        boolean begins =
                !place.direct()
                        && place.thread().isEmpty()
                        && Snowflakes.isOne(message.messageId()); // a command has another id
        return begins ? message.messageId() : "";
    }

    @Override
    public long typing(Conversation conversation) {
        Life now = life;
        return now == null ? 0 : now.sender().typing(conversation);
    }

    @Override
    public void fetch(InboundMessage.Attachment file, OutputStream out, long maxBytes)
            throws IOException {
        Life now = life;
        if (now == null) {
            throw new PalyraException(ErrorCode.TOOL_UNAVAILABLE, id + " is stopped.");
        }
        FileDownload.fetch(now.account(), file, out, maxBytes);
    }

    @Override
    public List<String> render(String markdown) {
        return DiscordMarkdown.render(markdown, CAPABILITIES.maxCharacters());
    }

    List<LoopView> loops() {
        Life now = life;
        return now == null ? List.of() : now.loops().stream().map(SupervisedLoop::view).toList();
    }

    List<Metric> metrics() {
        return counts.metrics(id);
    }
}
