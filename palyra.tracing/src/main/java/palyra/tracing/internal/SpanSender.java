package palyra.tracing.internal;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.opentelemetry.sdk.resources.Resource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.egress.EgressContext;
import palyra.api.core.egress.EgressRequest;
import palyra.api.core.egress.EgressRequest.EgressLimits;
import palyra.api.core.egress.EgressResponse;
import palyra.api.core.vault.Secret;
import palyra.api.core.vault.SecretRef;
import palyra.shared.gate.Gate;
import palyra.shared.vault.SecretLender;
import palyra.shared.vault.SecretUse;

/**
 * Posts waiting spans to the collector, batch by batch. A batch that the collector cannot take now
 * is sent again after a growing pause, at most {@value #ATTEMPTS} times in all; then its spans are
 * given up. Meanwhile nothing else is sent. {@link #step} is for one thread.
 */
final class SpanSender {
    /** Principal of the connections and of the use of secrets. */
    static final String PRINCIPAL = "system:tracing";

    /** Purpose in policy requests. */
    static final String PURPOSE = "traces";

    private static final Logger LOG = LoggerFactory.getLogger(SpanSender.class);
    private static final ObjectMapper JSON = JsonMapper.builder().build();
    private static final int ATTEMPTS = 4;
    private static final int BATCH_SPANS = 512;
    private static final long BATCH_BYTES = 1L << 20;
    private static final long LONGEST_PAUSE = TimeUnit.MINUTES.toNanos(1);
    private static final int ANSWER_BYTES = 64 << 10;
    private static final EgressLimits LIMITS =
            new EgressLimits(3_000, 5_000, 8_000, 5_000, ANSWER_BYTES, 0, Set.of());
    private static final Set<Integer> LATER = Set.of(429, 502, 503, 504);

    private final TracingSettings settings;
    private final Resource resource;
    private final SpanQueue queue;
    private final Gate<EgressClient> egress;
    private final SecretLender secrets;
    private final long firstPause; // nanoseconds
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong givenUp = new AtomicLong();
    private int attempts; // of the oldest batch
    private int batchSize; // of the batch that is tried again
    private long notBefore = System.nanoTime();
    private volatile String problem = "";

    SpanSender(
            TracingSettings settings,
            Resource resource,
            SpanQueue queue,
            Gate<EgressClient> egress,
            SecretLender secrets,
            Duration firstPause) {
        this.settings = settings;
        this.resource = resource;
        this.queue = queue;
        this.egress = egress;
        this.secrets = secrets;
        this.firstPause = firstPause.toNanos();
    }

    /** The collector cannot take spans now. */
    private static final class LaterException extends Exception {
        private static final long serialVersionUID = 1;
        private final long seconds; // that it asked for; 0 for none

        LaterException(String message, long seconds) {
            super(message);
            this.seconds = seconds;
        }
    }

    /** Sends what waits, unless a pause is on. */
    void step() {
        boolean more = System.nanoTime() - notBefore >= 0;
        while (more && !Thread.currentThread().isInterrupted()) {
            List<byte[]> batch = queue.oldest(attempts == 0 ? BATCH_SPANS : batchSize, BATCH_BYTES);
            more = !batch.isEmpty() && sendBatch(batch);
        }
    }

    /** Returns whether the next batch may follow at once. */
    private boolean sendBatch(List<byte[]> batch) {
        try {
            long refused = Math.min(batch.size(), post(batch));
            says(refused == 0 ? "" : "the collector refused " + refused + " spans");
            settle(batch, refused);
            return true;
        } catch (LaterException e) {
            return later(batch, e.getMessage(), e.seconds);
        } catch (PalyraException e) {
            // One that is cancelled is so because this is being closed.
            return e.code() != ErrorCode.CANCELLED && later(batch, e.getMessage(), 0);
        } catch (RuntimeException e) {
            LOG.debug("The egress client failed.", e);
            return later(batch, "the egress client failed: " + e.getClass().getSimpleName(), 0);
        }
    }

