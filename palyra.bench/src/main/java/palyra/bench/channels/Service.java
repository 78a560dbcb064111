package palyra.bench.channels;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Posts signed messages to the webhook connector and waits for their answers. Thread-safe. */
final class Service implements AutoCloseable {
    static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    private static final long PATIENCE_SECONDS = 60;

    private final HttpClient http = HttpClient.newHttpClient();
    private final AtomicLong next = new AtomicLong();
    private final URI hook;
    private final Callbacks callbacks;

    Service(String gateway, Callbacks callbacks) {
        this.hook = URI.create(gateway + "/hooks/main");
        this.callbacks = callbacks;
    }

    /** Says something and returns; the answer is waited for by no one. */
    void say(String conversation) throws IOException, InterruptedException {
        post(conversation, "t" + next.incrementAndGet());
    }

    /**
     * Says something; returns nanoseconds from its acceptance until the answer came, 0 for none.
     */
    long ask(String conversation) throws IOException, InterruptedException {
        String text = "t" + next.incrementAndGet();
        var answer = callbacks.await("You said: " + text);
        long accepted = post(conversation, text);
        try {
            return Math.max(0, answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS) - accepted);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException(text + " was not answered", e);
        }
    }

    private long post(String conversation, String text) throws IOException, InterruptedException {
        String body =
                "{\"id\":\""
                        + text
                        + "\",\"conversation\":\""
                        + conversation
                        + "\",\"sender\":{\"id\":\""
                        + conversation
                        + "\"},\"direct\":true,\"text\":\""
                        + text
                        + "\"}";
        String seconds = Long.toString(System.currentTimeMillis() / 1_000);
        HttpResponse<String> response =
                http.send(
                        HttpRequest.newBuilder(hook)
                                .timeout(Duration.ofSeconds(PATIENCE_SECONDS))
                                .header("webhook-id", text)
                                .header("webhook-timestamp", seconds)
                                .header("webhook-signature", signature(text, seconds, body))
                                .POST(BodyPublishers.ofString(body))
                                .build(),
                        BodyHandlers.ofString());
        if (response.statusCode() != 202) {
            throw new IOException(response.statusCode() + ": " + response.body());
        }
        return System.nanoTime();
    }

    private static String signature(String id, String seconds, String body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            byte[] key = Base64.getDecoder().decode(SECRET.substring("whsec_".length()));
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            byte[] signed = (id + "." + seconds + "." + body).getBytes(StandardCharsets.UTF_8);
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has HMAC-SHA-256", e);
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
