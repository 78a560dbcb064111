package palyra.channels.internal;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Dictionary;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;
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
import palyra.api.Require;
import palyra.api.approval.Approvals;
import palyra.api.channel.Connector;
import palyra.api.channel.ConnectorCapabilities.Feature;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.InboundMessage;
import palyra.api.command.Command;
import palyra.api.core.access.Access;
import palyra.api.core.gateway.AgentRegistry;
import palyra.api.core.gateway.ConcurrencyLimits;
import palyra.api.core.gateway.MessageRules;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.api.core.ops.Ops;
import palyra.api.core.sandbox.WorkspaceFiles;
import palyra.api.core.vault.Vault;
import palyra.api.run.Runs;
import palyra.api.tool.Tool;
import palyra.channels.internal.approval.Cards;
import palyra.channels.internal.command.ConversationCommands;
import palyra.channels.internal.dispatch.DeadLetters;
import palyra.channels.internal.dispatch.DispatchSettings;
import palyra.channels.internal.draft.Drafts;
import palyra.channels.internal.files.ChannelFiles;
import palyra.channels.internal.files.HeldFiles;
import palyra.channels.internal.inbound.Inbox;
import palyra.channels.internal.inbound.Pairings;
import palyra.channels.internal.inbound.Speakers;
import palyra.channels.internal.route.RouteComponent;
import palyra.channels.internal.route.RouteConfiguration;
import palyra.channels.internal.route.RouteRules;
import palyra.channels.internal.state.States;
import palyra.shared.gate.Gate;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedTimer;
import palyra.shared.vault.SecretLender;

/**
 * Starts connectors when they and what they need are there, and offers the commands. Rules and
 * settings are changed while it runs.
 */
@Component(
        name = ChannelsConfiguration.PID,
        immediate = true,
        configurationPid = ChannelsConfiguration.PID,
        service = {FindingSource.class, MetricSource.class, LoopSource.class, MessageRules.class})
