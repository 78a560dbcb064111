package palyra.testing.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.model.FailureCause;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelProvider;
import palyra.testing.http.FaultServer.Scene;
import palyra.testing.wait.Await;

/** What a provider on the network makes of a server that fails, in every way that it can. */
public abstract class RemoteFaultContract extends RemoteProviderFixture {
    /** A stream that stops is no answer. */
    @Test
    public void aTruncatedStreamIsNoAnswer() {
        CountDownLatch heard = new CountDownLatch(1);
        server.next(
                exchange -> {
                    exchange.stream().send(dialect.opening(), dialect.text("half"));
                    heard.await();
                    exchange.truncate();
                });
        RecordingSink sink = ask();
        Await.until("the first piece", PATIENCE, () -> sink.text().equals("half"));
        heard.countDown();
        check(failed(sink), FailureCause.NETWORK, true);
        assertEquals("half", sink.text());
    }

    /** Neither is one that ends in good order without having come to its end. */
    @Test
    public void aStreamWithoutAnEndIsNoAnswer() {
        check(
                failing(exchange -> exchange.stream().send(dialect.opening(), dialect.text("a"))),
                FailureCause.NETWORK,
                true);
        check(failing(exchange -> exchange.stream()), FailureCause.NETWORK, true);
    }

    /** A reset counts as the network's fault wherever it comes. */
    @Test
    public void aResetAtAnyStageIsTheNetworks() {
        check(failing(exchange -> exchange.reset()), FailureCause.NETWORK, true);
        check(failing(exchange -> exchange.stream().reset()), FailureCause.NETWORK, true);
        CountDownLatch heard = new CountDownLatch(1);
        server.next(
                exchange -> {
                    String text = dialect.text("never told");
                    exchange.stream().send(dialect.opening(), dialect.text("a"));
                    exchange.send(text.substring(0, text.length() / 2));
                    heard.await();
                    exchange.reset();
                });
        RecordingSink sink = ask();
        Await.until("the first piece", PATIENCE, () -> sink.text().equals("a"));
        heard.countDown();
        check(failed(sink), FailureCause.NETWORK, true);
        assertEquals("a", sink.text());
    }

    /** But not after the answer was whole. */
    @Test
    public void aResetAfterTheEndChangesNothing() {
        CountDownLatch heard = new CountDownLatch(1);
        server.next(
                exchange -> {
                    exchange.stream().send(dialect.opening(), dialect.text("all"));
                    exchange.send(dialect.ending(false));
                    heard.await(300, TimeUnit.MILLISECONDS);
                    exchange.reset();
                });
        RecordingSink sink = ask();
        assertEquals("stop", finished(sink).finishReason());
        assertEquals("all", sink.text());
    }

    /** Nor does a stream that is never closed, or garbage behind the end. */
    @Test
    public void whatComesAfterTheEndIsOfNoUse() {
        server.next(
                exchange -> {
                    exchange.stream().send(dialect.opening(), dialect.text("all"));
                    exchange.send(dialect.ending(false)).stall();
                });
        assertEquals("stop", finished(ask()).finishReason());
        server.next(
                exchange -> {
                    exchange.stream().send(dialect.opening(), dialect.text("all"));
                    exchange.send(dialect.ending(false), "data: {garbage\n\n");
                });
        assertEquals("stop", finished(ask()).finishReason());
    }

    /** A response that is not an answer is reported as malformed. */
    @Test
    public void garbageIsMalformed() {
        check(
                failing(exchange -> exchange.answer(200, "text/html", "<html>Welcome</html>")),
                FailureCause.MALFORMED,
                true);
        check(
                failing(exchange -> exchange.stream().send("data: {\"a\":\n\n")),
                FailureCause.MALFORMED,
                true);
        check(
                failing(exchange -> exchange.answer(200, "application/json", "{\"a\":1}")),
                FailureCause.MALFORMED,
                true);
    }

    /** An answer beyond every bound is given up. */
    @Test
    public void anEndlessLineIsGivenUp() {
        ModelEvent.Failed failed =
                failing(
                        exchange -> {
                            exchange.stream().send("data: ");
                            String part = "x".repeat(1_000_000);
                            for (int i = 0; i < 20; i++) {
                                exchange.send(part);
                            }
                        });
        check(failed, FailureCause.MALFORMED, false);
        assertEquals(ErrorCode.RESOURCE_EXHAUSTED, failed.code());
    }

    /**
     * Silence before the first token and between tokens ends a turn; signs of life are no tokens.
     */
    @Test
    public void silenceEndsATurn() {
        ModelProvider hasty = open(300, LONG, 1_000, egress);
        server.next(exchange -> exchange.stall());
        ModelEvent.Failed silent = failed(ask(hasty, "a/1/1"));
        check(silent, FailureCause.TIMEOUT, true);
        server.next(exchange -> exchange.stream().send(dialect.opening()).stall());
        assertEquals(silent, failed(ask(hasty, "b/1/1")), "before the head and after it");
        ModelProvider impatient = open(LONG, 300, 1_000, egress);
        RecordingSink sink = new RecordingSink();
        server.next(
                exchange -> {
                    exchange.stream().send(dialect.opening(), dialect.text("a"));
                    while (true) {
                        exchange.send(": still there\n\n");
                        TimeUnit.MILLISECONDS.sleep(20);
                    }
                });
        impatient.start(request("c/1/1"), sink);
        ModelEvent.Failed failed = failed(sink);
        check(failed, FailureCause.TIMEOUT, true);
        assertEquals(ErrorCode.TIMED_OUT, failed.code());
        assertEquals("a", sink.text());
    }

    /** An answer that says nothing and calls nothing is no success. */
    @Test
    public void anEmptyAnswerIsReported() {
        ModelEvent.Failed failed =
                failing(
                        exchange -> {
                            exchange.stream().send(dialect.opening(), dialect.text(""));
                            exchange.send(dialect.ending(false), dialect.closing());
                        });
        check(failed, FailureCause.MALFORMED, true);
        ModelEvent.Failed thought =
                failing(
                        exchange -> {
                            exchange.stream().send(dialect.opening(), dialect.thought("hm"));
                            exchange.send(dialect.ending(false), dialect.closing());
                        });
        check(thought, FailureCause.MALFORMED, true);
    }

    /** Cancelling cuts the connection at once, before the head of the answer and within it. */
    @Test
    public void cancellingCutsTheConnection() {
        CountDownLatch gone = new CountDownLatch(2);
        Scene silent =
                exchange -> {
                    exchange.stall();
                    gone.countDown();
                };
        server.next(silent);
        RecordingSink before = ask(provider, "a/1/1");
        Await.until("the request", PATIENCE, () -> server.heard().size() == 1);
        provider.cancel("a/1/1");
        assertEquals(ErrorCode.CANCELLED, failed(before).code());
        server.next(
                exchange -> {
                    exchange.stream().send(dialect.opening(), dialect.text("a"));
                    silent.play(exchange);
                });
        RecordingSink within = ask(provider, "b/1/1");
        Await.until("the first piece", PATIENCE, () -> within.text().equals("a"));
        provider.cancel("b/1/1");
        check(failed(within), FailureCause.CANCELLED, false);
        Await.until("the server to notice", PATIENCE, () -> gone.getCount() == 0);
    }
}
