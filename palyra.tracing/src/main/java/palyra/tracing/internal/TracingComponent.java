package palyra.tracing.internal;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.metatype.annotations.Designate;
import palyra.api.ErrorCode;
import palyra.api.core.access.Access;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.api.core.vault.Vault;
import palyra.shared.gate.Gate;
import palyra.shared.vault.SecretLender;

/** Sends traces while an endpoint is configured. A new configuration restarts it. */
@Component(
        name = TracingConfiguration.PID,
        immediate = true,
        configurationPid = TracingConfiguration.PID,
        service = {FindingSource.class, MetricSource.class, LoopSource.class})
@Designate(ocd = TracingConfiguration.class)
public final class TracingComponent implements FindingSource, MetricSource, LoopSource {
    private static final long ABSENT_MILLIS = 1_000;

    private final Gate<Journal> journal =
            new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, ABSENT_MILLIS);
    private final Gate<LiveFeed> feed =
            new Gate<>("The live feed", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    private final Gate<EgressClient> egress =
            new Gate<>("The egress client", ErrorCode.TOOL_UNAVAILABLE, ABSENT_MILLIS);
    private final Gate<Access> access =
            new Gate<>("Access control", ErrorCode.POLICY_UNAVAILABLE, ABSENT_MILLIS);
    private final Gate<Vault> vault =
            new Gate<>("The vault", ErrorCode.KEYS_UNAVAILABLE, ABSENT_MILLIS);
    private final Tracing tracing; // null while traces are off

    /** Called by the component runtime. */
    @Activate
    public TracingComponent(BundleContext context, TracingConfiguration configuration) {
        TracingSettings settings = TracingSettings.from(configuration);
        tracing =
                settings.on()
                        ? new Tracing(
                                settings,
                                Tracing.resource(context.getBundle().getVersion().toString()),
                                new Tracing.Parts(
                                        journal,
                                        egress,
                                        new SecretLender(access, vault),
                                        InstantSource.system()),
                                Tracing.Pace.USUAL)
                        : null;
        if (tracing != null) {
            feed.onArrival(tracing::follow);
        }
    }

    @Deactivate
    void close() {
        if (tracing != null) {
            tracing.close();
        }
    }

    @Override
    public List<Finding> findings() {
        return tracing == null ? List.of() : tracing.findings();
    }

    @Override
    public List<Metric> metrics() {
        return tracing == null ? List.of() : tracing.metrics();
    }

    @Override
    public List<LoopView> loops() {
        return tracing == null ? List.of() : tracing.loops();
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindJournal(Journal service, Map<String, Object> properties) {
        journal.add(service, properties);
    }

    void unbindJournal(Journal service) {
        journal.remove(service);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindFeed(LiveFeed service, Map<String, Object> properties) {
        feed.add(service, properties);
    }

    void unbindFeed(LiveFeed service) {
        feed.remove(service);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindEgress(EgressClient service, Map<String, Object> properties) {
        egress.add(service, properties);
    }

    void unbindEgress(EgressClient service) {
        egress.remove(service);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindAccess(Access service, Map<String, Object> properties) {
        access.add(service, properties);
    }

    void unbindAccess(Access service) {
        access.remove(service);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindVault(Vault service, Map<String, Object> properties) {
        vault.add(service, properties);
    }

    void unbindVault(Vault service) {
        vault.remove(service);
    }
}
