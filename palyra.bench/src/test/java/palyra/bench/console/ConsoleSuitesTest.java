package palyra.bench.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import palyra.bench.models.BareStream;
import palyra.bench.models.ReceivedTokens;
import palyra.bench.models.TokenServer;

class ConsoleSuitesTest {
    private static HttpResponse<String> get(String url) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                    HttpRequest.newBuilder(URI.create(url)).build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void theStaticPageHasAsManyBytesAsTheConsoles() throws Exception {
        try (PagesSuite.StaticPages pages = new PagesSuite.StaticPages()) {
            HttpResponse<String> page = get(pages.url(100_000));
            assertEquals(200, page.statusCode());
            assertTrue(page.body().length() >= 100_000, "shorter than the console's page");
            assertTrue(page.body().length() < 100_100, "longer than the console's page");
            assertTrue(
                    page.headers().firstValue("Content-Type").orElse("").startsWith("text/html"));
        }
    }

    /** Browsers connect also without a question. */
    @Test
    void theModelAnswersWhileAConnectionWithoutAQuestionIsOpen() throws Exception {
        try (TokenServer model = new TokenServer(20, 1, 1);
                Socket silent = new Socket("127.0.0.1", model.port())) {
            assertTrue(silent.isConnected());
            assertTrue(get(model.url() + "/").body().contains("id=\"bare\""));
            assertEquals(404, get(model.url() + "/favicon.ico").statusCode());
            ReceivedTokens heard = BareStream.read(model, 20);
            assertEquals(20, heard.since(model).size());
            assertTrue(heard.firstMillis() <= heard.totalMillis());
        }
    }

    @Test
    void clocksOfTheBrowserAndOfTheBenchmarkAgree() {
        long now = System.nanoTime();
        double micros = new Wall().micros(now);
        double expected = Instant.now().toEpochMilli() * 1_000.0;
        assertEquals(expected, micros, TimeUnit.SECONDS.toMicros(5));
    }
}
