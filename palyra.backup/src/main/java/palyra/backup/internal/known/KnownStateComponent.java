package palyra.backup.internal.known;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.felix.hc.api.HealthCheck;
import org.apache.felix.hc.api.Result;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.core.journal.Journal;
import palyra.api.core.keys.Keys;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Ops;
import palyra.api.core.policy.Policies;
import palyra.shared.gate.Gate;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;

/** Keeps what the state folder has in the journal, and reports what a start misses. */
@Component(
        service = {HealthCheck.class, FindingSource.class, LoopSource.class},
        immediate = true,
        property = {HealthCheck.NAME + "=" + KnownStateComponent.NAME, HealthCheck.TAGS + "=ready"})
public final class KnownStateComponent implements HealthCheck, FindingSource, LoopSource {
    static final String NAME = "state";
    private static final Logger LOG = LoggerFactory.getLogger(KnownStateComponent.class);
    private static final Duration EVERY = Duration.ofSeconds(2);
    private static final long CLOSE_MILLIS = 2_000;

    private final Gate<Journal> journal =
            new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    private final Gate<Keys> keys = new Gate<>("The key store", ErrorCode.KEYS_UNAVAILABLE, 0);
    private final Gate<Policies> policies =
            new Gate<>("The policies", ErrorCode.POLICY_UNAVAILABLE, 0);
    private final KnownState known;
    private final SupervisedLoop loop;
    private final ServiceRegistration<Command> command;

    /** Called by the component runtime. */
    @Activate
    public KnownStateComponent(BundleContext context) {
        Path state = Path.of(context.getProperty(Ops.STATE_FOLDER));
        known = new KnownState(state, journal, keys, policies);
        command =
                context.registerService(
                        Command.class,
                        new StateAcceptCommand(known, state),
                        FrameworkUtil.asDictionary(Map.of()));
        loop =
                SupervisedLoop.every(
                                LoopSpec.of("palyra-known-state", "palyra.backup"),
                                EVERY,
                                this::save)
                        .start();
    }

    private void save() {
        try {
            if (journal.isPresent()) {
                known.save();
            }
        } catch (IOException | PalyraException e) {
            LOG.debug("What the state folder has is recorded later.", e);
        }
    }

    @Deactivate
    void close() {
        command.unregister();
        loop.close(CLOSE_MILLIS);
        save(); // what was taken away just before a stop was taken away by an operator
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
    void bindKeys(Keys service, Map<String, Object> properties) {
        keys.add(service, properties);
    }

    void unbindKeys(Keys service) {
        keys.remove(service);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindPolicies(Policies service, Map<String, Object> properties) {
        policies.add(service, properties);
    }

    void unbindPolicies(Policies service) {
        policies.remove(service);
    }

    @Override
    public Result execute() {
        List<Finding> found =
                known.findings().stream()
                        .filter(each -> each.severity() == Finding.Severity.ERROR)
                        .toList();
        return found.isEmpty()
                ? new Result(Result.Status.OK, "Nothing that the state folder had is missing.")
                : new Result(
                        Result.Status.CRITICAL,
                        found.stream().map(Finding::message).collect(Collectors.joining(" "))
                                + " See palyra doctor.");
    }

    @Override
    public List<Finding> findings() {
        return known.findings();
    }

    @Override
    public List<LoopView> loops() {
        return List.of(loop.view());
    }
}
