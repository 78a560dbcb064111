package palyra.connectors.webhook.internal;

import jakarta.servlet.Servlet;
import java.util.List;
import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.servlet.whiteboard.HttpWhiteboardConstants;
import org.osgi.service.servlet.whiteboard.annotations.RequireHttpWhiteboard;
import palyra.api.ErrorCode;
import palyra.api.channel.Connector;
import palyra.api.channel.ConnectorCapabilities;
import palyra.api.channel.ConnectorContext;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.ConnectorStatus;
import palyra.api.channel.Delivery;
import palyra.api.channel.OutboundMessage;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.shared.gate.Gate;

/**
 * Offers one connector for each configured account; the gateway starts and stops it. A changed
 * configuration makes another one, as what a connector can do depends on it; requests in between
 * are answered with 503.
 */
@Component(
        name = WebhookConfiguration.PID,
        configurationPid = WebhookConfiguration.PID,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        immediate = true,
        service = {Connector.class, LoopSource.class, MetricSource.class})
@Designate(ocd = WebhookConfiguration.class, factory = true)
@RequireHttpWhiteboard
public final class WebhookComponent implements Connector, LoopSource, MetricSource {
    private static final long ABSENT_MILLIS = 2_000;

    private final Gate<EgressClient> egress =
            new Gate<>("The egress client", ErrorCode.TOOL_UNAVAILABLE, ABSENT_MILLIS);
    private final WebhookConnector connector;

    /** Creates the connector; the gateway starts it. */
    @Activate
    public WebhookComponent(
            BundleContext context,
            WebhookConfiguration configuration,
            Map<String, Object> properties) {
        connector =
                new WebhookConnector(
                        WebhookSettings.from(configuration, properties),
                        egress,
                        (path, servlet) -> offer(context, path, servlet),
                        HookServlet.Limits.USUAL,
                        WebhookConnector.Waits.USUAL);
    }

    private static Runnable offer(BundleContext context, String path, Servlet servlet) {
        ServiceRegistration<Servlet> offered =
                context.registerService(
                        Servlet.class,
                        servlet,
                        FrameworkUtil.asDictionary(
                                Map.of(
                                        HttpWhiteboardConstants.HTTP_WHITEBOARD_SERVLET_PATTERN,
                                        path,
                                        HttpWhiteboardConstants.HTTP_WHITEBOARD_SERVLET_NAME,
                                        "palyra" + path.replace('/', '-'))));
        return () -> {
            try {
                offered.unregister();
            } catch (IllegalStateException e) {
                // the bundle is stopping, and the framework was faster
            }
        };
    }

    /** Ends what the gateway did not end. */
    @Deactivate
    void deactivate() {
        connector.stop();
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindEgress(EgressClient arrived, Map<String, Object> properties) {
        egress.add(arrived, properties);
    }

    void unbindEgress(EgressClient leaving) {
        egress.remove(leaving);
    }

    @Override
    public ConnectorId id() {
        return connector.id();
    }

    @Override
    public ConnectorCapabilities capabilities() {
        return connector.capabilities();
    }

    @Override
    public void start(ConnectorContext context) {
        connector.start(context);
    }

    @Override
    public void stop() {
        connector.stop();
    }

    @Override
    public ConnectorStatus status() {
        return connector.status();
    }

    @Override
    public Delivery send(OutboundMessage message) {
        return connector.send(message);
    }

    @Override
    public Delivery lookup(OutboundMessage message) {
        return connector.lookup(message);
    }

    @Override
    public List<LoopView> loops() {
        return connector.loops();
    }

    @Override
    public List<Metric> metrics() {
        return connector.metrics();
    }
}
