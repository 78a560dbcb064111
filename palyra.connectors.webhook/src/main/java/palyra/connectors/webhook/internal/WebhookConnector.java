package palyra.connectors.webhook.internal;

import jakarta.servlet.Servlet;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.api.channel.Connector;
import palyra.api.channel.ConnectorCapabilities;
import palyra.api.channel.ConnectorCapabilities.Feature;
import palyra.api.channel.ConnectorContext;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.ConnectorStatus;
import palyra.api.channel.Delivery;
import palyra.api.channel.OutboundMessage;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.shared.gate.Gate;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedTimer;

/** One account. Thread-safe. */
final class WebhookConnector implements Connector {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookConnector.class);
    private static final long END_MILLIS = 4_500; // of the 5 s that a connector has

    private final WebhookSettings settings;
    private final Gate<EgressClient> egress;
    private final BiFunction<String, Servlet, Runnable> server;
    private final HookServlet.Limits limits;
    private final Waits waits;
    private final WebhookStatus status;
    private final RequestCounts counts = new RequestCounts();
    private volatile Life life; // null while it is stopped; set under this

    /**
     * How long is waited.
     *
     * @param serverMillis for the HTTP server to take the servlet
     * @param secretMillis between looks at the secrets
     */
    record Waits(long serverMillis, long secretMillis) {
        static final Waits USUAL = new Waits(10_000, 60_000);
    }

    /** What exists from a start to a stop. */
    private record Life(
            CallbackSender sender, Ingress ingress, SupervisedTimer timer, Runnable withdrawal) {}

    /**
     * Creates it, stopped.
     *
     * @param server offers a servlet at a path and returns how to take it back
     */
    WebhookConnector(
            WebhookSettings settings,
            Gate<EgressClient> egress,
            BiFunction<String, Servlet, Runnable> server,
            HookServlet.Limits limits,
            Waits waits) {
        this.settings = settings;
        this.egress = egress;
        this.server = server;
        this.limits = limits;
        this.waits = waits;
        status = new WebhookStatus(settings.path());
    }

    @Override
    public ConnectorId id() {
        return settings.id();
    }

    @Override
    public ConnectorCapabilities capabilities() {
        Set<Feature> features = EnumSet.of(Feature.THREADS);
        if (settings.receiverDeduplicates()) {
            features.add(Feature.DEDUPLICATION);
        }
        if (settings.receivesReactions()) {
            features.add(Feature.REACTIONS);
        }
        return new ConnectorCapabilities(settings.maxCharacters(), features);
    }

    @Override
    public synchronized void start(ConnectorContext context) {
        if (life != null) {
            throw new IllegalStateException(id() + " was started before");
        }
        SigningKeys keys = new SigningKeys(settings.secrets(), context);
        Ingress ingress = new Ingress(settings, context, keys, status);
        status.started();
        Runnable withdrawal =
                server.apply(
                        settings.path(),
                        new HookServlet(settings, ingress, status, counts, limits));
        SupervisedTimer timer =
                new SupervisedTimer(
                        LoopSpec.of("palyra-webhook-" + id().account(), WebhookConfiguration.PID));
        timer.soon(() -> look(keys));
        timer.every(waits.secretMillis(), TimeUnit.MILLISECONDS, () -> look(keys));
        timer.after(waits.serverMillis(), TimeUnit.MILLISECONDS, status::late);
        life =
                new Life(
                        new CallbackSender(settings, egress, context, keys, status),
                        ingress,
                        timer,
                        withdrawal);
    }

    private void look(SigningKeys keys) {
        try {
            status.watch(keys::all);
        } catch (SecretException | PalyraException e) {
            LOG.debug("{}: {}", id(), e.getMessage()); // the status says it
        }
    }

    @Override
    public synchronized void stop() {
        if (life == null) {
            return;
        }
        Life ending = life;
        life = null;
        try {
            ending.withdrawal().run();
            if (!ending.ingress().end(END_MILLIS)) {
                LOG.warn("{} still hands in a message; it stops after that.", id());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ending.timer().close();
            status.stopped();
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
                ? new Delivery.RetryAfter(0, false, id() + " is stopped")
                : now.sender().send(message);
    }

    List<LoopView> loops() {
        Life now = life;
        return now == null ? List.of() : List.of(now.timer().view());
    }

    List<Metric> metrics() {
        return counts.metrics(id());
    }
}
