package palyra.testing.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.model.FailureCause;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelProvider;
import palyra.testing.wait.Await;

/** What a provider on the network makes of a server that says no, and of parts that are absent. */
public abstract class RemoteRefusalContract extends RemoteProviderFixture {
    private ModelEvent.Failed status(int status, String type, String code, String... headers) {
        return failing(
                exchange ->
                        exchange.answer(
                                status,
                                "application/json",
                                dialect.error(type, code, "It said no to " + KEY),
                                headers));
    }

    /** Too many requests: with the time to wait where the server says one. */
    @Test
    public void tooManyRequestsSayHowLongToWait() {
        ModelEvent.Failed plain = status(429, "rate_limit_error", "rate_limit_exceeded");
        check(plain, FailureCause.RATE_LIMITED, true);
        assertEquals(0, plain.retryAfterMillis());
        assertEquals(
                7_000, status(429, "rate_limit_error", "", "Retry-After: 7").retryAfterMillis());
        assertEquals(250, status(429, "", "", "retry-after-ms: 250").retryAfterMillis());
        String later =
                DateTimeFormatter.RFC_1123_DATE_TIME.format(
                        ZonedDateTime.now(ZoneOffset.UTC).plusSeconds(600));
        long wait = status(429, "", "", "Retry-After: " + later).retryAfterMillis();
        assertTrue(wait > 300_000 && wait <= 600_000, "waits " + wait);
    }

    /** A server that fails may do better next time; other servers too. */
    @Test
    public void failuresOfTheServerPass() {
        for (int status : new int[] {500, 502, 503, 529}) {
            check(status(status, "server_error", ""), FailureCause.SERVER, true);
        }
        assertEquals(3_000, status(503, "", "", "Retry-After: 3").retryAfterMillis());
        check(
                failing(exchange -> exchange.answer(502, "text/html", "<html>")),
                FailureCause.SERVER,
                true);
        check(
                failing(
                        exchange ->
                                exchange.stream().send(dialect.opening(), dialect.overloaded())),
                FailureCause.SERVER,
                true);
    }

    /** The cause of a failure decides whether another provider is tried. */
    @Test
    public void refusalsAreToldApart() {
        check(status(400, "invalid_request_error", ""), FailureCause.BAD_REQUEST, false);
        check(
                status(401, "authentication_error", "invalid_api_key"),
                FailureCause.AUTHENTICATION,
                false);
        check(status(403, "permission_error", ""), FailureCause.AUTHENTICATION, false);
        check(status(402, "", ""), FailureCause.QUOTA, false);
        check(status(429, "insufficient_quota", "insufficient_quota"), FailureCause.QUOTA, false);
        check(status(404, "not_found_error", "model_not_found"), FailureCause.UNAVAILABLE, false);
        check(
                status(302, "", "", "Location: http://127.0.0.1:1/"),
                FailureCause.UNAVAILABLE,
                false);
        check(
                failing(exchange -> exchange.answer(400, "application/json", dialect.tooLong())),
                FailureCause.CONTEXT_EXCEEDED,
                false);
        check(
                failing(
                        exchange ->
                                exchange.stream()
                                        .send(
                                                dialect.opening(),
                                                dialect.text("I"),
                                                dialect.blocked())),
                FailureCause.CONTENT_BLOCKED,
                false);
    }

    /** The server's sentence is shown, its name of the error too, the key never. */
    @Test
    public void theSentenceTellsWhatTheServerSaid() {
        ModelEvent.Failed failed = status(400, "invalid_request_error", "bad_value");
        assertTrue(failed.message().contains("answered 400"), failed.message());
        assertTrue(failed.message().contains("It said no to [key]"), failed.message());
    }

    /** A server that failed so often is left alone, and says for how long. */
    @Test
    public void theCircuitOpensAfterFailuresInARow() {
        ModelProvider careful = open(LONG, LONG, 2, egress);
        server.otherwise(exchange -> exchange.answer(500, "application/json", "{}"));
        check(failed(ask(careful, "a/1/1")), FailureCause.SERVER, true);
        check(failed(ask(careful, "a/1/2")), FailureCause.SERVER, true);
        ModelEvent.Failed open = failed(ask(careful, "a/1/3"));
        check(open, FailureCause.CIRCUIT_OPEN, true);
        assertTrue(open.retryAfterMillis() > 0, "says how long");
        assertEquals(2, server.heard().size());
    }

    /** After a while one turn tries; others wait for what becomes of it. */
    @Test
    public void oneTurnTriesWhetherTheServerIsBack() {
        ModelProvider careful =
                open(
                        new RemoteDialect.Setup(
                                server.url(),
                                KEY_REF,
                                LONG,
                                LONG,
                                1,
                                200,
                                egress,
                                keys.access(),
                                keys.vault()));
        server.next(exchange -> exchange.answer(500, "application/json", "{}"));
        check(failed(ask(careful, "a/1/1")), FailureCause.SERVER, true);
        CountDownLatch back = new CountDownLatch(1);
        server.otherwise(
                exchange -> {
                    back.await();
                    good(exchange, "back");
                });
        List<RecordingSink> tries = new ArrayList<>();
        Await.until(
                "a try to reach the server",
                PATIENCE,
                () -> {
                    // The one that tries does not end before the server is back.
                    if (tries.isEmpty() || tries.getLast().ending().isPresent()) {
                        tries.add(ask(careful, "b/1/" + tries.size()));
                    }
                    return server.heard().size() == 2;
                });
        check(failed(ask(careful, "c/1/1")), FailureCause.CIRCUIT_OPEN, true);
        back.countDown();
        finished(tries.getLast());
        finished(ask(careful, "d/1/1"));
        assertEquals(3, server.heard().size());
    }

    /** Refusals are no failures of the server. */
    @Test
    public void refusalsDoNotOpenTheCircuit() {
        ModelProvider careful = open(LONG, LONG, 1, egress);
        server.otherwise(exchange -> exchange.answer(400, "application/json", "{}"));
        check(failed(ask(careful, "a/1/1")), FailureCause.BAD_REQUEST, false);
        check(failed(ask(careful, "a/1/2")), FailureCause.BAD_REQUEST, false);
        assertEquals(2, server.heard().size());
    }

    /** Without egress, a key or a permission nothing is sent, and the reason is reported. */
    @Test
    public void withoutWhatItNeedsNothingIsSent() {
        ModelProvider alone = open(LONG, LONG, 1, null);
        check(failed(ask(alone, "a/1/1")), FailureCause.UNAVAILABLE, true);
        ModelProvider stopped =
                open(
                        LONG,
                        LONG,
                        1,
                        request -> {
                            throw new PalyraException(ErrorCode.DENIED, "Policy says no.");
                        });
        ModelEvent.Failed denied = failed(ask(stopped, "b/1/1"));
        check(denied, FailureCause.DENIED, false);
        assertEquals(ErrorCode.DENIED, denied.code());
        keys.deny();
        check(failed(ask()), FailureCause.DENIED, false);
        assertTrue(server.heard().isEmpty(), "nothing was sent");
    }
}
