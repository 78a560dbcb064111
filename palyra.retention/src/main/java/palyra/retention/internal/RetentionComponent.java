package palyra.retention.internal;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.metatype.annotations.Designate;
import palyra.api.ErrorCode;
import palyra.api.command.Command;
import palyra.api.core.journal.Journal;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.shared.gate.Gate;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;

/** Sweeps at intervals, and offers the commands. A new configuration restarts it. */
@Component(
        name = RetentionConfiguration.PID,
        immediate = true,
        configurationPid = RetentionConfiguration.PID,
        service = {FindingSource.class, MetricSource.class, LoopSource.class})
@Designate(ocd = RetentionConfiguration.class)
public final class RetentionComponent implements FindingSource, MetricSource, LoopSource {
    private static final long JOURNAL_MILLIS = 10_000;
    private static final long CLOSE_MILLIS = 5_000;

    private final Gate<Journal> journal =
            new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, JOURNAL_MILLIS);
    private final Retention retention;
    private final SupervisedLoop loop;
    private final List<? extends ServiceRegistration<?>> commands;
    private volatile boolean stopping;

    /** Called by the component runtime. */
    @Activate
    public RetentionComponent(BundleContext context, RetentionConfiguration configuration) {
        retention = new Retention(journal, InstantSource.system(), new Ages(configuration));
        loop =
                SupervisedLoop.every(
                                LoopSpec.of("palyra-retention", "palyra.retention")
                                        .withLongestStep(Duration.ofHours(6)),
                                Duration.ofMinutes(configuration.sweepMinutes()),
                                () -> retention.sweepWhenDue(() -> stopping))
                        .start();
        commands =
                RetentionCommands.all(retention, configuration.sweepMinutes()).stream()
                        .map(
                                command ->
                                        context.registerService(
                                                Command.class,
                                                command,
                                                FrameworkUtil.asDictionary(Map.of())))
                        .toList();
    }

    @Deactivate
    void close() {
        stopping = true;
        commands.forEach(ServiceRegistration::unregister);
        loop.close(CLOSE_MILLIS);
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

    @Override
    public List<Finding> findings() {
        return retention.findings();
    }

    @Override
    public List<Metric> metrics() {
        return retention.metrics();
    }

    @Override
    public List<LoopView> loops() {
        return List.of(loop.view());
    }
}
