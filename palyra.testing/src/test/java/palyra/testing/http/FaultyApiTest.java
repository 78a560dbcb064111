package palyra.testing.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
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
                    if (call.name().equals("empty")) {
                        return new Reply(204, "", List.of("X-Left: 4"));
                    }
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

    /** As when the client is killed while it sends. */
    @Test
    void aRequestThatIsCutOffIsNotActedOn() throws Exception {
        URI url = URI.create(api.url());
        for (String cut :
                List.of(
                        "Content-Length: 2\r\n\r\n{",
                        "Content-Length: 2\r\n\r\n",
                        "Transfer-Encoding: chunked\r\n\r\n2\r\n{")) {
            try (Socket socket = new Socket(url.getHost(), url.getPort())) {
                socket.getOutputStream()
                        .write(
                                ("POST /add/x HTTP/1.1\r\n" + cut)
                                        .getBytes(StandardCharsets.US_ASCII));
                socket.shutdownOutput();
                assertEquals(-1, socket.getInputStream().read());
            }
        }
        assertEquals(0, acts.get());
        assertEquals(201, post().status());
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
    void bodiesComeInChunksAndAnswersHaveHeaders() throws Exception {
        byte[] bytes = {0, (byte) 0xff, '\r', '\n', 7};
        BodyPublisher chunks =
                BodyPublishers.fromPublisher(
                        BodyPublishers.concat(
                                BodyPublishers.ofByteArray(bytes),
                                BodyPublishers.ofByteArray(bytes)));
        api.fail("empty", Fault.late(new CountDownLatch(0)));
        try (HttpClient plain =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            HttpResponse<String> answer =
                    plain.send(
                            HttpRequest.newBuilder(URI.create(api.url() + "/empty"))
                                    .POST(chunks)
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertEquals(204, answer.statusCode());
            assertEquals("4", answer.headers().firstValue("X-Left").orElseThrow());
        }
        FaultServer.Heard heard = api.calls("empty").get(0).request();
        assertEquals("chunked", heard.headers().get("transfer-encoding"));
        assertEquals(10, heard.bytes().length);
        assertEquals(7, heard.bytes()[9]);
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
