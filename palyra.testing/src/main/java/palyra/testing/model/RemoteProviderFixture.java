package palyra.testing.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import palyra.api.core.egress.EgressClient;
import palyra.api.model.FailureCause;
import palyra.api.model.ModelCaller;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelProvider;
import palyra.api.model.ModelRequest;
import palyra.api.tool.ToolDescriptor;
import palyra.testing.http.FaultExchange;
import palyra.testing.http.FaultServer;
import palyra.testing.http.LoopbackEgress;

/** A server that misbehaves, and a provider that asks it. */
abstract class RemoteProviderFixture {
    static final Duration PATIENCE = Duration.ofSeconds(30);
    static final String KEY = "sk-test-0123456789abcdefghijklmnop";
    static final String KEY_REF = "vault:global/test_key";
    static final int LONG = 60_000;

    final FaultServer server = FaultServer.open();
    final LoopbackEgress egress = new LoopbackEgress();
    final FakeVaultKeys keys = new FakeVaultKeys().put(KEY_REF, KEY + "\n");
    private final List<ModelProvider> opened = new ArrayList<>();
    private final AtomicInteger attempts = new AtomicInteger();
    RemoteDialect dialect;
    ModelProvider provider;

    /** Returns the kind of server that is tested. */
    protected abstract RemoteDialect dialect();

    /** Opens a provider with generous time limits. */
    @BeforeEach
    public void openStage() {
        dialect = dialect();
        provider = open(LONG, LONG, 1_000, egress);
    }

    /** Closes everything. */
    @AfterEach
    public void closeStage() {
        opened.forEach(dialect::close);
        server.close();
        egress.close();
    }

    ModelProvider open(int firstMillis, int betweenMillis, int failures, EgressClient way) {
        return open(
                new RemoteDialect.Setup(
                        server.url(),
                        KEY_REF,
                        firstMillis,
                        betweenMillis,
                        failures,
                        LONG,
                        way,
                        keys.access(),
                        keys.vault()));
    }

    ModelProvider open(RemoteDialect.Setup setup) {
        ModelProvider made = dialect.open(setup);
        opened.add(made);
        return made;
    }

    static ModelRequest request(String id, ToolDescriptor... tools) {
        return new ModelRequest(
                id,
                "run-1",
                "model-1",
                List.of(
                        new ModelMessage.System("Be brief."),
                        new ModelMessage.User("Hello, what is it?")),
                List.of(tools),
                false,
                System.currentTimeMillis() + 600_000,
                new ModelCaller("user:anna", Set.of("operator"), "helper", "session-1", ""),
                0,
                Map.of());
    }

    static ToolDescriptor tool(String name) {
        return new ToolDescriptor(
                name, "A tool.", "{\"type\":\"object\"}", Set.of(), true, true, 1_000, 1_000_000);
    }

    /** Asks once; each time is an attempt of its own. */
    RecordingSink ask(ToolDescriptor... tools) {
        return ask(provider, "run-1/1/" + attempts.incrementAndGet(), tools);
    }

    static RecordingSink ask(ModelProvider one, String id, ToolDescriptor... tools) {
        RecordingSink sink = new RecordingSink();
        one.start(request(id, tools), sink);
        return sink;
    }

    static ModelEvent.Finished finished(RecordingSink sink) {
        sink.awaitEnding(PATIENCE);
        return sink.awaitFinished();
    }

    static ModelEvent.Failed failed(RecordingSink sink) {
        sink.awaitEnding(PATIENCE);
        return sink.awaitFailed();
    }

    /** Sends a whole answer as it should be. */
    void good(FaultExchange exchange, String... pieces) throws java.io.IOException {
        exchange.stream().send(dialect.opening());
        for (String piece : pieces) {
            exchange.send(dialect.text(piece));
        }
        exchange.send(dialect.ending(false), dialect.closing());
    }

    /** Asks, and returns how the server made it fail. */
    ModelEvent.Failed failing(FaultServer.Scene scene) {
        server.next(scene);
        return failed(ask());
    }

    static void check(ModelEvent.Failed failed, FailureCause cause, boolean retryable) {
        assertEquals(cause, failed.cause(), failed.message());
        assertEquals(retryable, failed.retryable(), failed.message());
        assertFalse(failed.message().contains(KEY), failed.message());
    }
}
