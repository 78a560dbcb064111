package palyra.skills.internal;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.core.access.Access;
import palyra.api.core.journal.Journal;
import palyra.api.core.keys.Keys;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.MetricSource;
import palyra.api.core.ops.Ops;
import palyra.api.core.policy.PolicyEngine;
import palyra.shared.gate.Gate;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedTimer;
import palyra.skills.internal.manifest.GatewayVersion;
import palyra.skills.internal.model.ActiveSkills;
import palyra.skills.internal.model.LoadedSkill;
import palyra.skills.internal.model.SkillPreparation;
import palyra.skills.internal.model.SkillRemoval;

/** The OSGi component of installed skills: gates, threads, commands. */
@Component(
        service = {},
        immediate = true,
        configurationPid = "palyra.skills")
@Designate(ocd = SkillsConfiguration.class)
public final class SkillsComponent {
    private static final Logger LOG = LoggerFactory.getLogger(SkillsComponent.class);
    private static final long PATIENCE_MILLIS = 10_000;
    private static final long TICK_SECONDS = 20;
    private static final long END_MILLIS = 10_000;

    /** Every skill may be audited in one round. */
    private static final Duration LONGEST_ROUND = Duration.ofMinutes(10);

    private final BundleContext context;
    private final Gate<Journal> journal =
            new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, PATIENCE_MILLIS);
    private final Gate<Access> access =
            new Gate<>("access control", ErrorCode.POLICY_UNAVAILABLE, PATIENCE_MILLIS);
    private final Gate<Keys> keys =
            new Gate<>("the boot key store", ErrorCode.KEYS_UNAVAILABLE, PATIENCE_MILLIS);
    private final Gate<PolicyEngine> policies =
            new Gate<>("the policy engine", ErrorCode.POLICY_UNAVAILABLE, PATIENCE_MILLIS);
    private final List<SkillPreparation> preparations = new CopyOnWriteArrayList<>();
    private final List<SkillRemoval> removals = new CopyOnWriteArrayList<>();
    private final List<ServiceRegistration<?>> registrations = new ArrayList<>();
    private final SupervisedTimer rounds =
            new SupervisedTimer(
                    LoopSpec.of("palyra-skills-audit", "palyra.skills")
                            .withLongestStep(LONGEST_ROUND));
    private final SkillManager manager;
    private volatile SkillsSettings settings;

    /** Called by the component runtime. */
    @Activate
    public SkillsComponent(BundleContext context, SkillsConfiguration configuration) {
        this.context = context;
        this.settings = SkillsSettings.of(configuration);
        Path state =
                Path.of(Objects.toString(context.getProperty(Ops.STATE_FOLDER), ""))
                        .toAbsolutePath()
                        .normalize();
        this.manager =
                new SkillManager(
                        state,
                        new SkillManager.Seams(journal, access, keys, policies, this::prepare),
                        GatewayVersion.of(context.getBundle().getVersion().toString()),
                        () -> settings,
                        this::removed,
                        System::currentTimeMillis);
    }

    /** Called by the component runtime. */
    @Activate
    public void activate() {
        register(List.of(ActiveSkills.class), manager.loader());
        register(List.of(FindingSource.class, MetricSource.class), manager.report());
        for (Command command : manager.commands()) {
            register(List.of(Command.class), command);
        }
        LoopSource loops = () -> List.of(rounds.view(), manager.loop());
        register(List.of(LoopSource.class), loops);
        rounds.after(1, TimeUnit.SECONDS, this::round);
        rounds.every(TICK_SECONDS, TimeUnit.SECONDS, this::round);
    }

    private void register(List<Class<?>> types, Object service) {
        String[] names = types.stream().map(Class::getName).toArray(String[]::new);
        registrations.add(
                context.registerService(names, service, FrameworkUtil.asDictionary(Map.of())));
    }

    /** The periodic work. A failure is retried at the next turn. */
    private void round() {
        try {
            attempt(this::keepUp);
        } finally {
            attempt(manager.report()::look);
        }
    }

    private void keepUp() {
        manager.loader().recordWaiting();
        manager.reaudit().sweep();
        long interval = settings.reauditMillis();
        if (interval > 0 && manager.reaudit().due(interval)) {
            manager.reaudit().run(Set.of());
        }
    }

    private static void attempt(Runnable part) {
        try {
            part.run();
        } catch (PalyraException | RefusedException e) {
            LOG.debug("The periodic check of skills failed: {}", e.getMessage());
        }
    }

    private void prepare(LoadedSkill skill) {
        SkillPreparation present =
                preparations.stream()
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new PalyraException(
                                                ErrorCode.TOOL_UNAVAILABLE,
                                                "The modules of "
                                                        + skill.id()
                                                        + " cannot be judged: the skill runtime has"
                                                        + " not started. Try again in a moment."));
        present.prepare(skill);
    }

    private void removed(String skill) {
        for (SkillRemoval each : removals) {
            try {
                each.removed(skill);
            } catch (RuntimeException e) {
                LOG.error("Stored data of the removed skill {} could not be deleted.", skill, e);
            }
        }
    }

    /** Called by the component runtime. */
    @Modified
    public void modified(SkillsConfiguration configuration) {
        settings = SkillsSettings.of(configuration);
    }

    /** Called by the component runtime. */
    @Deactivate
    public void deactivate() {
        registrations.forEach(ServiceRegistration::unregister);
        if (!rounds.close(END_MILLIS)) {
            LOG.warn("The periodic check of skills did not end in time.");
        }
        manager.close();
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindJournal(Journal service, Map<String, ?> properties) {
        journal.add(service, properties);
        manager.loader().arrived();
    }

    /** Called by the component runtime. */
    public void unbindJournal(Journal service) {
        journal.remove(service);
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindAccess(Access service, Map<String, ?> properties) {
        access.add(service, properties);
    }

    /** Called by the component runtime. */
    public void unbindAccess(Access service) {
        access.remove(service);
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindKeys(Keys service, Map<String, ?> properties) {
        keys.add(service, properties);
        manager.loader().arrived();
    }

    /** Called by the component runtime. */
    public void unbindKeys(Keys service) {
        keys.remove(service);
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindPolicies(PolicyEngine service, Map<String, ?> properties) {
        policies.add(service, properties);
    }

    /** Called by the component runtime. */
    public void unbindPolicies(PolicyEngine service) {
        policies.remove(service);
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindPreparation(SkillPreparation service) {
        preparations.add(service);
    }

    /** Called by the component runtime. */
    public void unbindPreparation(SkillPreparation service) {
        preparations.remove(service);
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindRemoval(SkillRemoval service) {
        removals.add(service);
    }

    /** Called by the component runtime. */
    public void unbindRemoval(SkillRemoval service) {
        removals.remove(service);
    }
}
