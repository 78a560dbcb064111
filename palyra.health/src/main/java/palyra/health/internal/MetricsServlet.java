package palyra.health.internal;

import jakarta.servlet.Servlet;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.servlet.whiteboard.propertytypes.HttpWhiteboardServletName;
import org.osgi.service.servlet.whiteboard.propertytypes.HttpWhiteboardServletPattern;
import palyra.shared.http.Reply;

/** {@code /metrics}: all metrics, in the Prometheus text format. */
@Component(service = Servlet.class)
@HttpWhiteboardServletName("palyra-metrics")
@HttpWhiteboardServletPattern(MetricsServlet.PATH)
public final class MetricsServlet extends GuardedServlet {
    static final String PATH = "/metrics";
    private static final long serialVersionUID = 1L;

    private final transient MetricCollector collector;

    /** Called by the component runtime. */
    @Activate
    public MetricsServlet(
            @Reference HttpAuthorizer authorizer,
            @Reference RequestCounts counts,
            @Reference MetricCollector collector) {
        super(authorizer, counts, PATH, "metrics.read");
        this.collector = collector;
    }

    @Override
    boolean allowsAnonymous(HealthSettings settings) {
        return settings.anonymousMetrics();
    }

    @Override
    Reply answer(boolean detailed) {
        byte[] body = collector.text().getBytes(StandardCharsets.UTF_8);
        return new Reply(Reply.OK, PrometheusText.CONTENT_TYPE, body, Map.of());
    }
}
