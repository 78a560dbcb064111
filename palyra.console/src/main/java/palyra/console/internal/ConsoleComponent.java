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
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.servlet.whiteboard.HttpWhiteboardConstants;
import org.osgi.service.servlet.whiteboard.annotations.RequireHttpWhiteboard;
import palyra.api.approval.Approvals;
import palyra.api.console.ConsolePanel;
import palyra.api.core.access.Access;
import palyra.api.core.command.CommandRunner;
import palyra.api.core.gateway.AgentRegistry;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.TapeVerifier;
import palyra.api.core.policy.Policies;
import palyra.api.run.Runs;
import palyra.console.internal.command.Commands;
import palyra.console.internal.page.OverviewPage;
import palyra.console.internal.page.SignInPages;
import palyra.console.internal.panel.PanelPages;
import palyra.console.internal.panel.Panels;
import palyra.console.internal.panel.shipped.ShippedPanels;
import palyra.console.internal.policy.PolicyPages;
import palyra.console.internal.run.RunPages;
import palyra.console.internal.run.SessionPages;
import palyra.console.internal.run.TapePages;
import palyra.console.internal.run.stream.EventsPage;
import palyra.console.internal.session.Sessions;
import palyra.console.internal.web.Assets;
import palyra.console.internal.web.ConsoleServlet;
import palyra.console.internal.web.Pages;
import palyra.console.internal.web.Router;

/** Offers the console at {@code /console} while the HTTP server is there. */
@Component(
        immediate = true,
        service = {})
@RequireHttpWhiteboard
public final class ConsoleComponent {
    private final Seams seams = Seams.empty();
    private final Panels panels = new Panels();
    private final EventsPage events;
    private final ServiceRegistration<Servlet> registration;

    /** Called by the component runtime. */
    @Activate
    public ConsoleComponent(BundleContext context) {
        Assets assets = new Assets();
        Sessions sessions = new Sessions(seams.access());
        Commands commands = new Commands(seams.commands());
        Router router = new Router();
        new SignInPages(seams, sessions).routes(router);
        new OverviewPage(commands).routes(router);
        new PolicyPages(commands, seams.policies()).routes(router);
        ShippedPanels.all(commands).forEach(panels::addOwn);
        new SessionPages(seams).routes(router);
        new RunPages(seams).routes(router);
        new TapePages(seams).routes(router);
        events = new EventsPage(seams, sessions);
        events.routes(router);
        PanelPages panelPages = new PanelPages(seams, panels);
        panelPages.routes(router);
        Pages pages =
                new Pages(
                        new ConsoleNavigation(panelPages),
                        assets,
                        context.getBundle().getVersion().toString());
        registration =
                context.registerService(
                        Servlet.class,
                        new ConsoleServlet(router, sessions, pages, assets),
                        FrameworkUtil.asDictionary(
                                Map.of(
                                        HttpWhiteboardConstants.HTTP_WHITEBOARD_SERVLET_PATTERN,
                                        List.of("/console", "/console/*"),
                                        HttpWhiteboardConstants.HTTP_WHITEBOARD_SERVLET_NAME,
                                        "palyra-console",
                                        HttpWhiteboardConstants
                                                .HTTP_WHITEBOARD_SERVLET_ASYNC_SUPPORTED,
                                        true)));
    }

    /** Ends the streams. */
    @Deactivate
    void deactivate() {
        events.close();
        try {
            registration.unregister();
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
