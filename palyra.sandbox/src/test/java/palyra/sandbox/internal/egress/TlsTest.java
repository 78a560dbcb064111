package palyra.sandbox.internal.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.egress.EgressRequest.EgressLimits;
import palyra.api.core.egress.EgressResponse;
import palyra.testing.wait.Await;

/** TLS of the client, and tunnels through a proxy: by hand, and by curl over socat. */
class TlsTest extends TlsFixture {
    @Test
    void theClientSpeaksTlsToWhomTheCertificateNames() throws IOException {
        try (EgressResponse response =
                stage.core.send(Stage.get("https://" + place("allowed.test") + "/"))) {
            assertEquals(
                    "secured", new String(response.body().readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void theClientRefusesWhomTheCertificateDoesNotName() {
        PalyraException refused =
                assertThrows(
                        PalyraException.class,
                        () -> stage.core.send(Stage.get("https://" + place("other.test") + "/")));
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused.code());
        assertTrue(refused.getMessage().contains("TLS"), refused.getMessage());
        assertEquals(List.of(), server.heads.stream().filter(h -> !h.isEmpty()).toList());
    }

    @Test
    void theClientRefusesAnAuthorityThatNobodyTrusts() throws IOException {
        try (Stage plain = new Stage()) {
            assertThrows(
                    PalyraException.class,
                    () -> plain.core.send(Stage.get("https://" + place("allowed.test") + "/")));
            plain.core.use(Stage.settings(certificates.pem.toString(), Stage.PROXY));
            plain.core.send(Stage.get("https://" + place("allowed.test") + "/")).close();
            plain.core.use(Stage.settings(folder.resolve("missing.pem").toString(), Stage.PROXY));
            assertTrue(plain.core.findings().get(0).message().contains("missing.pem"));
            assertThrows(
                    PalyraException.class,
                    () -> plain.core.send(Stage.get("https://" + place("allowed.test") + "/")));
        }
    }

    @Test
    void anInterruptionAndATimeLimitCutThroughTls() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (WebServer silent =
                certificates.serve(
                        (head, in, out) -> {
                            try {
                                end.await(60, TimeUnit.SECONDS);
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        })) {
            String url = "https://allowed.test:" + silent.port() + "/";
            AtomicReference<ErrorCode> code = new AtomicReference<>();
            Thread caller =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        try {
                                            stage.core.send(Stage.get(url));
                                        } catch (PalyraException e) {
                                            code.set(e.code());
                                        }
                                    });
            Await.until("the request", LONG, () -> !silent.heads.isEmpty());
            caller.interrupt();
            Await.ended(caller);
            assertEquals(ErrorCode.CANCELLED, code.get());
            PalyraException late =
                    assertThrows(
                            PalyraException.class,
                            () -> stage.core.send(Stage.get(url, Stage.limits(300, 0, 300, 9, 0))));
            assertEquals(ErrorCode.TIMED_OUT, late.code());
        } finally {
            end.countDown();
        }
    }

    @Test
    void aServerThatNeverFinishesTlsIsGivenUp() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (WebServer mute =
                WebServer.start(
                        (head, in, out) -> {
                            try {
                                end.await(60, TimeUnit.SECONDS);
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        })) {
            EgressLimits quick = new EgressLimits(500, 30_000, 0, 30_000, 9, 0, Set.of());
            PalyraException late =
                    assertThrows(
                            PalyraException.class,
                            () ->
                                    stage.core.send(
                                            Stage.get(
                                                    "https://allowed.test:" + mute.port() + "/",
                                                    quick)));
            assertEquals(ErrorCode.TIMED_OUT, late.code());
        } finally {
            end.countDown();
        }
    }

    @Test
    void aRedirectFromHttpsToHttpIsNotFollowed() throws IOException {
        try (WebServer redirecting =
                certificates.serve(
                        (head, in, out) -> {
                            out.write(WebServer.answer(302, "Location: http://allowed.test/", ""));
                            out.flush();
                        })) {
            PalyraException refused =
                    assertThrows(
                            PalyraException.class,
                            () ->
                                    stage.core.send(
                                            Stage.get(
                                                    "https://allowed.test:"
                                                            + redirecting.port()
                                                            + "/")));
            assertEquals(ErrorCode.DENIED, refused.code());
        }
    }
}
