package palyra.health.internal;

import jakarta.servlet.Servlet;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.servlet.whiteboard.propertytypes.HttpWhiteboardServletName;
import org.osgi.service.servlet.whiteboard.propertytypes.HttpWhiteboardServletPattern;
import palyra.shared.http.Reply;

/** {@code /readyz}: whether a message that arrives now is accepted and answered. */
@Component(service = Servlet.class)
@HttpWhiteboardServletName("palyra-readyz")
@HttpWhiteboardServletPattern(ReadyServlet.PATH)
public final class ReadyServlet extends GuardedServlet {
    static final String PATH = "/readyz";
    private static final long serialVersionUID = 1L;

    private final transient ReadyReport report;

    /** Called by the component runtime. */
    @Activate
    public ReadyServlet(
            @Reference HttpAuthorizer authorizer,
            @Reference RequestCounts counts,
            @Reference ReadyReport report) {
        super(authorizer, counts, PATH, "system.status");
        this.report = report;
    }

    @Override
    boolean allowsAnonymous(HealthSettings settings) {
        return true;
    }

    @Override
    Reply answer(boolean detailed) {
        return report.now().reply(detailed);
    }
}
