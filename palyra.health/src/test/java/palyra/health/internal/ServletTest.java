package palyra.health.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.felix.hc.api.Result;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.osgi.service.servlet.runtime.HttpServiceRuntime;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.shared.readiness.Startup;

class ServletTest {
    private final HttpAuthorizer authorizer =
            new HttpAuthorizer(new HealthSettings(true, Set.of(), 1));
    private final RequestCounts counts = new RequestCounts();
    private final MetricCollector collector = new MetricCollector(new LoopCollector());
    private final MetricsServlet metrics = new MetricsServlet(authorizer, counts, collector);

    @BeforeEach
    void bind() {
        authorizer.bindRuntime(
                Fakes.of(HttpServiceRuntime.class, Map.of()),
                Map.of("osgi.http.endpoint", "http://127.0.0.1:7142/"));
        authorizer.bindAccess(Fakes.access(), Map.of());
        collector.bindMetricSource(
                () -> List.of(Metric.gauge("palyra_sample", "Sample.", 3)), Map.of());
    }

    /** What a servlet sent back. */
    private static final class Sent {
        final Map<String, String> headers = new HashMap<>();
        final ByteArrayOutputStream body = new ByteArrayOutputStream();
        int status;

        String text() {
            return body.toString(StandardCharsets.UTF_8);
        }

        private ServletOutputStream stream() {
            return new ServletOutputStream() {
                @Override
                public boolean isReady() {
                    return true;
                }

                @Override
                public void setWriteListener(WriteListener listener) {}

                @Override
                public void write(int b) {
                    body.write(b);
                }
            };
        }

        HttpServletResponse response() {
            return Fakes.of(
                    HttpServletResponse.class,
                    Map.of(
                            "setStatus", a -> status = (Integer) a[0],
                            "setHeader", a -> headers.put((String) a[0], (String) a[1]),
                            "setContentType", a -> headers.put("Content-Type", (String) a[0]),
                            "setContentLength",
                                    a -> headers.put("Content-Length", String.valueOf(a[0])),
                            "getOutputStream", a -> stream()));
        }
    }

    private static Sent send(HttpServlet servlet, String method, Map<String, String> headers) {
        Map<String, String> all = new HashMap<>(headers);
        all.putIfAbsent("Host", "127.0.0.1:7142");
        HttpServletRequest request =
                Fakes.of(
                        HttpServletRequest.class,
                        Map.of(
                                "getMethod", a -> method,
                                "getHeader", a -> all.get((String) a[0]),
                                "getAttribute", a -> null,
                                "isSecure", a -> false,
                                "getLocalAddr", a -> "127.0.0.1",
                                "getRemoteAddr", a -> "127.0.0.1"));
        Sent sent = new Sent();
        try {
            servlet.service(request, sent.response());
        } catch (ServletException | IOException e) {
            throw new AssertionError(e);
        }
        return sent;
    }

    private static Map<String, String> token(String token) {
        return Map.of("Authorization", "Bearer " + token);
    }

    @Test
    void servesMetricsAsPrometheusText() {
        Sent sent = send(metrics, "GET", Map.of());
        assertEquals(200, sent.status);
        assertEquals("text/plain; version=0.0.4; charset=utf-8", sent.headers.get("Content-Type"));
        assertTrue(sent.text().contains("\npalyra_sample 3\n"), sent.text());
        assertEquals(String.valueOf(sent.body.size()), sent.headers.get("Content-Length"));
    }

    @Test
    void headHasTheHeadersAndNoBody() {
        Sent sent = send(metrics, "HEAD", Map.of());
        assertEquals(200, sent.status);
        assertEquals(0, sent.body.size());
        assertTrue(Integer.parseInt(sent.headers.get("Content-Length")) > 0);
    }

    @Test
    void everyAnswerCarriesTheSecurityHeaders() {
        for (Sent sent :
                List.of(
                        send(metrics, "GET", Map.of()),
                        send(metrics, "POST", Map.of()),
                        send(metrics, "GET", Map.of("Host", "evil.example")))) {
            assertEquals("nosniff", sent.headers.get("X-Content-Type-Options"));
            assertEquals("no-store", sent.headers.get("Cache-Control"));
            assertTrue(
                    sent.headers.get("Content-Security-Policy").startsWith("default-src 'none'"));
        }
    }

    @Test
    void otherMethodsAndHostsGetNothing() {
        Sent post = send(metrics, "POST", token("palyra_operator"));
        assertEquals(405, post.status);
        assertEquals("GET, HEAD", post.headers.get("Allow"));
        Sent rebound = send(metrics, "GET", Map.of("Host", "evil.example"));
        assertEquals(421, rebound.status);
        assertFalse(rebound.text().contains("palyra_sample"));
    }

    @Test
    void metricsCanBeKeptFromStrangers() {
        HttpAuthorizer strict = new HttpAuthorizer(new HealthSettings(false, Set.of(), 4));
        strict.bindRuntime(
                Fakes.of(HttpServiceRuntime.class, Map.of()),
                Map.of("osgi.http.endpoint", "http://127.0.0.1:7142/"));
        strict.bindAccess(Fakes.access(), Map.of());
        MetricsServlet servlet = new MetricsServlet(strict, counts, collector);
        assertEquals(401, send(servlet, "GET", Map.of()).status);
        assertEquals(403, send(servlet, "GET", token("palyra_nobody")).status);
        assertEquals(200, send(servlet, "GET", token("palyra_operator")).status);
    }

