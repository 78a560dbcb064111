package palyra.models.internal.http;

import java.io.IOException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.egress.EgressRequest;
import palyra.api.core.egress.EgressResponse;
import palyra.api.core.vault.SecretRef;
import palyra.api.model.FailureCause;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelRequest;
import palyra.api.model.ModelSink;

/** One turn: one request, one answer, on the thread that runs it. Never asks twice. */
final class HttpTurn implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpTurn.class);
    private static final int MAX_ERROR_BYTES = 64 * 1_024;

    /** What it works with, the same for all turns of a provider. */
    record Setup(
            Endpoint endpoint,
            Dialect dialect,
            ModelSeams seams,
            CircuitBreaker breaker,
            ReadingBudget reading) {}

    /** The head of an answer, and how the key is known should it come back. */
    private record Sent(EgressResponse response, KeyMark key) {}

    private final Setup setup;
    private final String provider;
    private final ModelRequest request;
    private final ModelSink sink;
    private final TurnClock clock;

    // confined to the turn's thread
    private CircuitBreaker.Pass pass; // null when the breaker does not let it ask
    private ModelEvent ending;
    private boolean left; // nobody listens any more

    HttpTurn(Setup setup, ModelRequest request, ModelSink sink, LongSupplier nanos) {
        this.setup = setup;
        this.provider = setup.endpoint().id();
        this.request = request;
        this.sink = sink;
        this.clock = new TurnClock(provider, setup.endpoint().times(), request, nanos);
    }

    /** Returns what stops it. */
    TurnClock clock() {
        return clock;
    }

    /** Returns how it ended; null when nobody listened to the end. For the turn's thread. */
    ModelEvent ending() {
        return ending;
    }

    @Override
    public void run() {
        ModelEvent end = null;
        try {
            enter();
            end = attempt();
        } catch (TurnFailure e) {
            end = told(e.event());
        } catch (PalyraException e) {
            end = told(ModelFailures.refused(provider, e));
        } catch (OutOfMemoryError e) { // what was read is let go by now; the run is told
            LOG.error("A turn of model provider {} met the end of memory", provider, e);
            end = told(ModelFailures.outOfMemory(provider));
        } catch (RuntimeException | LinkageError e) {
            LOG.error("A turn of model provider {} broke", provider, e);
            end =
                    told(
                            new ModelEvent.Failed(
                                    ErrorCode.INTERNAL,
                                    "Model provider '" + provider + "' broke; see the log.",
                                    true));
        } finally {
            report(end);
        }
        if (!left) {
            ending = end;
            tellLast(end);
        }
    }

    /** Whoever stopped the turn decides how it ends, whatever came of that. */
    private ModelEvent.Failed told(ModelEvent.Failed failed) {
        ModelEvent.Failed stopped = clock.stopped();
        return stopped != null ? stopped : failed;
    }

    private void enter() throws TurnFailure {
        switch (setup.breaker().enter()) {
            case CircuitBreaker.Pass given -> pass = given;
            case CircuitBreaker.Wait wait -> throw new TurnFailure(notAsked(wait));
        }
    }

    private ModelEvent.Failed notAsked(CircuitBreaker.Wait wait) {
        return new ModelEvent.Failed(
                ErrorCode.MODEL_UNAVAILABLE,
                "Model provider '"
                        + provider
                        + "' failed so often lately that "
                        + (wait.trial()
                                ? "one turn tries first whether it answers again, which is known"
                                        + " within "
                                : "it is not asked for ")
                        + wait.leftMillis()
                        + " ms; wait, or use another provider.",
                true,
                FailureCause.CIRCUIT_OPEN,
                wait.leftMillis());
    }

    /** A turn that dies of an error has no end; it is no sign of a server that works. */
    private void report(ModelEvent end) {
        if (pass == null) {
            return;
        }
        if (end == null) {
            pass.failed();
        } else if (end instanceof ModelEvent.Failed failed) {
            report(failed);
        } else {
            pass.succeeded();
        }
    }

    private void report(ModelEvent.Failed failed) {
        switch (failed.cause()) {
            case SERVER, NETWORK -> pass.failed();
            case TIMEOUT -> {
                if (clock.impatient()) {
                    pass.abandoned();
                } else {
                    pass.failed();
                }
            }
            case BAD_REQUEST,
                    CONTEXT_EXCEEDED,
                    CONTENT_BLOCKED,
                    AUTHENTICATION,
                    QUOTA,
                    RATE_LIMITED ->
                    pass.succeeded();
            default -> pass.abandoned();
        }
    }

    private void tellLast(ModelEvent end) {
        try {
            sink.accept(end);
        } catch (RuntimeException e) {
            LOG.warn("The sink of turn {} broke at its end", request.requestId(), e);
        }
    }

    private ModelEvent attempt() throws TurnFailure {
        ToolNames names = ToolNames.of(request);
        byte[] body = body(names);
        clock.requireGoing();
        Sent sent = send(body);
        try (EgressResponse response = sent.response()) {
            if (response.status() < 200 || response.status() > 299) {
                throw new TurnFailure(refusal(response, sent.key()));
            }
            return listen(response, new Speech(provider, names, sent.key(), this::tell));
        }
    }

    /** The key is gone when this returns: an answer may take minutes. */
    private Sent send(byte[] body) throws TurnFailure {
        SecretRef ref = setup.endpoint().key();
        String key = ref == null ? "" : setup.seams().key(ref, request);
        return new Sent(send(TurnRequest.of(setup, request, key, body)), KeyMark.of(key));
    }

    private EgressResponse send(EgressRequest post) throws TurnFailure {
        clock.beginWaiting();
        try {
            return setup.seams().send(post);
        } finally {
            clock.endWaiting();
        }
    }

    private byte[] body(ToolNames names) throws TurnFailure {
        try {
            return setup.dialect().body(request, names);
        } catch (PalyraException e) {
            throw new TurnFailure(e.code(), FailureCause.BAD_REQUEST, false, e.getMessage());
        }
    }

    private ModelEvent.Failed refusal(EgressResponse response, KeyMark mark) throws TurnFailure {
        byte[] said;
        clock.beginWaiting();
        try {
            said = response.body().readNBytes(MAX_ERROR_BYTES);
        } catch (IOException e) {
            said = new byte[0];
        } finally {
            clock.endWaiting();
        }
        clock.requireGoing();
        return ModelFailures.answered(
                provider,
                response.status(),
                response.headers(),
                AnswerStream.error(said, mark),
                System.currentTimeMillis());
    }

    private ModelEvent listen(EgressResponse response, Speech speech) throws TurnFailure {
        Dialect.AnswerReader reader = setup.dialect().reader(speech);
        AnswerStream stream = new AnswerStream(provider, reader);
        byte[] buffer = new byte[8_192];
        boolean more = true;
        try (ReadingBudget.Part part = setup.reading().part(provider)) {
            while (more && speech.listening() && !reader.complete()) {
                int length = read(response, buffer, speech);
                more = length >= 0;
                try {
                    feed(stream, buffer, length);
                    if (speech.signs() > 0) {
                        pass.answering();
                    }
                    part.hold(stream.held() + speech.held());
                } catch (TurnFailure e) {
                    if (!speech.finished()) {
                        throw e;
                    }
                    more = false; // the answer was whole; what came after it is of no use
                }
                clock.requireGoing();
            }
        }
        if (!speech.finished() && !reader.complete()) {
            throw ModelFailures.broken(provider, "");
        }
        ModelEvent.Finished end = speech.end();
        clock.requireGoing();
        return end;
    }

    private static void feed(AnswerStream stream, byte[] buffer, int length) throws TurnFailure {
        if (length < 0) {
            stream.end();
        } else {
            stream.feed(buffer, length);
        }
    }

    /** Reads what has come; the end of the body when it fails after the answer was whole. */
    private int read(EgressResponse response, byte[] buffer, Speech speech) throws TurnFailure {
        clock.beginListening(speech.signs(), speech.finished());
        try {
            return response.body().read(buffer, 0, buffer.length);
        } catch (IOException e) {
            clock.requireGoing();
            if (speech.finished()) {
                return -1;
            }
            throw ModelFailures.broken(provider, ProviderError.clean(e.getMessage() + ".", 200));
        } finally {
            clock.endWaiting();
        }
    }

    private boolean tell(ModelEvent event) {
        try {
            left = !sink.accept(event);
        } catch (RuntimeException e) {
            LOG.warn("The sink of turn {} broke; the turn is given up", request.requestId(), e);
            left = true;
        }
        return !left;
    }
}
