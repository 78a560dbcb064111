package palyra.transport.grpc.internal;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleContext;
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
import palyra.api.approval.Approvals;
import palyra.api.core.access.Access;
import palyra.api.core.gateway.AgentRegistry;
import palyra.api.core.gateway.MessageRules;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.TapeVerifier;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.api.core.ops.Ops;
import palyra.api.core.ops.Readiness;
import palyra.api.core.ops.ReadinessJudge;
import palyra.api.core.vault.Vault;
import palyra.api.run.Runs;
import palyra.shared.readiness.CheckedReadiness;
import palyra.transport.grpc.internal.server.GrpcConfiguration;
import palyra.transport.grpc.internal.server.GrpcTransport;
import palyra.transport.grpc.internal.server.PortMemory;
import palyra.transport.grpc.internal.server.ServerSettings;
import palyra.transport.grpc.internal.service.ApprovalsServiceImpl;
import palyra.transport.grpc.internal.service.GatewayServiceImpl;
import palyra.transport.grpc.internal.service.VaultServiceImpl;

/** Holds the gRPC port. Everything behind it may come and go while it stays open. */
@Component(
        name = GrpcConfiguration.PID,
        configurationPid = GrpcConfiguration.PID,
        immediate = true,
        service = {MetricSource.class, FindingSource.class, LoopSource.class})
@Designate(ocd = GrpcConfiguration.class)
public final class GrpcComponent implements MetricSource, FindingSource, LoopSource {
    private static final String PORT_FILE = "run/grpc.port";

    private final CheckedReadiness readiness = new CheckedReadiness();
    private final Seams seams = Seams.empty(readiness::ready);
    private final BundleContext context;
    private final GrpcTransport transport;
    private volatile long firstMessageMillis; // set before the first server starts

    /** Begins to open the port as configured; a port that cannot be opened is a finding. */
    @Activate
    public GrpcComponent(BundleContext context, GrpcConfiguration configuration) {
        this.context = context;
        transport =
                new GrpcTransport(
                        seams,
                        () ->
                                List.of(
                                        new GatewayServiceImpl(seams, () -> firstMessageMillis),
                                        new ApprovalsServiceImpl(seams),
                                        new VaultServiceImpl(seams)),
                        memory(context),
                        new GrpcEndpoint(context));
        transport.begin(() -> settings(configuration));
    }

    @Modified
    void modified(GrpcConfiguration configuration) {
        transport.apply(() -> settings(configuration));
    }

    private ServerSettings settings(GrpcConfiguration configuration) {
        ServerSettings read = ServerSettings.of(configuration, stateFolder());
        firstMessageMillis = TimeUnit.SECONDS.toMillis(read.firstMessageSeconds());
        return read;
    }

    private static Optional<PortMemory> memory(BundleContext context) {
        String state = context.getProperty(Ops.STATE_FOLDER);
        String boot = context.getProperty(Ops.BOOT_ID);
        return state == null || boot == null
                ? Optional.empty()
                : Optional.of(new PortMemory(Path.of(state).resolve(PORT_FILE), boot));
    }

    private Path stateFolder() {
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

    @Deactivate
    void deactivate() {
        transport.close();
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindRuns(Runs arrived, Map<String, Object> properties) {
        seams.runs().add(arrived, properties);
    }

    void unbindRuns(Runs leaving) {
        seams.runs().remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindRules(MessageRules arrived, Map<String, Object> properties) {
        seams.rules().add(arrived, properties);
    }

    void unbindRules(MessageRules leaving) {
        seams.rules().remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindAgents(AgentRegistry arrived, Map<String, Object> properties) {
        seams.agents().add(arrived, properties);
    }

    void unbindAgents(AgentRegistry leaving) {
        seams.agents().remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindAccess(Access arrived, Map<String, Object> properties) {
        seams.access().add(arrived, properties);
    }

    void unbindAccess(Access leaving) {
        seams.access().remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindVerifier(TapeVerifier arrived, Map<String, Object> properties) {
        seams.verifier().add(arrived, properties);
    }

    void unbindVerifier(TapeVerifier leaving) {
        seams.verifier().remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindJournal(Journal arrived, Map<String, Object> properties) {
        seams.journal().add(arrived, properties);
    }

    void unbindJournal(Journal leaving) {
        seams.journal().remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindApprovals(Approvals arrived, Map<String, Object> properties) {
        seams.approvals().add(arrived, properties);
    }

    void unbindApprovals(Approvals leaving) {
        seams.approvals().remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindVault(Vault arrived, Map<String, Object> properties) {
        seams.vault().add(arrived, properties);
    }

    void unbindVault(Vault leaving) {
        seams.vault().remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            target = "(" + Ops.READY + "=true)")
    void bindEngine(Readiness arrived) {
        transport.readinessChanged();
    }

    void unbindEngine(Readiness leaving) {
        transport.readinessChanged();
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindReadiness(ReadinessJudge arrived) {
        readiness.add(arrived);
        transport.readinessChanged();
    }

    void unbindReadiness(ReadinessJudge leaving) {
        readiness.remove(leaving);
        transport.readinessChanged();
    }

    @Override
    public List<Finding> findings() {
        return transport.findings();
    }

    @Override
    public List<LoopView> loops() {
        return List.of(transport.loop());
    }

    @Override
    public List<Metric> metrics() {
        return transport.metrics();
    }
}