    @Test
    void healthShowsMessagesOnlyToThoseWhoMay() {
        FakeExecutor executor =
                new FakeExecutor()
                        .with(FrameworkCheck.NAME, new Result(Result.Status.OK, "Runs."))
                        .with(
                                JournalNotStoppedCheck.NAME,
                                new Result(Result.Status.CRITICAL, "At /state/journal.db."));
        LiveServlet live = new LiveServlet(authorizer, counts, executor);
        Sent stranger = send(live, "GET", Map.of());
        assertEquals(503, stranger.status);
        assertFalse(stranger.text().contains("/state"), stranger.text());
        Sent operator = send(live, "GET", token("palyra_operator"));
        assertTrue(operator.text().contains("At /state/journal.db."), operator.text());
    }

    @Test
    void readyzAndTheJudgeGiveTheSameAnswer() {
        FakeExecutor executor = new FakeExecutor();
        for (String name : List.of("keys", "access", "gateway", "loops")) {
            executor.with(name, new Result(Result.Status.OK, "Well."));
        }
        executor.with("journal", new Result(Result.Status.CRITICAL, "The journal is DISK_FULL."));
        ReadyReport report = new ReadyReport(executor);
        assertEquals(
                503, send(new ReadyServlet(authorizer, counts, report), "GET", Map.of()).status);
        assertEquals(
                Map.of(
                        "journal", "The journal is DISK_FULL.",
                        "model", "This check is not registered."),
                report.notReady());
        executor.with("model", new Result(Result.Status.OK, "There."));
        assertEquals(Set.of("journal"), report.notReady().keySet());
    }

    @Test
    void whatIsNotThereYetIsStartingWhileTheStartGoesOn() {
        FakeExecutor executor = new FakeExecutor();
        ReadyReport report = new ReadyReport(executor);
        System.setProperty(Startup.STARTING, String.valueOf(System.nanoTime() + 300_000_000_000L));
        try {
            Sent sent = send(new ReadyServlet(authorizer, counts, report), "GET", Map.of());
            assertEquals(503, sent.status);
            assertTrue(sent.text().startsWith("{\"status\":\"starting\""), sent.text());
            assertEquals(Startup.SENTENCE, report.notReady().get("journal"));
        } finally {
            System.clearProperty(Startup.STARTING);
        }
        assertEquals("This check is not registered.", report.notReady().get("journal"));
    }

    @Test
    void aCheckThatHangsIsNotReady() {
        FakeExecutor executor = new FakeExecutor();
        for (String name : List.of("keys", "access", "gateway", "loops", "model")) {
            executor.with(name, new Result(Result.Status.OK, "Well."));
        }
        executor.hanging("journal", new Result(Result.Status.WARN, "Timeout: still running."));
        ReadyReport report = new ReadyReport(executor);
        assertEquals(
                Map.of("journal", "This check did not answer in time. Timeout: still running."),
                report.notReady());
        assertEquals(
                503, send(new ReadyServlet(authorizer, counts, report), "GET", Map.of()).status);
    }

    @Test
    void readyzAndTheJudgeAreReadyWhenEveryCheckIs() {
        FakeExecutor executor = new FakeExecutor();
        for (String name : List.of("journal", "keys", "access", "gateway", "model", "loops")) {
            executor.with(name, new Result(Result.Status.OK, "Well."));
        }
        ReadyReport report = new ReadyReport(executor);
        assertEquals(
                200, send(new ReadyServlet(authorizer, counts, report), "GET", Map.of()).status);
        assertEquals(Map.of(), report.notReady());
    }

    @Test
    void aDefectIsAnAnswerWithoutInnerWorkings() {
        LiveServlet live =
                new LiveServlet(
                        authorizer,
                        counts,
                        Fakes.of(
                                org.apache.felix.hc.api.execution.HealthCheckExecutor.class,
                                Map.of(
                                        "execute",
                                        a -> {
                                            throw new IllegalStateException("inner workings");
                                        })));
        Sent sent = send(live, "GET", Map.of());
        assertEquals(503, sent.status);
        assertFalse(sent.text().contains("inner workings"), sent.text());
    }

    @Test
    void countsItsAnswers() {
        send(metrics, "GET", Map.of());
        send(metrics, "GET", Map.of());
        send(metrics, "POST", Map.of());
        Map<String, Double> byStatus = new HashMap<>();
        counts.metrics().forEach(m -> byStatus.put(m.labels().get("status"), m.value()));
        assertEquals(Map.of("200", 2.0, "405", 1.0), byStatus);
    }

    @Test
    @Timeout(30)
    void refusesWhatIsMoreThanItsBoundAtOnce() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        MetricSource slow =
                () -> {
                    asked.countDown();
                    try {
                        answer.await(20, TimeUnit.SECONDS);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return List.of();
                };
        collector.bindMetricSource(slow, Map.of());
        Thread first = new Thread(() -> send(metrics, "GET", Map.of()), "first");
        first.start();
        assertTrue(asked.await(20, TimeUnit.SECONDS));
        Sent second = send(metrics, "GET", Map.of());
        assertEquals(503, second.status);
        assertEquals("1", second.headers.get("Retry-After"));
        answer.countDown();
        first.join(20_000);
        assertEquals(200, send(metrics, "GET", Map.of()).status);
    }

    @Test
    void aHookThatNoConnectorTakesIsToBeSentAgain() {
        Sent sent = send(new HooksServlet(), "POST", Map.of());
        assertEquals(503, sent.status);
        assertEquals("5", sent.headers.get("Retry-After"));
        assertEquals("no-store", sent.headers.get("Cache-Control"));
        assertTrue(sent.text().contains("send it again"), sent.text());
    }
}
