package palyra.models.internal.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import palyra.api.model.FailureCause;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelProvider;
import palyra.models.internal.Conversations;
import palyra.testing.http.FaultServer;
import palyra.testing.http.LoopbackEgress;
import palyra.testing.model.RecordingSink;
import palyra.testing.model.RemoteDialect;

/** What servers send that are compatible, in their own ways. */
class CompatibleServersTest {
    private final FaultServer server = FaultServer.open();
    private final LoopbackEgress egress = new LoopbackEgress();
    private final OpenAiStage stage = new OpenAiStage();
    private ModelProvider provider;

    @BeforeEach
    void open() {
        provider =
                stage.open(
                        new RemoteDialect.Setup(
                                server.url(), "", 60_000, 60_000, 10, 1_000, egress, null, null));
    }

    @AfterEach
    void close() {
        stage.close(provider);
        server.close();
        egress.close();
    }

    private RecordingSink ask(String... chunks) {
        server.next(
                exchange -> {
                    exchange.stream();
                    for (String chunk : chunks) {
                        exchange.send("data: " + chunk + "\n\n");
                    }
                });
        RecordingSink sink = new RecordingSink();
        provider.start(Conversations.saying("run/1/1", "hello"), sink);
        sink.awaitEnding(Duration.ofSeconds(30));
        return sink;
    }

    private static String delta(String delta) {
        return "{\"choices\":[{\"delta\":" + delta + "}]}";
    }

    @Test
    void takesDoneForTheEndWhereNoReasonWasGiven() {
        RecordingSink sink = ask(delta("{\"content\":\"hi\"}"), "[DONE]");
        assertEquals("stop", sink.awaitFinished().finishReason());
        assertEquals(false, sink.awaitFinished().counted());
    }

    @Test
    void aFunctionCallInTheOldFormIsReported() {
        RecordingSink sink =
                ask(
                        delta("{\"function_call\":{\"name\":\"x\",\"arguments\":\"{}\"}}"),
                        "{\"choices\":[{\"delta\":{},\"finish_reason\":\"function_call\"}]}",
                        "[DONE]");
        ModelEvent.Failed failed = sink.awaitFailed();
        assertEquals(FailureCause.MALFORMED, failed.cause());
        assertEquals(false, failed.retryable());
        assertEquals(true, failed.message().contains("tool_calls"), failed.message());
    }

    @Test
    void anAnswerThatOnlyThoughtUpToItsLimitIsReported() {
        RecordingSink sink =
                ask(
                        delta("{\"reasoning\":\"hm\"}"),
                        "{\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}]}",
                        "[DONE]");
        ModelEvent.Failed failed = sink.awaitFailed();
        assertEquals(false, failed.retryable());
        assertEquals(true, failed.message().contains("maxOutputTokens"), failed.message());
    }

    @Test
    void takesThoughtsUnderEitherName() {
        RecordingSink sink =
                ask(
                        delta("{\"reasoning_content\":\"a\",\"reasoning\":\"a\"}"),
                        delta("{\"reasoning\":\"b\"}"),
                        delta("{\"content\":\"c\"}"),
                        "[DONE]");
        assertEquals("ab", sink.thoughts());
    }

    @Test
    void takesCallsWithoutIndexAndWithAnObjectForInput() {
        RecordingSink sink =
                ask(
                        delta(
                                "{\"tool_calls\":[{\"function\":{\"name\":\"x\",\"arguments\":"
                                        + "{\"n\":1}}},{\"function\":{\"name\":\"y\",\"arguments\":"
                                        + "{\"n\":2}}}]}"),
                        "{\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}");
        assertEquals("tool_calls", sink.awaitFinished().finishReason());
        assertEquals(
                List.of("x{\"n\":1}", "y{\"n\":2}"),
                sink.proposals().stream().map(p -> p.toolName() + p.inputJson()).toList());
    }

    @Test
    void takesTextInParts() {
        RecordingSink sink =
                ask(
                        delta(
                                "{\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"text\":\"b\"}]}"),
                        "[DONE]");
        assertEquals("ab", sink.text());
    }

    @Test
    void looksAtTheFirstAnswerOnly() {
        RecordingSink sink =
                ask(
                        "{\"choices\":[{\"index\":1,\"delta\":{\"content\":\"no\"}},"
                                + "{\"index\":0,\"delta\":{\"content\":\"yes\"}}]}",
                        "[DONE]");
        assertEquals("yes", sink.text());
    }

    @Test
    void showsARefusalAsText() {
        RecordingSink sink =
                ask(
                        delta("{\"refusal\":\"I cannot.\"}"),
                        "{\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}",
                        "[DONE]");
        assertEquals("I cannot.", sink.text());
        assertEquals("refusal", sink.awaitFinished().finishReason());
    }

    @Test
    void takesUsageInAnyChunkAndTheLastWordOfIt() {
        RecordingSink sink =
                ask(
                        "{\"choices\":[{\"delta\":{\"content\":\"a\"}}],\"usage\":"
                                + "{\"prompt_tokens\":5,\"completion_tokens\":1}}",
                        "{\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}],\"usage\":"
                                + "{\"prompt_tokens\":5,\"completion_tokens\":-2,"
                                + "\"prompt_cache_hit_tokens\":4}}",
                        "[DONE]");
        assertEquals(new ModelEvent.Finished("length", 5, 0, 4, true), sink.awaitFinished());
    }

    @Test
    void takesAnErrorWithinTheStreamForWhatItSays() {
        assertEquals(
                FailureCause.CONTEXT_EXCEEDED,
                ask("{\"error\":{\"code\":\"context_length_exceeded\",\"message\":\"x\"}}")
                        .awaitFailed()
                        .cause());
        assertEquals(
                FailureCause.RATE_LIMITED,
                ask("{\"error\":{\"code\":429,\"message\":\"slow down\"}}").awaitFailed().cause());
        assertEquals(FailureCause.SERVER, ask("{\"error\":\"oops\"}").awaitFailed().cause());
        assertEquals(
                FailureCause.SERVER,
                ask("{\"choices\":[{\"delta\":{},\"finish_reason\":\"error\"}]}")
                        .awaitFailed()
                        .cause());
    }

    @Test
    void putsUpWithWhatItDoesNotKnow() {
        RecordingSink sink =
                ask(
                        "{\"object\":\"x\",\"choices\":[],\"prompt_filter_results\":[]}",
                        "{\"choices\":null}",
                        "{}",
                        delta("{\"content\":null,\"audio\":{}}"),
                        delta("{\"content\":\"a\"}"),
                        "[DONE]");
        assertEquals("a", sink.text());
    }
}
