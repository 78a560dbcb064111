package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import palyra.itests.Dist;
import palyra.itests.Wait;
import palyra.testing.http.FaultServer;
import palyra.testing.http.FaultServer.Heard;

/** A service talks to agents by signed webhooks, with the HTTP server and the product's egress. */
public class WebhookIT {
    @ClassRule public static final TemporaryFolder TEMP = new TemporaryFolder();

    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final int SENDERS = 3;

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static FaultServer receiver;
    private static GatewayProcess gateway;
    private static Path state;

    @BeforeClass
    public static void start() throws Exception {
        receiver =
                FaultServer.open()
                        .otherwise(exchange -> exchange.answer(200, "application/json", "{}"));
        state = TEMP.getRoot().toPath().resolve("state");
        gateway =
                GatewayProcess.start(
                                Dist.copy(TEMP.getRoot().toPath().resolve("home")),
                                state,
                                "--set",
                                "palyra.sandbox.egress:allowPrivate=127.0.0.1:" + receiver.port())
                        .awaitReady();
        gateway.client().runWith(SECRET, "vault", "put", "channel:webhook:main/secret").ok();
        configure(
                "palyra.channels.route~all",
                "{\"connectors\":[\"webhook:*\"],\"directMessages\":\"allow\"}");
        configure("palyra.connectors.webhook~main", configuration(600));
        awaitReady();
    }

    @AfterClass
    public static void stop() {
        if (gateway != null) {
            gateway.close();
        }
        receiver.close();
    }

    private static String configuration(int perMinute) {
        return "{\"secrets\":[\"vault:channel:webhook:main/secret\"],\"callbackUrl\":\""
                + receiver.url()
                + "/answers\",\"requestsPerMinute\":"
                + perMinute
                + ",\"receiverDeduplicates\":true}";
    }

    private static void configure(String pid, String json) throws Exception {
        Path conf = Files.createDirectories(state.resolve("conf"));
        Files.writeString(conf.resolve(pid + ".json"), json);
    }

    private static void awaitReady() throws Exception {
        Wait.until(
                "the connector to be ready",
                PATIENCE,
                () ->
                        gateway.client()
                                .run("channels", "status", "webhook:main", "--json")
                                .out()
                                .contains("READY"),
                gateway::console);
    }

