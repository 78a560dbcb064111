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

/** What the three servlets share: the guard, the bound on requests at once, and the headers. */
abstract class GuardedServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(GuardedServlet.class);

    private final transient Doorkeeper doorkeeper;
    private final transient RequestCounts counts;
    private final String path;
    private final String action;
    private final AtomicInteger running = new AtomicInteger();

    GuardedServlet(Doorkeeper doorkeeper, RequestCounts counts, String path, String action) {
        this.doorkeeper = doorkeeper;
        this.counts = counts;
        this.path = path;
        this.action = action;
    }

    /** Returns whether callers on this machine get something without a token. */
    abstract boolean anonymously(HealthSettings settings);

    /**
     * Answers.
     *
     * @param detailed whether the caller may see more than names and states
     */
    abstract Reply answer(boolean detailed);

    @Override
    protected final void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        HttpConnection connection =
                request.getAttribute(HttpConnection.ATTRIBUTE) instanceof HttpConnection its
                        ? its
                        : null;
        Reply reply = bounded(Call.of(request), connection);
        counts.count(path, reply.status());
        send(reply, request.getMethod().equals("HEAD"), response);
    }

    private Reply bounded(Call call, HttpConnection connection) {
        HealthSettings settings = doorkeeper.settings();
        try {
            if (running.incrementAndGet() > settings.maxConcurrentRequests()) {
                return Reply.refusal(
                        Reply.UNAVAILABLE,
                        "Too many requests at once; try again.",
                        Map.of("Retry-After", "1"));
            }
            Admission admission = doorkeeper.admit(call, action, anonymously(settings));
            note(admission, connection);
            return switch (admission) {
                case Admission.Refused refused -> refused.reply();
                case Admission.Anonymous anonymous -> answer(false);
                case Admission.Known known -> answer(true);
            };
        } catch (PalyraException e) {
            return refused(e);
        } catch (RuntimeException | LinkageError e) {
            return failed(e);
        } finally {
            running.decrementAndGet();
        }
    }

    /** A connection counts as its caller's while its last request had a credential that counts. */
    private static void note(Admission admission, HttpConnection connection) {
        if (connection == null) {
            return;
        }
        if (admission instanceof Admission.Known known) {
            connection.accepted(known.credential());
        } else {
            connection.distrust();
        }
    }

    private Reply refused(PalyraException e) {
        return e.code() == ErrorCode.RESOURCE_EXHAUSTED
                ? Reply.refusal(Reply.UNAVAILABLE, e.getMessage(), Map.of("Retry-After", "1"))
                : failed(e);
    }

    private Reply failed(Throwable e) {
        LOG.error("{} could not be answered.", path, e);
        return Reply.refusal(
                Reply.UNAVAILABLE, "It could not be found out; the log says why.", Map.of());
    }

    private static void send(Reply reply, boolean headOnly, HttpServletResponse response)
            throws IOException {
        response.setStatus(reply.status());
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
        reply.headers().forEach(response::setHeader);
        response.setContentType(reply.contentType());
        response.setContentLength(reply.body().length);
        if (!headOnly) {
            response.getOutputStream().write(reply.body());
        }
    }
}
