package palyra.connectors.discord.internal;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.metatype.annotations.Designate;
import palyra.api.ErrorCode;
import palyra.api.channel.Connector;
import palyra.api.channel.ConnectorCapabilities;
import palyra.api.channel.ConnectorContext;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.ConnectorStatus;
import palyra.api.channel.Conversation;
import palyra.api.channel.Delivery;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.OutboundMessage;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.egress.EgressTunnels;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.shared.gate.Gate;

/** Offers one connector for each configured bot; the gateway starts and stops it. */
@Component(
        name = DiscordConfiguration.PID,
        configurationPid = DiscordConfiguration.PID,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        immediate = true,
        service = {
            Connector.class,
            LoopSource.class,
            MetricSource.class,
            DiscordComponent.class // for the bundle's own command
        })
@Designate(ocd = DiscordConfiguration.class, factory = true)
public final class DiscordComponent implements Connector, LoopSource, MetricSource {
    private static final long ABSENT_MILLIS = 2_000;

    private final Gate<EgressClient> egress =
            new Gate<>("The egress client", ErrorCode.TOOL_UNAVAILABLE, ABSENT_MILLIS);
    private final Gate<EgressTunnels> tunnels =
            new Gate<>("The egress tunnels", ErrorCode.TOOL_UNAVAILABLE, ABSENT_MILLIS);
    private final DiscordConnector connector;

    /** Creates the connector; the gateway starts it. */
    @Activate
    public DiscordComponent(DiscordConfiguration configuration, Map<String, Object> properties) {
        connector =
                new DiscordConnector(
                        DiscordSettings.from(configuration, properties),
                        egress,
                        tunnels,
                        Account.Waits.USUAL);
    }

    /** Takes a changed configuration, with a new connection if there is one. */
    @Modified
    void modified(DiscordConfiguration configuration, Map<String, Object> properties) {
        connector.use(DiscordSettings.from(configuration, properties));
    }

    /** Ends threads that the gateway did not end. */
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

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindTunnels(EgressTunnels arrived, Map<String, Object> properties) {
        tunnels.add(arrived, properties);
    }

    void unbindTunnels(EgressTunnels leaving) {
        tunnels.remove(leaving);
    }

    DiscordConnector connector() {
        return connector;
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
    public String threadOf(InboundMessage message) {
        return connector.threadOf(message);
    }

    @Override
    public long typing(Conversation conversation) {
        return connector.typing(conversation);
    }

    @Override
    public void fetch(InboundMessage.Attachment file, OutputStream out, long maxBytes)
            throws IOException {
        connector.fetch(file, out, maxBytes);
    }

    @Override
    public List<String> render(String markdown) {
        return connector.render(markdown);
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
