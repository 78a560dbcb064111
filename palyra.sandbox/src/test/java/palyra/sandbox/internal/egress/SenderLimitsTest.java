package palyra.sandbox.internal.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.egress.EgressRequest;
import palyra.api.core.egress.EgressRequest.EgressLimits;
import palyra.api.core.egress.EgressResponse;
import palyra.testing.wait.Await;

/** Sizes, times and numbers of requests, and how they are cut. */
class SenderLimitsTest extends SenderFixture {
    private static byte[] zipped(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }

    @Test
    void sizeIsLimitedAfterDecoding() throws IOException {
        byte[] bomb = zipped(new byte[20_000_000]);
        assertTrue(bomb.length < 100_000);
        try (WebServer server =
                WebServer.start(
                        (head, in, out) ->
                                out.write(
                                        head.contains("/small")
                                                ? WebServer.answer(
                                                        200,
                                                        "Content-Encoding: gzip",
                                                        zipped(
                                                                "héllo"
                                                                        .getBytes(
                                                                                StandardCharsets
                                                                                        .UTF_8)))
                                                : head.contains("/plain")
                                                        ? WebServer.answer(200, "", new byte[101])
                                                        : WebServer.answer(
                                                                200,
                                                                "Content-Encoding: gzip",
                                                                bomb)))) {
            String url = "http://allowed.test:" + server.port();
            EgressLimits limits = Stage.limits(10_000, 30_000, 10_000, 100_000, 0);
            EgressResponse small = stage.core.send(Stage.get(url + "/small", limits));
            assertFalse(small.headers().containsKey("content-encoding"));
            assertEquals("héllo", text(small));
            EgressResponse response = stage.core.send(Stage.get(url + "/bomb", limits));
            InputStream body = response.body();
            assertEquals(100_000, body.readNBytes(100_000).length);
            IOException tooLarge = assertThrows(IOException.class, body::read);
            assertTrue(tooLarge.getMessage().contains("larger"), tooLarge.getMessage());
            PalyraException told =
                    refused(
                            Stage.get(
                                    url + "/plain", Stage.limits(10_000, 30_000, 10_000, 100, 0)));
            assertEquals(ErrorCode.RESOURCE_EXHAUSTED, told.code());
        }
    }

    @Test
    void everyPhaseHasItsTime() throws IOException {
        CountDownLatch end = new CountDownLatch(1);
        try (WebServer server =
                WebServer.start(
                        (head, in, out) -> {
                            if (!head.contains("/silent")) {
                                out.write(
                                        "HTTP/1.1 200 OK\r\n\r\nfirst"
                                                .getBytes(StandardCharsets.US_ASCII));
                                out.flush();
                            }
                            for (int i = 0; head.contains("/drip") && i < 600; i++) {
                                out.write('.');
                                out.flush();
                                wait(end, 50);
                            }
                            wait(end, 60_000);
                        })) {
            String url = "http://allowed.test:" + server.port();
            assertEquals(
                    ErrorCode.TIMED_OUT,
                    refused(Stage.get(url + "/silent", Stage.limits(300, 0, 60_000, 999, 0)))
                            .code());
            try (EgressResponse stalls =
                    stage.core.send(Stage.get(url + "/x", Stage.limits(30_000, 0, 300, 999, 0)))) {
                assertEquals(
                        "first",
                        new String(stalls.body().readNBytes(5), StandardCharsets.US_ASCII));
                IOException idle = assertThrows(IOException.class, () -> stalls.body().read());
                assertTrue(idle.getMessage().contains("no more data arrived"), idle.getMessage());
            }
            try (EgressResponse drips =
                    stage.core.send(
                            Stage.get(
                                    url + "/drip",
                                    Stage.limits(30_000, 4_000, 30_000, 9_999, 0)))) {
                assertThrows(IOException.class, () -> drips.body().readAllBytes());
            }
            assertEquals("cut", stage.journal.closed(3).get(2).path("outcome").asText());
        } finally {
            end.countDown();
        }
    }

