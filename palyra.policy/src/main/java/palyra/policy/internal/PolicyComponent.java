package palyra.policy.internal;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.core.journal.Journal;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.api.core.ops.Ops;
import palyra.api.core.policy.Policies;
import palyra.api.core.policy.PolicyEngine;
import palyra.api.core.policy.PolicySetView;
import palyra.api.tool.ToolDescriptor;
import palyra.lib.cedar.Cedar;
import palyra.policy.internal.decide.Engine;
import palyra.policy.internal.decide.EngineSettings;
import palyra.policy.internal.decide.NativeEngineCheck;
import palyra.policy.internal.set.PolicyDependencies;
import palyra.policy.internal.set.PolicyFolders;
import palyra.policy.internal.set.PolicyService;
import palyra.policy.internal.set.PolicySets;
import palyra.policy.internal.set.PolicySettings;
import palyra.shared.files.DurableFiles;
import palyra.shared.gate.Gate;

/**
 * Offers the policy engine as a service, from its first moment: until a set is in force it answers
 * POLICY_UNAVAILABLE. The native engine and the journal may come and go under it.
 */
@Component(
        name = PolicyConfig.PID,
        configurationPid = PolicyConfig.PID,
        immediate = true,
        service = {
            PolicyEngine.class,
            Policies.class,
            PolicyService.class,
            FindingSource.class,
            MetricSource.class,
            LoopSource.class
        })
@Designate(ocd = PolicyConfig.class)
public final class PolicyComponent extends PolicySets
        implements PolicyEngine, FindingSource, MetricSource, LoopSource {
    private static final int SHADOW_QUEUE = 256;

    private final Parts parts;

    /** Starts to read the policies; does not wait for them. */
    @Activate
    public PolicyComponent(BundleContext context, PolicyConfig config) {
        this(
                PolicyFolders.of(
                        folder(context, Ops.HOME_FOLDER), folder(context, Ops.STATE_FOLDER)),
                bootId(context),
                config,
                new Parts(config));
    }

    private PolicyComponent(PolicyFolders places, String bootId, PolicyConfig config, Parts parts) {
        super(parts.dependencies(places, bootId), settings(config));
        this.parts = parts;
        parts.sets = this;
        parts.cedar.onArrival(arrived -> wake());
        parts.journal.onArrival(arrived -> wake());
        begin();
    }

    /** What the sets need, and the engine, which asks them once they are made. */
    private static final class Parts {
        private final Gate<Cedar> cedar =
                new Gate<>("The native Cedar engine", ErrorCode.POLICY_UNAVAILABLE, 0);
        private final Gate<Journal> journal =
                new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
        private final NativeEngineCheck check = new NativeEngineCheck(cedar);
        private final Engine engine;
        private volatile PolicySets sets;

        Parts(PolicyConfig config) {
            engine =
                    new Engine(
                            () -> sets.inForce(),
                            () -> sets.absence(),
                            check,
                            shadow(config),
                            difference -> sets.enginesDiffer(difference));
        }

        PolicyDependencies dependencies(PolicyFolders places, String bootId) {
            return new PolicyDependencies(
                    places,
                    cedar,
                    journal,
                    check,
                    engine,
                    new DurableFiles(),
                    bootId,
                    System::currentTimeMillis);
        }
    }

    private static Path folder(BundleContext context, String property) {
        String folder = context.getProperty(property);
        if (folder == null || folder.isBlank()) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The framework property "
                            + property
                            + " names no folder; start the gateway with palyra up.");
        }
        return Path.of(folder);
    }

    private static String bootId(BundleContext context) {
        String id = context.getProperty(Ops.BOOT_ID);
        return id == null || id.isBlank() ? "pid-" + ProcessHandle.current().pid() : id;
    }

    private static PolicySettings settings(PolicyConfig config) {
        String onFailure = config.onFailure().strip();
        if (!onFailure.equals("keep") && !onFailure.equals("deny")) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "onFailure of palyra.policy is '" + onFailure + "'; use keep or deny.");
        }
        TreeSet<String> off = new TreeSet<>();
        Arrays.stream(config.disabledDefaults())
                .map(String::strip)
                .filter(id -> !id.isEmpty())
                .forEach(off::add);
        return new PolicySettings(config.defaults(), off, onFailure.equals("deny"));
    }

    private static EngineSettings shadow(PolicyConfig config) {
        return new EngineSettings(config.shadowPerMille(), SHADOW_QUEUE);
    }

    @Modified
    void modified(PolicyConfig config) {
        PolicySettings changed = settings(config);
        parts.engine.configure(shadow(config));
        settings(changed);
    }

    @Deactivate
    void deactivate() {
        close();
        parts.engine.close();
        parts.check.close();
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindCedar(Cedar arrived, Map<String, Object> properties) {
        parts.cedar.add(arrived, properties);
    }

    void unbindCedar(Cedar leaving) {
        parts.cedar.remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindJournal(Journal arrived, Map<String, Object> properties) {
        parts.journal.add(arrived, properties);
    }

    void unbindJournal(Journal leaving) {
        parts.journal.remove(leaving);
    }

    @Override
    public PolicyDecision decide(AccessRequest request) {
        return parts.engine.decide(request);
    }

    @Override
    public PolicyDecision decideTool(ToolPolicyRequest call) {
        return parts.engine.decideTool(call);
    }

    @Override
    public Set<String> usableTools(ToolPolicyRequest call, List<ToolDescriptor> tools) {
        return parts.engine.usableTools(call, tools);
    }

    @Override
    public PolicySetView current() {
        return parts.engine.current();
    }

    @Override
    public List<Finding> findings() {
        List<Finding> findings = new ArrayList<>(super.findings());
        parts.engine
                .difference()
                .ifPresent(
                        difference ->
                                findings.add(
                                        0,
                                        new Finding(
                                                Finding.Severity.ERROR,
                                                "policy",
                                                difference.sentence()
                                                        + " The native engine decides.",
                                                "Report it as a defect; palyra policy reload lets"
                                                        + " the compiled engine decide again.")));
        return findings;
    }

    @Override
    public List<Metric> metrics() {
        List<Metric> metrics = new ArrayList<>(super.metrics());
        metrics.addAll(parts.engine.counts().metrics());
        return metrics;
    }
}
