package palyra.connectors.webhook.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import palyra.api.channel.Connector;
import palyra.api.channel.Conversation;
import palyra.testing.channel.ConnectorContract;
import palyra.testing.channel.ConnectorFixture;
import palyra.testing.channel.SendFault;
import palyra.testing.http.FaultServer;
import palyra.testing.http.FaultyApi;
import palyra.testing.http.FaultyApi.Fault;
import palyra.testing.http.LoopbackEgress;

/** The rules of every connector, for a service that posts until it is answered with 202. */
class WebhookContractTest {
    private static final ObjectMapper JSON = JsonMapper.builder().build();

    @Nested
    class OfAReceiverThatTakesWhatComes extends ConnectorContract {
        @Override
        protected ConnectorFixture open() {
            return new Service(false);
        }
    }

    @Nested
    class OfAReceiverThatDropsRepetitions extends ConnectorContract {
        @Override
        protected ConnectorFixture open() {
            return new Service(true);
        }
    }

    /** Takes callbacks. */
    private static final class Receiver extends FaultyApi {
        static final String CALLBACK = "callback";

        private final boolean dropping;
        private final Map<String, JsonNode> taken = new LinkedHashMap<>(); // guarded by this

        Receiver(boolean dropping) {
            this.dropping = dropping;
        }

        @Override
        protected String name(FaultServer.Heard request) {
            return CALLBACK;
        }

        @Override
        protected synchronized Reply act(Call call) throws JsonProcessingException {
            JsonNode body = JSON.readTree(call.request().body());
            String id = body.path("id").asText();
            taken.putIfAbsent(dropping ? id : id + "/" + taken.size(), body);
            return new Reply(200, "{}");
        }

        synchronized List<String> texts(String conversation) {
            return taken.values().stream()
                    .filter(body -> body.path("conversation").asText().equals(conversation))
                    .filter(body -> body.has("text"))
                    .map(body -> body.path("text").asText())
                    .toList();
        }

        /** As the documentation asks of receivers: the same reaction to a message is one. */
        synchronized List<String> reactions(String conversation) {
            return taken.values().stream()
                    .filter(body -> body.path("conversation").asText().equals(conversation))
                    .filter(body -> body.path("event").asText().equals("reaction"))
                    .map(
                            body ->
                                    body.path("message").asText()
                                            + " "
                                            + body.path("reaction").asText())
                    .distinct()
                    .map(pair -> pair.substring(pair.indexOf(' ') + 1))
                    .toList();
        }
    }

    private static final class Service implements ConnectorFixture {
        private static final long PAUSE_MILLIS = 20;

        /** One message on its way, in the order of its conversation. */
        private record Post(String id, String person, String text) {}

        private final Stage stage = new Stage();
        private final LoopbackEgress loopback = new LoopbackEgress();
        private final Receiver receiver;
        private final boolean dropping;
        private final Map<String, BlockingQueue<Post>> queues = new ConcurrentHashMap<>();
        private final List<Thread> senders = new ArrayList<>();
        private final Set<String> confirmed = ConcurrentHashMap.newKeySet();
        private final AtomicInteger ids = new AtomicInteger();
        private final AtomicInteger stalled = new AtomicInteger();

        Service(boolean dropping) {
            this.dropping = dropping;
            receiver = new Receiver(dropping);
            stage.egress.add(loopback, Map.of());
        }

        @Override
        public Connector connector() {
            return stage.connector(
                    Stage.settings(receiver.url(), 60_000, dropping, Stage.REF), Stage.WAITS);
        }

        @Override
        public Map<String, String> secrets() {
            return Map.of(Stage.REF, Stage.SECRET);
        }

        @Override
        public void write(String person, String text) {
            queues.computeIfAbsent(person, this::sender)
                    .add(new Post("m" + ids.incrementAndGet(), person, text));
        }

        private BlockingQueue<Post> sender(String person) {
            BlockingQueue<Post> queue = new LinkedBlockingQueue<>();
            senders.add(
                    Thread.ofPlatform()
                            .daemon()
                            .name("webhook-sender-" + person)
                            .start(() -> send(queue)));
            return queue;
        }

        private void send(BlockingQueue<Post> queue) {
            try {
                while (true) {
                    Post post = queue.take();
                    while (!isTaken(post)) {
                        Thread.sleep(PAUSE_MILLIS);
                    }
                    confirmed.add(post.text());
                }
            } catch (InterruptedException | RuntimeException | AssertionError e) {
                // the service ends
            }
        }

        private boolean isTaken(Post post) {
            ObjectNode body =
                    JSON.createObjectNode()
                            .put("id", post.id())
                            .put("conversation", post.person())
                            .put("direct", true)
                            .put("text", post.text());
            body.putObject("sender").put("id", post.person());
            return stage.post(body.toString()).statusCode() == 202;
        }

        @Override
        public boolean isConfirmed(String text) {
            return confirmed.contains(text);
        }

        @Override
        public List<String> posted(Conversation conversation) {
            return receiver.texts(conversation.id());
        }

        /** The HTTP server goes from the connector, and the receiver from the network. */
        @Override
        public void breakConnection() {
            stage.serve(false);
            receiver.cut();
        }

        @Override
        public void mendConnection() {
            receiver.comeBack();
            stage.serve(true);
        }

        @Override
        public Set<SendFault> faults() {
            return EnumSet.allOf(SendFault.class);
        }

        @Override
        public void fail(SendFault fault) {
            receiver.failAll(
                    Receiver.CALLBACK,
                    switch (fault) {
                        case LOST_ANSWER -> Fault.droppedAfter();
                        case LOST_REQUEST -> Fault.droppedBefore();
                        case RATE_LIMITED -> Fault.answering(429, "{}", "Retry-After: 1");
                        case REFUSED -> Fault.answering(410, "{}");
                        case STALLED ->
                                (exchange, act) -> {
                                    stalled.incrementAndGet();
                                    try {
                                        exchange.stall();
                                    } finally {
                                        stalled.decrementAndGet();
                                    }
                                };
                    });
        }

        @Override
        public void recover() {
            receiver.recover(Receiver.CALLBACK);
        }

        @Override
        public boolean isStalled() {
            return stalled.get() > 0;
        }

        @Override
        public List<String> reactions(Conversation conversation) {
            return receiver.reactions(conversation.id());
        }

        @Override
        public boolean isThreadOfPlatform(String name) {
            return name.startsWith("fault-server")
                    || name.startsWith("HttpClient-")
                    || name.startsWith("webhook-sender-")
                    || name.startsWith("qtp");
        }

        @Override
        public void close() {
            senders.forEach(Thread::interrupt);
            receiver.close();
            loopback.close();
            stage.close();
        }
    }
}