    private static void wait(CountDownLatch end, long millis) {
        try {
            end.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aStreamIsGivenAsItArrives() throws IOException {
        CountDownLatch second = new CountDownLatch(1);
        try (WebServer server =
                WebServer.start(
                        (head, in, out) -> {
                            out.write(
                                    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                                                    + "5\r\nfirst\r\n")
                                            .getBytes(StandardCharsets.US_ASCII));
                            out.flush();
                            wait(second, 30_000);
                            out.write(
                                    "6\r\nsecond\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                        })) {
            EgressResponse response =
                    stage.core.send(
                            Stage.get(
                                    "http://allowed.test:" + server.port() + "/",
                                    Stage.limits(30_000, 0, 30_000, 99, 0)));
            byte[] buffer = new byte[100];
            assertEquals(5, response.body().read(buffer));
            second.countDown();
            assertEquals(6, response.body().read(buffer));
            assertEquals(-1, response.body().read(buffer));
        }
    }

    @Test
    void anInterruptionCutsTheConnection() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (WebServer server = WebServer.start((head, in, out) -> wait(end, 60_000))) {
            AtomicReference<ErrorCode> code = new AtomicReference<>();
            Thread caller =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        try {
                                            stage.core.send(
                                                    Stage.get(
                                                            "http://allowed.test:"
                                                                    + server.port()
                                                                    + "/"));
                                        } catch (PalyraException e) {
                                            code.set(e.code());
                                        }
                                    });
            Await.until("the request", () -> !server.heads.isEmpty());
            caller.interrupt();
            Await.ended(caller);
            assertEquals(ErrorCode.CANCELLED, code.get());
            assertEquals("failed", stage.journal.closed(1).get(0).path("outcome").asText());
        } finally {
            end.countDown();
        }
    }

    @Test
    void closingCutsWhatIsOpenAndRefusesWhatComes() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (WebServer server = WebServer.start((head, in, out) -> wait(end, 60_000))) {
            AtomicReference<PalyraException> thrown = new AtomicReference<>();
            String url = "http://allowed.test:" + server.port() + "/";
            Thread caller =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        try {
                                            stage.core.send(Stage.get(url));
                                        } catch (PalyraException e) {
                                            thrown.set(e);
                                        }
                                    });
            Await.until("the request", () -> !server.heads.isEmpty());
            stage.core.close();
            Await.ended(caller);
            assertTrue(
                    thrown.get().getMessage().contains("egress was shut down"),
                    thrown.get().getMessage());
            assertEquals("cut", stage.journal.closed(1).get(0).path("outcome").asText());
            assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused(Stage.get(url)).code());
        } finally {
            end.countDown();
        }
    }

    @Test
    void whatCannotBeFoundOrReachedIsUnavailable() throws IOException {
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused(Stage.get("http://unknown.test/")).code());
        int free;
        try (WebServer server = WebServer.saying("x")) {
            free = server.port();
        }
        assertEquals(
                ErrorCode.TOOL_UNAVAILABLE,
                refused(Stage.get("http://allowed.test:" + free + "/")).code());
        assertEquals("failed", stage.journal.closed(1).get(0).path("outcome").asText());
    }

    @Test
    void anAnswerThatIsNotHttpIsRefused() throws IOException {
        for (String answer :
                List.of(
                        "SSH-2.0-x\r\n",
                        "HTTP/1.1 101 Switching\r\n\r\n",
                        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
                        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\nx",
                        "HTTP/1.1 200 OK\nA: b\n\n",
                        "")) {
            try (WebServer server =
                    WebServer.start(
                            (head, in, out) ->
                                    out.write(answer.getBytes(StandardCharsets.US_ASCII)))) {
                assertEquals(
                        ErrorCode.TOOL_UNAVAILABLE,
                        refused(Stage.get("http://allowed.test:" + server.port() + "/")).code(),
                        answer);
            }
        }
    }

    @Test
    void whatAServerMayHaveDoneIsToldFromWhatItNeverHeardOf() throws IOException {
        int free;
        try (WebServer server = WebServer.start((head, in, out) -> {})) {
            String url = "http://allowed.test:" + server.port() + "/";
            assertEquals(ErrorCode.OUTCOME_UNKNOWN, refused(post(url)).code());
            assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused(Stage.get(url)).code());
            free = server.port();
        }
        assertEquals(
                ErrorCode.TOOL_UNAVAILABLE,
                refused(post("http://allowed.test:" + free + "/")).code());
        CountDownLatch end = new CountDownLatch(1);
        try (WebServer silent = WebServer.start((head, in, out) -> wait(end, 60_000))) {
            PalyraException late = refused(post("http://allowed.test:" + silent.port() + "/"));
            assertEquals(ErrorCode.OUTCOME_UNKNOWN, late.code());
            assertTrue(late.getMessage().contains("did not answer in time"), late.getMessage());
        } finally {
            end.countDown();
        }
    }

    private static EgressRequest post(String url) {
        return new EgressRequest(
                Stage.ANNA,
                "POST",
                url,
                Map.of(),
                Map.of(),
                new byte[] {'x'},
                Stage.limits(300, 0, 60_000, 999, 0));
    }

    @Test
    void connectionsAreBounded() throws IOException {
        EgressSettings one =
                new EgressSettings(List.of(), List.of(), "", 1, 1L << 20, 1, Stage.PROXY);
        try (WebServer server = WebServer.saying("hello");
                Stage narrow = new Stage(Stage.LOOPBACK_IS_PUBLIC, one)) {
            String url = "http://allowed.test:" + server.port() + "/";
            EgressResponse first = narrow.core.send(Stage.get(url));
            PalyraException full =
                    assertThrows(PalyraException.class, () -> narrow.core.send(Stage.get(url)));
            assertEquals(ErrorCode.RESOURCE_EXHAUSTED, full.code());
            assertEquals("hello", text(first));
            assertEquals("hello", text(narrow.core.send(Stage.get(url))));
        }
    }
}
