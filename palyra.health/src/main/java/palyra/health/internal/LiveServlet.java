package palyra.health.internal;

import jakarta.servlet.Servlet;
import java.util.Set;
import org.apache.felix.hc.api.execution.HealthCheckExecutor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.servlet.whiteboard.propertytypes.HttpWhiteboardServletName;
import org.osgi.service.servlet.whiteboard.propertytypes.HttpWhiteboardServletPattern;
import palyra.shared.http.Reply;

/** {@code /healthz}: the process lives and is of use; if not, restarting it is the remedy. */
@Component(service = Servlet.class)
@HttpWhiteboardServletName("palyra-healthz")
@HttpWhiteboardServletPattern(LiveServlet.PATH)
public final class LiveServlet extends GuardedServlet {
    static final String PATH = "/healthz";
    private static final long serialVersionUID = 1L;

    private final transient CheckRunner checks;

    /** Called by the component runtime. */
    @Activate
    public LiveServlet(
            @Reference HttpAuthorizer authorizer,
            @Reference RequestCounts counts,
            @Reference HealthCheckExecutor executor) {
        super(authorizer, counts, PATH, "system.status");
        checks =
                new CheckRunner(
                        executor,
                        CheckRunner.LIVE,
                        Set.of(FrameworkCheck.NAME, JournalNotStoppedCheck.NAME));
    }

    @Override
    boolean allowsAnonymous(HealthSettings settings) {
        return true;
    }

    @Override
    Reply answer(boolean detailed) {
        return checks.run().reply(detailed);
    }
}