@Designate(ocd = ChannelsConfiguration.class)
public final class ChannelsComponent
        implements FindingSource, MetricSource, LoopSource, MessageRules {
    private static final Logger LOG = LoggerFactory.getLogger(ChannelsComponent.class);
    private static final long ABSENT_MILLIS = 10_000;
    private static final long AGENTS_MILLIS = 2_000; // a connector hands nothing else in meanwhile
    private static final long SWEEP_MILLIS = 15_000;
    private static final long CLOSE_MILLIS = 5_000;
    private static final long STREAM_MILLIS = 1_200;
    private static final long TYPING_MILLIS = 10 * 60_000;

    /** Property of the configuration's finding source: targets of which something is refused. */
    private static final String REFUSED = "palyra.config.refused";

    private final Gate<Journal> journal =
            new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, ABSENT_MILLIS);
    private final Gate<Runs> runs =
            new Gate<>("The front of runs", ErrorCode.GATEWAY_UNAVAILABLE, ABSENT_MILLIS);
    private final Gate<Access> access =
            new Gate<>("Access control", ErrorCode.POLICY_UNAVAILABLE, ABSENT_MILLIS);
    private final Gate<Approvals> approvals =
            new Gate<>("The front of approvals", ErrorCode.GATEWAY_UNAVAILABLE, ABSENT_MILLIS);
    private final Gate<AgentRegistry> agents =
            new Gate<>("The gateway", ErrorCode.GATEWAY_UNAVAILABLE, AGENTS_MILLIS);
    private final Gate<Vault> vault =
            new Gate<>("The vault", ErrorCode.KEYS_UNAVAILABLE, ABSENT_MILLIS);
    private final Gate<LiveFeed> feed =
            new Gate<>("The live feed", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    private final Gate<WorkspaceFiles> workspaces =
            new Gate<>(
                    "What reads and writes workspaces (palyra.sandbox)",
                    ErrorCode.TOOL_UNAVAILABLE,
                    ABSENT_MILLIS);
    private final RouteRules rules;
    private final Cards cards;
    private final Inbox inbox;
    private final SupervisedTimer sweeps;
    private final Channels channels;
    private final Drafts drafts;
    private final States states = new States(journal);
    private final AtomicBoolean showing = new AtomicBoolean();
    private final ChannelReport report;
    private final ChannelChecks checks;
    private final List<ConcurrencyLimits> limits = new CopyOnWriteArrayList<>();
    private final List<? extends ServiceRegistration<?>> commands;
    private final List<? extends ServiceRegistration<?>> tools;
    private final HeldFiles held;
    private volatile DispatchSettings settings;
    private volatile ChannelsConfiguration files;
    private volatile LiveFeed.Subscription subscription;

    /** Called by the component runtime. */
    @Activate
    public ChannelsComponent(
            BundleContext context,
            ChannelsConfiguration configuration,
            @Reference ConfigurationAdmin configurations) {
        settings = settings(configuration);
        files = configuration;
        InstantSource clock = InstantSource.system();
        rules = new RouteRules(() -> configuredRules(configurations), () -> refusedRules(context));
        Pairings pairings = new Pairings(journal, approvals, clock);
        Speakers speakers = new Speakers(access);
        cards = new Cards(journal, approvals, speakers, this::hasButtons);
        ConversationCommands spoken =
                new ConversationCommands(runs, approvals, agents, access, journal, clock);
        inbox =
                new Inbox(
                        runs,
                        speakers,
                        journal,
                        rules,
                        pairings,
                        cards,
                        spoken,
                        this::reacts,
                        this::threadOf);
        held =
                new HeldFiles(
                        stateFolder(context).resolve("channels/files"),
                        journal,
                        () -> files.maxHeldBytes(),
                        clock);
        ChannelServices services =
                new ChannelServices(
                        journal,
                        runs,
                        inbox,
                        ChannelServices.Buttons.of(cards),
                        new SecretLender(access, vault),
                        () -> settings,
                        held,
                        clock);
        channels = new Channels(services, context.getProperty("palyra.boot.id"));
        drafts =
                new Drafts(
                        journal,
                        runs,
                        speakers,
                        rules,
                        channels::outlet,
                        STREAM_MILLIS,
                        TYPING_MILLIS);
        report =
                new ChannelReport(
                        channels,
                        new DeadLetters(journal, name -> channels.find(name).isPresent()),
                        rules,
                        pairings,
                        agents,
                        clock);
        checks = new ChannelChecks(context, report, rules);
        commands =
                ChannelCommands.all(channels, services, pairings, report, rules).stream()
                        .map(
                                command ->
                                        context.registerService(
                                                Command.class,
                                                command,
                                                FrameworkUtil.asDictionary(Map.of())))
                        .toList();
        tools =
                new ChannelFiles(
                                journal,
                                access,
                                workspaces,
                                name -> channels.find(name).map(Channel::connector),
                                held,
                                () -> files.maxFileBytes())
                        .tools().stream()
                                .map(
                                        tool ->
                                                context.registerService(
                                                        Tool.class,
                                                        tool,
                                                        FrameworkUtil.asDictionary(Map.of())))
                                .toList();
        sweeps = new SupervisedTimer(LoopSpec.of("palyra-channel-cards", "palyra.channels"));
        sweeps.every(SWEEP_MILLIS, TimeUnit.MILLISECONDS, this::sweep);
        sweeps.soon(this::sweep);
        feed.onArrival(this::subscribe);
    }

    private String threadOf(ConnectorId connector, InboundMessage message) {
        return channels.find(connector.toString())
                .map(channel -> channel.connector().threadOf(message))
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.GATEWAY_UNAVAILABLE,
                                        connector + " is stopped; nothing was taken."));
    }

    private static Path stateFolder(BundleContext context) {
        return Path.of(Require.text(context.getProperty(Ops.STATE_FOLDER), Ops.STATE_FOLDER));
    }

    private boolean hasButtons(String surface) {
        return channels.find(surface)
                .filter(one -> one.connector().capabilities().has(Feature.BUTTONS))
                .isPresent();
    }

    private void sweep() {
        new Sweeps(
                        List.of(
                                new Sweeps.Sweep("Approval requests", cards::sweep),
                                new Sweeps.Sweep("Drafts", drafts::sweep),
                                new Sweeps.Sweep("Reactions", states::sweep),
                                new Sweeps.Sweep("Sent files", held::sweep)))
                .run();
    }

    private void showStates() {
        showing.set(false);
        try {
            states.sweep();
        } catch (PalyraException e) {
            LOG.debug("The next sweep shows what became of messages.", e);
        }
    }

    private boolean reacts(ConnectorId connector) {
        return channels.outlet(connector.toString())
                .filter(one -> one.connector().capabilities().has(Feature.REACTIONS))
                .isPresent();
    }

    private static DispatchSettings settings(ChannelsConfiguration configuration) {
        return new DispatchSettings(
                configuration.sendThreads(),
                configuration.maxAttempts(),
                configuration.firstDelayMillis(),
                Math.max(configuration.firstDelayMillis(), configuration.longestDelayMillis()),
                TimeUnit.HOURS.toMillis(configuration.expiryHours()),
                configuration.unknown().equals("resend"));
    }

    /** Rules of which a file is refused, whatever is in force in its place. */
    private static Set<String> refusedRules(BundleContext context) {
        Set<String> names = new HashSet<>();
        try {
            for (ServiceReference<FindingSource> report :
                    context.getServiceReferences(FindingSource.class, "(" + REFUSED + "=*)")) {
                for (String target : (String[]) report.getProperty(REFUSED)) {
                    if (target.startsWith(RouteConfiguration.PID + "~")) {
                        names.add(RouteComponent.name(target));
                    }
                }
            }
            return names;
        } catch (InvalidSyntaxException | IllegalStateException e) {
            throw unlisted(e);
        }
    }

    private static PalyraException unlisted(Exception e) {
        return new PalyraException(
                ErrorCode.GATEWAY_UNAVAILABLE, "The rules cannot be listed now.", e);
    }

    /** Also those whose components have not begun yet. */
    private static Map<String, List<String>> configuredRules(ConfigurationAdmin configurations) {
        Map<String, List<String>> named = new HashMap<>();
        try {
            Configuration[] found =
                    configurations.listConfigurations(
                            "(service.factoryPid=" + RouteConfiguration.PID + ")");
            for (Configuration one : found == null ? new Configuration[0] : found) {
                named.put(RouteComponent.name(one.getPid()), connectors(one));
            }
            return named;
        } catch (IOException | InvalidSyntaxException | IllegalStateException e) {
            throw unlisted(e);
        }
    }

    private static List<String> connectors(Configuration rule) {
        Dictionary<String, Object> properties = rule.getProperties(); // null for a new one
        return properties != null && properties.get("connectors") instanceof String[] connectors
                ? List.of(connectors)
                : List.of();
    }

    private void subscribe(LiveFeed arrived) {
        subscription = arrived.subscribe(LiveFeed.ANY, this::hint);
    }

    private void hint(FeedItem item) {
        switch (item) {
            case FeedItem.Advanced advanced -> drafts.advanced(advanced.streamId());
            case FeedItem.AnswerQueued answer -> {
                channels.wake(answer.surface());
                if (rules.router().showsStates() && !showing.getAndSet(true)) {
                    sweeps.soon(this::showStates);
                }
            }
            case FeedItem.ApprovalAsked ignored -> sweeps.soon(this::sweep);
            case FeedItem.ApprovalDecided ignored -> sweeps.soon(this::sweep);
            case FeedItem.Lagged ignored -> {
                channels.wakeAll();
                sweeps.soon(this::sweep);
            }
            default -> {} // nothing to send
        }
    }

    @Modified
    void modified(ChannelsConfiguration configuration) {
        settings = settings(configuration);
        files = configuration;
        channels.wakeAll();
    }

    @Deactivate
    void close() {
        tools.forEach(ServiceRegistration::unregister);
        commands.forEach(ServiceRegistration::unregister);
        checks.close();
        LiveFeed.Subscription listening = subscription;
        if (listening != null) {
            listening.close();
        }
        sweeps.finish(CLOSE_MILLIS);
        drafts.close();
        channels.close();
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindApprovals(Approvals service, Map<String, Object> properties) {
        approvals.add(service, properties);
    }

    void unbindApprovals(Approvals service) {
        approvals.remove(service);
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
    void bindRuns(Runs service, Map<String, Object> properties) {
        runs.add(service, properties);
    }

    void unbindRuns(Runs service) {
        runs.remove(service);
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
    void bindAgents(AgentRegistry service, Map<String, Object> properties) {
        agents.add(service, properties);
    }

    void unbindAgents(AgentRegistry service) {
        agents.remove(service);
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

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindWorkspaces(WorkspaceFiles service, Map<String, Object> properties) {
        workspaces.add(service, properties);
    }

    void unbindWorkspaces(WorkspaceFiles service) {
        workspaces.remove(service);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindRule(RouteComponent rule) {
        rules.add(rule.rule());
        tellLimits();
    }

    void unbindRule(RouteComponent rule) {
        rules.remove(rule.rule());
        tellLimits();
    }

    /** Rules that are configured come one after the other when this begins. */
    private boolean areAwaited() {
        try {
            return !rules.awaited().isEmpty();
        } catch (PalyraException e) {
            return true;
        }
    }

    private void tellLimits() {
        drafts.rulesChanged();
        Map<String, Integer> now = rules.router().limits();
        if (now.isEmpty() && areAwaited()) {
            return; // the gateway keeps what it was told before
        }
        limits.forEach(gateway -> gateway.limit(now));
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindLimits(ConcurrencyLimits gateway) {
        limits.add(gateway);
        tellLimits();
    }

    void unbindLimits(ConcurrencyLimits gateway) {
        limits.remove(gateway);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindConnector(Connector connector) {
        channels.add(connector);
        checks.are(channels.all());
    }

    void unbindConnector(Connector connector) {
        channels.remove(connector);
        checks.are(channels.all());
    }

    @Override
    public List<Finding> findings() {
        return report.findings();
    }

    @Override
    public boolean governs(ConnectorId surface) {
        return rules.find(surface).isPresent();
    }

    @Override
    public Ruling rule(ConnectorId surface, InboundMessage message, boolean broadcast) {
        return inbox.rule(surface, message, broadcast);
    }

    @Override
    public Optional<Ruling> before(ConnectorId surface, InboundMessage message) {
        return inbox.before(surface, message);
    }

    @Override
    public List<Metric> metrics() {
        return report.metrics();
    }

    @Override
    public List<LoopView> loops() {
        List<LoopView> loops = new ArrayList<>();
        loops.add(sweeps.view());
        loops.add(drafts.view());
        channels.all().forEach(channel -> loops.add(channel.dispatcher().view()));
        return loops;
    }
}