    private boolean later(List<byte[]> batch, String reason, long seconds) {
        attempts++;
        batchSize = batch.size();
        long pause = Math.min(LONGEST_PAUSE, firstPause << Math.min(attempts - 1, 10));
        long asked = TimeUnit.SECONDS.toNanos(seconds);
        notBefore = System.nanoTime() + Math.max(pause, Math.min(asked, LONGEST_PAUSE));
        says(reason);
        if (attempts >= ATTEMPTS) {
            settle(batch, batch.size());
        }
        return false;
    }

    private void settle(List<byte[]> batch, long lost) {
        queue.remove(batch.size());
        givenUp.addAndGet(lost);
        sent.addAndGet(batch.size() - lost);
        attempts = 0;
    }

    /** Logs a change between sending and not sending once. */
    private void says(String reason) {
        if (!reason.isEmpty() && problem.isEmpty()) {
            LOG.warn("Traces are not sent: {}", reason);
        } else if (reason.isEmpty() && !problem.isEmpty()) {
            LOG.info("Traces are sent again.");
        }
        problem = reason;
    }

    /** Returns how many spans the collector refused for good. */
    private long post(List<byte[]> batch) throws LaterException {
        Map<String, String> headers = new HashMap<>(settings.headers());
        headers.put("Content-Type", "application/json");
        EgressRequest request =
                new EgressRequest(
                        new EgressContext(PRINCIPAL, Set.of(), "", "", "", PURPOSE),
                        "POST",
                        settings.endpoint(),
                        headers,
                        secretHeaders(),
                        OtlpJson.request(resource, TraceWriter.SCOPE, batch),
                        LIMITS);
        // A call lasts longer than a lease may, so the lease covers the look-up of the client.
        EgressClient client = egress.call(present -> present);
        try (EgressResponse response = client.send(request)) {
            return refused(response, batch.size());
        }
    }

    private static long refused(EgressResponse response, int size) throws LaterException {
        int status = response.status();
        if (status >= 200 && status < 300) {
            return partly(response);
        }
        String told = "the collector answered " + status;
        if (LATER.contains(status)) {
            String after = response.headers().getOrDefault("retry-after", List.of("")).get(0);
            throw new LaterException(told, after.matches("[0-9]{1,6}") ? Long.parseLong(after) : 0);
        }
        LOG.debug("{}; {} spans are given up.", told, size);
        return size;
    }

    /** An answer of another form refuses nothing. */
    private static long partly(EgressResponse response) {
        try {
            return Math.max(
                    0,
                    JSON.readTree(response.body().readAllBytes())
                            .path("partialSuccess")
                            .path("rejectedSpans")
                            .asLong(0));
        } catch (IOException e) {
            return 0;
        }
    }

    private Map<String, String> secretHeaders() {
        Map<String, String> headers = new HashMap<>();
        settings.secretHeaders().forEach((name, ref) -> headers.put(name, value(name, ref)));
        return headers;
    }

    /** Returns the value without the line feed that {@code echo} adds. */
    private String value(String name, SecretRef ref) {
        SecretUse use = new SecretUse(PRINCIPAL, Set.of(), "", "", "", PURPOSE, ref);
        String text;
        try (Secret secret = secrets.lend(use)) {
            text = secret.use(bytes -> new String(bytes, StandardCharsets.UTF_8));
        }
        text = text.strip();
        if (!text.matches("[\\x20-\\x7E]{1,4096}")) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    ref
                            + " has characters that the header "
                            + name
                            + " cannot carry; store it again with palyra vault put.");
        }
        return text;
    }

    /** Returns how many spans the collector took. */
    long sent() {
        return sent.get();
    }

    /** Returns how many spans it refused, or was not there for. */
    long givenUp() {
        return givenUp.get();
    }

    /** Returns why spans cannot be sent now; empty while they can. */
    String problem() {
        return problem;
    }
}
