package palyra.health.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.apache.felix.hc.api.Result;
import org.apache.felix.hc.api.ResultLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import palyra.shared.http.Reply;

class HealthReportTest {
    private static Reply reply(FakeExecutor executor, Set<String> expected, boolean detailed) {
        return new CheckRunner(executor, CheckRunner.READY, expected).run().reply(detailed);
    }

    private static String body(Reply reply) {
        return new String(reply.body(), StandardCharsets.UTF_8);
    }

    @Test
    void showsNamesAndStatesToStrangersAndMessagesToThoseWhoMay() {
        FakeExecutor executor =
                new FakeExecutor()
                        .with("b", new Result(Result.Status.OK, "Fine at /secret/place."))
                        .with("a", new Result(Result.Status.OK, "Good."));
        Reply brief = reply(executor, Set.of(), false);
        assertEquals(200, brief.status());
        assertEquals(
                "{\"status\":\"ok\",\"checks\":[{\"name\":\"a\",\"status\":\"ok\"},"
                        + "{\"name\":\"b\",\"status\":\"ok\"}]}",
                body(brief));
        assertEquals(
                "{\"status\":\"ok\",\"checks\":[{\"name\":\"a\",\"status\":\"ok\",\"message\":\"Good.\"},"
                        + "{\"name\":\"b\",\"status\":\"ok\",\"message\":\"Fine at /secret/place.\"}]}",
                body(reply(executor, Set.of(), true)));
        assertEquals(List.of("ready", "ready"), executor.askedFor);
    }

    @ParameterizedTest
    @CsvSource({
        "OK, 200, ok, ok",
        "WARN, 200, warn, warn",
        "TEMPORARILY_UNAVAILABLE, 503, failing, temporarily_unavailable",
        "CRITICAL, 503, failing, critical",
        "HEALTH_CHECK_ERROR, 503, failing, error",
    })
    void theWorstCheckDecides(Result.Status status, int code, String whole, String word) {
        Reply reply =
                reply(
                        new FakeExecutor()
                                .with("a", new Result(Result.Status.OK, ""))
                                .with("b", new Result(status, "x")),
                        Set.of("a"),
                        false);
        assertEquals(code, reply.status());
        assertEquals(
                "{\"status\":\""
                        + whole
                        + "\",\"checks\":[{\"name\":\"a\",\"status\":\"ok\"},"
                        + "{\"name\":\"b\",\"status\":\""
                        + word
                        + "\"}]}",
                body(reply));
    }

    @Test
    void aCheckThatIsNotThereIsNotAYes() {
        Reply reply =
                reply(
                        new FakeExecutor().with("a", new Result(Result.Status.OK, "")),
                        Set.of("a", "b"),
                        false);
        assertEquals(503, reply.status());
        assertEquals(
                "{\"status\":\"failing\",\"checks\":[{\"name\":\"a\",\"status\":\"ok\"},"
                        + "{\"name\":\"b\",\"status\":\"missing\"}]}",
                body(reply));
    }

    @Test
    void noChecksAtAllIsNotAYes() {
        assertEquals(503, reply(new FakeExecutor(), Set.of(), false).status());
    }

    @Test
    void debugLinesStayInside() {
        ResultLog log = new ResultLog();
        log.add(new ResultLog.Entry("inner workings", true, null));
        log.add(new ResultLog.Entry(Result.Status.OK, "For people."));
        String body = body(reply(new FakeExecutor().with("a", new Result(log)), Set.of(), true));
        assertFalse(body.contains("inner workings"), body);
    }
}
