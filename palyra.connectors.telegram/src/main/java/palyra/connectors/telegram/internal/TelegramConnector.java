package palyra.connectors.telegram.internal;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.channel.Connector;
import palyra.api.channel.ConnectorCapabilities;
import palyra.api.channel.ConnectorCapabilities.Feature;
import palyra.api.channel.ConnectorContext;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.ConnectorStatus;
import palyra.api.channel.ConnectorStatus.State;
import palyra.api.channel.Conversation;
import palyra.api.channel.Delivery;
import palyra.api.channel.OutboundMessage;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.shared.connector.StatusBoard;
import palyra.shared.gate.Gate;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;

/** One bot. Thread-safe. */
final class TelegramConnector implements Connector {
    private static final Logger LOG = LoggerFactory.getLogger(TelegramConnector.class);
    private static final ConnectorCapabilities CAPABILITIES =
            ConnectorCapabilities.of(
                    TelegramHtml.MAX,
                    Feature.THREADS,
                    Feature.EDITS,
                    Feature.BUTTONS,
                    Feature.REACTIONS,
                    Feature.TYPING);
    private static final long END_MILLIS = 4_500; // of the 5 s that a connector has

    private final ConnectorId id;
    private final Gate<EgressClient> egress;
    private final Poller.Waits waits;
    private final StatusBoard status = new StatusBoard();
    private final UpdateCounts counts = new UpdateCounts();
    private TelegramSettings settings; // guarded by this
    private volatile Life life; // null while it is stopped; set under this

    /** What exists from a start to a stop, or to a change of the configuration. */
    private record Life(ConnectorContext context, MessageSender sender, SupervisedLoop loop) {}

    TelegramConnector(TelegramSettings settings, Gate<EgressClient> egress, Poller.Waits waits) {
        this.id = settings.id();
        this.settings = settings;
        this.egress = egress;
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
        BotApi api = new BotApi(egress, settings, context);
        status.set(State.CONNECTING, "");
        Poller poller = new Poller(api, context, settings, status, counts, waits);
        LoopSpec spec = LoopSpec.of("palyra-telegram-" + id.account(), TelegramConfiguration.PID);
        SupervisedLoop loop = new SupervisedLoop(spec, poller);
        life = new Life(context, new MessageSender(api, settings), loop);
        loop.start();
    }

    @Override
    public synchronized void stop() {
        if (life != null) {
            end(life.loop());
            life = null;
        }
        status.set(State.STOPPED, "");
    }

    private void end(SupervisedLoop loop) {
        if (!loop.close(END_MILLIS)) {
            LOG.warn("{} still hands in a message; it stops after that.", id);
        }
    }

    /** Takes a changed configuration. What Telegram was not told to forget comes again. */
    synchronized void use(TelegramSettings changed) {
        settings = changed;
        if (life != null) {
            ConnectorContext context = life.context();
            end(life.loop());
            begin(context);
        }
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
    public long typing(Conversation conversation) {
        Life now = life;
        return now == null ? 0 : now.sender().typing(conversation);
    }

    @Override
    public List<String> render(String markdown) {
        return TelegramHtml.render(markdown);
    }

    List<LoopView> loops() {
        Life now = life;
        return now == null ? List.of() : List.of(now.loop().view());
    }

    List<Metric> metrics() {
        return counts.metrics(id);
    }
}
