package palyra.connectors.webhook.internal;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.shared.net.Addresses;

/**
 * Takes the requests of one account from the HTTP server: looks at their heads and reads their
 * bodies, within bounds. No guard against other host names is needed, as a page that a browser
 * shows cannot sign.
 */
final class HookServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(HookServlet.class);

    private final WebhookSettings settings;
    private final transient Ingress ingress;
    private final transient WebhookStatus status;
    private final transient RequestCounts counts;
    private final transient RateLimit rate;
    private final transient Limits limits;
    private final AtomicInteger running = new AtomicInteger();

    /**
     * Bounds of requests.
     *
     * @param bodyBytes largest body
     * @param bodyMillis how long a body may take
     * @param atOnce most requests at one time
     */
    record Limits(int bodyBytes, long bodyMillis, int atOnce) {
        static final Limits USUAL = new Limits(256 << 10, 10_000, 32);
    }

    HookServlet(
            WebhookSettings settings,
            Ingress ingress,
            WebhookStatus status,
            RequestCounts counts,
            Limits limits) {
        this.settings = settings;
        this.ingress = ingress;
        this.status = status;
        this.counts = counts;
        this.limits = limits;
        rate = new RateLimit(settings.requestsPerMinute(), System::nanoTime);
    }

    /** The HTTP server has it: requests arrive from now on. */
    @Override
    public void init() {
        status.reachable(true);
    }

    @Override
    public void destroy() {
        status.reachable(false);
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Answer answer;
        try {
            answer = answer(request);
        } catch (RefusedException e) {
            answer = e.answer();
            response.setHeader("Connection", "close"); // the body is still on its way
        }
        counts.count(answer.result());
        response.setStatus(answer.status());
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Cache-Control", "no-store");
        answer.headers().forEach(response::setHeader);
        response.setContentType("application/json");
        response.setContentLength(answer.body().length);
        response.getOutputStream().write(answer.body());
    }

    private Answer answer(HttpServletRequest request) {
        try {
            if (running.incrementAndGet() > limits.atOnce()) {
                throw new RefusedException(
                        Answer.later(503, "busy", "Too many requests at once; try again.", 1));
            }
            requireUsable(request);
            SignedHead head =
                    SignedHead.of(
                            request,
                            TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis()),
                            settings.windowSeconds());
            requireFits(request.getContentLengthLong());
            requireTurn();
            return ingress.take(head, body(request));
        } catch (RefusedException e) {
            throw e;
        } catch (RuntimeException | LinkageError e) {
            LOG.error("{}: a request could not be answered.", settings.id(), e);
            return Ingress.unavailable();
        } finally {
            running.decrementAndGet();
        }
    }

    private static void requireUsable(HttpServletRequest request) {
        if (!request.getMethod().equals("POST")) {
            throw new RefusedException(
                    Answer.refused(405, "method", "Only POST.", Map.of("Allow", "POST")));
        }
        boolean overNetwork =
                !Addresses.isLoopback(request.getLocalAddr())
                        || !Addresses.isLoopback(request.getRemoteAddr());
        if (overNetwork && !request.isSecure()) {
            throw new RefusedException(
                    Answer.refused(
                            403, "plaintext", "From other machines only over TLS is accepted."));
        }
    }

    private void requireFits(long bytes) {
        if (bytes > limits.bodyBytes()) {
            throw new RefusedException(
                    Answer.refused(
                            413,
                            "too_large",
                            "The body is larger than " + limits.bodyBytes() + " bytes."));
        }
    }

    private void requireTurn() {
        int seconds = rate.take();
        if (seconds > 0) {
            throw new RefusedException(
                    Answer.later(
                            429,
                            "limited",
                            "More than "
                                    + settings.requestsPerMinute()
                                    + " requests within a minute.",
                            seconds));
        }
    }

    /** One that sends nothing at all is cut off by the HTTP server. */
    private byte[] body(HttpServletRequest request) {
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limits.bodyMillis());
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        byte[] some = new byte[8_192];
        try {
            InputStream in = request.getInputStream();
            for (int read = in.read(some); read >= 0; read = in.read(some)) {
                body.write(some, 0, read);
                requireFits(body.size());
                if (System.nanoTime() - endNanos > 0) {
                    throw new RefusedException(slow());
                }
            }
            return body.toByteArray();
        } catch (IOException e) {
            LOG.debug("{}: a body did not arrive", settings.id(), e);
            throw new RefusedException(slow());
        }
    }

    private static Answer slow() {
        return Answer.refused(408, "slow", "The body did not arrive in time.");
    }
}
