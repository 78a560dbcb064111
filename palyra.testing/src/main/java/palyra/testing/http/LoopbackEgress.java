package palyra.testing.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.egress.EgressRequest;
import palyra.api.core.egress.EgressResponse;

/**
 * An egress client for tests: it reaches loopback, checks no policy and records only its requests.
 * An interruption ends it, as it ends the real one. Thread-safe.
 */
public final class LoopbackEgress implements EgressClient, AutoCloseable {
    /** Name of its threads, by which a look for threads of others leaves them out. */
    public static final String THREADS = "palyra-loopback-egress";

    private final ExecutorService workers =
            Executors.newCachedThreadPool(Thread.ofPlatform().name(THREADS).daemon().factory());
    private final HttpClient client =
            HttpClient.newBuilder()
                    .executor(workers)
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .build();
    private final List<EgressRequest> sent = new ArrayList<>(); // guarded by this

    @Override
    public EgressResponse send(EgressRequest request) {
        synchronized (this) {
            sent.add(request);
        }
        HttpRequest.Builder builder =
                HttpRequest.newBuilder(URI.create(request.url()))
                        .timeout(Duration.ofMillis(request.limits().responseMillis()))
                        .method(
                                request.method(),
                                HttpRequest.BodyPublishers.ofByteArray(request.body()));
        request.headers().forEach(builder::header);
        request.secretHeaders().forEach(builder::header);
        try {
            HttpResponse<InputStream> response =
                    client.send(builder.build(), HttpResponse.BodyHandlers.ofInputStream());
            return new EgressResponse(
                    response.statusCode(),
                    response.headers().map(),
                    request.url(),
                    "127.0.0.1",
                    response.body());
        } catch (ConnectException | HttpConnectTimeoutException e) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE, "It could not be reached: " + e + ".", e);
        } catch (HttpTimeoutException e) {
            throw new PalyraException(
                    sent(request, ErrorCode.TIMED_OUT), "It did not answer in time.", e);
        } catch (IOException e) {
            throw new PalyraException(
                    sent(request, ErrorCode.TOOL_UNAVAILABLE), "The connection broke: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PalyraException(ErrorCode.CANCELLED, "It was interrupted.", e);
        }
    }

    private static ErrorCode sent(EgressRequest request, ErrorCode harmless) {
        return request.method().equals("GET") ? harmless : ErrorCode.OUTCOME_UNKNOWN;
    }

    /** Returns what it was asked, oldest first. */
    public synchronized List<EgressRequest> sent() {
        return List.copyOf(sent);
    }

    @Override
    public void close() {
        client.shutdownNow();
        workers.shutdown();
    }
}
