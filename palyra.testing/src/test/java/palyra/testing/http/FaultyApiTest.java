package palyra.testing.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.egress.EgressContext;
import palyra.api.core.egress.EgressRequest;
import palyra.api.core.egress.EgressRequest.EgressLimits;
import palyra.api.core.egress.EgressResponse;
import palyra.testing.http.FaultyApi.Fault;
import palyra.testing.wait.Await;

class FaultyApiTest {
    private static final int PATIENT_MILLIS = 20_000;

    private final AtomicInteger acts = new AtomicInteger();
    private final LoopbackEgress client = new LoopbackEgress();
    private final FaultyApi api =
            new FaultyApi() {
                @Override
                protected String name(FaultServer.Heard request) {
                    return request.line().split("[ /]+")[1];
                }

                @Override
                protected Reply act(Call call) {
                    return new Reply(201, "{\"acts\":" + acts.incrementAndGet() + "}");
                }
            };

    @AfterEach
    void close() {
        api.close();
        client.close();
    }

    private EgressResponse post() {
        return post(PATIENT_MILLIS);
    }

    private EgressResponse post(int firstByteMillis) {
        return client.send(
                new EgressRequest(
                        new EgressContext("user:a", Set.of(), "", "", "", "test"),
                        "POST",
                        api.url() + "/add/x",
                        Map.of(),
                        Map.of(),
                        "{}".getBytes(StandardCharsets.UTF_8),
                        new EgressLimits(
                                PATIENT_MILLIS,
                                firstByteMillis,
                                PATIENT_MILLIS,
                                PATIENT_MILLIS,
                                1_000,
                                0,
                                Set.of())));
    }

    private String text() throws IOException {
        try (EgressResponse response = post()) {
            return response.status()
                    + " "
                    + new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private ErrorCode failure() {
        return assertThrows(PalyraException.class, this::post).code();
    }

    /** Nothing comes, however long it is waited for. */
    private ErrorCode silence() {
        return assertThrows(PalyraException.class, () -> post(200)).code();
    }

    @Test
    void faultsComeOneAfterTheOtherAndThenNone() throws IOException {
        api.fail("other", Fault.droppedBefore());
        api.fail("add", Fault.answering(429, "{}"), Fault.garbled());
        assertEquals("429 {}", text());
        assertEquals(0, acts.get());
        assertEquals("200 <html>{\"ok\":", text());
        assertEquals(1, acts.get());
        assertEquals("201 {\"acts\":2}", text());
        assertEquals(3, api.calls("add").size());
        assertEquals("{}", api.calls("add").get(0).request().body());
    }

    @Test
    void anAnswerGetsLostBeforeOrAfterTheAct() {
        api.fail(
                "add",
                Fault.droppedBefore(),
                Fault.silent(),
                Fault.droppedAfter(),
                Fault.silentAfter(),
                Fault.truncated());
        assertEquals(ErrorCode.OUTCOME_UNKNOWN, failure());
        assertEquals(ErrorCode.OUTCOME_UNKNOWN, silence());
        assertEquals(0, acts.get());
        assertEquals(ErrorCode.OUTCOME_UNKNOWN, failure());
        assertEquals(ErrorCode.OUTCOME_UNKNOWN, silence());
        Await.until("the silent server to act", () -> acts.get() == 2);
        assertThrows(IOException.class, this::text);
        assertEquals(3, acts.get());
    }

    @Test
    void aLateAnswerComesWhenTheTestSaysSo() throws IOException {
        CountDownLatch now = new CountDownLatch(1);
        api.fail("add", Fault.late(now));
        now.countDown();
        assertEquals("201 {\"acts\":1}", text());
    }

    @Test
    void aServerThatIsDownRefusesAndComesBack() throws IOException {
        assertEquals("201 {\"acts\":1}", text());
        api.goDown();
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, failure());
        api.comeBack();
        assertEquals("201 {\"acts\":2}", text());
    }
}