    private static String sign(String id, String seconds, String body) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(SECRET.substring(6)), "HmacSHA256"));
        byte[] signed = (id + "." + seconds + "." + body).getBytes(StandardCharsets.UTF_8);
        return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed));
    }

    private static String message(String id, String conversation, String text) {
        return "{\"id\":\""
                + id
                + "\",\"conversation\":\""
                + conversation
                + "\",\"sender\":{\"id\":\"anna\"},\"direct\":true,\"text\":\""
                + text
                + "\"}";
    }

    private static HttpResponse<String> post(String path, String id, String body) throws Exception {
        String seconds = Long.toString(System.currentTimeMillis() / 1_000);
        return HTTP.send(
                HttpRequest.newBuilder(URI.create(gateway.http() + path))
                        .timeout(Duration.ofSeconds(60))
                        .header("webhook-id", id)
                        .header("webhook-timestamp", seconds)
                        .header("webhook-signature", sign(id, seconds, body))
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    /** Returns the texts of callbacks; a receiver drops those whose id it has seen. */
    private static List<String> answers() throws Exception {
        Map<String, String> byId = new TreeMap<>();
        for (Heard heard : receiver.heard()) {
            JsonNode body = CommandClient.JSON.readTree(heard.body());
            byId.put(heard.headers().get("webhook-id"), body.path("text").asText());
        }
        return List.copyOf(byId.values());
    }

    private static void awaitAnswers(Set<String> texts) throws Exception {
        Wait.until(
                "all answers",
                PATIENCE,
                () -> answers().containsAll(texts),
                () -> "answers " + receiver.heard().size() + " " + gateway.console());
    }

    @Test
    public void aMessageIsAnsweredByASignedCallback() throws Exception {
        HttpResponse<String> response = post("/hooks/main", "w1", message("a1", "a", "hello"));
        assertEquals(response.body(), 202, response.statusCode());
        assertTrue(response.body(), response.body().contains("\"status\":\"stored\""));
        awaitAnswers(Set.of("You said: hello"));
        Heard heard =
                receiver.heard().stream()
                        .filter(each -> each.body().contains("You said: hello\""))
                        .findFirst()
                        .orElseThrow();
        assertEquals("POST /answers HTTP/1.1", heard.line());
        assertEquals(
                sign(
                        heard.headers().get("webhook-id"),
                        heard.headers().get("webhook-timestamp"),
                        heard.body()),
                heard.headers().get("webhook-signature"));
        assertEquals("a", CommandClient.JSON.readTree(heard.body()).path("conversation").asText());
        HttpResponse<String> again = post("/hooks/main", "w2", message("a1", "a", "hello"));
        assertTrue(again.body(), again.body().contains("\"status\":\"known\""));
        String metrics =
                HTTP.send(
                                HttpRequest.newBuilder(URI.create(gateway.http() + "/metrics"))
                                        .build(),
                                BodyHandlers.ofString())
                        .body();
        assertTrue(
                metrics,
                metrics.contains(
                        "palyra_webhook_requests_total{account=\"main\",result=\"known\"}"));
    }

    @Test
    public void theServersOwnLimitIsLargerThanThatOfABody() throws Exception {
        String body = message("b1", "b", "hi");
        HttpResponse<String> largest =
                post("/hooks/main", "wb1", body + " ".repeat(262_144 - body.length()));
        assertEquals(largest.body(), 202, largest.statusCode());
        assertEquals(413, post("/hooks/main", "wb2", body + " ".repeat(300_000)).statusCode());
        assertEquals(413, post("/hooks/main", "wb3", body + " ".repeat(3_000_000)).statusCode());
    }

    @Test
    public void whatNoConnectorTakesIsToBeSentAgain() throws Exception {
        HttpResponse<String> response = post("/hooks/other", "w1", message("a1", "a", "hello"));
        assertEquals(503, response.statusCode());
        assertEquals("5", response.headers().firstValue("Retry-After").orElse(""));
    }

    /** Sends messages, each until it is taken, as the specification asks of senders. */
    private static final class Sender {
        final Set<String> sent = new ConcurrentSkipListSet<>();
        final Set<Integer> statuses = new ConcurrentSkipListSet<>();
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        private final AtomicInteger next = new AtomicInteger();
        private final CountDownLatch over = new CountDownLatch(1);
        private final List<Thread> threads = new ArrayList<>();

        Sender() {
            for (int i = 0; i < SENDERS; i++) {
                String conversation = "s" + i;
                threads.add(Thread.ofPlatform().daemon().start(() -> send(conversation)));
            }
        }

        private void send(String conversation) {
            try {
                while (over.getCount() > 0) {
                    String id = "t" + next.incrementAndGet();
                    while (!taken(id, message(id, conversation, id))) {
                        Thread.sleep(20); // a sender's pause before it repeats
                    }
                    sent.add("You said: " + id);
                }
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
            }
        }

        private boolean taken(String id, String body) throws Exception {
            int status = post("/hooks/main", id, body).statusCode();
            statuses.add(status);
            return status == 202;
        }

        void awaitMore() throws Exception {
            int before = sent.size();
            Wait.until(
                    "traffic",
                    PATIENCE,
                    () -> sent.size() > before + SENDERS || failure.get() != null,
                    () -> "statuses " + statuses + " " + gateway.console());
        }

        void end() throws Exception {
            over.countDown();
            for (Thread each : threads) {
                each.join();
            }
            assertEquals(null, failure.get());
        }
    }

    @Test
    public void noMessageIsLostOverSwaps() throws Exception {
        configure("palyra.connectors.webhook~main", configuration(60_000));
        Sender sender = new Sender();
        for (String bundle :
                List.of(
                        "palyra.connectors.webhook",
                        "palyra.channels",
                        "palyra.connectors.webhook",
                        "palyra.health",
                        "palyra.front")) {
            sender.awaitMore();
            gateway.client().run("swap", bundle, Dist.bundle(bundle).toString()).ok();
        }
        configure("palyra.connectors.webhook~main", configuration(50_000));
        sender.awaitMore();
        sender.end();
        assertTrue("statuses " + sender.statuses, Set.of(202, 503).containsAll(sender.statuses));
        awaitAnswers(sender.sent);
        List<String> ours =
                answers().stream().filter(text -> text.startsWith("You said: t")).toList();
        assertEquals("each is answered once", ours.size(), new TreeSet<>(ours).size());
        assertEquals(sender.sent, new TreeSet<>(ours));
    }
}
