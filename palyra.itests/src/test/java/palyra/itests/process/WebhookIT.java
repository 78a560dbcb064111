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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
import palyra.testing.wasm.WasmBuilder;
import palyra.testing.wasm.WasmCode;

/** A service talks to agents by signed webhooks, with the HTTP server and the product's egress. */
public class WebhookIT {
    @ClassRule public static final TemporaryFolder TEMP = new TemporaryFolder();

    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final int SENDERS = 3;
    private static final int DROP = 0x1A;

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
                + ",\"receiverDeduplicates\":true,\"receivesReactions\":true}";
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

    /** Returns a module that hands its input to a capability and writes the answer. */
    private static byte[] asking(String capability) {
        WasmBuilder module = new WasmBuilder();
        int length = module.imported("palyra", "buffer_len", "i:i");
        int read = module.imported("palyra", "buffer_read", "iiii:i");
        int write = module.imported("palyra", "output_write", "ii:i");
        int ask = module.imported("palyra", "host_capability_" + capability, "ii:i");
        WasmCode code = new WasmCode().i32(0).call(length).set(0);
        code.i32(0).i32(0).i32(1024).get(0).call(read).op(DROP);
        code.i32(1024).get(0).call(ask).tee(1).call(length).set(0);
        code.get(1).i32(0).i32(1024).get(0).call(read).op(DROP);
        code.i32(1024).get(0).call(write);
        int call = module.function(":i", "ii", code);
        return module.memory(4, -1).export("memory", 2, 0).export("palyra_call", 0, call).build();
    }

    private static CommandClient.Result skill(String capability, String input, String... grants)
            throws Exception {
        Path file = Files.write(state.resolve(capability + ".wasm"), asking(capability));
        List<String> line =
                new ArrayList<>(
                        List.of("skills", "run", file.toString(), "--input", input, "--json"));
        for (String grant : grants) {
            line.addAll(List.of("--grant", grant));
        }
        return gateway.client().run(line.toArray(String[]::new));
    }

    @Test
    public void aSkillReadsWritesAndReactsWhereItIsGranted() throws Exception {
        post("/hooks/main", "wk1", message("k1", "skilled", "hello skill"));
        awaitAnswers(Set.of("You said: hello skill"));
        String where = "{\"channel\":\"webhook:main\",\"conversation\":\"skilled\"";
        String reads = "channel-read=webhook:main";
        String sends = "channel=webhook:main";
        Wait.until(
                "the conversation to be read as it was",
                PATIENCE,
                () ->
                        skill("channel_read", where + "}", reads)
                                .out()
                                .matches("(?s).*hello skill.*You said: hello skill.*"),
                gateway::console);
        String sent = skill("channel_send", where + ",\"text\":\"by a skill\"}", sends).ok().out();
        awaitAnswers(Set.of("by a skill"));
        Matcher id = Pattern.compile("outbox_id\\W+([0-9A-Z]{26})").matcher(sent);
        assertTrue(sent, id.find());
        String change = "{\"outbox_id\":\"" + id.group(1) + "\",\"text\":\"x\"}";
        String refused = skill("channel_edit", change, sends).out();
        assertTrue(refused, refused.contains("not sent by this skill")); // each file is one
        String reaction = where + ",\"message\":\"k1\",\"reaction\":\"\ud83d\udc4d\"}";
        skill("channel_react", reaction, sends).ok();
        Wait.until(
                "the reaction",
                PATIENCE,
                () ->
                        receiver.heard().stream()
                                .anyMatch(
                                        heard ->
                                                heard.body().contains("\"event\":\"reaction\"")
                                                        && heard.body()
                                                                .contains("\"message\":\"k1\"")),
                gateway::console);
        CommandClient.Result denied = skill("channel_read", where + "}", sends);
        assertEquals(denied.out() + denied.err(), 77, denied.exit());
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
