package palyra.sandbox.internal.egress;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceFactory;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.metatype.annotations.Designate;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Access;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.egress.EgressContext;
import palyra.api.core.egress.EgressProxies;
import palyra.api.core.egress.EgressRequest;
import palyra.api.core.egress.EgressResponse;
import palyra.api.core.egress.EgressTunnels;
import palyra.api.core.journal.Journal;
import palyra.api.core.ops.Endpoint;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.api.core.ops.Ops;
import palyra.sandbox.internal.run.OwnPorts;
import palyra.shared.gate.Gate;

/**
 * Offers the way out to the network as services. Who decides, the journal and the gateway's
 * endpoints may come and go under it; without the first two nothing is connected to.
 */
@Component(
        name = EgressConfiguration.PID,
        configurationPid = EgressConfiguration.PID,
        immediate = true,
        service = {
            EgressClient.class,
            EgressProxies.class,
            FindingSource.class,
            MetricSource.class,
            LoopSource.class
        })
@Designate(ocd = EgressConfiguration.class)
public final class EgressComponent
        implements EgressClient, EgressProxies, FindingSource, MetricSource, LoopSource {
    /** How long a connection waits for a part that is being replaced. */
    static final long ABSENT_MILLIS = 5_000;

    private final Gate<Access> access =
            new Gate<>("Access control", ErrorCode.POLICY_UNAVAILABLE, ABSENT_MILLIS);
    private final Gate<Journal> journal =
            new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, ABSENT_MILLIS);
    private final OwnPorts ownPorts = new OwnPorts();
    private final EgressCore core;
    private final ServiceRegistration<EgressTunnels> tunnels;

    /** Opens the way out, for which policy is asked each time. */
    @Activate
    public EgressComponent(BundleContext context, EgressConfiguration configuration) {
        core =
                new EgressCore(
                        new EgressCore.Parts(
                                access,
                                journal,
                                ownPorts,
                                DnsResolver.ofTheSystem(),
                                new PublicAddresses(),
                                stateFolder(context)),
                        EgressSettings.from(configuration));
        tunnels = context.registerService(EgressTunnels.class, new TunnelsFactory(core), null);
    }

    /** Each bundle gets tunnels of its own, which end with it. */
    private record TunnelsFactory(EgressCore core) implements ServiceFactory<EgressTunnels> {
        @Override
        public EgressTunnels getService(
                Bundle bundle, ServiceRegistration<EgressTunnels> registration) {
            return core.tunnelsOf(bundle.getSymbolicName());
        }

        @Override
        public void ungetService(
                Bundle bundle,
                ServiceRegistration<EgressTunnels> registration,
                EgressTunnels service) {
            ((BundleTunnels) service).close();
        }
    }

    private static Path stateFolder(BundleContext context) {
        String state = context.getProperty(Ops.STATE_FOLDER);
        if (state == null || state.isBlank()) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The framework property "
                            + Ops.STATE_FOLDER
                            + " names no state folder; start the gateway with palyra up.");
        }
        return Path.of(state);
    }

    /**
     * Takes a changed configuration; open requests and proxies keep theirs, tunnels are checked by
     * it.
     */
    @Modified
    void modified(EgressConfiguration configuration) {
        core.use(EgressSettings.from(configuration));
    }

    /** Cuts every connection and waits for the threads. */
    @Deactivate
    void deactivate() {
        core.close(); // before the service goes, so that the records of its tunnels say why
        tunnels.unregister();
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindAccess(Access arrived, Map<String, Object> properties) {
        access.add(arrived, properties);
    }

    void unbindAccess(Access leaving) {
        access.remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindJournal(Journal arrived, Map<String, Object> properties) {
        journal.add(arrived, properties);
    }

    void unbindJournal(Journal leaving) {
        journal.remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            updated = "updatedEndpoint")
    void bindEndpoint(Endpoint arrived, Map<String, Object> properties) {
        ownPorts.put(arrived, properties);
    }

    void updatedEndpoint(Endpoint changed, Map<String, Object> properties) {
        ownPorts.put(changed, properties);
    }

    void unbindEndpoint(Endpoint leaving) {
        ownPorts.remove(leaving);
    }

    @Override
    public EgressResponse send(EgressRequest request) {
        return core.send(request);
    }

    @Override
    public EgressProxy open(EgressContext caller, List<AllowedHost> allowed, long maxBytes) {
        return core.open(caller, allowed, maxBytes);
    }

    @Override
    public List<Finding> findings() {
        return core.findings();
    }

    @Override
    public List<LoopView> loops() {
        return core.loops();
    }

    @Override
    public List<Metric> metrics() {
        return core.metrics();
    }
}
