package palyra.health.internal;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.http.ConnectionCredential;
import palyra.shared.http.Reply;
import palyra.shared.http.RequestInfo;

/**
 * Base of the three servlets: authorization, the limit on concurrent requests, and the response
 * headers.
 */
abstract class GuardedServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(GuardedServlet.class);

    private final transient HttpAuthorizer authorizer;
    private final transient RequestCounts counts;
    private final String path;
    private final String action;
    private final AtomicInteger running = new AtomicInteger();

    GuardedServlet(HttpAuthorizer authorizer, RequestCounts counts, String path, String action) {
        this.authorizer = authorizer;
        this.counts = counts;
        this.path = path;
        this.action = action;
    }

    /** Returns whether callers on this machine get an answer without a token. */
    abstract boolean allowsAnonymous(HealthSettings settings);

    /**
     * Answers.
     *
     * @param detailed whether the caller may see more than names and states
     */
    abstract Reply answer(boolean detailed);

    @Override
    protected final void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Reply reply = authorized(request);
        counts.count(path, reply.status());
        reply.send(request.getMethod().equals("HEAD"), response);
    }

    private Reply authorized(HttpServletRequest request) {
        HealthSettings settings = authorizer.settings();
        try {
            if (running.incrementAndGet() > settings.maxConcurrentRequests()) {
                return Reply.refusal(
                        Reply.UNAVAILABLE,
                        "Too many concurrent requests; try again.",
                        Map.of("Retry-After", "1"));
            }
            Authorization authorization =
                    authorizer.authorize(
                            RequestInfo.of(request), action, allowsAnonymous(settings));
            ConnectionCredential.record(request, credential(authorization));
            return switch (authorization) {
                case Authorization.Refused refused -> refused.reply();
                case Authorization.Anonymous anonymous -> answer(false);
                case Authorization.Authenticated caller -> answer(true);
            };
        } catch (PalyraException e) {
            return refused(e);
        } catch (RuntimeException | LinkageError e) {
            return failed(e);
        } finally {
            running.decrementAndGet();
        }
    }

    private static String credential(Authorization authorization) {
        return authorization instanceof Authorization.Authenticated caller
                ? caller.credential()
                : "";
    }

    private Reply refused(PalyraException e) {
        return e.code() == ErrorCode.RESOURCE_EXHAUSTED
                ? Reply.refusal(Reply.UNAVAILABLE, e.getMessage(), Map.of("Retry-After", "1"))
                : failed(e);
    }

    private Reply failed(Throwable e) {
        LOG.error("{} could not be answered.", path, e);
        return Reply.refusal(
                Reply.UNAVAILABLE,
                "The request failed; the log has the reason (palyra logs).",
                Map.of());
    }
}
