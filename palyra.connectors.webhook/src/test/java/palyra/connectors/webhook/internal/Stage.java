package palyra.connectors.webhook.internal;

import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.SizeLimitHandler;
import palyra.api.ErrorCode;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.ConnectorStatus.State;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.vault.SecretRef;
import palyra.shared.gate.Gate;
import palyra.testing.wait.Await;

/** A connector between a real Jetty and a fake gateway. */
final class Stage implements AutoCloseable {
    static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    static final String OTHER_SECRET = "whsec_bm90LXRoZS1zZWNyZXQtb2YtdGhlLWFjY291bnQ=";
    static final String REF = "vault:channel:webhook:main/secret";
    static final String NEXT_REF = "vault:channel:webhook:main/next";
    static final String PATH = "/hooks/main";
    static final HookServlet.Limits LIMITS = new HookServlet.Limits(256 << 10, 300, 4);
    static final WebhookConnector.Waits WAITS = new WebhookConnector.Waits(200, 20);
    private static final long IDLE_MILLIS = 1_000;
    private static final long SIZE_LIMIT = 327_680; // as FrameworkProperties of the launcher says

    final FakeContext context = new FakeContext();
    final Gate<EgressClient> egress =
            new Gate<>("The egress client", ErrorCode.TOOL_UNAVAILABLE, 0);
    final HttpClient http = HttpClient.newHttpClient();
    final Map<String, Servlet> servlets = new ConcurrentHashMap<>();
    private final Map<String, Servlet> offered = new HashMap<>(); // guarded by this
    private boolean serving = true; // guarded by this
    private final AtomicInteger ids = new AtomicInteger();
    private final Dispatch dispatch = new Dispatch();
    private final Server server = new Server();
    private final ServerConnector port = new ServerConnector(server);
    WebhookConnector connector;

    Stage() {
        context.vault.put(REF, SECRET);
        connector = connector(settings("https://example.test/", REF), WAITS);
        port.setHost("127.0.0.1");
        port.setIdleTimeout(IDLE_MILLIS);
        server.addConnector(port);
        ServletContextHandler handler = new ServletContextHandler();
        ServletHolder holder = new ServletHolder(dispatch);
        holder.setInitOrder(0);
        handler.addServlet(holder, "/*");
        SizeLimitHandler sizes = new SizeLimitHandler(SIZE_LIMIT, -1);
        sizes.setHandler(handler);
        server.setHandler(sizes);
        try {
            server.start();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** As the HTTP server of the product: what no connector takes is answered with 503. */
    private final class Dispatch extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            Servlet its = servlets.get(request.getPathInfo());
            if (its == null) {
                response.setStatus(503);
            } else {
                its.service(request, response);
            }
        }
    }

    private synchronized Runnable offer(String path, Servlet servlet) {
        offered.put(path, servlet);
        if (serving) {
            take(path, servlet);
        }
        return () -> withdraw(path, servlet);
    }

    private void take(String path, Servlet servlet) {
        try {
            servlet.init(dispatch.getServletConfig());
        } catch (ServletException e) {
            throw new AssertionError(e);
        }
        servlets.put(path, servlet);
    }

    private synchronized void withdraw(String path, Servlet servlet) {
        offered.remove(path, servlet);
        drop(path, servlet);
    }

    private void drop(String path, Servlet servlet) {
        if (servlets.remove(path, servlet)) {
            servlet.destroy();
        }
    }

    /** Lets the HTTP server go from its servlets, as when it is replaced, or come back to them. */
    synchronized void serve(boolean now) {
        serving = now;
        if (now) {
            offered.forEach(this::take);
        } else {
            offered.forEach(this::drop);
        }
    }

    WebhookConnector connector(WebhookSettings settings, WebhookConnector.Waits waits) {
        return new WebhookConnector(settings, egress, this::offer, LIMITS, waits);
    }

    static WebhookSettings settings(String callbackUrl, String... references) {
        return settings(callbackUrl, 10_000, false, references);
    }

    static WebhookSettings settings(
            String callbackUrl, int perMinute, boolean deduplicates, String... references) {
        return new WebhookSettings(
                new ConnectorId("webhook", "main"),
                List.of(references).stream().map(SecretRef::parse).toList(),
                callbackUrl,
                300,
                perMinute,
                16_384,
                deduplicates,
                true);
    }

    /** Puts another connector in the place of the present one. */
    Stage with(WebhookSettings settings) {
        connector.stop();
        connector = connector(settings, WAITS);
        return this;
    }

    Stage ready() {
        connector.start(context);
        awaitState(State.READY);
        return this;
    }

    void awaitState(State state) {
        Await.until(
                state + ", not " + connector.status(), () -> connector.status().state() == state);
    }

    int port() {
        return port.getLocalPort();
    }

    static long now() {
        return System.currentTimeMillis() / 1_000;
    }

    /** Returns the body of a message with a text. */
    static String message(String id, String text) {
        return "{\"id\":\""
                + id
                + "\",\"conversation\":\"c1\",\"direct\":true,\"sender\":{\"id\":\"anna\"},"
                + "\"text\":\""
                + text
                + "\"}";
    }

    static String signature(String secret, String id, long seconds, String body) {
        return Signatures.sign(
                Signatures.key(secret).orElseThrow(),
                id,
                seconds,
                body.getBytes(StandardCharsets.UTF_8));
    }

    /** Posts a body with its signature under an id of its own. */
    HttpResponse<String> post(String body) {
        return post("msg_" + ids.incrementAndGet(), now(), body);
    }

    HttpResponse<String> post(String id, long seconds, String body) {
        return post(id, seconds, signature(SECRET, id, seconds, body), body);
    }

    HttpResponse<String> post(String id, long seconds, String signature, String body) {
        return send(
                Map.of(
                        SignedHead.ID,
                        id,
                        SignedHead.TIMESTAMP,
                        Long.toString(seconds),
                        SignedHead.SIGNATURE,
                        signature),
                "POST",
                body);
    }

    HttpResponse<String> send(Map<String, String> headers, String method, String body) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + PATH))
                        .method(method, BodyPublishers.ofString(body));
        headers.forEach(request::header);
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        connector.stop();
        context.closed = true;
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        http.close();
    }
}
