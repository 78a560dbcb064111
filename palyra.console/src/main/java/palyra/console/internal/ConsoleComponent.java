package palyra.console.internal;

import jakarta.servlet.Servlet;
import java.util.List;
import java.util.Map;
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
import org.osgi.service.servlet.whiteboard.annotations.RequireHttpWhiteboard;
import palyra.api.approval.Approvals;
import palyra.api.console.ConsolePanel;
import palyra.api.core.access.Access;
import palyra.api.core.access.Accounts;
import palyra.api.core.command.CommandRunner;
import palyra.api.core.gateway.AgentRegistry;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.TapeVerifier;
import palyra.api.core.policy.Policies;
import palyra.api.run.Runs;
import palyra.console.internal.account.AccountCalls;
import palyra.console.internal.account.AccountPages;
import palyra.console.internal.account.InvitationPages;
import palyra.console.internal.account.PasskeyChallenges;
import palyra.console.internal.account.SignInPages;
import palyra.console.internal.command.Commands;
import palyra.console.internal.felix.FelixDoor;
import palyra.console.internal.page.OverviewPage;
import palyra.console.internal.panel.PanelPages;
import palyra.console.internal.panel.Panels;
import palyra.console.internal.panel.shipped.ShippedPanels;
import palyra.console.internal.policy.PolicyEditor;
import palyra.console.internal.policy.PolicyPages;
import palyra.console.internal.run.ChatPages;
import palyra.console.internal.run.RunPages;
import palyra.console.internal.run.SessionPages;
import palyra.console.internal.run.TapePages;
import palyra.console.internal.run.stream.EventsPage;
import palyra.console.internal.session.ConsoleSettings;
import palyra.console.internal.session.Origins;
import palyra.console.internal.session.Sessions;
import palyra.console.internal.upload.UploadPages;
import palyra.console.internal.upload.Uploads;
import palyra.console.internal.web.Assets;
import palyra.console.internal.web.ConsoleServlet;
import palyra.console.internal.web.Pages;
import palyra.console.internal.web.Router;

/** Offers the console at {@code /console} while the HTTP server is there. */
@Component(
        name = ConsoleConfig.PID,
        configurationPid = ConsoleConfig.PID,
        immediate = true,
        service = {})
@Designate(ocd = ConsoleConfig.class)
@RequireHttpWhiteboard
public final class ConsoleComponent {
    private final Seams seams = Seams.empty();
    private final Panels panels = new Panels();
    private final EventsPage events;
    private final List<ServiceRegistration<Servlet>> registrations;
    private final FelixDoor felix;
    private volatile ConsoleSettings settings;

    /** Called by the component runtime. */
    @Activate
    public ConsoleComponent(BundleContext context, ConsoleConfig config) {
        settings = settings(config);
        Assets assets = new Assets();
        Origins origins = new Origins(() -> settings);
        Sessions sessions = new Sessions(seams.accounts(), origins);
        AccountCalls calls = new AccountCalls(seams, sessions, origins, () -> settings);
        Commands commands = new Commands(seams.commands());
        Router router = new Router();
        new SignInPages(calls).routes(router);
        new InvitationPages(calls).routes(router);
        new PasskeyChallenges(calls).routes(router);
        new AccountPages(calls).routes(router);
        new OverviewPage(commands).routes(router);
        new PolicyPages(commands, seams.policies()).routes(router);
        new PolicyEditor(commands, seams.policies()).routes(router);
        new SessionPages(seams).routes(router);
        new ChatPages(seams).routes(router);
        new RunPages(seams).routes(router);
        new TapePages(seams).routes(router);
        events = new EventsPage(seams, sessions);
        events.routes(router);
        Uploads uploads =
                new Uploads(context.getDataFile("uploads").toPath(), System::currentTimeMillis);
        ShippedPanels.all(commands, uploads).forEach(panels::addOwn);
        PanelPages panelPages = new PanelPages(seams, panels);
        panelPages.routes(router);
        Pages pages =
                new Pages(
                        new ConsoleNavigation(panelPages),
                        assets,
                        context.getBundle().getVersion().toString());
        Router jars = new Router();
        new UploadPages(seams, uploads).routes(jars);
        registrations =
                List.of(
                        register(
                                context,
                                new ConsoleServlet(
                                        router,
                                        sessions,
                                        origins,
                                        () -> settings.passwords(),
                                        pages,
                                        assets),
                                ServletProperties.pages()),
                        register(
                                context,
                                new ConsoleServlet(
                                        jars,
                                        sessions,
                                        origins,
                                        () -> settings.passwords(),
                                        pages,
                                        assets),
                                ServletProperties.uploads(context.getDataFile("parts"))));
        felix = new FelixDoor(context, seams, sessions, origins);
        felix.open();
    }

    private static ServiceRegistration<Servlet> register(
            BundleContext context, Servlet servlet, Map<String, Object> properties) {
        return context.registerService(
                Servlet.class, servlet, FrameworkUtil.asDictionary(properties));
    }

    @Modified
    void modified(ConsoleConfig config) {
        settings = settings(config);
    }

    private static ConsoleSettings settings(ConsoleConfig config) {
        return ConsoleSettings.of(
                config.sessionIdleMinutes(),
                config.sessionHours(),
                config.passwordSignIn(),
                config.publicUrls(),
                config.trustedProxies());
    }

    /** Ends the streams. */
    @Deactivate
    void deactivate() {
        events.close();
        try {
            felix.close();
            registrations.forEach(ServiceRegistration::unregister);
        } catch (IllegalStateException e) {
            // the bundle is stopping, and the framework was faster
        }
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindAccess(Access arrived, Map<String, ?> properties) {
        seams.access().add(arrived, properties);
    }

    void unbindAccess(Access leaving) {
        seams.access().remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindAccounts(Accounts arrived, Map<String, ?> properties) {
        seams.accounts().add(arrived, properties);
    }

    void unbindAccounts(Accounts leaving) {
        seams.accounts().remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindRuns(Runs arrived, Map<String, ?> properties) {
        seams.runs().add(arrived, properties);
    }

    void unbindRuns(Runs leaving) {
        seams.runs().remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindApprovals(Approvals arrived, Map<String, ?> properties) {
        seams.approvals().add(arrived, properties);
    }

    void unbindApprovals(Approvals leaving) {
        seams.approvals().remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindAgents(AgentRegistry arrived, Map<String, ?> properties) {
        seams.agents().add(arrived, properties);
    }

    void unbindAgents(AgentRegistry leaving) {
        seams.agents().remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindVerifier(TapeVerifier arrived, Map<String, ?> properties) {
        seams.verifier().add(arrived, properties);
    }

    void unbindVerifier(TapeVerifier leaving) {
        seams.verifier().remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindFeed(LiveFeed arrived, Map<String, ?> properties) {
        seams.feed().add(arrived, properties);
    }

    void unbindFeed(LiveFeed leaving) {
        seams.feed().remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindCommands(CommandRunner arrived, Map<String, ?> properties) {
        seams.commands().add(arrived, properties);
    }

    void unbindCommands(CommandRunner leaving) {
        seams.commands().remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindPolicies(Policies arrived, Map<String, ?> properties) {
        seams.policies().add(arrived, properties);
    }

    void unbindPolicies(Policies leaving) {
        seams.policies().remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindPanel(ConsolePanel arrived, Map<String, ?> properties) {
        panels.add(arrived, properties);
    }

    void unbindPanel(ConsolePanel leaving) {
        panels.remove(leaving);
    }
}
